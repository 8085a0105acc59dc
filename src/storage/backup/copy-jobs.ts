import SqliteDatabase from 'better-sqlite3';
import { isGood } from '../copies/database-copies.ts';
import { refuseDamaged, saysDamaged } from '../sqlite/open-database.ts';
import { eraseExpiredInCopies } from './erase-in-copies.ts';
import { countSmallDocuments, filesOfSnapshot, takeSnapshot } from './snapshot.ts';

/** Work that reads a whole database. */
export type CopyJob =
  /** Copies a database that is in use; `checked`: SQLite reads the whole copy and judges it. */
  | {
      readonly kind: 'snapshot';
      readonly databasePath: string;
      readonly destination: string;
      readonly checked: boolean;
    }
  /** Erases the results in the daily copies whose time is over. */
  | { readonly kind: 'erase'; readonly databasePath: string; readonly now: Date }
  /** Reads a whole database that is in use, and judges it. */
  | { readonly kind: 'check'; readonly path: string }
  /** The documents that a copy needs, in itself and beside. */
  | { readonly kind: 'contents'; readonly path: string };

/** Does a job in this thread. Rejects with the error of SQLite or of the system. */
export async function doCopyJob(job: CopyJob): Promise<unknown> {
  switch (job.kind) {
    case 'snapshot':
      await takeSnapshot(job.databasePath, job.destination);
      return job.checked && !isGood(job.destination) ? 'damaged' : 'good';
    case 'erase':
      eraseExpiredInCopies(job.databasePath, job.now);
      return undefined;
    case 'check':
      return checkInUse(job.path);
    case 'contents':
      return { small: countSmallDocuments(job.path), files: filesOfSnapshot(job.path) };
  }
}

/** Throws errors that do not tell of damage, as that of a disk without room. */
function checkInUse(path: string): 'good' | 'damaged' {
  const connection = new SqliteDatabase(path, { readonly: true });
  try {
    refuseDamaged(connection);
    return 'good';
  } catch (error) {
    if (saysDamaged(error)) return 'damaged';
    throw error;
  } finally {
    connection.close();
  }
}
