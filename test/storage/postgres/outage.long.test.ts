/** A store goes away, twice, while clients of real instances sign: nothing is lost, and nothing is signed twice. */
import { readdirSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runSinete, type ServingProcess, type Workplace } from '../../app/run-sinete.ts';
import { until } from '../../setup/waits.ts';
import { startFaulty, type ObjectServer } from '../object-stores/object-servers.ts';
import { standInS3 } from '../object-stores/stand-in-s3.ts';
import { makeTestIdentity, NodeProcesses } from './node-processes.ts';
import { OutageClients } from './outage-clients.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

/** Refused requests of an outage. */
const REFUSALS = 60;

let server: PostgresServer;
let processes: NodeProcesses;
let clients: OutageClients;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => server.stop());
beforeEach(async () => {
  processes = new NodeProcesses();
  clients = new OutageClients(4);
  await clients.listen();
});
afterEach(async () => {
  await processes.stop();
  await clients.close();
});

const statusOf = async ({ baseUrl }: ServingProcess, path: string): Promise<number> =>
  (await fetch(`${baseUrl}${path}`)).status;

/** Takes a store away in the middle of the work, and brings it back when the clients have been refused many times. */
async function breakDown(
  after: number,
  store: { away(): Promise<void> | void; back(): Promise<void> | void },
  nodes: readonly ServingProcess[],
): Promise<void> {
  const { finished, refused } = clients;
  await until(() => finished.length >= after, `${after} transactions are finished`);
  await store.away();
  const before = refused.length;
  await until(() => refused.length >= before + REFUSALS, 'the clients are refused');
  for (const node of nodes) {
    expect([await statusOf(node, '/health-check'), await statusOf(node, '/live')]).toEqual([503, 200]);
  }
  await store.back();
}

/** Every document is signed once, and each transaction is told and in the database once. */
async function expectAllSignedOnce(database: string, place: Workplace): Promise<void> {
  const { refused, finished, notified, total } = clients;
  expect(refused.length).toBeGreaterThanOrEqual(2 * REFUSALS);
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['STORAGE_UNAVAILABLE']));
  expect(refused.filter(({ retryAfter }) => !(Number(retryAfter) > 0))).toEqual([]);

  const statuses = finished.flatMap(({ documents }) => documents.map(({ status }) => status));
  expect(statuses).toEqual(Array.from({ length: total.documents }, () => 'SIGNED'));
  const tcns = finished.map(({ tcn }) => tcn).sort();
  expect(new Set(tcns).size).toBe(total.transactions);
  const rows = await server.query<{ tcn: string }>('select tcn from transactions', database);
  expect(rows.map(({ tcn }) => tcn).sort()).toEqual(tcns);
  const signatures = await server.query<{ detail: string }>(
    "select detail from audit_log where kind = 'documents-signed'",
    database,
  );
  const logged = signatures.flatMap(({ detail }) => (JSON.parse(detail) as { documents: unknown[] }).documents);
  expect(logged).toHaveLength(statuses.length);

  await until(() => new Set(notified).size === tcns.length, 'every notification has come');
  expect([...new Set(notified)].sort()).toEqual(tcns);
  const verified = await runSinete(place, ['audit', 'verify', '--json']);
  expect(verified.code, verified.stderr).toBe(0);
  expect(JSON.parse(verified.stdout)).toMatchObject({ state: 'intact' });
}

describe('an instance whose database goes away for a while, twice', () => {
  it('refuses with a time to come back, goes on by itself, loses nothing and doubles nothing', async () => {
    const place = await processes.addPlace({ SINETE_DATABASE_URL: await server.createDatabase('outage') });
    await makeTestIdentity(place);
    const instance = await processes.start(place);
    const store = { away: async () => server.kill(), back: async () => server.resume() };
    const running = clients.run([instance.baseUrl]);
    await Promise.race([running, breakDown(6, store, [instance]).then(async () => breakDown(18, store, [instance]))]);
    await running;
    await expectAllSignedOnce('outage', place);
    expect(await statusOf(instance, '/health-check')).toBe(200);
    expect(await instance.stop()).toBe(0);
  }, 300_000);
});

describe('two nodes whose bucket goes away for a while, twice', () => {
  let objects: ObjectServer;
  let isOut = false;

  beforeEach(async () => {
    const bucket: RequestListener = standInS3(['documents']);
    objects = await startFaulty((request, response) => {
      if (isOut) response.writeHead(503).end();
      else bucket(request, response);
    });
  });
  afterEach(async () => objects.stop());

  it('refuse with a time to come back, go on by themselves, lose nothing, double nothing and keep no rest', async () => {
    const nodes = await processes.startTogether(2, {
      SINETE_DATABASE_URL: await server.createDatabase('bucket_outage'),
      SINETE_DOCUMENTS_STORE: 's3://documents/nodes',
      SINETE_DOCUMENTS_ENDPOINT: objects.url,
      AWS_ACCESS_KEY_ID: 'node',
      AWS_SECRET_ACCESS_KEY: 'secret',
    });
    const store = { away: () => void (isOut = true), back: () => void (isOut = false) };
    const running = clients.run(nodes.map(({ baseUrl }) => baseUrl));
    await Promise.race([running, breakDown(6, store, nodes).then(async () => breakDown(18, store, nodes))]);
    await running;
    const [first] = processes.places;
    await expectAllSignedOnce('bucket_outage', first!);
    for (const node of nodes) expect(await statusOf(node, '/health-check')).toBe(200);
    // Refused uploads leave no bytes behind.
    for (const { data } of processes.places) expect(readdirSync(join(data, 'bucket', 'incoming'))).toEqual([]);
  }, 300_000);
});
