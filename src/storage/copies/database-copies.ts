/**
 * Copies of the database in `backups/` of the data folder: one of each day, and those made before changes of the
 * tables.
 */
import SqliteDatabase from 'better-sqlite3';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { acceptAtNextStart } from '../mark/mark-file.ts';
import { requireSqlite } from '../database-of-folder.ts';
import { StorageError } from '../errors.ts';
import { lockDataFolder } from '../lock-data-folder.ts';
import { timeForFileName } from '../files/files.ts';

const KEPT = 3;
/** `before-0008-audit-2026-01-02T03-04-05-678Z.db`, `daily-2026-01-02T03-04-05-678Z.db`. */
const NAME = /^(before|daily)-(?:[0-9a-z-]+?-)?(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)\.db$/;
/** Remains of an interrupted copy: SQLite writes a journal beside the copy. */
const DRAFT = /\.db\.tmp(-journal)?$/;

interface DatabaseCopy {
  /** Absolute. */
  readonly path: string;
  /** As in the name. */
  readonly time: string;
  readonly kind: 'before' | 'daily';
}

/**
 * Copies a database before its tables are changed: a database with our tables, but without the newest migrations. The
 * last three copies are kept. Throws `STORAGE_UNAVAILABLE`: without a copy nothing is changed.
 */
export function copyBeforeMigration(
  connection: SqliteDatabase.Database,
  databasePath: string,
  migrations: readonly string[],
): void {
  const next = firstNew(connection, migrations);
  if (next === undefined) return;
  const folder = join(dirname(databasePath), 'backups');
  const path = join(folder, `before-${next}-${timeForFileName(new Date())}.db`);
  const draft = `${path}.tmp`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) if (DRAFT.test(name)) rmSync(join(folder, name));
    connection.prepare('VACUUM INTO ?').run(draft);
    chmodSync(draft, 0o600);
    flush(draft);
    renameSync(draft, path);
    removeOldCopies(folder, 'before', KEPT);
  } catch (cause) {
    throw new StorageError('STORAGE_UNAVAILABLE', 'The database could not be copied before its tables are changed.', {
      cause,
      remedy: 'Nothing was changed. Make room on the disk and check the rights of the folder "backups".',
    });
  }
}

/** The first missing migration of a database with our tables. */
function firstNew(connection: SqliteDatabase.Database, migrations: readonly string[]): string | undefined {
  const table = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'kysely_migration'").get();
  if (table === undefined) return undefined;
  const seen = new Set(connection.prepare('SELECT name FROM kysely_migration').pluck().all());
  return seen.size === 0 ? undefined : migrations.find((name) => !seen.has(name));
}

/** Removes all but the newest `kept` copies of a kind. */
export function removeOldCopies(folder: string, kind: DatabaseCopy['kind'], kept: number): void {
  const all = copiesIn(folder).filter((copy) => copy.kind === kind);
  for (const { path } of all.slice(kept)) rmSync(path);
}

/** Newest first. */
function copiesIn(folder: string): readonly DatabaseCopy[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => {
      const [, kind, time] = NAME.exec(name) ?? [];
      if (time === undefined || (kind !== 'before' && kind !== 'daily')) return [];
      return [{ path: join(folder, name), time, kind } as const];
    })
    .sort((a, b) => (a.time < b.time ? 1 : -1));
}

/** The copies of a database, newest first, without checking them. */
export function copiesOf(databasePath: string): readonly DatabaseCopy[] {
  return copiesIn(join(dirname(databasePath), 'backups'));
}

/** The newest copy that passes SQLite's check. */
export function newestGoodCopy(databasePath: string): DatabaseCopy | undefined {
  return copiesIn(join(dirname(databasePath), 'backups')).find(({ path }) => isGood(path));
}

/** True if a file is a database that passes SQLite's check. */
export function isGood(path: string): boolean {
  try {
    const connection = new SqliteDatabase(path, { readonly: true });
    try {
      return connection.pragma('quick_check(1)', { simple: true }) === 'ok';
    } finally {
      connection.close();
    }
  } catch {
    return false;
  }
}

/** True if a file is a database, and not a sealed backup. */
export function isDatabaseCopy(path: string): boolean {
  const magic = Buffer.alloc(16);
  try {
    const file = openSync(path, 'r');
    try {
      return readSync(file, magic) === 16 && magic.toString('latin1') === 'SQLite format 3\0';
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

/** As `putBackDatabase`, for a person who has accepted that the rows are older: the next start marks them. */
export function putBackCopy(dataFolder: string, copy: string, replace: boolean, now: Date): string | null {
  const aside = putBackDatabase(dataFolder, copy, replace, now);
  acceptAtNextStart(dataFolder);
  return aside;
}

/**
 * Puts a copy of the database into a data folder; the folder's marks stay unchanged. With `replace` an existing
 * database is set aside, else it is an error. Answers the new path of the old database. Throws `BACKUP_DAMAGED`,
 * `DATA_FOLDER_PRESENT`, `STORAGE_UNAVAILABLE`.
 */
export function putBackDatabase(dataFolder: string, copy: string, replace: boolean, now: Date): string | null {
  requireSqlite(dataFolder, 'Restore it with pg_restore.');
  if (!isGood(copy)) {
    throw new StorageError('BACKUP_DAMAGED', 'This copy of the database is damaged.', { remedy: 'Use another one.' });
  }
  const lock = lockDataFolder(dataFolder);
  try {
    const database = join(dataFolder, 'sinete.db');
    const isPresent = existsSync(database);
    if (isPresent && !replace) {
      const remedy = 'Nothing was changed. Add --replace to set it aside.';
      throw new StorageError('DATA_FOLDER_PRESENT', 'There is a database already.', { remedy });
    }
    const draft = `${database}.restored`;
    copyFileSync(copy, draft);
    chmodSync(draft, 0o600);
    flush(draft);
    const aside = `${database}.replaced-${timeForFileName(now)}`;
    if (isPresent) setAside(database, aside);
    renameSync(draft, database);
    return isPresent ? aside : null;
  } finally {
    lock.release();
  }
}

/** A setting in a copy of the database; undefined if setting, table or database is missing. */
export function readSettingOfCopy(path: string, key: string): unknown {
  try {
    const connection = new SqliteDatabase(path, { readonly: true });
    try {
      const row = connection.prepare('SELECT value FROM settings WHERE key = ?').get(key) as
        { value: string } | undefined;
      return row === undefined ? undefined : (JSON.parse(row.value) as unknown);
    } finally {
      connection.close();
    }
  } catch {
    return undefined;
  }
}

/**
 * Moves the database with its journal. The main file is moved last, so that the database is never without its journal.
 */
function setAside(database: string, aside: string): void {
  for (const suffix of ['-wal', '-shm', '']) {
    if (existsSync(database + suffix)) renameSync(database + suffix, aside + suffix);
  }
}

function flush(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
