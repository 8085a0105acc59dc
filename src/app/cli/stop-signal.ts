import { once } from 'node:events';

/**
 * Signals that ask a process to end in order. SIGHUP: the terminal was closed. Windows sends SIGBREAK for Ctrl+Break and
 * SIGHUP for a closed console; a few seconds after a SIGHUP Windows ends the process itself.
 */
export const stopSignals: readonly NodeJS.Signals[] = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  ...(process.platform === 'win32' ? (['SIGBREAK'] as const) : []),
];

/**
 * Resolves when the user or the system asks this process to end, by one of `stopSignals`. A second signal ends the
 * process at once, except SIGHUP: a closed terminal may send SIGHUP more than once.
 */
export async function stopSignal(): Promise<void> {
  await Promise.race(stopSignals.map(async (signal) => once(process, signal)));
  for (const signal of stopSignals) process.on(signal, signal === 'SIGHUP' ? () => undefined : () => process.exit(130));
}
