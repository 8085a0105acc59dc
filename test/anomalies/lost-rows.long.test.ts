import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfiguration } from '../../src/app/config/config.ts';
import { readHealth } from '../../src/app/doctor/health.ts';
import { describeCheck } from '../../src/service/checks/index.ts';
import { startSinete, type Sinete } from '../../src/app/instance/start-sinete.ts';
import { copyWhenDue } from '../../src/storage/backup/daily-copies.ts';
import {
  checkDataFolder,
  inspectDataFolder,
  markBesideKey,
  openStorage,
  recoverDataFolder,
} from '../../src/storage/index.ts';

/** The data folder after a kill, made once: 12 signed transactions, two with a file of 200 kB each. */
let root: string;
let killed: string;
/** Copy of the database after the first four transactions. */
let older: string;
let tcns: string[];
let data: string;
let running: Sinete | undefined;

const keyFile = (): string => join(root, 'keys', 'master.key');
const places = () => ({ dataFolder: data, besideKey: markBesideKey(keyFile(), data) });

async function start(folder: string, approve: 'all' | 'ask' = 'all'): Promise<Sinete> {
  const environment = {
    SINETE_SECRET_STORE_MODE: 'key-file',
    SINETE_SECRET_STORE_KEY_FILE: keyFile(),
    SINETE_APPROVE: approve,
    SINETE_LIMITS_FREE_SPACE: '0',
  };
  const configuration = await readConfiguration({ dataFolder: folder, environment });
  running = await startSinete({ dataFolder: folder, configuration: { ...configuration, port: 0 } });
  return running;
}

async function stop(): Promise<void> {
  await running?.stop();
  running = undefined;
}

async function create({ baseUrl }: Sinete, bytes: Buffer, mode = 'sync'): Promise<Response> {
  const documents = `data:application/octet-stream;base64,${bytes.toString('base64')}`;
  return fetch(`${baseUrl}/signature-service`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'CAdES', attached: true, documents_source: 'DATA_URL', mode, documents }),
  });
}

async function statusOf({ baseUrl }: Sinete, tcn: string): Promise<number> {
  return (await fetch(`${baseUrl}/signature-service/${tcn}`)).status;
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'sinete-lost-'));
  const folder = join(root, 'made');
  [killed, older] = [join(root, 'killed'), join(root, 'older.db')];
  const sinete = await start(folder);
  await sinete.handlers['user-interface']['certificates.makeTestIdentity']({ name: 'ANA LIMA', cpf: '11144477735' });
  tcns = [];
  for (let count = 0; count < 12; count++) {
    const answer = await create(sinete, Buffer.alloc(count % 6 === 5 ? 200_000 : 100, count));
    expect(answer.status).toBe(201);
    tcns.push(((await answer.json()) as { readonly tcn: string }).tcn);
    if (count !== 3) continue;
    await copyWhenDue(join(folder, 'sinete.db'), { kept: 3, interval: 1 }, new Date());
    cpSync(join(folder, 'backups', readdirSync(join(folder, 'backups'))[0] ?? ''), older);
  }
  cpSync(folder, killed, { recursive: true });
  await stop();
});
afterAll(() => rmSync(root, { recursive: true }));

beforeEach(() => {
  data = mkdtempSync(join(root, 'data-'));
  cpSync(killed, data, { recursive: true });
});
afterEach(stop);

const inData = (name: string): string => join(data, name);

function flip(path: string, at: number): void {
  const content = readFileSync(path);
  content[at] = (content[at] ?? 0) ^ 0xff;
  writeFileSync(path, content);
}

async function checkOf(sinete: Sinete, id: string) {
  const check = (await readHealth(sinete.core)).find((one) => one.id === id);
  return check === undefined ? undefined : { ...check, ...describeCheck(check) };
}

