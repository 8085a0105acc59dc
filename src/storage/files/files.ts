import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Flushes a file's content to the disk. */
export async function flushFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Flushes a folder, so that new and changed names survive a loss of power. Windows flushes folders itself. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Makes a missing folder and its missing parents (0700) so that their names survive a loss of power: `fsync()` of a file
 * does not promise to secure the names of the folders above (POSIX). A parent that this user may not read is not flushed.
 */
export function makeFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (first === undefined || process.platform === 'win32') return;
  for (let made = resolve(path); made.length >= first.length; made = dirname(made)) flushNames(dirname(made));
}

function flushNames(path: string): void {
  let folder: number;
  try {
    folder = openSync(path, 'r');
  } catch {
    return;
  }
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Removes a file; a missing file is no error. */
export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** Runs `action` for each item, at most `atOnce` at a time; the first failure ends the loop. */
export async function forEachAtOnce<Item>(
  items: readonly Item[],
  atOnce: number,
  action: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const worker = async (): Promise<void> => {
    for (const item of rest) await action(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}

/** The `code` of an error of the operating system, or an empty text. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The time in ISO 8601, without the characters that a file name of some system refuses. */
export function timeForFileName(time: Date): string {
  return time.toISOString().replace(/[:.]/g, '-');
}
