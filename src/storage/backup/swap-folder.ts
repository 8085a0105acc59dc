import { randomBytes } from 'node:crypto';
import { lstat, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { flushFolder, timeForFileName } from '../files/files.ts';
import { lockDataFolder, type DataFolderLock } from '../lock-data-folder.ts';

const pendingSchema = z.object({ createdAt: z.iso.datetime(), documents: z.number().int(), auditIntact: z.boolean() });
const journalSchema = z.object({ staging: z.string(), pending: pendingSchema.optional() });

/** A restored backup beside the data folder, waiting for the next start. */
export type PendingRestore = z.infer<typeof pendingSchema>;
type Journal = z.infer<typeof journalSchema>;
const RESTORING = '.restoring-';

const journalOf = (dataFolder: string): string => `${dataFolder}.restore.json`;

/** The name of a restored folder in progress, beside the data folder; the name includes the process id. */
export function stagingFolderOf(dataFolder: string): string {
  return `${dataFolder}${RESTORING}${process.pid}-${randomBytes(4).toString('hex')}`;
}

/** Removes the remains of a killed restore beside the data folder, because the remains hold keys. */
export async function removeAbandoned(dataFolder: string): Promise<void> {
  const parent = dirname(dataFolder);
  const prefix = `${basename(dataFolder)}${RESTORING}`;
  for (const name of await readdir(parent).catch(() => [])) {
    if (!name.startsWith(prefix) || isAlive(Number(name.slice(prefix.length).split('-', 1)[0]))) continue;
    await rm(join(parent, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Puts a complete folder in the place of the data folder, which is renamed to `aside` if it exists. Two renames are not
 * atomic, so the plan is written to a journal first, and `finishRestore` completes it after a crash. At any time either
 * the old folder or the restored folder exists.
 */
export async function swapFolder(dataFolder: string, staging: string, aside: string | undefined): Promise<void> {
  const journal = journalOf(dataFolder);
  await writeJournal(dataFolder, { staging: basename(staging) });
  try {
    await renameBoth(dataFolder, staging, aside);
  } finally {
    // If the old folder could not be renamed back either, the journal stays, and the next start completes the swap.
    if (aside === undefined || (await exists(dataFolder))) await rm(journal);
  }
}

/** True if the next start must use a restored folder, because there is no data folder. */
export async function isAwaited(dataFolder: string, staging: string): Promise<boolean> {
  return (await readJournal(dataFolder))?.staging === basename(staging);
}

async function writeJournal(dataFolder: string, journal: Journal): Promise<void> {
  const file = await open(journalOf(dataFolder), 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(journal));
    await file.sync();
  } finally {
    await file.close();
  }
  await flushFolder(dirname(dataFolder));
}

/** Records that the next start puts a complete folder in the place of the data folder. */
export async function pendRestore(dataFolder: string, staging: string, pending: PendingRestore): Promise<void> {
  await writeJournal(dataFolder, { staging: basename(staging), pending });
}

/** The restored folder waiting for the next start, or undefined. */
export async function readPendingRestore(dataFolder: string): Promise<PendingRestore | undefined> {
  return (await readJournal(dataFolder))?.pending;
}

/** Cancels the pending restore and removes its folder, because it contains keys. */
export async function cancelPendingRestore(dataFolder: string): Promise<void> {
  const journal = await readJournal(dataFolder);
  if (journal?.pending === undefined) return;
  await rm(journalOf(dataFolder), { force: true });
  await rm(join(dirname(dataFolder), journal.staging), { recursive: true, force: true });
}

/** If the second rename fails, the first is undone. */
async function renameBoth(dataFolder: string, staging: string, aside: string | undefined): Promise<void> {
  if (aside !== undefined) await rename(dataFolder, aside);
  try {
    await rename(staging, dataFolder);
  } catch (error) {
    if (aside !== undefined) await rename(aside, dataFolder);
    throw error;
  }
  await flushFolder(dirname(dataFolder));
}

/**
 * Completes a restore interrupted between two names, and carries out a restore waiting for this start, unless another
 * process uses the data folder. Called before the data folder is opened.
 */
export async function finishRestore(dataFolder: string): Promise<void> {
  const text = await readOwnJournal(dataFolder);
  if (text === undefined) return;
  const journal = parseJournal(dataFolder, text);
  const staging = journal === undefined ? undefined : join(dirname(dataFolder), journal.staging);
  if (staging !== undefined && (await isOwn(staging))) {
    const isThere = await exists(dataFolder);
    if (isThere && journal?.pending !== undefined) {
      if (!(await takePlace(dataFolder, staging))) return;
    } else if (isThere) await rm(staging, { recursive: true, force: true });
    else await rename(staging, dataFolder);
    await flushFolder(dirname(dataFolder));
  }
  await rm(journalOf(dataFolder), { force: true });
}

/** False if the data folder is in use; the restored folder continues to wait. */
async function takePlace(dataFolder: string, staging: string): Promise<boolean> {
  let lock: DataFolderLock;
  try {
    lock = lockDataFolder(dataFolder);
  } catch {
    return false;
  }
  // Windows cannot rename a folder with an open file.
  lock.release();
  await renameBoth(dataFolder, staging, `${dataFolder}.replaced-${timeForFileName(new Date())}`);
  return true;
}

async function readJournal(dataFolder: string): Promise<Journal | undefined> {
  const text = await readOwnJournal(dataFolder);
  return text === undefined ? undefined : parseJournal(dataFolder, text);
}

/** Accepts only names that this program makes; a truncated journal has none. */
function parseJournal(dataFolder: string, text: string): Journal | undefined {
  try {
    const journal = journalSchema.parse(JSON.parse(text));
    const isOurs = journal.staging.startsWith(`${basename(dataFolder)}${RESTORING}`) && !/[/\\]/.test(journal.staging);
    return isOurs ? journal : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads the journal only if it belongs to this user: it is next to the data folder, where others may be able to write.
 */
async function readOwnJournal(dataFolder: string): Promise<string | undefined> {
  const path = journalOf(dataFolder);
  return (await isOwn(path)) ? readFile(path, 'utf8').catch(() => undefined) : undefined;
}

/**
 * True if a file or folder belongs to the user of this process and is no link. On Windows the owner is unknown here.
 */
async function isOwn(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return (
    stats !== undefined && !stats.isSymbolicLink() && (process.geteuid === undefined || stats.uid === process.geteuid())
  );
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
