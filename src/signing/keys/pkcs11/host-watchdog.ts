/**
 * A thread of the child process that ends the process after the parent has ended. The main thread cannot notice the
 * parent's end while a driver hangs in a call, and an orphaned process would block the token.
 */
import { workerData } from 'node:worker_threads';

const CHECK_MILLISECONDS = 1_000;
const { parent } = workerData as { readonly parent: number };

function parentIsAlive(): boolean {
  // On POSIX an orphan gets another parent at once. On Windows the parent's number stays, although the parent process
  // is gone.
  if (process.ppid !== parent) return false;
  try {
    process.kill(parent, 0);
    return true;
  } catch (error) {
    return (error as { readonly code?: unknown }).code === 'EPERM';
  }
}

setInterval(() => {
  if (!parentIsAlive()) process.kill(process.pid, 'SIGKILL');
}, CHECK_MILLISECONDS);
