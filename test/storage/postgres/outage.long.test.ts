/** The database goes away, twice, while clients of a real instance sign: nothing is lost, and nothing is signed twice. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorkplace, runSinete, serve, type ServingProcess, type Workplace } from '../../app/run-sinete.ts';
import { letTimePass, until } from '../../setup/waits.ts';
import { makeTestIdentity } from './node-processes.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

const CLIENTS = 4;
/** Transactions of each client, and documents of a transaction. */
const TRANSACTIONS = 10;
const DOCUMENTS = 3;
/** Refused requests of an outage, and the pause of a client after one; the pools try the server again meanwhile. */
const REFUSALS = 60;
const PAUSE = 100;

interface Transaction {
  readonly tcn: string;
  readonly status: string;
  readonly documents: readonly { readonly status: string; readonly result: string | null }[];
}

let server: PostgresServer;
let place: Workplace;
let instance: ServingProcess;
let receiver: Server;
/** TCNs of notifications as they came. */
const notified: string[] = [];
const refused: { readonly code: unknown; readonly retryAfter: string | null }[] = [];
const finished: Transaction[] = [];

beforeAll(async () => {
  server = await startPostgres();
  const made = await makeWorkplace();
  place = { ...made, environment: { ...made.environment, SINETE_DATABASE_URL: await server.createDatabase('outage') } };
  await makeTestIdentity(place);
  receiver = createServer((request, response) => {
    notified.push(new URL(request.url ?? '', 'http://localhost').searchParams.get('tcn') ?? '');
    request.resume();
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  instance = await serve(place, ['--approve', 'all']);
}, 120_000);

afterAll(async () => {
  await instance.stop('SIGKILL');
  await new Promise((resolve) => receiver.close(resolve));
  await place.remove();
  await server.stop();
});

/** Repeats a request until it is not refused for the moment. Rejects for every other refusal than 503. */
async function ask(path: string, init: RequestInit = {}, alsoGood: readonly number[] = []): Promise<Response> {
  for (;;) {
    const answer = await fetch(`${instance.baseUrl}${path}`, init);
    if (answer.ok || alsoGood.includes(answer.status)) return answer;
    const problem = (await answer.json()) as { readonly code: unknown };
    if (answer.status !== 503) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(problem)}`);
    refused.push({ code: problem.code, retryAfter: answer.headers.get('Retry-After') });
    await letTimePass(PAUSE);
  }
}

async function create(source: object): Promise<Transaction> {
  const callback = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/?tcn=`;
  const body = { type: 'CAdES-attached', ...source, notification_callback: callback };
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
  const answer = await ask('/signature-service', { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as Transaction;
}

/** Long documents are files of the data folder, short ones rows of the database. */
const contentOf = (name: string, isLong: boolean): string => name.repeat(isLong ? 20_000 : 1);

async function sendInline(name: string): Promise<string> {
  const documents = Array.from({ length: DOCUMENTS }, (_, index) => ({
    data: `data:text/plain,${contentOf(`${name}.${index}.`, false)}`,
  }));
  return (await create({ documents_source: 'DATA_URL', documents })).tcn;
}

async function sendUpload(name: string): Promise<string> {
  const { tcn } = await create({ documents_source: 'UPLOAD_REFERENCE' });
  const form = new FormData();
  for (let index = 0; index < DOCUMENTS; index++) {
    form.append(`document[${index}]`, new Blob([contentOf(`${name}.${index}.`, true)]), `${index}.txt`);
  }
  // 409: an earlier attempt was stored, although its answer was 503.
  await ask(`/file-transfer/${tcn}/eot`, { method: 'POST', body: form }, [409]);
  return tcn;
}

async function collect(tcn: string): Promise<Transaction> {
  for (;;) {
    const transaction = (await (await ask(`/signature-service/${tcn}?wait=5`)).json()) as Transaction;
    if (transaction.status !== 'WAITING') return transaction;
  }
}

async function runClient(client: number): Promise<void> {
  for (let number = 0; number < TRANSACTIONS; number++) {
    const name = `${client}.${number}`;
    const transaction = await collect(await (number % 2 === 0 ? sendInline(name) : sendUpload(name)));
    for (const { result } of transaction.documents) {
      const answer = await ask(new URL(result ?? '').pathname);
      expect(new Uint8Array(await answer.arrayBuffer())[0]).toBe(0x30);
    }
    finished.push(transaction);
  }
}

const statusOf = async (path: string): Promise<number> => (await fetch(`${instance.baseUrl}${path}`)).status;

/** Ends the server in the middle of the work, and starts it again when the clients have been refused many times. */
async function breakDown(after: number): Promise<void> {
  await until(() => finished.length >= after, `${after} transactions are finished`);
  await server.kill();
  const before = refused.length;
  await until(() => refused.length >= before + REFUSALS, 'the clients are refused');
  expect([await statusOf('/health-check'), await statusOf('/live')]).toEqual([503, 200]);
  await server.resume();
}

describe('an instance whose database goes away for a while, twice', () => {
  it('refuses with a time to come back, goes on by itself, loses nothing and doubles nothing', async () => {
    const clients = Promise.all(Array.from({ length: CLIENTS }, (_, client) => runClient(client)));
    await Promise.race([clients, breakDown(6).then(() => breakDown(18))]);
    await clients;

    expect(refused.length).toBeGreaterThanOrEqual(2 * REFUSALS);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['STORAGE_UNAVAILABLE']));
    expect(refused.filter(({ retryAfter }) => !(Number(retryAfter) > 0))).toEqual([]);

    const statuses = finished.flatMap(({ documents }) => documents.map(({ status }) => status));
    expect(statuses).toEqual(Array.from({ length: CLIENTS * TRANSACTIONS * DOCUMENTS }, () => 'SIGNED'));
    const tcns = finished.map(({ tcn }) => tcn).sort();
    expect(new Set(tcns).size).toBe(CLIENTS * TRANSACTIONS);
    const rows = await server.query<{ tcn: string }>('select tcn from transactions', 'outage');
    expect(rows.map(({ tcn }) => tcn).sort()).toEqual(tcns);
    const signatures = await server.query<{ detail: string }>(
      "select detail from audit_log where kind = 'documents-signed'",
      'outage',
    );
    const logged = signatures.flatMap(({ detail }) => (JSON.parse(detail) as { documents: unknown[] }).documents);
    expect(logged).toHaveLength(statuses.length);

    await until(() => new Set(notified).size === tcns.length, 'every notification has come');
    expect([...new Set(notified)].sort()).toEqual(tcns);
    const verified = await runSinete(place, ['audit', 'verify', '--json']);
    expect(verified.code, verified.stderr).toBe(0);
    expect(JSON.parse(verified.stdout)).toMatchObject({ state: 'intact' });
    expect(await statusOf('/health-check')).toBe(200);
    expect(await instance.stop()).toBe(0);
  }, 300_000);
});
