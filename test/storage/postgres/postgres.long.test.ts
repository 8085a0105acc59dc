/**
 * Behaviour of the stores on PostgreSQL only: several writers at once, a server going away, one instance at a time.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { verifyAudit, type AuditEvent } from '../../../src/service/audit/index.ts';
import {
  checkDataFolder,
  inspectDataFolder,
  makeBackup,
  openStorage,
  prepareRestore,
  restoreBackup,
  SqlAttemptStore,
  SqlAuditLog,
  SqlSettingsStore,
  SqlTokenStore,
} from '../../../src/storage/index.ts';
import { connectPostgres, openPostgres } from '../../../src/storage/postgres/open-postgres.ts';
import { inOrder } from '../../../src/storage/sql/commits.ts';
import type { Database } from '../../../src/storage/sql/database-schema.ts';
import { personWith } from '../../pki/identities.ts';
import {
  createRequest,
  dataUrl,
  filesOnly,
  incoming,
  keptIn,
  openWorld,
  requester,
  type World,
} from '../../service/transactions/transaction-world.ts';
import { until, untilDefined } from '../../setup/waits.ts';
import { DatabaseForTests } from './database-for-tests.ts';
import type { PostgresServer } from './postgres-server.ts';

const database = new DatabaseForTests();
let server: PostgresServer;
let url: string;

beforeEach(async () => {
  ({ server, url } = database);
  await (await openPostgres(url)).close();
});

/** Runs an action with the databases of several nodes, each with a pool of its own. */
async function onNodes<Result>(
  count: number,
  action: (nodes: readonly Database[]) => Promise<Result>,
): Promise<Result> {
  const nodes = await Promise.all(Array.from({ length: count }, () => connectPostgres(url, () => undefined)));
  try {
    return await action(nodes);
  } finally {
    for (const node of nodes) await node.destroy();
  }
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_one, index) => index);
const at = new Date('2026-03-01T12:00:00Z');
const event = (number: number): AuditEvent => ({ kind: 'trust-changed', subject: null, detail: { number } });

describe('three nodes on a single database', () => {
  it('write a single chain of the audit log', async () => {
    await onNodes(3, async (nodes) => {
      const logs = nodes.map((node) => new SqlAuditLog(node));
      await Promise.all(numbers(120).map((number) => logs[number % 3]!.append([event(number), event(-number)], at)));
      expect(await verifyAudit(logs[0]!, null)).toMatchObject({ state: 'intact', rows: 240 });
    });
  });

  it('lose no count of failed attempts', async () => {
    await onNodes(3, async (nodes) => {
      const stores = nodes.map((node) => new SqlAttemptStore(node));
      const fail = (store: SqlAttemptStore): Promise<number> =>
        store.update(['person 1'], ([record]) => {
          const failures = (record?.failures ?? 0) + 1;
          return { records: [{ failures, lastAt: at, blockedUntil: null }], answer: failures };
        });
      const answers = await Promise.all(numbers(60).map((number) => fail(stores[number % 3]!)));
      expect([...answers].sort((a, b) => a - b)).toEqual(numbers(60).map((number) => number + 1));
    });
  });

  it('spend a code once', async () => {
    await onNodes(3, async (nodes) => {
      await sql`insert into applications (client_id, name, comments, email, redirect_uris, sealed_webhook_secret, created_at)
        values ('crm', '', '', '', '[]', '', 0)`.execute(nodes[0]!);
      const stores = nodes.map((node) => new SqlTokenStore(node));
      const hash = Buffer.alloc(32, 1);
      await stores[0]!.insertCode({
        hash,
        clientId: 'crm',
        username: '1',
        redirectUri: 'https://crm.example/',
        redirectUriGiven: true,
        scopes: [],
        codeChallenge: undefined,
        lifetime: undefined,
        expiresAt: at,
        usedAt: null,
      });
      const spent = await Promise.all(numbers(30).map((number) => stores[number % 3]!.spendCode(hash, at)));
      expect(spent.filter(Boolean)).toHaveLength(1);
    });
  });
});

interface Proxy {
  readonly url: string;
  /** Ends the next connection sending a text, after the server's answer and before its client hears the answer. */
  cutAfter(text: string): void;
  /** Does so when the last of these texts is sent, after the others, and from then on lets nobody through. */
  closeAfter(...texts: readonly string[]): void;
  /** Lets connections through again. */
  open(): void;
  close(): Promise<void>;
}

