/**
 * A thread of the child process that ends it when the parent is gone. The main thread cannot see that while a driver
 * hangs in a call, and an orphan would keep the token to itself.
 */
import { workerData } from 'node:worker_threads';

const CHECK_MILLISECONDS = 1_000;
const { parent } = workerData as { readonly parent: number };

function parentIsAlive(): boolean {
  // On POSIX an orphan gets another parent at once; on Windows the number stays and the process behind it is gone.
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
