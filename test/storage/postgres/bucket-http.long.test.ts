/** Two nodes with their documents in a bucket, as seen by clients while the store is out of reach. */
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServingProcess } from '../../app/run-sinete.ts';
import { startFaulty, type ObjectServer } from '../object-stores/object-servers.ts';
import { standInS3 } from '../object-stores/stand-in-s3.ts';
import { NodeProcesses } from './node-processes.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

let server: PostgresServer;
let objects: ObjectServer;
const processes = new NodeProcesses();
let nodes: readonly ServingProcess[];
/** While true, the store answers 503. */
let isOut = false;

beforeAll(async () => {
  server = await startPostgres();
  const store: RequestListener = standInS3(['documents']);
  objects = await startFaulty((request, response) => {
    if (isOut) response.writeHead(503).end();
    else store(request, response);
  });
  nodes = await processes.startTogether(2, {
    SINETE_DATABASE_URL: await server.createDatabase(),
    SINETE_DOCUMENTS_STORE: 's3://documents/nodes',
    SINETE_DOCUMENTS_ENDPOINT: objects.url,
    SINETE_METRICS: 'true',
    AWS_ACCESS_KEY_ID: 'node',
    AWS_SECRET_ACCESS_KEY: 'secret',
  });
}, 180_000);

afterAll(async () => {
  await processes.stop();
  await objects.stop();
  await server.stop();
});

interface Transaction {
  readonly tcn: string;
  readonly status: string;
  readonly documents: readonly { readonly result: string | null }[];
}

/** Long enough to be an object of its own. */
const content = 'a long letter '.repeat(20_000);

const ask = async (node: number, path: string, init?: RequestInit): Promise<Response> =>
  fetch(`${nodes[node]?.baseUrl ?? ''}${path}`, init);

async function create(body: object, key: string = randomUUID()): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
  return ask(0, '/signature-service', {
    method: 'POST',
    headers,
    body: JSON.stringify({ type: 'CAdES-attached', ...body }),
  });
}

const inline = { documents_source: 'DATA_URL', documents: [{ data: `data:text/plain,${content}` }], mode: 'sync' };

async function send(tcn: string): Promise<Response> {
  const form = new FormData();
  form.append('document[0]', new Blob([content]), 'letter.txt');
  return ask(0, `/file-transfer/${tcn}/eot`, { method: 'POST', body: form });
}

const pathOf = ({ documents }: Transaction): string => new URL(documents[0]?.result ?? '').pathname;

/** The refusal of a repeatable request. */
async function expectRefused(answer: Response): Promise<void> {
  expect([answer.status, (await answer.json()) as unknown]).toMatchObject([503, { code: 'STORAGE_UNAVAILABLE' }]);
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
}

async function figures(node: number): Promise<readonly string[]> {
  return (await (await ask(node, '/metrics')).text()).split('\n');
}

describe('nodes with a bucket out of reach for a while', () => {
  it('refuse requests in need of the bucket with a time to come back, say so to operators, and answer the same requests later', async () => {
    const earlier = (await (await create(inline)).json()) as Transaction;
    expect(earlier.status).toBe('SIGNED');
    const open = (await (await create({ documents_source: 'UPLOAD_REFERENCE' })).json()) as Transaction;
    expect(await figures(0)).toContain('sinete_storage_up{part="documents"} 1');
    expect(await figures(1)).toContain('sinete_nodes_alive 2');

    isOut = true;
    const key = randomUUID();
    await expectRefused(await create(inline, key));
    await expectRefused(await send(open.tcn));
    // The signing node has a copy; the other node has to fetch the result.
    expect((await ask(0, pathOf(earlier))).status).toBe(200);
    await expectRefused(await ask(1, pathOf(earlier)));
    const health = await ask(1, '/health-check');
    expect([health.status, await health.text()]).toEqual([
      503,
      expect.stringContaining('object store of the documents'),
    ]);
    const shown = await figures(1);
    expect(shown).toContain('sinete_storage_up{part="documents"} 0');
    expect(shown).toContain('sinete_storage_up{part="database"} 1');
    // Requests needing no document go on, so the node stays behind its load balancer.
    expect([(await ask(0, '/ready')).status, (await ask(0, `/signature-service/${open.tcn}`)).status]).toEqual([
      200, 200,
    ]);

    isOut = false;
    const again = await create(inline, key);
    expect([again.ok, (await again.json()) as unknown]).toMatchObject([true, { status: 'SIGNED' }]);
    expect((await send(open.tcn)).ok).toBe(true);
    const uploaded = (await (await ask(1, `/signature-service/${open.tcn}?wait=60`)).json()) as Transaction;
    expect(uploaded.status).toBe('SIGNED');
    const [here, there] = [await ask(0, pathOf(earlier)), await ask(1, pathOf(earlier))];
    expect([here.status, there.status]).toEqual([200, 200]);
    expect(Buffer.from(await there.arrayBuffer())).toEqual(Buffer.from(await here.arrayBuffer()));
    expect((await ask(1, '/health-check')).status).toBe(200);
    expect(await figures(1)).toContain('sinete_storage_up{part="documents"} 1');
  }, 120_000);
});
