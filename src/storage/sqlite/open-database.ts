import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import {
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  sql,
  type DialectAdapter,
  type SqliteDatabase,
  type SqliteStatement,
} from 'kysely';
import { copyBeforeMigration } from '../copies/database-copies.ts';
import { remedyForDamage } from '../copies/remedy-for-damage.ts';
import type { Database, Tables } from '../sql/database-schema.ts';
import { migrate, namesOfMigrations } from '../sql/migrate.ts';
import { makeFolder, timeForFileName } from '../files/files.ts';
import { StorageError } from '../errors.ts';
import { takesManyRows } from '../sql/many-rows.ts';

const MOST_STATEMENTS = 200;
/** Longer statements contain lists of many rows, which rarely have the same length again. */
const LONGEST_TEXT = 4000;

/**
 * Makes a connection prepare each statement once, because preparing costs more than running most statements. SQLite
 * itself prepares a statement again after a change of the tables.
 */
function cacheStatements(connection: Sqlite.Database): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    prepare(text) {
      const known = statements.get(text);
      if (known !== undefined) return known;
      const statement = takesManyRows(connection.prepare(text));
      if (text.length > LONGEST_TEXT) return statement;
      const [oldest] = statements.size < MOST_STATEMENTS ? [] : statements.keys();
      if (oldest !== undefined) statements.delete(oldest);
      statements.set(text, statement);
      return statement;
    },
    close() {
      statements.clear();
      connection.close();
    },
  };
}

/**
 * Ignores a ROLLBACK after SQLite has rolled back itself, as it does on a full or failing disk
 * (https://sqlite.org/lang_transaction.html §3). The error of the second ROLLBACK would hide the reason.
 */
function tolerateRollback(connection: Sqlite.Database, database: SqliteDatabase): SqliteDatabase {
  return {
    prepare(text) {
      const statement = database.prepare(text);
      return text === 'rollback' ? onlyInTransaction(connection, statement) : statement;
    },
    close() {
      database.close();
    },
  };
}

function onlyInTransaction(connection: Sqlite.Database, statement: SqliteStatement): SqliteStatement {
  return {
    reader: statement.reader,
    all: (parameters) => statement.all(parameters),
    iterate: (parameters) => statement.iterate(parameters),
    run: (parameters) => (connection.inTransaction ? statement.run(parameters) : { changes: 0, lastInsertRowid: 0 }),
  };
}

const DAMAGED = /^SQLITE_(NOTADB|CORRUPT)/;
const BUSY_TIMEOUT = 5000;
/** 16 MB: a batch writes the same pages repeatedly, and only their last state needs to be copied. */
const PAGES_PER_CHECKPOINT = 4000;

/**
 * Opens the database of this instance, creates a missing database, and updates its tables. Committed data survives a
 * loss of power (WAL, synchronous FULL). Files are readable by their owner only.
 *
 * Rejects with `StorageError`: `DATABASE_DAMAGED` for a file with a failed check (the file is set aside, never
 * overwritten, and the next start begins with an empty database), `DATABASE_NEWER`, `STORAGE_UNAVAILABLE`.
 */
export async function openDatabase(path: string): Promise<Database> {
  return openUpdated(path, true);
}

/** A database whose whole file is still to be checked, because its check takes long. */
const LARGE = 32 * 1024 * 1024;

/** An empty file beside a database that a check has found damaged while it was used. */
const suspectPathOf = (path: string): string => `${path}.suspect`;

/**
 * As `openDatabase`, but a large database is opened unchecked: an instance answers its first request before SQLite has
 * read gigabytes. The caller checks the file beside its work, and calls `suspect` for a damaged one; the next opening
 * then checks it first. `isChecked`: it was checked.
 */
export async function openForService(
  path: string,
): Promise<{ readonly database: Database; readonly isChecked: boolean }> {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const isChecked = size < LARGE || existsSync(suspectPathOf(path));
  const database = await openUpdated(path, isChecked);
  rmSync(suspectPathOf(path), { force: true });
  return { database, isChecked };
}

/** Makes the next opening check the whole file. Throws the system's errors. */
export const suspect = (path: string): void => writeFileSync(suspectPathOf(path), '', { mode: 0o600 });

async function openUpdated(path: string, isChecked: boolean): Promise<Database> {
  makePrivateFile(path);
  const connection = openConnectionWithRoom(path, isChecked);
  const statements = tolerateRollback(connection, cacheStatements(connection));
  const database = new Kysely<Tables>({ dialect: new TransactionalTables({ database: statements }) });
  try {
    copyBeforeMigration(connection, path, namesOfMigrations);
    await migrate(database);
  } catch (error) {
    await database.destroy();
    // Kysely closes a connection only after its first query; closing again does no harm.
    connection.close();
    throw error;
  }
  return database;
}

