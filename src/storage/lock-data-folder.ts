import SqliteDatabase from 'better-sqlite3';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError } from './errors.ts';
import { makeFolder } from './files/files.ts';

/** The lock of a data folder, which ends with the process at the latest, even if the process is killed. */
export interface DataFolderLock {
  release(): void;
}

/**
 * Creates a missing data folder (0700) and locks it for this process. The lock is one of the operating system, held
 * through SQLite, so a crash needs no clean-up. Throws `STORAGE_UNAVAILABLE` if another process has the lock, and for a
 * folder that cannot be written.
 */
export function lockDataFolder(folder: string): DataFolderLock {
  const connection = openLockFile(folder);
  try {
    // Nothing is ever written here; with a journal in memory the lock works even on a full disk.
    connection.pragma('journal_mode = MEMORY');
    connection.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    connection.close();
    if (!(cause instanceof SqliteDatabase.SqliteError) || !cause.code.startsWith('SQLITE_BUSY'))
      throw notWritten(cause);
    throw new StorageError('STORAGE_UNAVAILABLE', 'Another Sinete is running on this data folder.', {
      cause,
      remedy: 'End the other one, or choose another folder with --data or SINETE_DATA.',
    });
  }
  return { release: () => connection.close() };
}

function openLockFile(folder: string): SqliteDatabase.Database {
  try {
    makeFolder(folder);
    const path = join(folder, 'in-use.lock');
    // SQLite gives its journal the permissions of the file.
    closeSync(openSync(path, 'a', 0o600));
    return new SqliteDatabase(path, { timeout: 0 });
  } catch (cause) {
    throw notWritten(cause);
  }
}

function notWritten(cause: unknown): StorageError {
  return new StorageError('STORAGE_UNAVAILABLE', 'The data folder cannot be written.', {
    cause,
    remedy: 'Check its owner and its disk, or choose another one with --data or SINETE_DATA.',
  });
}
