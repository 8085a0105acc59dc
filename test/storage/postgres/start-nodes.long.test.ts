/** Whole instances as nodes: the configuration joins them, and a client sees one service. */
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { copyProgram } from '../../app/copy-program.ts';
import { runSinete, type ServingProcess, type Workplace } from '../../app/run-sinete.ts';
import { DatabaseForTests } from './database-for-tests.ts';
import { keyFileOf, makeSharedFolder, makeTestIdentity, NodeProcesses } from './node-processes.ts';

const database = new DatabaseForTests();
const nodes = new NodeProcesses();
const { running } = nodes;

afterEach(async () => nodes.stop());

/** The environment of the nodes on a new database, with a shared folder. */
async function newCluster(): Promise<Readonly<Record<string, string>>> {
  return { SINETE_DATABASE_URL: database.url, SINETE_DOCUMENTS_STORE: makeSharedFolder(await nodes.addPlace()) };
}

/** A data folder of its own, as on another computer; `keyOf`: with a copy of the master key of this node. */
const newNode = async (cluster: Readonly<Record<string, string>>, keyOf?: Workplace): Promise<Workplace> =>
  keyOf === undefined ? nodes.addPlace(cluster) : nodes.addNode(keyOf, cluster);

const start = async (place: Workplace): Promise<ServingProcess> => nodes.start(place);

/** A copy of the program with one more migration. Answers its entry. */
async function nextVersion(folder: string): Promise<string> {
  const program = await copyProgram(folder, { without: [] });
  const path = join(folder, 'src/storage/sql/migrate.ts');
  const text = await readFile(path, 'utf8');
  const next =
    "'9999-next': { up: async ({ schema }) => schema.alterTable('transactions').addColumn('next_column', 'text').execute() },";
  const changed = text.replace(/(const migrations: [^{]*\{)/, `$1\n  ${next}`);
  // Migrations run in the order of their names.
  expect(changed).toContain('9999-next');
  await writeFile(path, changed);
  return program;
}

interface Answer {
  readonly tcn: string;
  readonly status: string;
  readonly documents: readonly { readonly result: string | null }[];
}

async function sign({ baseUrl }: ServingProcess, text: string): Promise<Answer> {
  const documents = [{ data: `data:text/plain,${text}` }];
  const body = JSON.stringify({ type: 'CAdES-attached', documents_source: 'DATA_URL', documents, mode: 'sync' });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${baseUrl}/signature-service`, { method: 'POST', headers, body });
  return (await answer.json()) as Answer;
}

async function resultBytes({ baseUrl }: ServingProcess, { documents }: Answer): Promise<Buffer> {
  const answer = await fetch(`${baseUrl}${new URL(documents[0]?.result ?? '').pathname}`);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

describe('a second instance with the same database and the same folder of documents', () => {
  it('starts as a node, answers for the work of the first, and goes on alone', async () => {
    const cluster = await newCluster();
    const first = await newNode(cluster);
    await makeTestIdentity(first);
    const second = await newNode(cluster, first);
    const [one, other] = [await start(first), await start(second)];

    const long = await sign(one, 'a long letter '.repeat(20_000));
    expect(long.status).toBe('SIGNED');
    expect(existsSync(join(first.data, 'results'))).toBe(false);
    expect(readdirSync(join(cluster['SINETE_DOCUMENTS_STORE'] ?? '', 'results'))).toHaveLength(1);
    expect(await resultBytes(other, long)).toEqual(await resultBytes(one, long));

    await running.splice(0, 1)[0]?.stop('SIGKILL');
    const short = await sign(other, 'a short letter');
    expect(short.status).toBe('SIGNED');
    expect((await resultBytes(other, short)).length).toBeGreaterThan(0);
    expect(await running.pop()?.stop()).toBe(0);
    const verified = await runSinete(second, ['audit', 'verify', '--json']);
    expect(JSON.parse(verified.stdout)).toMatchObject({ state: 'intact' });
  }, 120_000);

  it('is refused with a master key of its own, and the first node still starts with its key', async () => {
    const cluster = await newCluster();
    const first = await newNode(cluster);
    await start(first);
    const foreign = await newNode(cluster);
    await mkdir(dirname(keyFileOf(foreign)), { mode: 0o700 });
    expect(await runSinete(foreign, ['master-key', 'make', keyFileOf(foreign)])).toMatchObject({ code: 0 });
    const refused = await runSinete(foreign, ['serve', '--port', '0', '--approve', 'all']);
    expect(refused).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('The master key is not the key of the other nodes.') as unknown,
    });
    await running.pop()?.stop();
    await start(first);
  }, 120_000);

  it('is refused while an instance without the shared folder has the database', async () => {
    const cluster = await newCluster();
    const alone = await newNode({ SINETE_DATABASE_URL: cluster['SINETE_DATABASE_URL'] ?? '' });
    await start(alone);
    const refused = await runSinete(await newNode(cluster), ['serve', '--port', '0']);
    expect(refused).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/Another Sinete is using this PostgreSQL database.*local files/s) as unknown,
    });
  }, 120_000);

  it('may be of the next version, with tables still usable for the earlier nodes', async () => {
    const cluster = await newCluster();
    const first = await newNode(cluster);
    await makeTestIdentity(first);
    const present = await start(first);
    const before = await sign(present, 'before the upgrade');
    const program = await nextVersion(join(first.folder, 'next'));
    const next = await nodes.start(await newNode(cluster, first), ['--approve', 'all'], program);

    const [old, fresh] = [await sign(present, 'by the earlier version'), await sign(next, 'by the next version')];
    expect([before, old, fresh].map(({ status }) => status)).toEqual(['SIGNED', 'SIGNED', 'SIGNED']);
    for (const answer of [before, old, fresh]) {
      expect(await resultBytes(next, answer)).toEqual(await resultBytes(present, answer));
    }
    await running.splice(0, 1)[0]?.stop();
    const refused = await runSinete(first, ['serve', '--port', '0', '--approve', 'all']);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('newer version') as unknown });
    expect((await resultBytes(next, old)).length).toBeGreaterThan(0);
  }, 180_000);
});