/** How many of the acknowledged transactions the instance does not know. */
async function countLost(sinete: Sinete): Promise<number> {
  const all = await Promise.all(tcns.map(async (tcn) => statusOf(sinete, tcn)));
  return all.filter((status) => status === 404).length;
}

/** The number of acknowledged and signed transactions unknown to the instance as such. */
async function countUnsigned({ baseUrl }: Sinete): Promise<number> {
  const all = await Promise.all(
    tcns.map(
      async (tcn) => (await fetch(`${baseUrl}/signature-service/${tcn}`)).json() as Promise<{ status: unknown }>,
    ),
  );
  return all.filter(({ status }) => status !== 'SIGNED').length;
}

const removeDatabase = (): void => {
  for (const name of ['sinete.db', 'sinete.db-wal', 'sinete.db-shm']) rmSync(inData(name), { force: true });
};

const replaceDatabase = (put: () => void): void => {
  removeDatabase();
  put();
};

const damages: readonly [string, () => void][] = [
  ['its journal is gone', () => rmSync(inData('sinete.db-wal'))],
  ['its journal is empty', () => truncateSync(inData('sinete.db-wal'))],
  [
    'its journal is cut to a half',
    () => truncateSync(inData('sinete.db-wal'), statSync(inData('sinete.db-wal')).size >> 1),
  ],
  [
    'one byte in the middle of its journal flipped',
    () => flip(inData('sinete.db-wal'), statSync(inData('sinete.db-wal')).size >> 1),
  ],
  ['the file is gone', removeDatabase],
  ['the file is empty', () => replaceDatabase(() => writeFileSync(inData('sinete.db'), ''))],
  ['it is an older copy', () => replaceDatabase(() => cpSync(older, inData('sinete.db')))],
];

describe('a start with a database without its last rows', () => {
  it.each(damages)(
    'tells exactly the missing transactions, erases nothing and only reads: %s',
    async (_state, damage) => {
      const results = readdirSync(inData('results'));
      expect(results).toHaveLength(2);
      damage();
      const sinete = await start(data);
      const lost = await countLost(sinete);
      expect(lost).toBeGreaterThan(0);
      // A journal ending between two commits of a transaction takes its signature along and leaves its rows.
      const unsigned = await countUnsigned(sinete);
      expect(await checkOf(sinete, 'database-rows')).toMatchObject({
        outcome: 'problem',
        message: expect.stringContaining(
          `Missing: ${lost} transactions, ${lost} documents, of which ${unsigned} signed`,
        ) as string,
        remedy: expect.stringContaining('sinete recover') as string,
      });
      expect((await create(sinete, Buffer.from('x'))).status).toBe(503);
      expect(readdirSync(inData('results'))).toEqual(results);
    },
  );

  it('tells the loss again at the next start, because a start is no decision', async () => {
    rmSync(inData('sinete.db-wal'));
    await start(data);
    await stop();
    expect(await checkOf(await start(data), 'database-rows')).toMatchObject({ outcome: 'problem' });
  });

  it('is good again when the loss is accepted, and the documents without rows are in lost+found', async () => {
    rmSync(inData('sinete.db-wal'));
    const { missing } = await recoverDataFolder(places(), 'accept-loss', new Date());
    expect(missing).toMatchObject({ transactions: 12 });
    const sinete = await start(data);
    expect(await checkOf(sinete, 'database-rows')).toMatchObject({ outcome: 'ok' });
    expect(await checkOf(sinete, 'lost-and-found')).toMatchObject({ outcome: 'problem' });
    expect(readdirSync(inData('lost+found')).filter((name) => name.startsWith('result-'))).toHaveLength(2);
  });

  it('has the rows of the newest good copy after a restore, and tells the gaps of the copy', async () => {
    removeDatabase();
    expect(await inspectDataFolder(places())).toMatchObject({ problem: { kind: 'database-gone', transactions: 12 } });
    const { missing } = await recoverDataFolder(places(), 'restore-copy', new Date());
    expect(missing).toMatchObject({ transactions: 8, documents: 8, signed: 8 });
    const sinete = await start(data);
    expect([await countLost(sinete), await checkOf(sinete, 'database-rows')]).toMatchObject([8, { outcome: 'ok' }]);
    expect((await create(sinete, Buffer.from('x'))).status).toBe(201);
  });
});

