/** Real nodes with copies of a single token, as nodes before an HSM: every document is signed once, also when a node ends. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSinete, type ServingProcess, type Workplace } from '../../app/run-sinete.ts';
import { runTool } from '../../oracles/run-program.ts';
import { until } from '../../setup/waits.ts';
import { createSoftHsm, type SoftHsm } from '../../token/softhsm.ts';
import { makeSharedFolder, NodeProcesses } from './node-processes.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

const DATABASE = 'hsm';
/** Transactions for each of the two nodes, and documents of a transaction. */
const TRANSACTIONS = 12;
const DOCUMENTS = 6;

interface Transaction {
  readonly tcn: string;
  readonly status: string;
  readonly documents: readonly { readonly status: string; readonly result: string | null }[];
}

let server: PostgresServer;
let hsm: SoftHsm;
const processes = new NodeProcesses();
let place: Workplace;
let nodes: readonly [one: ServingProcess, other: ServingProcess, without: ServingProcess];

beforeAll(async () => {
  server = await startPostgres();
  hsm = await createSoftHsm([
    { label: 'hsm', keys: [{ label: 'p256', keyId: '0a', kind: 'ec-p256', name: 'ANA LIMA' }] },
  ]);
  const shared = {
    SINETE_DATABASE_URL: await server.createDatabase(DATABASE),
    SINETE_DOCUMENTS_STORE: makeSharedFolder(await processes.addPlace()),
    SINETE_METRICS: 'true',
    SINETE_PKCS11_SESSIONS: '2',
  };
  const withToken = async (name: string, hasToken = true) => ({
    ...shared,
    SINETE_PKCS11_ENVIRONMENT: JSON.stringify({ SOFTHSM2_CONF: await copyToken(name, hasToken) }),
  });
  place = await processes.addPlace(await withToken('one'));
  await succeed(place, 'modules', 'add', hsm.modulePath);
  const one = await processes.start(place);
  await unlock(place);
  const second = await processes.addNode(place, await withToken('other'));
  const other = await processes.start(second);
  await unlock(second);
  nodes = [one, other, await processes.start(await processes.addNode(place, await withToken('none', false)))];
}, 300_000);

afterAll(async () => {
  await processes.stop();
  await hsm.remove();
  await server.stop();
});

/** Makes a folder of tokens with a copy of the token, or with none. Answers its configuration for SoftHSM. */
async function copyToken(name: string, hasToken: boolean): Promise<string> {
  const folder = join(hsm.folder, `copy-${name}`);
  await mkdir(folder);
  const tokens = join(folder, 'tokens');
  if (hasToken) await cp(join(hsm.folder, 'tokens'), tokens, { recursive: true });
  else await mkdir(tokens);
  const configuration = join(folder, 'softhsm2.conf');
  await writeFile(configuration, `directories.tokendir = ${tokens}\nobjectstore.backend = file\nlog.level = ERROR\n`);
  return configuration;
}

async function succeed(at: Workplace, ...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runSinete(at, words);
  expect(code, stderr).toBe(0);
  return stdout;
}

async function unlock(at: Workplace): Promise<void> {
  await writeFile(join(at.folder, 'pin'), hsm.pin, { mode: 0o600 });
  const [certificate] = JSON.parse(await succeed(at, 'certificates', '--json')) as { readonly alias: string }[];
  await succeed(at, 'certificates', 'unlock', certificate?.alias ?? '', '--pin-file', 'pin');
}

async function create({ baseUrl }: ServingProcess, name: string): Promise<string> {
  const documents = Array.from({ length: DOCUMENTS }, (_, index) => ({ data: `data:text/plain,${name}.${index}` }));
  const answer = await fetch(`${baseUrl}/signature-service`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'CAdES-attached', documents_source: 'DATA_URL', documents }),
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as Transaction).tcn;
}

/** The documents that a node has signed, by its own count. */
async function signedBy({ baseUrl }: ServingProcess): Promise<number> {
  const figures = await (await fetch(`${baseUrl}/metrics`)).text();
  return Number(/^sinete_documents_finished_total\{status="signed"\} (\d+)$/m.exec(figures)?.[1] ?? NaN);
}

async function finished({ baseUrl }: ServingProcess, tcn: string): Promise<Transaction> {
  const read = async (): Promise<Transaction> =>
    (await (await fetch(`${baseUrl}/signature-service/${tcn}?wait=20`)).json()) as Transaction;
  let transaction = await read();
  await until(async () => {
    if (transaction.status === 'WAITING') transaction = await read();
    return transaction.status !== 'WAITING';
  }, 'the transaction is finished');
  return transaction;
}

/** The text found by OpenSSL under a verified signature; the test authority is not asked. */
async function verified(result: Uint8Array, name: string): Promise<string> {
  const file = join(hsm.folder, `${name}.p7s`);
  await writeFile(file, result);
  const words = ['cms', '-verify', '-noverify', '-inform', 'DER', '-in', file];
  return runTool('openssl', words, { folder: hsm.folder });
}

describe('two nodes with copies of a token, and one without', () => {
  it('sign every document once, although one of the two is killed, and leave nothing to the third', async () => {
    const [one, other, without] = nodes;
    const names = Array.from({ length: TRANSACTIONS }, (_, index) => String(index));
    const sent = new Map<string, string>();
    for (const name of names) {
      sent.set(`one.${name}`, await create(one, `one.${name}`));
      sent.set(`other.${name}`, await create(other, `other.${name}`));
      if (name === '5') await until(async () => (await signedBy(other)) > 0, 'the other node has signed');
    }
    await other.stop('SIGKILL');

    for (const [name, tcn] of sent) {
      const { documents } = await finished(without, tcn);
      expect(documents.map(({ status }) => status)).toEqual(Array.from({ length: DOCUMENTS }, () => 'SIGNED'));
      const [first] = documents;
      const answer = await fetch(`${one.baseUrl}${new URL(first?.result ?? '').pathname}`);
      expect(await verified(new Uint8Array(await answer.arrayBuffer()), name)).toBe(`${name}.0`);
    }
    const rows = await server.query<{ detail: string }>(
      "select detail from audit_log where kind = 'documents-signed'",
      DATABASE,
    );
    const logged = rows.flatMap(({ detail }) => (JSON.parse(detail) as { documents: [string][] }).documents);
    const total = sent.size * DOCUMENTS;
    expect([logged.length, new Set(logged.map(([key]) => key)).size]).toEqual([total, total]);
    expect(await signedBy(one)).toBeGreaterThanOrEqual(TRANSACTIONS);
    expect(await signedBy(without)).toBe(0);
    expect(JSON.parse(await succeed(place, 'audit', 'verify', '--json'))).toMatchObject({ state: 'intact' });
  }, 300_000);
});
