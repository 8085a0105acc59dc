import SqliteDatabase from 'better-sqlite3';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itNeeding } from '../../setup/needs.ts';
import { copyBeforeMigration } from '../../../src/storage/copies/database-copies.ts';
import { eraseExpiredInCopies } from '../../../src/storage/backup/erase-in-copies.ts';
import { isDatabaseCopy, noteBackup, openStorage, putBackCopy, StorageError } from '../../../src/storage/index.ts';
import { personWith } from '../../pki/identities.ts';
import {
  createRequest,
  dataUrl,
  finished,
  openWorld,
  requester,
} from '../../service/transactions/transaction-world.ts';
import { until } from '../../setup/waits.ts';

let folder: string;
let database: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-copies-'));
  database = join(folder, 'sinete.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const copies = (): string[] => readdirSync(join(folder, 'backups')).sort();

/** A database of today, with a setting inside. */
async function fill(): Promise<void> {
  const storage = await openStorage(folder);
  await storage.settings.write('kept', 'yes');
  await storage.close();
}

/** Makes copies like an opening with further migrations. */
function migrateTo(...names: readonly string[]): void {
  const connection = new SqliteDatabase(database);
  const seen = connection.prepare('SELECT name FROM kysely_migration ORDER BY name').pluck().all() as string[];
  copyBeforeMigration(connection, database, [...seen, ...names]);
  connection.close();
}

async function damage(): Promise<StorageError> {
  for (const suffix of ['-wal', '-shm']) rmSync(database + suffix, { force: true });
  writeFileSync(database, 'not a database at all, and long enough to be looked at');
  const error: unknown = await openStorage(folder).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StorageError);
  return error as StorageError;
}

/** True from the next millisecond on: the names of copies differ by the millisecond. */
function nextMillisecond(): () => boolean {
  const begun = Date.now();
  return () => Date.now() > begun;
}

describe('the copy before a migration', () => {
  it('is not made for an empty database, or one with all tables', async () => {
    await fill();
    await fill();
    expect(readdirSync(folder)).not.toContain('backups');
  });

  itNeeding('Linux')('is made before the tables change, private and whole', async () => {
    await fill();
    migrateTo('9001-more');
    expect(copies()).toEqual([expect.stringMatching(/^before-9001-more-.*Z\.db$/)]);
    const path = join(folder, 'backups', copies()[0] ?? '');
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
    const copy = new SqliteDatabase(path, { readonly: true });
    expect(copy.prepare("SELECT value FROM settings WHERE key = 'kept'").pluck().get()).toBe('"yes"');
    copy.close();
  });

  it('is one of three at most, the newest', async () => {
    await fill();
    for (let n = 1; n <= 5; n++) {
      migrateTo(`900${n}-more`);
      await until(nextMillisecond(), 'a later time for the next copy');
    }
    expect(copies().map((name) => name.slice(7, 16))).toEqual(['9003-more', '9004-more', '9005-more']);
  });

  itNeeding('Linux')('keeps the tables from being changed when the copy cannot be made', async () => {
    await fill();
    writeFileSync(join(folder, 'backups'), 'in the way');
    expect(() => {
      migrateTo('9001-more');
    }).toThrow('could not be copied');
  });
});

describe('a damaged database', () => {
  it('is set aside, and the newest good copy is offered', async () => {
    await fill();
    migrateTo('9001-more');
    await until(nextMillisecond(), 'a later time for the next copy');
    migrateTo('9002-more');
    const [older = '', newer = ''] = copies();
    writeFileSync(join(folder, 'backups', newer), 'SQLite format 3\0 and then nothing that is right');
    const error = await damage();
    expect([error.code, error.remedy.includes(older)]).toEqual(['DATABASE_DAMAGED', true]);
  });

  it('is replaced by the copy', async () => {
    await fill();
    migrateTo('9001-more');
    await damage();
    const copy = join(folder, 'backups', copies()[0] ?? '');
    expect(isDatabaseCopy(copy)).toBe(true);
    expect(putBackCopy(folder, copy, false, new Date())).toBeNull();
    const storage = await openStorage(folder);
    expect(await storage.settings.read('kept')).toBe('yes');
    await storage.close();
  });

  it('offers a remedy when there is no copy', async () => {
    mkdirSync(folder, { recursive: true });
    await fill();
    expect((await damage()).remedy).toMatch(/^Restore a backup .*sinete recover/);
  });
});

describe('a backup', () => {
  it('is offered too while in its first place, the newer of the two first', async () => {
    await fill();
    migrateTo('9001-more');
    const path = join(folder, 'kept.backup');
    writeFileSync(path, 'SINETE-BACKUP-1\n…');
    await noteBackup(folder, { path, createdAt: '2001-02-03T04:05:06.789Z' });
    const later = (await damage()).remedy;
    expect(later).toMatch(/^The newest good copy .* The newest backup is of 2001-02-03 04:05 UTC: "sinete restore /);
    await noteBackup(folder, { path, createdAt: '2999-02-03T04:05:06.789Z' });
    expect((await damage()).remedy).toMatch(/^The newest backup is of 2999-.* The newest good copy .*sinete recover/);
    rmSync(path);
    expect((await damage()).remedy).toMatch(/^The newest good copy/);
  });
});

describe('data expiring after a copy was made', () => {
  it('is erased from the copy too, and nothing else', async () => {
    const world = await openWorld();
    try {
      folder = world.folder;
      database = join(folder, 'sinete.db');
      await world.addKey(await personWith());
      const sign = async (content: string): Promise<string> => {
        const documents = [{ data: dataUrl(content) }];
        const request = createRequest({ documentsSource: 'DATA_URL', type: 'CAdES-attached', documents });
        const { tcn } = await world.transactions.create({ ...request, returnSignature: true }, requester);
        return (await finished(world.transactions, tcn)).tcn;
      };
      await sign('first content');
      world.advance(3_600_000);
      const later = await sign('later content');
      migrateTo('9001-more');
      const [copy = ''] = copies();
      const left = (): string => readFileSync(join(folder, 'backups', copy)).toString('latin1');
      expect([left().includes('first content'), left().includes('later content')]).toEqual([true, true]);
      eraseExpiredInCopies(database, new Date(Date.now() + 12.5 * 3_600_000));
      expect([left().includes('first content'), left().includes('later content')]).toEqual([false, true]);
      const rows = new SqliteDatabase(join(folder, 'backups', copy), { readonly: true });
      const erased = rows.prepare('SELECT tcn FROM documents WHERE result_erased_at IS NULL').pluck().all();
      rows.close();
      expect(erased).toEqual([later]);
    } finally {
      await world.end();
      folder = mkdtempSync(join(tmpdir(), 'sinete-copies-'));
    }
  });
});
