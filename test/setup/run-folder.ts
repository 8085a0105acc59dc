import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux keeps the files of this folder in memory, where it is a file system of the kind `tmpfs`. */
const memoryFolder = '/dev/shm';

/** The kind of a file system in memory: TMPFS_MAGIC of <linux/magic.h>. */
const TMPFS = 0x01021994;

/** Bytes that the folder must have free: `npm test` writes half a gigabyte at most. */
const ROOM = 2 * 2 ** 30;

/** Bytes of memory that must be free: the processes of `npm test` take half of it. */
const MEMORY = 8 * 2 ** 30;

/** Milliseconds after which a folder is a left one: no run lasts so long. */
const DAY = 24 * 60 * 60 * 1000;

const prefix = 'sinete-run-';

/** Whether the machine has the room to keep the files of a run in memory. */
function hasRoomInMemory(): boolean {
  const { type, bavail, bsize } = statfsSync(memoryFolder);
  return type === TMPFS && bavail * bsize >= ROOM && freemem() >= MEMORY;
}

/** Removes what runs of this user left in memory killed before they could do so. */
function removeLeft(): void {
  for (const name of readdirSync(memoryFolder).filter((one) => one.startsWith(prefix))) {
    const folder = join(memoryFolder, name);
    const { uid, mtimeMs } = lstatSync(folder);
    // eslint-disable-next-line tests/no-clock -- The age of a folder, which is no measurement.
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
 * Makes the folder for all temporary files of a single run. With `inMemory` it is in memory where there is room, because the
 * tests write thousands of small databases and wait for the disk each time; not where TMPDIR names a place.
 */
export function makeRunFolder(inMemory: boolean): string {
  const folder = mkdtempSync(join(place(inMemory), prefix));
  // Tests start programs as other users, which write temporary files too.
  chmodSync(folder, 0o1777);
  return folder;
}
