import SqliteDatabase from 'better-sqlite3';
import { existsSync, mkdtempSync, openSync, closeSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { openTransaction } from '../service/transactions/intake/intake-world.ts';
import { itNeeding } from '../setup/needs.ts';
import { openTestStorage, reopenTestStorage } from './engine.ts';

const LARGE = 33 * 1024 * 1024;

let root: string;
let data: string;
let path: string;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'sinete-large-'));
  data = join(root, 'data');
  path = join(data, 'sinete.db');
  await (await openTestStorage(data)).close();
});
afterEach(() => rmSync(root, { recursive: true }));

const inDatabase = (action: (database: SqliteDatabase.Database) => void): void => {
  const database = new SqliteDatabase(path);
  database.pragma('foreign_keys = off');
  action(database);
  database.close();
};

const enlarge = (): void =>
  inDatabase((database) => database.prepare("insert into small_results values ('big', zeroblob(?))").run(LARGE));

/** Overwrites the first page of a table that a start does not read. */
function damage(): void {
  let page = 0;
  inDatabase((database) => {
    page = Number(database.prepare("select rootpage from sqlite_master where name = 'renewals'").pluck().get());
  });
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(4096, 0xff), 0, 4096, (page - 1) * 4096);
  closeSync(file);
}

const insert = async (storage: Awaited<ReturnType<typeof reopenTestStorage>>): Promise<unknown> =>
  storage.transactions.insert({ transaction: openTransaction({ tcn: 'tcn-1' }), documents: [] });

describe('a large database', () => {
  itNeeding('SQLite')('is used before its check has ended', async () => {
    enlarge();
    expect(statSync(path).size).toBeGreaterThan(LARGE);
    const storage = await reopenTestStorage(data);
    await insert(storage);
    await storage.close();
    expect(storage.damage.isFound).toBe(false);
  });

  itNeeding('SQLite')('that is damaged is not written any more, and is set aside by the next start', async () => {
    enlarge();
    damage();
    const storage = await reopenTestStorage(data);
    await expect.poll(() => storage.damage.isFound, { timeout: 30_000 }).toBe(true);
    await expect
      .poll(async () => insert(storage).catch((error: unknown) => error))
      .toMatchObject({
        code: 'STORAGE_UNAVAILABLE',
      });
    await storage.close();
    await expect(reopenTestStorage(data)).rejects.toMatchObject({ code: 'DATABASE_DAMAGED' });
    expect(readdirSync(data).some((name) => name.startsWith('sinete.db.damaged-'))).toBe(true);
    expect(existsSync(path)).toBe(false);
  });
});

describe('a small database', () => {
  itNeeding('SQLite')('that is damaged is never opened', async () => {
    damage();
    await expect(reopenTestStorage(data)).rejects.toMatchObject({ code: 'DATABASE_DAMAGED' });
  });
});
