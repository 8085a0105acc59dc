/** The program of a thread that reads a whole database for one job, and ends with it. */
import { parentPort, workerData } from 'node:worker_threads';
import { doCopyJob, type CopyJob } from './copy-jobs.ts';
import type { CopyOutcome } from './copy-thread.ts';

doCopyJob(workerData as CopyJob).then(
  (value) => parentPort?.postMessage({ value } satisfies CopyOutcome),
  (error: unknown) => {
    const { message, code } = error as Error & { readonly code?: string };
    parentPort?.postMessage({ failure: { message, code } } satisfies CopyOutcome);
  },
);
