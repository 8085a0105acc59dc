import SqliteDatabase from 'better-sqlite3';
import { closeSync, existsSync, mkdirSync, openSync, renameSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { copyBeforeMigration } from '../copies/database-copies.ts';
import { remedyForDamage } from '../copies/remedy-for-damage.ts';
import type { Database, Tables } from './database-schema.ts';
import { StorageError } from '../errors.ts';
import { firstTables } from './migrations/0001-first-tables.ts';
import { levels } from './migrations/0002-levels.ts';
import { smallDocuments } from './migrations/0003-small-documents.ts';
import { cacheStatements } from './statement-cache.ts';
import { tolerateRollback } from './tolerant-rollback.ts';
import { TransactionalTables } from './transactional-tables.ts';
import { identity } from './migrations/0004-identity.ts';
import { consentAndAssistant } from './migrations/0005-consent-and-assistant.ts';
import { audit } from './migrations/0008-audit.ts';
import { documentSpace } from './migrations/0009-document-space.ts';
import { resultBlocks } from './migrations/0014-result-blocks.ts';
import { turnsAndAwaitedResults } from './migrations/0010-turns-and-awaited-results.ts';
import { announcedDocuments } from './migrations/0011-announced-documents.ts';
import { approvalTime } from './migrations/0019-approval-time.ts';
import { pendingEvidence } from './migrations/0026-pending-evidence.ts';
import { integrators } from './migrations/0015-integrators.ts';
import { notifications } from './migrations/0006-notifications.ts';
import { objectStores } from './migrations/0007-object-stores.ts';
import { requestOptions } from './migrations/0025-request-options.ts';
import { refreshTokens } from './migrations/0023-refresh-tokens.ts';
import { webhooks } from './migrations/0024-webhooks.ts';
import { fileGrants } from './migrations/0018-file-grants.ts';
import { renewals } from './migrations/0028-renewals.ts';
import { standardWarnings } from './migrations/0027-standard-warnings.ts';
import { applicationLimits } from './migrations/0030-application-limits.ts';
import { administrators } from './migrations/0036-administrators.ts';

/** In the order of application. Names are written into databases and never change. */
const migrations: Readonly<Record<string, Migration>> = {
  '0001-first-tables': firstTables,
  '0002-levels': levels,
  '0003-small-documents': smallDocuments,
  '0004-identity': identity,
  '0005-consent-and-assistant': consentAndAssistant,
  '0006-notifications': notifications,
  '0007-object-stores': objectStores,
  '0008-audit': audit,
  '0009-document-space': documentSpace,
  '0010-turns-and-awaited-results': turnsAndAwaitedResults,
  '0011-announced-documents': announcedDocuments,
  '0014-result-blocks': resultBlocks,
  '0015-integrators': integrators,
  '0018-file-grants': fileGrants,
  '0019-approval-time': approvalTime,
  '0023-refresh-tokens': refreshTokens,
  '0024-webhooks': webhooks,
  '0025-request-options': requestOptions,
  '0026-pending-evidence': pendingEvidence,
  '0027-standard-warnings': standardWarnings,
  '0028-renewals': renewals,
  '0030-application-limits': applicationLimits,
  '0036-administrators': administrators,
};

const DAMAGED = /^SQLITE_(NOTADB|CORRUPT)/;
const BUSY_TIMEOUT = 5000;
/** 16 MB: a batch writes the same pages again and again, and only their last state is worth copying. */
const PAGES_PER_CHECKPOINT = 4000;

/**
 * Opens the database of this instance, creates a missing database, and updates its tables. Committed data survives a
 * loss of power (WAL, synchronous FULL). Files are readable by their owner only.
 *
 * Rejects with `StorageError`: `DATABASE_DAMAGED` for a file with a failed check (the file is set aside, never
 * overwritten, and the next start begins with an empty database), `DATABASE_NEWER`, `STORAGE_UNAVAILABLE`.
 */
export async function openDatabase(path: string): Promise<Database> {
  makePrivateFile(path);
  const connection = openChecked(path);
  const statements = tolerateRollback(connection, cacheStatements(connection));
  const database = new Kysely<Tables>({ dialect: new TransactionalTables({ database: statements }) });
  try {
    copyBeforeMigration(connection, path, Object.keys(migrations));
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
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
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
function openChecked(path: string): SqliteDatabase.Database {
  try {
    return openConnection(path, 'NORMAL');
  } catch (error) {
    if (!isOutOfRoom(error)) throw error;
    return openConnection(path, 'EXCLUSIVE');
  }
}

const isOutOfRoom = (error: unknown): boolean =>
  error instanceof StorageError &&
  error.cause instanceof SqliteDatabase.SqliteError &&
  /^SQLITE_(FULL|IOERR_SHM)/.test(error.cause.code);

function openConnection(path: string, locking: 'NORMAL' | 'EXCLUSIVE'): SqliteDatabase.Database {
  const connection = new SqliteDatabase(path, { timeout: BUSY_TIMEOUT });
  try {
    connection.pragma(`locking_mode = ${locking}`);
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL');
    connection.pragma(`wal_autocheckpoint = ${PAGES_PER_CHECKPOINT}`);
    connection.pragma('foreign_keys = ON');
    // The database holds documents, and erased documents must not be recoverable.
    connection.pragma('secure_delete = ON');
    const answer: unknown = connection.pragma('quick_check(1)', { simple: true });
    if (answer === 'ok') return connection;
    throw new SqliteDatabase.SqliteError(String(answer), 'SQLITE_CORRUPT');
  } catch (error) {
    connection.close();
    if (error instanceof SqliteDatabase.SqliteError && DAMAGED.test(error.code)) throw setAside(path, error);
    throw new StorageError('STORAGE_UNAVAILABLE', 'The database cannot be opened.', {
      cause: error,
      remedy: 'End other programs that use it, and check the disk.',
    });
  }
}

/** Moves a damaged database away to a free name, with the rest of its journal. */
function setAside(path: string, cause: unknown): StorageError {
  const aside = freeName(`${path}.damaged-${new Date().toISOString().replace(/[:.]/g, '-')}`);
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

async function migrate(database: Database): Promise<void> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  if (error instanceof Error && error.message.startsWith('corrupted migrations: previously executed migration')) {
    throw new StorageError('DATABASE_NEWER', 'A newer version of this application has used the data folder.', {
      cause: error,
      remedy: 'Install that version again, or choose another folder with --data.',
    });
  }
  throw new StorageError('STORAGE_UNAVAILABLE', 'The tables of the database could not be brought up to date.', {
    cause: error,
  });
}
