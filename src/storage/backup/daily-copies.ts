import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { eraseExpiredInCopies } from './erase-in-copies.ts';
import { takeSnapshot } from './snapshot.ts';
import { flushFile, timeForFileName } from '../files/files.ts';
import { copiesOf, isGood, removeOldCopies } from '../copies/database-copies.ts';

/** Number of kept copies, and the greatest age of the newest one. */
export interface CopiesKept {
  /** 0: no copies are made. */
  readonly kept: number;
  /** Milliseconds. */
  readonly interval: number;
}

export const DEFAULT_COPIES: CopiesKept = { kept: 3, interval: 24 * 3_600_000 };

/** Milliseconds between two checks of the copies, and before the first copy, so that the start comes first. */
const LOOK_INTERVAL = 3_600_000;
const FIRST_LOOK = 30_000;

/**
 * Copies the database every day, checks each copy, and erases expired results in all copies. After a failure the older
 * copies stay, and the next check tries again.
 */
export function startCopies(
  databasePath: string,
  copies: CopiesKept,
  mayErase: () => boolean = () => true,
): { close(): Promise<void> } {
  const erase = (): void => {
    if (mayErase()) eraseExpiredInCopies(databasePath, new Date());
  };
  let running: Promise<void> = Promise.resolve();
  const look = (): void => {
    erase();
    running = running.then(async () => copyWhenDue(databasePath, copies, new Date())).catch(() => undefined);
  };
  erase();
  const first = setTimeout(look, FIRST_LOOK).unref();
  const timer = setInterval(look, LOOK_INTERVAL).unref();
  return {
    close: async () => {
      clearTimeout(first);
      clearInterval(timer);
      await running;
    },
  };
}

/** Makes a copy when the newest is older than the interval. Rejects with the errors of the system and of SQLite. */
export async function copyWhenDue(databasePath: string, { kept, interval }: CopiesKept, now: Date): Promise<void> {
  if (kept === 0) return;
  const newest = copiesOf(databasePath).find(({ kind }) => kind === 'daily');
  const due = timeForFileName(new Date(now.getTime() - interval));
  // A copy with a future time was made by a clock that was ahead, so it is ignored.
  if (newest !== undefined && newest.time > due && newest.time <= timeForFileName(now)) return;
  const folder = join(dirname(databasePath), 'backups');
  const path = join(folder, `daily-${timeForFileName(now)}.db`);
  const draft = `${path}.tmp`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    await takeSnapshot(databasePath, draft);
    if (!isGood(draft)) throw new Error('The copy of the database has a failed check.');
    await flushFile(draft);
    renameSync(draft, path);
    removeOldCopies(folder, 'daily', kept);
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(draft + suffix, { force: true });
  }
}
