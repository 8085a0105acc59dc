/** Checks who can change a data folder: its configuration names code to load, and its instance file names a channel. */
import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, resolve, win32 } from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '../app-error.ts';

const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;

/** The user of this process. */
export interface FolderUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Makes sure that only the owner of this process can read and change a data folder: the folder belongs to that user, is
 * 0700, and nobody else can put another folder in its place. A folder that others may only read becomes 0700. On
 * Windows a folder outside of the user's profile gets an ACL for the user, the system and administrators. A missing
 * folder is checked by the folders above it. Rejects with `AppError` with exit code 3, which names the folder and the
 * remedy.
 */
export async function checkDataFolder(folder: string): Promise<void> {
  const path = resolve(folder);
  if (process.platform === 'win32') {
    await protectOnWindows(path);
    return;
  }
  const user = { uid: process.geteuid?.() ?? -1, gid: process.getegid?.() ?? -1 };
  const found = await lstatIfThere(path);
  if (found !== undefined) await checkFolderItself(path, user);
  // A symbolic link is as safe as the folders that contain it, and its target as safe as the folders above the target.
  const real = found === undefined ? undefined : await realpath(path);
  const above = new Set([...foldersAbove(path), ...(real === undefined ? [] : foldersAbove(real))]);
  for (const one of above) {
    const stats = await statIfThere(one);
    if (stats !== undefined) checkFolderAbove(one, stats, user);
  }
}

async function checkFolderItself(folder: string, user: FolderUser): Promise<void> {
  const stats = await stat(folder).catch(() => undefined);
  if (stats?.isDirectory() !== true) throw refusal(`${folder} is not a folder`, 'choose another one');
  if (stats.uid !== user.uid) {
    const remedy = 'start Sinete as that user, choose another folder, or give this one to you with chown';
    throw refusal(`The data folder ${folder} belongs to another user (${stats.uid})`, remedy);
  }
  if ((stats.mode & (GROUP_WRITES | OTHERS_WRITE)) !== 0) {
    const remedy = `make sure that nobody has changed it, then run "chmod 700 ${folder}"`;
    throw refusal(`Other users may write to the data folder ${folder}`, remedy);
  }
  if ((stats.mode & 0o077) !== 0) await chmod(folder, 0o700);
}

/**
 * A folder above the data folder may be changed by its owner and by root only, or is sticky, as `/tmp` is: nobody can
 * rename or remove the folders of others in it.
 */
export function checkFolderAbove(
  folder: string,
  { uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>,
  user: FolderUser,
): void {
  if (uid !== 0 && uid !== user.uid) {
    throw refusal(`The folder ${folder} above the data folder belongs to another user (${uid})`, 'choose another one');
  }
  if ((mode & STICKY) !== 0) return;
  const isWritable = (mode & OTHERS_WRITE) !== 0 || ((mode & GROUP_WRITES) !== 0 && !isPrivateGroup(gid, user));
  if (!isWritable) return;
  const remedy = `run "chmod go-w ${folder}", or choose another data folder`;
  throw refusal(`Other users may write to the folder ${folder} above the data folder`, remedy);
}

/** True if a group is root's, or the user's private group, whose number by convention equals the user's. */
function isPrivateGroup(group: number, { uid, gid }: FolderUser): boolean {
  return group === 0 || (group === gid && gid === uid);
}

function foldersAbove(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [] : [above, ...foldersAbove(above)];
}

async function lstatIfThere(path: string): Promise<Stats | undefined> {
  return lstat(path).catch(() => undefined);
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

function refusal(reason: string, remedy: string, cause?: unknown): AppError {
  return new AppError(3, `${reason}: ${remedy}. --data or SINETE_DATA names the data folder.`, { cause });
}

/** Well-known SIDs: the system, and the group of administrators. */
const SYSTEM = '*S-1-5-18';
const ADMINISTRATORS = '*S-1-5-32-544';

type RunProgram = (program: string, words: readonly string[]) => Promise<unknown>;

/**
 * Protects a folder on Windows. The profile is protected by Windows; another folder is created if necessary and gets
 * its own ACL, or is refused.
 */
export async function protectOnWindows(
  folder: string,
  { profile = homedir(), run = promisify(execFile) }: { readonly profile?: string; readonly run?: RunProgram } = {},
): Promise<void> {
  const way = win32.relative(profile, folder);
  if (way !== '..' && !way.startsWith('..\\') && !win32.isAbsolute(way)) return;
  const program = win32.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'icacls.exe');
  const rights = [accountName(), SYSTEM, ADMINISTRATORS].map((name) => `${name}:(OI)(CI)F`);
  try {
    await mkdir(folder, { recursive: true });
    await run(program, [folder, '/inheritance:r', '/grant:r', ...rights]);
  } catch (cause) {
    throw refusal(
      `The data folder ${folder} is outside of your profile, and its rights cannot be set`,
      'choose a folder below your profile',
      cause,
    );
  }
}

function accountName(): string {
  const { USERDOMAIN: domain } = process.env;
  const { username } = userInfo();
  return domain === undefined ? username : `${domain}\\${username}`;
}
