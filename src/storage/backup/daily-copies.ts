import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCopyJob } from './copy-thread.ts';
import { flushFile, timeForFileName } from '../files/files.ts';
import { copiesOf, removeOldCopies } from '../copies/database-copies.ts';

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
  let running: Promise<unknown> = Promise.resolve();
  const follow = (job: () => Promise<unknown>): void => {
    running = running.then(job).catch(() => undefined);
  };
  const erase = (): void => {
    if (mayErase() && copiesOf(databasePath).length > 0)
      follow(async () => runCopyJob({ kind: 'erase', databasePath, now: new Date() }));
  };
  const look = (): void => {
    erase();
    follow(async () => copyWhenDue(databasePath, copies, new Date()));
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
    const copied = await runCopyJob({ kind: 'snapshot', databasePath, destination: draft, checked: true });
    if (copied === 'damaged') throw new Error('The copy of the database has a failed check.');
    await flushFile(draft);
    renameSync(draft, path);
    removeOldCopies(folder, 'daily', kept);
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(draft + suffix, { force: true });
  }
}
