import SqliteDatabase from 'better-sqlite3';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itNeeding } from '../setup/needs.ts';
import type { Tables } from '../../src/storage/sql/database-schema.ts';
import { openStorage, StorageError } from '../../src/storage/index.ts';
import { firstTables } from '../../src/storage/sql/migrations/first/0001-first-tables.ts';

let root: string;
let folder: string;
let database: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sinete-storage-'));
  folder = join(root, 'data');
  database = join(folder, 'sinete.db');
});
afterEach(() => rmSync(root, { recursive: true }));

async function refusal(): Promise<StorageError> {
  const error: unknown = await openStorage(folder).then(
    (storage) => storage.close(),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StorageError);
  return error as StorageError;
}

/** Writes a setting and closes again, to leave a database with some content. */
async function fill(): Promise<void> {
  const storage = await openStorage(folder);
  await storage.settings.write('kept', { since: 'before' });
  await storage.close();
}

/** A database left by the first version, with a setting. */
async function makeFirstVersion(): Promise<void> {
  mkdirSync(folder);
  const connection = new SqliteDatabase(database);
  const first = new Kysely<Tables>({ dialect: new SqliteDialect({ database: connection }) });
  const getMigrations = () => Promise.resolve({ '0001-first-tables': firstTables });
  expect(await new Migrator({ db: first, provider: { getMigrations } }).migrateToLatest()).not.toHaveProperty('error');
  await first.insertInto('settings').values({ key: 'kept', value: '{"since":"before"}' }).execute();
  await first.destroy();
}

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('openStorage', () => {
  itNeeding('Linux')('makes a folder and files for the owner alone', async () => {
    const storage = await openStorage(folder);
    await storage.settings.write('a', 1);
    expect(mode(folder)).toBe('700');
    for (const name of ['incoming', 'documents', 'results']) expect(mode(join(folder, name))).toBe('700');
    for (const name of ['sinete.db', 'sinete.db-wal', 'sinete.db-shm']) expect(mode(join(folder, name))).toBe('600');
    await storage.close();
  });

  it('brings a database of the first version up to date and keeps its content', async () => {
    await makeFirstVersion();
    const storage = await openStorage(folder);
    expect(await storage.settings.read('kept')).toEqual({ since: 'before' });
    const entry = { kind: 'data', der: Buffer.of(1), freshUntil: new Date(Date.now() + 60_000) } as const;
    await storage.revocationCache.put({ issuerKey: 'a', kind: 'crl', locator: 'b' }, entry);
    await storage.close();
  });

  it('changes all tables or none, so that an interrupted start can begin anew', async () => {
    await makeFirstVersion();
    const connection = new SqliteDatabase(database);
    const tables = (): unknown => connection.prepare('select name, sql from sqlite_master order by name').all();
    // The fourth migration makes this table, after others.
    connection.exec('create table attempts (in_the_way integer)');
    const before = tables();
    expect((await refusal()).code).toBe('STORAGE_UNAVAILABLE');
    expect(tables()).toEqual(before);
    connection.exec('drop table attempts');
    connection.close();
    const storage = await openStorage(folder);
    expect(await storage.settings.read('kept')).toEqual({ since: 'before' });
    await storage.close();
  });

  it('keeps the data for undoing a statement in memory, and in no temporary file', async () => {
    const storage = await openStorage(folder);
    const { rows } = await sql<{ temp_store: number }>`pragma temp_store`.execute(storage.database);
    // 2 is MEMORY: https://sqlite.org/pragma.html#pragma_temp_store
    expect(rows).toEqual([{ temp_store: 2 }]);
    await storage.close();
  });

  it('commits to the disk, with a journal and foreign keys', async () => {
    await fill();
    const connection = new SqliteDatabase(database, { readonly: true });
    expect(connection.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
    connection.close();
    const storage = await openStorage(folder);
    expect(await storage.settings.read('kept')).toEqual({ since: 'before' });
    const orphan = storage.database.insertInto('idempotency_keys');
    await expect(
      orphan.values({ key: 'k', body_digest: '', tcn: 'none', created_at: 0 }).execute(),
    ).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_FOREIGNKEY' });
    await storage.close();
  });

  it.each([
    ['is not a database at all', (bytes: Buffer) => Buffer.from('not a database'.padEnd(bytes.length))],
    ['has a page that was overwritten', (bytes: Buffer) => Buffer.from(bytes).fill(0x5a, 4096, 8192)],
  ])('sets a file aside that %s, and begins with an empty file at the next start', async (_name, damage) => {
    await fill();
    const damaged = damage(readFileSync(database));
    writeFileSync(database, damaged);
    const error = await refusal();
    expect(error).toMatchObject({ code: 'DATABASE_DAMAGED', remedy: expect.stringContaining('backup') as string });
    const aside = readdirSync(folder).filter((name) => /^sinete\.db\.damaged-[0-9TZ-]+$/.test(name));
    expect(aside).toHaveLength(1);
    expect(error.message).toContain(aside[0]);
    expect(readFileSync(join(folder, aside[0]!))).toEqual(damaged);
    const storage = await openStorage(folder);
    expect(await storage.settings.read('kept')).toBeUndefined();
    await storage.close();
  });

  it('leaves a database written by a newer version alone', async () => {
    await fill();
    const connection = new SqliteDatabase(database);
    connection.exec("insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01T00:00:00.000Z')");
    connection.close();
    expect((await refusal()).code).toBe('DATABASE_NEWER');
    expect((await refusal()).code).toBe('DATABASE_NEWER');
  });

  it('removes the copy of the database that a killed backup left, and no other copy', async () => {
    await fill();
    const copies = join(folder, 'backups');
    mkdirSync(copies, { recursive: true });
    for (const name of ['.snapshot-1.db', 'daily-2026-01-02T03-04-05-678Z.db']) writeFileSync(join(copies, name), 'x');
    await (await openStorage(folder)).close();
    expect(readdirSync(copies).filter((name) => name.includes('snapshot') || name.includes('2026-01-02'))).toEqual([
      'daily-2026-01-02T03-04-05-678Z.db',
    ]);
  });

  it('refuses a folder already opened by this process', async () => {
    const storage = await openStorage(folder);
    expect(await refusal()).toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      message: expect.stringContaining('Another Sinete') as string,
    });
    await storage.close();
    await (await openStorage(folder)).close();
  });

  it('refuses a folder opened by another process, until the other is killed', async () => {
    const child = spawn(process.execPath, [fileURLToPath(new URL('lock-child.ts', import.meta.url)), folder]);
    await once(child.stdout, 'data');
    expect(await refusal()).toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      remedy: expect.stringContaining('--data') as string,
    });
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await (await openStorage(folder)).close();
  });

  it('says so when the folder cannot be made', async () => {
    writeFileSync(join(root, 'file'), '');
    folder = join(root, 'file', 'data');
    expect((await refusal()).code).toBe('STORAGE_UNAVAILABLE');
  });
});

describe('the health probe of the database', () => {
  it('writes and reads back, any number of times', async () => {
    const storage = await openStorage(folder);
    await storage.healthProbe.writeAndReadBack();
    await storage.healthProbe.writeAndReadBack();
    await storage.close();
    await expect(storage.healthProbe.writeAndReadBack()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  it('leaves every other write flushed, also after a failure', async () => {
    const storage = await openStorage(folder);
    const synchronous = async (): Promise<unknown> => {
      const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(storage.database);
      return rows[0]?.synchronous;
    };
    await storage.healthProbe.writeAndReadBack();
    const full = 2;
    expect(await synchronous()).toBe(full);
    await sql`pragma query_only = on`.execute(storage.database);
    await expect(storage.healthProbe.writeAndReadBack()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(await synchronous()).toBe(full);
    await storage.close();
  });
});

describe('settings', () => {
  it('keep any JSON value until removed', async () => {
    const storage = await openStorage(folder);
    const { settings } = storage;
    for (const value of ['text', 1, null, { a: [true] }]) {
      await settings.write('key', value);
      expect(await settings.read('key')).toEqual(value);
    }
    await settings.remove('key');
    expect(await settings.read('key')).toBeUndefined();
    await storage.close();
  });
});
