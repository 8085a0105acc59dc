import SqliteDatabase from 'better-sqlite3';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError } from '../errors.ts';

/** Says that a data folder is in use; ends with the process at the latest, also when that is killed. */
export interface DataFolderLock {
  release(): void;
}

/**
 * Makes the data folder where it is not there (0700) and claims it for this process. The claim is a lock of the
 * operating system, held through SQLite: it needs no cleaning up after a crash.
 * Throws `STORAGE_UNAVAILABLE` when another process has the folder.
 */
export function lockDataFolder(folder: string): DataFolderLock {
  const connection = openLockFile(folder);
  try {
    connection.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    connection.close();
    throw new StorageError('STORAGE_UNAVAILABLE', 'Another Sinete is running on this data folder.', {
      cause,
      remedy: 'End the other one, or choose another folder with --data or SINETE_DATA.',
    });
  }
  return { release: () => connection.close() };
}

function openLockFile(folder: string): SqliteDatabase.Database {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return new SqliteDatabase(join(folder, 'in-use.lock'), { timeout: 0 });
  } catch (cause) {
    throw new StorageError('STORAGE_UNAVAILABLE', 'The data folder cannot be written.', {
      cause,
      remedy: 'Check its owner, or choose another one with --data or SINETE_DATA.',
    });
  }
}
