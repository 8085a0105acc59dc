import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { flushFolder } from '../files.ts';

const journalSchema = z.object({ staging: z.string() });
const RESTORING = '.restoring-';

const journalOf = (dataFolder: string): string => `${dataFolder}.restore.json`;

/** A name beside the data folder under which a restored one is made; it tells which process makes it. */
export function stagingFolderOf(dataFolder: string): string {
  return `${dataFolder}${RESTORING}${process.pid}-${randomBytes(4).toString('hex')}`;
}

/** Removes what a restore that was killed has left beside the data folder; it holds keys. */
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
 * Puts a complete folder in the place of the data folder, which is set aside under `aside` when it is there. Two names
 * cannot change at once: what is about to happen is written down beside the folder first, and `finishRestore` ends it
 * after a crash. So there is always either the old folder or the restored one.
 */
export async function swapFolder(dataFolder: string, staging: string, aside: string | undefined): Promise<void> {
  const journal = journalOf(dataFolder);
  const file = await open(journal, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify({ staging: basename(staging) }));
    await file.sync();
  } finally {
    await file.close();
  }
  await flushFolder(dirname(dataFolder));
  try {
    await renameBoth(dataFolder, staging, aside);
  } finally {
    await rm(journal);
  }
}

/** When the second name cannot change, the first one changes back. */
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

/** Ends a restore that was interrupted between two names. Called before a data folder is looked at. */
export async function finishRestore(dataFolder: string): Promise<void> {
  const journal = journalOf(dataFolder);
  const text = await readFile(journal, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const staging = stagingIn(dataFolder, text);
  const isThere = await exists(dataFolder);
  if (staging !== undefined && (await exists(staging))) {
    if (isThere) await rm(staging, { recursive: true, force: true });
    else await rename(staging, dataFolder);
    await flushFolder(dirname(dataFolder));
  }
  await rm(journal, { force: true });
}

/** Only a name that this program gives is followed; a journal that was cut off names none. */
function stagingIn(dataFolder: string, text: string): string | undefined {
  try {
    const { staging } = journalSchema.parse(JSON.parse(text));
    return staging.startsWith(`${basename(dataFolder)}${RESTORING}`) ? join(dirname(dataFolder), staging) : undefined;
  } catch {
    return undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