/** SQLite gives its companion files the permissions of the database. */
function makePrivateFile(path: string): void {
  try {
    makeFolder(dirname(path));
    closeSync(openSync(path, 'a', 0o600));
  } catch (cause) {
    throw new StorageError('STORAGE_UNAVAILABLE', `The database "${basename(path)}" cannot be opened.`, {
      cause,
      remedy: 'Check the owner of the data folder, or choose another one with --data.',
    });
  }
}

/**
 * SQLite keeps the index of the WAL in a file of 32 kB, which a full disk has no room for. An exclusive connection keeps
 * the index in memory: then committed data can be read at once, and written when there is room again. Until the next
 * start no other connection can read the database, so no backup can be made.
 */
function openConnectionWithRoom(path: string, isChecked: boolean): Sqlite.Database {
  try {
    return openConnection(path, 'NORMAL', isChecked);
  } catch (error) {
    if (!isOutOfRoom(error)) throw error;
    return openConnection(path, 'EXCLUSIVE', isChecked);
  }
}

/** True if no other connection can read the database: see `openConnectionWithRoom`. */
export async function isExclusive(database: Database): Promise<boolean> {
  const { rows } = await sql<{ locking_mode: string }>`pragma locking_mode`.execute(database);
  return rows[0]?.locking_mode === 'exclusive';
}

const isOutOfRoom = (error: unknown): boolean =>
  error instanceof StorageError &&
  error.cause instanceof Sqlite.SqliteError &&
  /^SQLITE_(FULL|IOERR_SHM)/.test(error.cause.code);

function openConnection(path: string, locking: 'NORMAL' | 'EXCLUSIVE', isChecked: boolean): Sqlite.Database {
  const connection = new Sqlite(path, { timeout: BUSY_TIMEOUT });
  try {
    connection.pragma(`locking_mode = ${locking}`);
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL');
    connection.pragma(`wal_autocheckpoint = ${PAGES_PER_CHECKPOINT}`);
    connection.pragma('foreign_keys = ON');
    // The database contains documents, and deleted documents must not be recoverable.
    connection.pragma('secure_delete = ON');
    // Each row of a table with triggers keeps the pages that it may have to bring back: in a file, half of an insert's
    // time goes there. Nor do parts of documents come into files without a name.
    connection.pragma('temp_store = MEMORY');
    if (isChecked) refuseDamaged(connection);
    return connection;
  } catch (error) {
    connection.close();
    if (saysDamaged(error)) throw setAside(path, error);
    throw new StorageError('STORAGE_UNAVAILABLE', 'The database cannot be opened.', {
      cause: error,
      remedy: 'End other programs that use it, and check the disk.',
    });
  }
}

/** Reads the whole database. Throws an `SqliteError` with the code `SQLITE_CORRUPT` for a damaged one. */
export function refuseDamaged(connection: Sqlite.Database): void {
  const answer: unknown = connection.pragma('quick_check(1)', { simple: true });
  if (answer !== 'ok') throw new Sqlite.SqliteError(String(answer), 'SQLITE_CORRUPT');
}

/** True if the error says that a file is no sound database. */
export const saysDamaged = (error: unknown): error is Sqlite.SqliteError =>
  error instanceof Sqlite.SqliteError && DAMAGED.test(error.code);

/** Moves a damaged database and its journal to an unused name. */
function setAside(path: string, cause: unknown): StorageError {
  const aside = freeName(`${path}.damaged-${timeForFileName(new Date())}`);
  for (const suffix of ['-wal', '-shm', '']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  return new StorageError('DATABASE_DAMAGED', `The database is damaged and was set aside as "${basename(aside)}".`, {
    cause,
    remedy: remedyForDamage(path),
  });
}

function freeName(wanted: string): string {
  let name = wanted;
  for (let count = 2; existsSync(name); count++) name = `${wanted}-${count}`;
  return name;
}

/**
 * SQLite's true behaviour: changes of tables belong to a transaction like all others
 * (https://sqlite.org/lang_transaction.html), although Kysely's own dialect denies this. A killed migration therefore
 * has not happened, and the next start begins the migration again.
 */
class TransactionalTables extends SqliteDialect {
  override createAdapter(): DialectAdapter {
    return new TransactionalAdapter();
  }
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
