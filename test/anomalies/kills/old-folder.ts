/** A data folder left by an earlier version; the next start changes its tables. */
import SqliteDatabase from 'better-sqlite3';
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { firstTables } from '../../../src/storage/sql/migrations/first/0001-first-tables.ts';
import { levels } from '../../../src/storage/sql/migrations/first/0002-levels.ts';
import { openStorage } from '../../../src/storage/index.ts';

const kept = { name: 'proof', value: 'what was there' } as const;

export async function makeOldFolder(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const connection = new SqliteDatabase(join(folder, 'sinete.db'));
  connection.pragma('journal_mode = WAL');
  const database = new Kysely<never>({ dialect: new SqliteDialect({ database: connection }) });
  const migrations = { '0001-first-tables': firstTables, '0002-levels': levels };
  const provider = { getMigrations: () => Promise.resolve(migrations) };
  const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
  assert.equal(error, undefined);
  connection.prepare('INSERT INTO settings (key, value) VALUES (?, ?)').run(kept.name, JSON.stringify(kept.value));
  await database.destroy();
}

/**
 * However far the change of the tables had come: the change is ended, nothing is lost, each earlier copy is whole, and
 * none is half.
 */
export async function expectMigrated(folder: string): Promise<void> {
  const storage = await openStorage(folder);
  assert.equal(await storage.settings.read(kept.name), kept.value);
  await storage.transactions.recent(1);
  await storage.close();
  const copies = readdirSync(join(folder, 'backups'));
  assert.ok(copies.length > 0);
  for (const name of copies) {
    const copy = new SqliteDatabase(join(folder, 'backups', name), { readonly: true });
    assert.equal(copy.pragma('quick_check(1)', { simple: true }), 'ok', name);
    copy.close();
  }
}
