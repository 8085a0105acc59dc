/**
 * The backup of nodes, as docs/operators/backup.md says: documents, rows, documents again, and the master key apart.
 * Everything else is destroyed before the restore.
 */
import { createHash, randomUUID } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCoreClient } from '../../../src/app/cli/core-client.ts';
import { makeWorkplace, runSinete, serve, type ServingProcess, type Workplace } from '../../app/run-sinete.ts';
import { runTool } from '../../oracles/run-program.ts';
import { startSwift, swiftKeys } from '../object-stores/swift-server.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

/** A place for the documents of nodes, with the commands for its copy. */
interface Place {
  readonly environment: Readonly<Record<string, string>>;
  copyTo(folder: string): Promise<void>;
  copyFrom(folder: string): Promise<void>;
  /** Removes the place with all its content. */
  destroy(): Promise<void>;
}

/** A shared folder. `cp --archive --update` adds and replaces, and removes nothing. */
async function folderPlace(): Promise<Place> {
  const parent = await mkdtemp(join(tmpdir(), 'sinete-restore-folder-'));
  const shared = join(parent, 'shared');
  await mkdir(shared, { mode: 0o700 });
  const copy = async (from: string, to: string): Promise<void> => {
    await runTool('cp', ['--archive', '--update', `${from}/.`, to]);
  };
  return {
    environment: { SINETE_DOCUMENTS_STORE: shared },
    copyTo: async (folder) => copy(shared, folder),
    copyFrom: async (folder) => copy(folder, shared),
    destroy: async () => rm(parent, { recursive: true }),
  };
}

/** A bucket. `rclone copy` adds and replaces, and removes nothing. */
async function bucketPlace(): Promise<Place> {
  const swift = await startSwift(['documents']);
  const { accessKeyId, secretAccessKey } = swiftKeys;
  const remote = {
    RCLONE_CONFIG: '/dev/null',
    RCLONE_CONFIG_STORE_TYPE: 's3',
    RCLONE_CONFIG_STORE_PROVIDER: 'Other',
    RCLONE_CONFIG_STORE_ENDPOINT: swift.url,
    RCLONE_CONFIG_STORE_REGION: 'us-east-1',
    RCLONE_CONFIG_STORE_ACCESS_KEY_ID: accessKeyId,
    RCLONE_CONFIG_STORE_SECRET_ACCESS_KEY: secretAccessKey,
  };
  const rclone = async (from: string, to: string): Promise<void> => {
    await runTool('rclone', ['copy', '--s3-no-check-bucket', from, to], { onlyEnvironment: remote });
  };
  return {
    environment: {
      SINETE_DOCUMENTS_STORE: 's3://documents/nodes',
      SINETE_DOCUMENTS_ENDPOINT: swift.url,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    },
    copyTo: async (folder) => rclone('store:documents/nodes', folder),
    copyFrom: async (folder) => rclone(folder, 'store:documents/nodes'),
    destroy: async () => swift.stop(),
  };
}

let backup: string;
const servers: PostgresServer[] = [];
const workplaces: Workplace[] = [];
const places: Place[] = [];
let instance: ServingProcess | undefined;

beforeEach(async () => {
  backup = await mkdtemp(join(tmpdir(), 'sinete-restore-'));
  await mkdir(join(backup, 'documents'), { mode: 0o700 });
});
afterEach(async () => {
  await instance?.stop('SIGKILL');
  instance = undefined;
  await destroyAll();
  await rm(backup, { recursive: true });
});

async function destroyAll(): Promise<void> {
  for (const place of places.splice(0)) await place.destroy();
  for (const workplace of workplaces.splice(0)) await workplace.remove();
  for (const server of servers.splice(0)) await server.stop();
}

/** A computer for a node, with an empty database server and an empty place for documents. */
async function newMachine(openPlace: () => Promise<Place>, restoreRows: (url: string) => Promise<void>) {
  const server = await startPostgres();
  servers.push(server);
  const place = await openPlace();
  places.push(place);
  const made = await makeWorkplace();
  const url = await server.createDatabase('sinete');
  await restoreRows(url);
  const environment = { ...made.environment, ...place.environment, SINETE_DATABASE_URL: url };
  const workplace = { ...made, environment };
  workplaces.push(workplace);
  return { url, place, workplace };
}

interface Transaction {
  readonly tcn: string;
  readonly status: string;
  readonly documents: readonly { readonly status: string; readonly result: string | null }[];
}

const letter = (length: number): string => `data:text/plain,${randomUUID()} ${'a letter '.repeat(length)}`;

async function create(texts: readonly string[]): Promise<Transaction> {
  const documents = texts.map((data) => ({ data }));
  const body = JSON.stringify({ type: 'CAdES-attached', documents_source: 'DATA_URL', documents });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${instance?.baseUrl ?? ''}/signature-service`, { method: 'POST', headers, body });
  expect(answer.ok, await answer.clone().text()).toBe(true);
  return (await answer.json()) as Transaction;
}

/** @param wait seconds allowed to the transaction */
async function query(tcn: string, wait = 0): Promise<Transaction> {
  const answer = await fetch(`${instance?.baseUrl ?? ''}/signature-service/${tcn}?wait=${wait}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Transaction;
}