/** A socket in front of the server's. */
async function startProxy(address: string): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-proxy-'));
  const behind = join(decodeURIComponent(/host=([^&]+)/.exec(address)?.[1] ?? ''), socketName);
  let wanted: string[] = [];
  let [closes, isClosed] = [false, false];
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    if (isClosed) {
      client.destroy();
      return;
    }
    const upstream = connect(behind);
    let isCut = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (data) => {
      if (wanted[0] !== undefined && data.includes(wanted[0])) {
        wanted.shift();
        isCut = wanted.length === 0;
      }
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (!isCut) {
        client.write(data);
        return;
      }
      isClosed = closes;
      for (const socket of isClosed ? sockets : [client]) socket.destroy();
    });
  });
  listener.listen(join(folder, socketName));
  await once(listener, 'listening');
  return {
    url: address.replace(/host=[^&]+/, `host=${encodeURIComponent(folder)}`),
    cutAfter(text) {
      [wanted, closes] = [[text], false];
    },
    closeAfter(...texts) {
      [wanted, closes] = [[...texts], true];
    },
    open() {
      isClosed = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
      rmSync(folder, { recursive: true });
    },
  };
}

/** PostgreSQL's name of the socket of its usual port. */
const socketName = '.s.PGSQL.5432';

/** Ends the connections of the pools, as a restart of the server or a firewall does. */
const cutConnections = (): Promise<unknown> =>
  server.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = '${databaseOf(url)}' and pid <> pg_backend_pid()`);

const databaseOf = (address: string): string => /\/\/\/(\w+)/.exec(address)?.[1] ?? '';

describe('an ending connection', () => {
  it('during a commit leaves no doubt: the server is asked for the outcome', async () => {
    const proxy = await startProxy(url);
    const node = await connectPostgres(proxy.url, () => undefined);
    try {
      await new SqlSettingsStore(node).write('a', 1);
      proxy.cutAfter('commit');
      const write = inOrder(node, 'audit', async (connection) => {
        await connection.updateTable('settings').set({ value: '2' }).where('key', '=', 'a').execute();
        return 'written';
      });
      await expect(write).resolves.toBe('written');
      expect(await new SqlSettingsStore(node).read('a')).toBe(2);
    } finally {
      await node.destroy();
      await proxy.close();
    }
  });

  it('before a commit fails the change', async () => {
    const proxy = await startProxy(url);
    const node = await connectPostgres(proxy.url, () => undefined);
    try {
      await new SqlSettingsStore(node).write('a', 1);
      proxy.cutAfter('update "settings"');
      const write = inOrder(node, 'audit', async (connection) => {
        await connection.updateTable('settings').set({ value: '2' }).where('key', '=', 'a').execute();
      });
      await expect(write).rejects.toThrow('The PostgreSQL server cannot be reached.');
      expect(await new SqlSettingsStore(node).read('a')).toBe(1);
    } finally {
      await node.destroy();
      await proxy.close();
    }
  });

  it('is replaced by another', async () => {
    await onNodes(1, async ([node]) => {
      const log = new SqlAuditLog(node!);
      await log.append([event(1)], at);
      await cutConnections();
      await until(
        () =>
          log.append([event(2)], at).then(
            () => true,
            () => false,
          ),
        'the log takes rows again',
      );
      expect(await verifyAudit(log, null)).toMatchObject({ state: 'intact' });
    });
  });
});

describe('a commit with an unknown outcome', () => {
  const later = { limits: { ...filesOnly, sweepInterval: 3_600_000 } };
  const soon = { limits: { ...filesOnly, sweepInterval: 20 } };
  const unknown = { code: 'STORAGE_UNAVAILABLE', outcomeUnknown: true, retryAfter: 10 };

  async function behindProxy(
    overrides: Parameters<typeof openWorld>[0],
    action: (world: World, proxy: Proxy) => Promise<void>,
  ): Promise<void> {
    const proxy = await startProxy(url);
    const world = await openWorld(overrides, undefined, undefined, { databaseUrl: proxy.url });
    try {
      await world.addKey(await personWith());
      await world.transactions.resume();
      await action(world, proxy);
    } finally {
      await world.end();
      await proxy.close();
    }
  }

  /** The statuses of the documents of the newest transaction, once nothing inside waits. */
  async function statusesOf({ storage }: World): Promise<readonly string[]> {
    const newest = await untilDefined(async () => {
      const [found] = await storage.transactions.recent(1).catch(() => []);
      return found?.transaction.finishedAt == null ? undefined : found;
    }, 'the newest transaction is finished');
    return newest.documents.map(({ status }) => status);
  }

  it('leaves the documents of a new transaction in place, to be signed as soon as the server answers', async () => {
    await behindProxy(later, async (world, proxy) => {
      proxy.closeAfter('insert into "transactions"', 'commit');
      const request = createRequest({ documentsSource: 'DATA_URL', documents: [{ id: '1', data: dataUrl('one') }] });
      await expect(world.transactions.create(request, requester)).rejects.toMatchObject(unknown);
      proxy.open();
      expect(await statusesOf(world)).toEqual(['SIGNED']);
    });
  });

  it('leaves uploaded documents in place, and a later look finds the documents to be signed', async () => {
    await behindProxy(soon, async (world, proxy) => {
      const { tcn } = await world.transactions.create(
        createRequest({ documentsSource: 'UPLOAD_REFERENCE' }),
        requester,
      );
      proxy.closeAfter('insert into "documents"', 'commit');
      const documents = incoming(['one.txt', 'one']);
      const upload = world.transactions.upload(tcn, { endOfTransaction: true }, documents);
      await expect(upload).rejects.toMatchObject(unknown);
      proxy.open();
      expect(await statusesOf(world)).toEqual(['SIGNED']);
    });
  });

  it('makes nothing of an unstored transaction', async () => {
    await behindProxy(later, async (world, proxy) => {
      // The server hears of the rows, and never of the commit.
      proxy.closeAfter('insert into "transactions"');
      const request = createRequest({ documentsSource: 'DATA_URL', documents: [{ id: '1', data: dataUrl('one') }] });
      await expect(world.transactions.create(request, requester)).rejects.toMatchObject({ outcomeUnknown: false });
      proxy.open();
      await until(
        async () => (await world.storage.transactions.recent(1).catch(() => undefined))?.length === 0,
        'the server answers',
      );
      expect(await keptIn(world)).toMatchObject({ originals: [] });
    });
  });
});

describe('a server going away for a while', () => {
  it('is told as unavailable with a time to try again, and then the instance goes on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sinete-away-'));
    const storage = await openStorage(join(folder, 'data'), { databaseUrl: url });
    try {
      await storage.settings.write('a', 1);
      await server.kill();
      await expect(storage.settings.write('a', 2)).rejects.toMatchObject({
        code: 'STORAGE_UNAVAILABLE',
        retryAfter: 10,
      });
      await server.resume();
      await until(
        () =>
          storage.settings.write('a', 3).then(
            () => true,
            () => false,
          ),
        'the instance writes again',
      );
      expect(await storage.settings.read('a')).toBe(3);
    } finally {
      await storage.close();
      rmSync(folder, { recursive: true });
    }
  });
});

describe('signing', () => {
  it('goes on after the return of the server, and gives each document one result', async () => {
    const content = (number: number) => ({ id: `${number}`, data: dataUrl(`document ${number}`) });
    const world = await openWorld({}, undefined, undefined, { databaseUrl: url });
    try {
      await world.addKey(await personWith());
      const documents = numbers(200).map(content);
      const request = createRequest({ documentsSource: 'DATA_URL', documents });
      const { tcn } = await world.transactions.create(request, requester);
      const signed = async (): Promise<number> => (await world.storage.transactions.countByStatus()).SIGNED;
      await until(async () => (await signed()) > 0, 'a document is signed');
      await server.kill();
      await server.resume();
      const isFinished = async (): Promise<boolean> => (await world.transactions.query(tcn)).finishedAt !== null;
      await until(() => isFinished().catch(() => false), 'the transaction is finished');
      expect(await world.storage.transactions.countByStatus()).toEqual({ WAITING: 0, SIGNED: 200, ERROR: 0 });
      expect(await verifyAudit(new SqlAuditLog(world.storage.database), null)).toMatchObject({ state: 'intact' });
    } finally {
      await world.end();
    }
  });
});

describe('a database', () => {
  it('belongs to one instance at a time', async () => {
    const first = await openPostgres(url);
    await expect(openPostgres(url)).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      message: 'Another Sinete is using this PostgreSQL database.',
    });
    await first.close();
    await (await openPostgres(url)).close();
  });

  it('is not touched by an instance after another has taken its claim over', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sinete-claim-'));
    const storage = await openStorage(join(folder, 'data'), { databaseUrl: url });
    // Holds the instance off from its claim until the other has the claim.
    let other: Awaited<ReturnType<typeof openPostgres>> | undefined;
    await until(async () => {
      await cutConnections();
      other = await openPostgres(url).catch(() => undefined);
      return other !== undefined;
    }, 'another instance has the database');
    try {
      await expect(storage.settings.write('a', 1)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    } finally {
      await other?.close();
    }
    await until(
      () =>
        storage.settings.write('a', 2).then(
          () => true,
          () => false,
        ),
      'the first instance has its claim again',
    );
    await storage.close();
    rmSync(folder, { recursive: true });
  });

  it('used by a newer version stays unchanged', async () => {
    await server.query("insert into kysely_migration values ('9999-later', '2030')", databaseOf(url));
    await expect(openPostgres(url)).rejects.toMatchObject({ code: 'DATABASE_NEWER' });
  });

  it('impossible to open is told without its address', async () => {
    const failed = await openPostgres('postgresql://clerk:s3cret-word@127.0.0.1:1/none').catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ code: 'STORAGE_UNAVAILABLE', message: 'The PostgreSQL server cannot be reached.' });
    expect(JSON.stringify(failed) + String(failed)).not.toContain('s3cret');
    await expect(openPostgres(server.url('missing'))).rejects.toMatchObject({
      message: 'The PostgreSQL server has no database of this name.',
    });
  });
});

describe('a data folder and its database', () => {
  const newFolder = (): string => join(mkdtempSync(join(tmpdir(), 'sinete-bound-')), 'data');
  const end = (folder: string): void => rmSync(join(folder, '..'), { recursive: true });

  it('stay together: neither SQLite nor another database takes the place', async () => {
    const folder = newFolder();
    await (await openStorage(folder, { databaseUrl: url })).close();
    await (await openStorage(folder, { databaseUrl: url })).close();
    await expect(openStorage(folder)).rejects.toThrow('The database of this data folder is in PostgreSQL.');
    const other = await server.createDatabase();
    await expect(openStorage(folder, { databaseUrl: other })).rejects.toThrow('is not the one of this data folder');
    await (await openStorage(folder, { databaseUrl: url })).close();
    end(folder);
  });

  it('are refused where the folder has rows of its own: these would be out of sight', async () => {
    const folder = newFolder();
    await (await openStorage(folder)).close();
    await expect(openStorage(folder, { databaseUrl: url })).rejects.toThrow('has a database of its own');
    await (await openStorage(folder)).close();
    end(folder);
  });

  it('are refused where the database has the rows of another folder', async () => {
    const [one, other] = [newFolder(), newFolder()];
    const storage = await openStorage(one, { databaseUrl: url });
    await new SqlAuditLog(storage.database).append([event(1)], at);
    await storage.close();
    await expect(openStorage(other, { databaseUrl: url })).rejects.toThrow('the rows of another data folder');
    for (const folder of [one, other]) end(folder);
  });

  it('name backups, checks, copies and restores as matters of SQLite', async () => {
    const folder = newFolder();
    const storage = await openStorage(folder, { databaseUrl: url });
    const seal = { passphrase: 'long enough' };
    const masterKey = Buffer.alloc(32);
    const { documents } = storage;
    const path = join(folder, 'backup');
    const backup = { dataFolder: folder, path, seal, masterKey, documents, version: '1', now: at };
    const where = { code: 'STORAGE_UNAVAILABLE', message: 'The database of this data folder is in PostgreSQL.' };
    await expect(makeBackup(backup)).rejects.toMatchObject(where);
    await expect(makeBackup(backup)).rejects.toHaveProperty('remedy', expect.stringContaining('pg_dump'));
    const restore = { path, key: seal, dataFolder: folder, now: at, adopt: () => Promise.resolve() };
    await expect(prepareRestore(restore)).rejects.toMatchObject(where);
    await expect(restoreBackup({ ...restore, replace: true })).rejects.toMatchObject(where);
    await storage.close();
    await expect(checkDataFolder(folder, { repair: false, onProgress: () => undefined })).rejects.toMatchObject(where);
    await expect(inspectDataFolder({ dataFolder: folder, besideKey: undefined })).rejects.toMatchObject(where);
    end(folder);
  });
});
