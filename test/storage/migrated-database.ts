/**
 * A new database file with existing tables. Migrations take ten times as long as the rest of an opening, and most tests
 * are not about migrations.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/storage/sqlite/open-database.ts';

/** The bytes of the file, made once in each test process. */
let migrated: Promise<Buffer> | undefined;

async function makeMigrated(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-migrated-'));
  try {
    const path = join(folder, 'sinete.db');
    const database = await openDatabase(path);
    await database.destroy();
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Puts the file into a data folder without a database, creating the folder if missing. */
export async function placeMigratedDatabase(dataFolder: string): Promise<void> {
  const path = join(dataFolder, 'sinete.db');
  if (existsSync(path)) return;
  const bytes = await (migrated ??= makeMigrated());
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  writeFileSync(path, bytes, { mode: 0o600 });
}
