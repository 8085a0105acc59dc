/**
 * Rights of results: a result never has more rights than its document, and belongs to its owner alone when it has no
 * document (contract of the local interface, "rights of results").
 */
import { chmod, chown, readFile, stat } from 'node:fs/promises';
import { fitAccessList, readAccessList, readDefaultList, writeAccessList, type AccessList } from './access-lists.ts';
import { giveRightsOnWindows, readWindowsRights, type RightsOnWindows } from './windows-rights.ts';

/** Reading and writing, for owner, group and others. A result is never a program. */
const READ_AND_WRITE = 0o666;
const OWNER_ALONE = 0o600;
const OTHERS = 0o007;

/** The rights of a file as they were found. */
export interface FileRights {
  /** Permission bits; with an access list, the bits of the group are its mask (acl(5)). */
  readonly mode: number;
  readonly user: number;
  readonly group: number;
  /** The access list (acl(5)); null: none; undefined: the system does not tell. */
  readonly list: AccessList | null | undefined;
  /** The security descriptor with the access list of Windows; undefined elsewhere, or if Windows does not tell. */
  readonly descriptor: Buffer | undefined;
}

/** The rights of the file at `path`; rejects with the system's error. */
export async function readRights(path: string): Promise<FileRights> {
  const { mode, uid, gid } = await stat(path);
  const isWindows = process.platform === 'win32';
  return {
    mode: mode & 0o777,
    user: uid,
    group: gid,
    list: isWindows ? null : await readAccessList(path),
    descriptor: isWindows ? await readWindowsRights(path) : undefined,
  };
}

/** The rights of the file at `path`, or undefined for a file that is not there or cannot be asked about. */
export const rightsIfThere = async (path: string): Promise<FileRights | undefined> =>
  readRights(path).catch(() => undefined);

/**
 * Gives a result, which its owner alone may use so far, its rights before it gets its final name in `folder`. With the
 * rights of its document: these rights, as far as `most` allows, or without `most` as far as the folder's default access
 * list or the umask allows for new files. Without a document: `most`, or else the owner alone.
 */
export async function giveResultRights(
  result: string,
  folder: string,
  document: FileRights | undefined,
  most?: number,
): Promise<void> {
  if (process.platform === 'win32') return giveRightsOnWindows(result, rightsOnWindows(document, most));
  if (document === undefined) return chmod(result, (most ?? OWNER_ALONE) & READ_AND_WRITE);
  return give(result, document, READ_AND_WRITE & (most ?? (await usualLimit(folder))));
}

/** Gives a new file, which takes the place of another one, exactly the rights of the replaced file. */
export async function keepRights(result: string, replaced: FileRights): Promise<void> {
  if (process.platform === 'win32') return giveRightsOnWindows(result, rightsOnWindows(replaced));
  // Only an administrator can give files away.
  await chown(result, replaced.user, replaced.group).catch(() => undefined);
  return give(result, replaced, 0o777);
}

async function give(result: string, document: FileRights, limit: number): Promise<void> {
  const hasGroup = await takeGroup(result, document.group);
  const mode = withoutStrangeGroup(document, hasGroup) & limit;
  const { list } = document;
  if (list == null) return chmod(result, mode);
  // Without the document's group, the list would give the rights of that group to another one.
  const wasWritten = hasGroup && (await writeAccessList(result, fitAccessList(list, limit)));
  if (!wasWritten) await chmod(result, mode & 0o700);
}

/**
 * The permission bits that a result may have. A group other than the document's gets no more than everybody, and nobody
 * gets more than that group had. A document that may have an access list says nothing about its group.
 */
function withoutStrangeGroup({ mode, list }: FileRights, hasGroup: boolean): number {
  if (hasGroup && list !== undefined) return mode;
  const shared = ((mode >> 3) & mode & OTHERS) * 0o11;
  return (mode & 0o700) | shared;
}

/** Gives the result the document's group; false if this user may not. */
const takeGroup = async (result: string, group: number): Promise<boolean> =>
  chown(result, -1, group).then(
    () => true,
    () => false,
  );

/** Rights of new files in a folder: its default access list takes the place of the umask (acl(5)). */
async function usualLimit(folder: string): Promise<number> {
  const list = await readDefaultList(folder);
  return list == null ? READ_AND_WRITE & ~(await readUmask()) : list.mode;
}

/** The umask. Only Linux tells it without a change; elsewhere it is closed for an instant, so that no file is opened. */
export async function readUmask(statusFile = '/proc/self/status'): Promise<number> {
  const status = await readFile(statusFile, 'latin1').catch(() => '');
  const told = /^Umask:\t([0-7]+)/m.exec(status)?.[1];
  if (told !== undefined) return Number.parseInt(told, 8);
  const umask = process.umask(0o077);
  process.umask(umask);
  return umask;
}

/** Windows has no permission bits: a `most` that gives others a right keeps the rights that the folder passes on. */
export function rightsOnWindows(document: FileRights | undefined, most: number = OWNER_ALONE): RightsOnWindows {
  if (document?.descriptor !== undefined) return { copied: document.descriptor };
  return document !== undefined || (most & OTHERS) === 0 ? 'owner-alone' : 'inherited';
}