describe('a start with an original of a waiting document, and without its row', () => {
  const LARGE = Buffer.alloc(200_000, 7);
  const acknowledge: readonly [string, (sinete: Sinete) => Promise<Response>][] = [
    ['created', async (sinete) => create(sinete, LARGE, 'async')],
    [
      'uploaded',
      async ({ baseUrl }) => {
        const body = JSON.stringify({ type: 'CAdES', documents_source: 'UPLOAD_REFERENCE' });
        const headers = { 'Content-Type': 'application/json' };
        const opened = await fetch(`${baseUrl}/signature-service`, { method: 'POST', headers, body });
        const { tcn } = (await opened.json()) as { readonly tcn: string };
        const raw = { 'Content-Type': 'application/octet-stream' };
        return fetch(`${baseUrl}/file-transfer/${tcn}/continue`, { method: 'POST', headers: raw, body: LARGE });
      },
    ],
  ];

  it.each(acknowledge)('is wrong until a person has decided, when the document was %s', async (_how, send) => {
    expect((await send(await start(data, 'ask'))).ok).toBe(true);
    expect(readdirSync(inData('documents'))).toHaveLength(1);
    await stop();
    replaceDatabase(() => cpSync(older, inData('sinete.db')));
    await recoverDataFolder(places(), 'accept-loss', new Date());
    const sinete = await start(data);
    expect(await checkOf(sinete, 'lost-and-found')).toMatchObject({ outcome: 'problem', finding: 'found-documents' });
    expect(readdirSync(inData('lost+found')).filter((name) => name.startsWith('original-'))).toHaveLength(1);
  });

  it('is well, and tells of the document of an unanswered request', async () => {
    const { documents } = await openStorage(data).then(async (storage) => {
      await storage.close();
      return storage;
    });
    const key = '0'.repeat(32);
    await documents.receive(key, Readable.from([LARGE]));
    await documents.keep([key]);
    const before = await checkDataFolder(data, { repair: false, onProgress: () => undefined });
    expect(before).toMatchObject({ unanswered: 1, findings: [] });
    for (let starts = 0; starts < 2; starts++) {
      const sinete = await start(data);
      expect(await checkOf(sinete, 'lost-and-found')).toMatchObject({ outcome: 'ok', finding: 'found-unanswered' });
      await stop();
    }
    expect(readdirSync(inData('lost+found'))).toContain(`unanswered-${key}`);
    expect(await inspectDataFolder(places())).toMatchObject({ problem: undefined, found: 0, unanswered: 1 });
    const after = await checkDataFolder(data, { repair: false, onProgress: () => undefined });
    expect(after).toMatchObject({ unanswered: 1, findings: [] });
  });
});