/** Approves a transaction as the owner of the instance, and answers its end. */
async function approve({ data }: Workplace, tcn: string): Promise<Transaction> {
  const client = await openCoreClient({ data });
  await client.call('approvals.decide', { tcn, decision: 'approve' });
  await client.close();
  return query(tcn, 60);
}

/** SHA-256 of each result, by its path. */
async function resultsOf(transactions: readonly Transaction[]): Promise<Readonly<Record<string, string>>> {
  const paths = transactions.flatMap(({ documents }) => documents.map(({ result }) => new URL(result ?? '').pathname));
  const found: Record<string, string> = {};
  for (const path of paths) {
    const answer = await fetch(`${instance?.baseUrl ?? ''}${path}`);
    expect(answer.status, path).toBe(200);
    found[path] = createHash('sha256')
      .update(Buffer.from(await answer.arrayBuffer()))
      .digest('hex');
  }
  return found;
}

interface Verdict {
  readonly state: string;
  readonly rows: number;
}

async function verifyAudit(workplace: Workplace): Promise<Verdict> {
  const { stdout, stderr } = await runSinete(workplace, ['audit', 'verify', '--json']);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Verdict;
}

const start = async (workplace: Workplace): Promise<void> => {
  instance = await serve(workplace, ['--approve', 'ask']);
};
const keyOf = ({ folder }: Workplace): string => join(folder, 'keys', 'master.key');
const rowsFile = (): string => join(backup, 'sinete.dump');

const nothing = async (): Promise<void> => Promise.resolve();
const restoreRows = async (url: string): Promise<void> => {
  await runTool('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${url}`, rowsFile()]);
};

describe.each([
  ['a shared folder', folderPlace],
  ['a bucket', bucketPlace],
])('a backup of rows and of documents in %s', (_name, openPlace) => {
  it('brings back every signed document and the audit log after everything was lost, and signing goes on', async () => {
    const before = await newMachine(openPlace, nothing);
    const words = ['certificates', 'test-identity', '--name', 'Ana Lima', '--cpf', '111.444.777-35'];
    expect(await runSinete(before.workplace, words)).toMatchObject({ code: 0 });
    await start(before.workplace);
    const signed: Transaction[] = [];
    for (const texts of [[letter(10), letter(20_000)], [letter(30_000)], [letter(1)]]) {
      signed.push(await approve(before.workplace, (await create(texts)).tcn));
    }
    expect(signed.every(({ status }) => status === 'SIGNED')).toBe(true);
    const results = await resultsOf(signed);
    const [waiting, signedMeanwhile] = [await create([letter(20_000)]), await create([letter(20_000)])];

    // The backup, while the node runs.
    await before.place.copyTo(join(backup, 'documents'));
    const between = await create([letter(20_000)]);
    await runTool('pg_dump', ['--format=custom', `--file=${rowsFile()}`, `--dbname=${before.url}`]);
    const rowsOfBackup = (await verifyAudit(before.workplace)).rows;
    // Their originals are gone from the place of documents before the second copy.
    for (const { tcn } of [signedMeanwhile, between]) {
      expect(await approve(before.workplace, tcn)).toMatchObject({ status: 'SIGNED' });
    }
    await before.place.copyTo(join(backup, 'documents'));
    await copyFile(keyOf(before.workplace), join(backup, 'master.key'));
    const lost = await approve(before.workplace, (await create([letter(20_000)])).tcn);
    expect(lost.status).toBe('SIGNED');

    await instance?.stop('SIGKILL');
    await destroyAll();

    const after = await newMachine(openPlace, restoreRows);
    await after.place.copyFrom(join(backup, 'documents'));
    await mkdir(join(after.workplace.folder, 'keys'), { mode: 0o700 });
    await copyFile(join(backup, 'master.key'), keyOf(after.workplace));
    await start(after.workplace);
    expect(await resultsOf(signed)).toEqual(results);
    const verdict = await verifyAudit(after.workplace);
    expect(verdict.state).toBe('intact');
    expect(verdict.rows).toBeGreaterThanOrEqual(rowsOfBackup);
    // Documents that waited at the time of the backup wait again, also documents signed since.
    for (const { tcn } of [waiting, signedMeanwhile]) {
      expect((await query(tcn)).status).toBe('WAITING');
      expect(await approve(after.workplace, tcn)).toMatchObject({ status: 'SIGNED' });
    }
    // The original came after the first copy and was gone before the second.
    expect(await approve(after.workplace, between.tcn)).toMatchObject({
      status: 'ERROR',
      documents: [{ status: 'ERROR', error: { code: 'DOCUMENT_UNREADABLE' } }],
    });
    const unknown = await fetch(`${instance?.baseUrl ?? ''}/signature-service/${lost.tcn}`);
    expect(unknown.status).toBe(404);
    const fresh = await approve(after.workplace, (await create([letter(5), letter(20_000)])).tcn);
    expect(fresh.status).toBe('SIGNED');
    expect(Object.keys(await resultsOf([fresh]))).toHaveLength(2);
    expect(await verifyAudit(after.workplace)).toMatchObject({ state: 'intact' });
  }, 600_000);
});
