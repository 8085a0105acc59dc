/** The program of a thread that reads a whole database for one job, and ends with it. */
import { parentPort, workerData } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';
import { isGood } from '../copies/database-copies.ts';
import { refuseDamaged, saysDamaged } from '../sqlite/open-database.ts';
import type { CopyJob, CopyOutcome } from './copy-thread.ts';
import { eraseExpiredInCopies } from './erase-in-copies.ts';
import { countSmallDocuments, filesOfSnapshot, takeSnapshot } from './snapshot.ts';

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

async function run(job: CopyJob): Promise<unknown> {
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

run(workerData as CopyJob).then(
  (value) => parentPort?.postMessage({ value } satisfies CopyOutcome),
  (error: unknown) => {
    const { message, code } = error as Error & { readonly code?: string };
    parentPort?.postMessage({ failure: { message, code } } satisfies CopyOutcome);
  },
);
