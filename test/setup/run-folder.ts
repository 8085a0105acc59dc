import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux keeps the files of this folder in memory, where the file system is of the kind `tmpfs`. */
const memoryFolder = '/dev/shm';

/** The kind of a file system in memory: TMPFS_MAGIC of <linux/magic.h>. */
const TMPFS = 0x01021994;

/** Bytes needed free in the folder: `npm test` writes half a gigabyte at most. */
const ROOM = 2 * 2 ** 30;

/** Bytes of memory needed free: the processes of `npm test` take half. */
const MEMORY = 8 * 2 ** 30;

/** Milliseconds until a folder counts as left behind: no run lasts so long. */
const DAY = 24 * 60 * 60 * 1000;

const prefix = 'sinete-run-';

/** Whether the machine has the room to keep the files of a run in memory. */
function hasRoomInMemory(): boolean {
  const { type, bavail, bsize } = statfsSync(memoryFolder);
  return type === TMPFS && bavail * bsize >= ROOM && freemem() >= MEMORY;
}

/** Removes what runs of this user left in memory by kills before their own cleaning. */
function removeLeft(): void {
  for (const name of readdirSync(memoryFolder).filter((one) => one.startsWith(prefix))) {
    const folder = join(memoryFolder, name);
    const { uid, mtimeMs } = lstatSync(folder);
    // eslint-disable-next-line tests/no-clock -- The age of a folder, not a measurement.
    if (uid === process.getuid?.() && Date.now() - mtimeMs > DAY) rmSync(folder, { recursive: true });
  }
}

/** The place of the folder of a run. */
function place(inMemory: boolean): string {
  if (!inMemory || process.platform !== 'linux' || process.env['TMPDIR'] !== undefined) return tmpdir();
  try {
    removeLeft();
    return hasRoomInMemory() ? memoryFolder : tmpdir();
  } catch {
    // Without such a folder, or the right to read it, the usual place serves as well.
    return tmpdir();
  }
}

/**
 * Makes the folder for all temporary files of a single run. With `inMemory` the folder is in memory where there is
 * room, because the tests write thousands of small databases and wait for the disk each time; not where TMPDIR names a
 * place.
 */
export function makeRunFolder(inMemory: boolean): string {
  const folder = mkdtempSync(join(place(inMemory), prefix));
  // Tests start programs as other users; these write temporary files too.
  chmodSync(folder, 0o1777);
  return folder;
}
