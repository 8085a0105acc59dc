import SqliteDatabase from 'better-sqlite3';
import { ServiceError } from '../service/errors/index.ts';
import { DatabaseUnreachable } from './postgres/postgres-pool.ts';
import { OutcomeUnknown } from './sql/commits.ts';

/** `53100` is `disk_full` of PostgreSQL. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100']);
/** The form of an SQLSTATE. */
const STATE_OF_POSTGRES = /^[0-9A-Z]{5}$/;

/** Converts a failure of the disk or the database to the service's own error. */
export function asServiceFailure(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (FULL.has(code)) return new ServiceError('STORAGE_FULL', 'The disk is full: make room.', { cause: error });
  const outcomeUnknown = error instanceof OutcomeUnknown;
  return new ServiceError('STORAGE_UNAVAILABLE', explain(error, code), {
    cause: error,
    retryAfter: 10,
    outcomeUnknown,
  });
}

function explain(error: unknown, code: string): string {
  if (error instanceof DatabaseUnreachable || error instanceof OutcomeUnknown) return error.message;
  if (code.startsWith('SQLITE_READONLY')) return 'The database can only be read now: see the health check.';
  if (code.startsWith('SQLITE_CORRUPT')) return 'The database is damaged: start the application again to set it aside.';
  if (error instanceof SqliteDatabase.SqliteError || STATE_OF_POSTGRES.test(code))
    return 'The database cannot be used now: see the health check.';
  return 'A file of the data folder cannot be read or written: see the health check.';
}

/** Runs an action of a store, and converts its failures to the service's errors. */
export async function storing<Value>(action: () => Promise<Value>): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    throw asServiceFailure(error);
  }
}
