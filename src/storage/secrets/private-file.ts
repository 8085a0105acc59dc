/** Small files readable by their owner only, written atomically, and never through a link. */
import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { link, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StorageError } from '../errors.ts';
import { makeFolder } from '../files/files.ts';

const MAX_LENGTH = 64 * 1024;
/** Windows has no such modes; there a file is protected by the user's profile. */
const hasModes = process.platform !== 'win32';

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));

function unavailable(message: string, remedy: string, cause?: unknown): StorageError {
  return new StorageError('SECRET_STORE_UNAVAILABLE', message, { remedy, cause });
}

function checkPrivate(stats: Stats): void {
  if (!stats.isFile()) {
    throw unavailable('What should be the file of the master key is no file.', 'Move it away.');
  }
  if (!hasModes || isHandedOver(stats, process.getuid?.())) return;
  if ((stats.mode & 0o077) !== 0) {
    throw unavailable(
      'Other users of this computer may read the file of the master key.',
      'Take their rights away (chmod 600). If somebody may have read it, add your keys again in a fresh data folder.',
    );
  }
  if (stats.uid !== process.getuid?.()) {
    throw unavailable('The file of the master key belongs to another user.', 'Run as its owner, or move it away.');
  }
}

/**
 * True if an administrator has provided the file for this process alone, as a credential of systemd or a secret of a
 * container: the file belongs to root, and at most its group may read it. A credential's access list appears as the
 * rights of the group.
 */
export const isHandedOver = ({ uid, mode }: Pick<Stats, 'uid' | 'mode'>, ownUid: number | undefined): boolean =>
  ownUid !== 0 && uid === 0 && (mode & 0o037) === 0;

/**
 * The content of a private file; undefined for a missing file. `SECRET_STORE_UNAVAILABLE` for a symbolic link, a file
 * of another user (but root's, readable by a group), a file open to other users, and an unreadable file.
 */
export async function readPrivateFile(path: string): Promise<Buffer | undefined> {
  let file;
  try {
    file = await open(path, constants.O_RDONLY | (hasModes ? constants.O_NOFOLLOW | constants.O_NONBLOCK : 0));
  } catch (cause) {
    if (hasCode(cause, 'ENOENT')) return undefined;
    if (hasCode(cause, 'ELOOP')) {
      const remedy = 'Name the file itself in the configuration.';
      throw unavailable('The file of the master key is a symbolic link, which is not followed.', remedy, cause);
    }
    throw unavailable('The file of the master key cannot be opened.', 'Check the rights of its folder.', cause);
  }
  try {
    const stats = await file.stat();
    checkPrivate(stats);
    if (stats.size > MAX_LENGTH) {
      throw new StorageError('SECRET_STORE_DAMAGED', 'The file of the master key is far too long.');
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  if (!hasModes) return;
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Creates a private file (mode 0600, a missing folder 0700) atomically. False for an existing file, which stays
 * unchanged.
 */
export async function createPrivateFile(path: string, content: string): Promise<boolean> {
  const folder = dirname(path);
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    makeFolder(folder);
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    // Unlike a rename, a link does not replace an existing file.
    await link(draft, path);
    await syncFolder(folder);
    return true;
  } catch (cause) {
    if (hasCode(cause, 'EEXIST')) return false;
    throw unavailable('The file of the master key cannot be written.', 'Check the rights of its folder.', cause);
  } finally {
    await unlink(draft).catch(() => undefined);
  }
}
