import { once } from 'node:events';
import { wrappersEnd } from '../instance/wrappers.ts';

/**
 * Signals that ask a process to end in an orderly way. SIGHUP: the terminal was closed. Windows sends SIGBREAK for
 * Ctrl+Break and SIGHUP for a closed console, and ends the process itself a few seconds after a SIGHUP.
 */
export const stopSignals: readonly NodeJS.Signals[] = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  ...(process.platform === 'win32' ? (['SIGBREAK'] as const) : []),
];

/** Milliseconds in which further signals count as the same request: npm forwards the signal of a terminal. */
const SAME_REQUEST = 1000;

/**
 * Resolves when the user or the system asks this process to end by one of `stopSignals`, or when the npm or the older
 * Node that waits for this process is killed. A signal more than a second later ends the process at once, except
 * SIGHUP: a closed terminal may send SIGHUP repeatedly.
 */
export async function stopSignal(): Promise<void> {
  await Promise.race([...stopSignals.map(async (signal) => once(process, signal)), wrappersEnd()]);
  const asked = performance.now();
  const repeat = (): void => {
    if (performance.now() - asked > SAME_REQUEST) process.exit(130);
  };
  for (const signal of stopSignals) process.on(signal, signal === 'SIGHUP' ? () => undefined : repeat);
}
