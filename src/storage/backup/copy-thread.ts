import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';
import { threadEnvironment } from '../../values/thread-environment.ts';
import type { CopyJob } from './copy-jobs.ts';
import type { filesOfSnapshot } from './snapshot.ts';

/** The value of a job, or its failure with the code of SQLite or of the system. */
export type CopyOutcome =
  { readonly value: unknown } | { readonly failure: { readonly message: string; readonly code?: string | undefined } };

interface ValueOf {
  readonly snapshot: 'good' | 'damaged';
  readonly erase: undefined;
  readonly check: 'good' | 'damaged';
  readonly contents: { readonly small: number; readonly files: ReturnType<typeof filesOfSnapshot> };
}

const program = new URL('./copy-thread-main.ts', import.meta.url);

/** A database so small that its jobs are done here: a thread takes 30 MB, and the process keeps most of them. */
const SMALL = 2 * 1024 * 1024;

/**
 * Runs a job that reads a whole database. For a database that is not small, it runs in a thread of its own: the copy of
 * a large database takes seconds, and no request waits for them. Rejects with the error of SQLite or of the system.
 */
export async function runCopyJob<Kind extends CopyJob['kind']>(
  job: Extract<CopyJob, { kind: Kind }>,
): Promise<ValueOf[Kind]> {
  const { size } = statSync('path' in job ? job.path : job.databasePath);
  if (size >= SMALL) return runInThread<Kind>(job);
  const { doCopyJob } = await import('./copy-jobs.ts');
  return (await doCopyJob(job)) as ValueOf[Kind];
}

async function runInThread<Kind extends CopyJob['kind']>(job: CopyJob): Promise<ValueOf[Kind]> {
  const worker = new Worker(program, {
    workerData: job,
    env: threadEnvironment(),
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  try {
    return await new Promise<ValueOf[Kind]>((resolve, reject) => {
      worker.on('message', (outcome: CopyOutcome) => {
        if ('value' in outcome) resolve(outcome.value as ValueOf[Kind]);
        else reject(failureOf(outcome.failure));
      });
      worker.on('error', reject);
      worker.on('exit', () => {
        reject(new Error('The thread that copies the database has ended.'));
      });
    });
  } finally {
    await worker.terminate();
  }
}

function failureOf({ message, code }: { readonly message: string; readonly code?: string | undefined }): Error {
  if (code?.startsWith('SQLITE_') === true) return new SqliteDatabase.SqliteError(message, code);
  return Object.assign(new Error(message), { code });
}