describe('a start with a data folder replaced as a whole', () => {
  /** Leaves the folder unchanged, and one more transaction in the mark beside the key. */
  const signOneMore = async (): Promise<string> => {
    await start(data);
    await stop();
    const before = mkdtempSync(join(root, 'before-'));
    cpSync(data, before, { recursive: true });
    expect((await create(await start(data), Buffer.from('x'))).status).toBe(201);
    await stop();
    rmSync(data, { recursive: true });
    return before;
  };

  it('tells the gaps of an older copy of the folder, and only reads until the loss is accepted', async () => {
    cpSync(await signOneMore(), data, { recursive: true });
    const sinete = await start(data);
    const missing = 'Missing: 1 transactions, 1 documents, of which 1 signed';
    expect(await checkOf(sinete, 'database-rows')).toMatchObject({
      outcome: 'problem',
      message: expect.stringContaining(missing) as string,
    });
    expect((await create(sinete, Buffer.from('x'))).status).toBe(503);
    await stop();
    await recoverDataFolder(places(), 'accept-loss', new Date());
    expect(await checkOf(await start(data), 'database-rows')).toMatchObject({ outcome: 'ok' });
  });

  it('does not begin anew where the folder is missing, as with a disk not mounted', async () => {
    await signOneMore();
    const sinete = await start(data);
    expect(await checkOf(sinete, 'database-rows')).toMatchObject({
      outcome: 'problem',
      message: expect.stringContaining('Missing: 13 transactions') as string,
    });
    expect((await create(sinete, Buffer.from('x'))).status).toBe(503);
  });

  it('works without a mark beside a key in a read-only folder', async () => {
    rmSync(join(root, 'keys', 'marks'), { recursive: true, force: true });
    writeFileSync(join(root, 'keys', 'marks'), 'no folder');
    const sinete = await start(data);
    expect((await create(sinete, Buffer.from('x'))).status).toBe(201);
    expect(await checkOf(sinete, 'database-rows')).toMatchObject({ outcome: 'ok' });
    rmSync(join(root, 'keys', 'marks'));
  });
});

describe('a start with a damaged database', () => {
  const checkpointed = async (): Promise<void> => {
    await start(data);
    await stop();
  };

  it.each([
    ['its header', () => flip(inData('sinete.db'), 3)],
    ['one page in its middle', () => flip(inData('sinete.db'), 4096 * 20)],
  ])('is refused, then only reads, and gets its readable rows back: %s', async (_place, damage) => {
    await checkpointed();
    damage();
    await expect(start(data)).rejects.toMatchObject({ code: 'DATABASE_DAMAGED' });
    const empty = await start(data);
    expect(await checkOf(empty, 'database-rows')).toMatchObject({
      outcome: 'problem',
      message: expect.stringContaining('Missing: 12 transactions') as string,
    });
    expect((await create(empty, Buffer.from('x'))).status).toBe(503);
    await stop();
    const { rebuiltRows, missing } = await recoverDataFolder(places(), 'rebuild', new Date());
    expect(rebuiltRows).toBeGreaterThan(24);
    const sinete = await start(data);
    expect(await countLost(sinete)).toBe(missing?.transactions ?? 0);
    expect((await readHealth(sinete.core)).filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
    expect((await create(sinete, Buffer.from('x'))).status).toBe(201);
  });
});

describe('a data folder going away below a running instance', () => {
  const ways: readonly [string, () => void][] = [
    ['is removed', () => rmSync(data, { recursive: true })],
    [
      'is replaced by a copy',
      () => {
        renameSync(data, `${data}-away`);
        cpSync(killed, data, { recursive: true });
      },
    ],
  ];

  it.each(ways)('%s: nothing more is acknowledged, and the health check says so', async (_way, takeAway) => {
    const sinete = await start(data);
    takeAway();
    for (const size of [100, 200_000]) {
      const answer = await create(sinete, Buffer.alloc(size, 7));
      expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'STORAGE_UNAVAILABLE' }]);
    }
    expect((await fetch(`${sinete.baseUrl}/health-check`)).status).toBe(503);
    await stop();
  });
});

describe('copies of the database', () => {
  it('are made once a day, checked, and kept in the configured number', async () => {
    const path = inData('sinete.db');
    const copies = (): string[] => readdirSync(inData('backups')).filter((name) => name.startsWith('daily-'));
    const day = 24 * 3_600_000;
    const first = Date.now();
    for (const days of [1, 1.5, 2, 3, 4]) {
      await copyWhenDue(path, { kept: 2, interval: day }, new Date(first + days * day));
    }
    expect(copies()).toHaveLength(2);
    const [last] = copies().toSorted().toReversed();
    expect(last).toContain(new Date(first + 4 * day).toISOString().slice(0, 10));
  });
});
