import { once } from 'node:events';

/**
 * Resolves when the user or the system asks this process to end: SIGINT or SIGTERM. A second signal ends the process at
 * once.
 */
export async function stopSignal(): Promise<void> {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
}
