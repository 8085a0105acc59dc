import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

const isWindows = process.platform === 'win32';

/** Windows has neither flag. */
const FOLDER = constants.O_RDONLY | (isWindows ? 0 : constants.O_DIRECTORY);
const NO_LINK = isWindows ? 0 : constants.O_NOFOLLOW;

/**
 * A folder that stays open, so that a folder or link put in its place later is never used. On Linux its entries are
 * reached through the descriptor (`/proc/self/fd/<n>`, proc(5)). On other systems they are reached by name, and
 * `isUnmoved` compares the folder with the opened one.
 */
export class HeldFolder {
  readonly #path: string;
  readonly #handle: FileHandle | undefined;
  readonly #base: string;
  readonly #identity: string;

  private constructor(path: string, handle: FileHandle | undefined, base: string, identity: string) {
    this.#path = path;
    this.#handle = handle;
    this.#base = base;
    this.#identity = identity;
  }

  /** `followLink`: whether the last name may be a symbolic link. Rejects with the system's error. */
  static async open(path: string, { followLink = true } = {}): Promise<HeldFolder> {
    // Windows opens folders only with rights that are otherwise not needed.
    const handle = isWindows ? undefined : await open(path, FOLDER | (followLink ? 0 : NO_LINK));
    try {
      if (isWindows && !followLink && (await realpath(path)) !== path) throw new Error('The folder is a link.');
      const identity = await identityOf(path, handle);
      return new HeldFolder(path, handle, await baseOf(path, handle), identity);
    } catch (error) {
      await handle?.close();
      throw error;
    }
  }

  /** Absolute path of the entry `name` of this folder. */
  entry(name: string): string {
    return join(this.#base, name);
  }

  /** The present absolute path of this folder, without links. */
  async realPath(): Promise<string> {
    return this.#base === this.#path ? realpath(this.#path) : readlink(this.#base);
  }

  /** True if this folder is still at the absolute path `path`, which contains no links. */
  async isUnmoved(path: string): Promise<boolean> {
    if ((await this.realPath().catch(() => undefined)) !== path) return false;
    return this.#base !== this.#path || (await identityOf(this.#path, undefined)) === this.#identity;
  }

  /** Flushes names of entries to the disk; Windows does so itself. */
  async flush(): Promise<void> {
    await this.#handle?.sync();
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}

async function identityOf(path: string, handle: FileHandle | undefined): Promise<string> {
  const { dev, ino } = handle === undefined ? await stat(path, { bigint: true }) : await handle.stat({ bigint: true });
  return `${dev}:${ino}`;
}

/** Without `/proc`, as in some containers, Linux is treated like other systems. */
async function baseOf(path: string, handle: FileHandle | undefined): Promise<string> {
  if (process.platform !== 'linux' || handle === undefined) return path;
  const base = `/proc/self/fd/${handle.fd}`;
  const isThere = await readlink(base).then(
    () => true,
    () => false,
  );
  return isThere ? base : path;
}

/** The present absolute path of an open file, without links; `path` is its path when opened, free of links. */
export async function pathOfOpened(file: FileHandle, path: string): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const found = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined);
    if (found !== undefined) return found;
  }
  const [real, identity, opened] = await Promise.all([
    realpath(path).catch(() => undefined),
    identityOf(path, undefined).catch(() => undefined),
    identityOf(path, file),
  ]);
  return identity === opened ? real : undefined;
}

/**
 * Opens a file below `root` without following any link below it. `names` are the names from the root to the file. The
 * file may be of any kind; a named pipe does not block. Rejects with the system's error.
 */
export async function openBelow(root: string, names: readonly string[]): Promise<FileHandle> {
  const folders = names.slice(0, -1);
  let folder = await HeldFolder.open(root);
  try {
    for (const name of folders) {
      const next = await HeldFolder.open(folder.entry(name), { followLink: false });
      await folder.close();
      folder = next;
    }
    const wait = isWindows ? 0 : constants.O_NONBLOCK;
    return await open(folder.entry(names.at(-1) ?? ''), constants.O_RDONLY | wait | NO_LINK);
  } finally {
    await folder.close();
  }
}
