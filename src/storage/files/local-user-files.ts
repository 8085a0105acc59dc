import { constants, type BigIntStats } from 'node:fs';
import { type FileHandle, link, lstat, open, readdir, realpath, rename, rm, stat, unlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { giveResultRights, keepRights, readRights, rightsIfThere, type FileRights } from '../../rights/file-rights.ts';
import { ServiceError, type ServiceErrorCode } from '../../service/errors/index.ts';
import { describeSize } from '../../service/space/index.ts';
import type { FileStamp, OpenedFile, SourceFile, UserFiles } from '../../service/transactions/index.ts';
import { removeFile, systemCode } from './files.ts';
import { HeldFolder, openBelow, pathOfOpened } from './held-folder.ts';
import { Measure } from './measure.ts';
import { storing } from '../service-failure.ts';

const CHUNK_SIZE = 1 << 20;

/** Error codes of file systems without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

/** Flags so that opening a named pipe does not block. Windows has no such flag. */
const READ_WITHOUT_WAITING =
  constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NONBLOCK | constants.O_NOFOLLOW);

/** Rights of results, as permission bits; of results in certain folders, and of all others. */
export interface ResultModes {
  readonly usual?: number;
  readonly folders?: readonly { readonly root: string; readonly mode: number }[];
}

/**
 * The user's files on this computer: files below the given folders, or all files without given folders. The
 * application's own folder is never allowed.
 */
export class LocalUserFiles implements UserFiles {
  readonly #ownFolder: string;
  readonly #roots: readonly string[];
  readonly #resultModes: ResultModes;
  /** Open folders of drafts between `prepareDraft` and `deliver`, by the draft's path. */
  readonly #held = new Map<string, HeldFolder>();

  constructor(ownFolder: string, roots: readonly string[] = [], resultModes: ResultModes = {}) {
    this.#ownFolder = ownFolder;
    this.#roots = roots;
    this.#resultModes = resultModes;
  }

  async inspect(path: string, limit: number): Promise<SourceFile> {
    const resolved = await realpath(path).catch(async (error: unknown) => {
      // Checked before the file is looked up: callers must not learn whether a file exists in a forbidden folder.
      await this.#expectAllowed(await resolveWhatIsThere(path));
      throw unreadable(error);
    });
    await this.#expectAllowed(resolved);
    const file = await openRegular(resolved);
    try {
      if ((await pathOfOpened(file, resolved)) !== resolved) throw replaced();
      return { path: resolved, ...(await measure(file, limit)) };
    } catch (error) {
      throw error instanceof ServiceError ? error : unreadable(error);
    } finally {
      await file.close();
    }
  }

  openRegular(path: string): Promise<FileHandle> {
    return openRegular(path);
  }

  async stamp(path: string): Promise<FileStamp> {
    const found = await stat(path, { bigint: true }).catch((error: unknown) => {
      throw unreadable(error);
    });
    refuseIrregular(found);
    const rights = await readRights(path).catch((error: unknown) => {
      throw unreadable(error);
    });
    return { size: Number(found.size), modified: found.mtimeNs, inode: found.ino, rights };
  }

  async rightsOf(path: string, size: number, checksum: string): Promise<FileRights | undefined> {
    const rights = await rightsIfThere(path);
    return rights !== undefined && (await this.holds(path, size, checksum)) ? rights : undefined;
  }

  async openBelow(root: string, path: string): Promise<OpenedFile> {
    const names = relative(root, path).split(sep);
    const file = await openBelow(root, names).catch((error: unknown) => {
      throw unreadable(error);
    });
    try {
      refuseIrregular(await file.stat({ bigint: true }));
      const [opened, realRoot] = await Promise.all([pathOfOpened(file, path), realpath(root)]);
      if (opened === undefined || !isBelow(realRoot, opened)) throw replaced();
      await this.#expectAllowed(opened);
      return { content: chunksOf(file), close: async () => file.close() };
    } catch (error) {
      await file.close();
      throw error instanceof ServiceError ? error : unreadable(error);
    }
  }

  async checkDestination(path: string, root?: string): Promise<string> {
    if (!isAbsolute(path)) throw new ServiceError('PATH_NOT_ALLOWED', 'Give the destination as an absolute path.');
    const folder = await realpath(dirname(path)).catch(() => undefined);
    if (root !== undefined) await expectBelow(root, folder);
    await this.#expectAllowed(folder === undefined ? await resolveWhatIsThere(path) : join(folder, basename(path)));
    if (folder === undefined || !(await stat(folder)).isDirectory()) {
      throw new ServiceError('FOLDER_NOT_FOUND', 'The folder of the destination is not there: make it first.');
    }
    const found = await lstat(path).catch((error: unknown) => {
      if (systemCode(error) === 'ENAMETOOLONG') throw nameTooLong(error);
    });
    if (found !== undefined) throw destinationExists();
    return join(folder, basename(path));
  }

  async prepareDraft(destination: string, key: string): Promise<string> {
    const name = draftName(key);
    await this.#release(name);
    const folder = await this.#holdFolderOf(destination);
    try {
      await storing(() => removeDraft(folder.entry(name)));
    } catch (error) {
      await folder.close();
      throw error;
    }
    this.#held.set(name, folder);
    return folder.entry(name);
  }

  async removeDraft(destination: string, key: string): Promise<void> {
    await this.prepareDraft(destination, key);
    await this.#release(draftName(key));
  }

  async deliver(draft: string, destination: string, rights?: FileRights): Promise<void> {
    const folder = this.#held.get(basename(draft));
    if (folder === undefined) throw new ServiceError('INTERNAL', 'A result is delivered without its draft.');
    if (!(await folder.isUnmoved(dirname(destination)))) throw replaced();
    const place = folder.entry(basename(destination));
    await giveResultRights(draft, folder.entry('.'), rights, await this.#resultMode(dirname(destination)));
    try {
      await giveName(draft, place);
    } catch (error) {
      if (systemCode(error) === 'EEXIST') throw destinationExists();
      throw error;
    }
    try {
      await folder.flush();
    } catch (error) {
      await removeFile(place);
      throw error;
    }
    await this.#release(basename(draft));
  }

  async replace(draft: string, destination: string): Promise<void> {
    const folder = this.#held.get(basename(draft));
    if (folder === undefined) throw new ServiceError('INTERNAL', 'A result is delivered without its draft.');
    if (!(await folder.isUnmoved(dirname(destination)))) throw replaced();
    const place = folder.entry(basename(destination));
    const rights = await rightsIfThere(place);
    if (rights !== undefined) await keepRights(draft, rights);
    await rename(draft, place);
    await folder.flush();
    await this.#release(basename(draft));
  }

  /** The rights that the configuration gives to results in a folder: those of the nearest folder around it. */
  async #resultMode(folder: string): Promise<number | undefined> {
    const { usual, folders = [] } = this.#resultModes;
    const real = await Promise.all(
      folders.map(async ({ root, mode }) => ({ root: await realpath(root).catch(() => root), mode })),
    );
    const around = real.filter(({ root }) => isBelow(root, folder)).toSorted((a, b) => b.root.length - a.root.length);
    return around[0]?.mode ?? usual;
  }

  /**
   * Opens the folder of a destination from `checkDestination`, and checks the opened folder: a user who may rename
   * folders can have put a link or another folder in its place since then.
   */
  async #holdFolderOf(destination: string): Promise<HeldFolder> {
    const folder = await HeldFolder.open(dirname(destination)).catch((cause: unknown) => {
      throw new ServiceError('PATH_NOT_ALLOWED', 'The folder of the destination cannot be opened.', { cause });
    });
    try {
      if (!(await folder.isUnmoved(dirname(destination)))) throw replaced();
      await this.#expectAllowed(destination);
      return folder;
    } catch (error) {
      await folder.close();
      throw error;
    }
  }

  async #release(name: string): Promise<void> {
    const folder = this.#held.get(name);
    this.#held.delete(name);
    await folder?.close();
  }

  async holds(path: string, size: number, checksum: string): Promise<boolean> {
    try {
      if ((await stat(path)).size !== size) return false;
      const file = await openRegular(path);
      try {
        return (await measure(file, size)).checksum === checksum;
      } finally {
        await file.close();
      }
    } catch {
      return false;
    }
  }

  /** `path` is absolute, its symbolic links resolved. */
  async #expectAllowed(path: string): Promise<void> {
    const own = await realpath(this.#ownFolder).catch(() => this.#ownFolder);
    if (isBelow(own, path)) {
      throw new ServiceError('PATH_NOT_ALLOWED', "The application's own folder is not for documents.");
    }
    if (this.#roots.length === 0) return;
    const roots = await Promise.all(this.#roots.map(async (root) => realpath(root).catch(() => root)));
    if (!roots.some((root) => isBelow(root, path))) {
      const message = 'The path is outside of the folders that the configuration names for documents (files.roots).';
      throw new ServiceError('PATH_NOT_ALLOWED', message);
    }
  }
}

const draftName = (key: string): string => `.sinete-${key}.draft`;

/**
 * Refuses a missing folder and a folder outside of `root` with the same message, so that callers cannot distinguish
 * them.
 */
async function expectBelow(root: string, folder: string | undefined): Promise<void> {
  const real = await realpath(root).catch(() => undefined);
  if (real !== undefined && folder !== undefined && isBelow(real, folder)) return;
  const message = 'The folder of the destination is not in the folder that this caller was granted.';
  throw new ServiceError('DESTINATION_NOT_ALLOWED', message);
}

/** The path with the links of all existing folders resolved. */
async function resolveWhatIsThere(path: string): Promise<string> {
  const folder = dirname(path);
  if (folder === path) return path;
  const resolved = await realpath(folder).catch(async () => resolveWhatIsThere(folder));
  return join(resolved, basename(path));
}

/** Removes a draft, and the folder of its revisions if a crash left one. */
async function removeDraft(draft: string): Promise<void> {
  const folder = dirname(draft);
  const prefix = `${basename(draft)}.`;
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.startsWith(prefix)) await rm(join(folder, name), { recursive: true, force: true });
  }
  await removeFile(draft);
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * Gives a complete file its final name. A hard link fails if the name is taken, whereas a rename would replace the
 * file. Without hard links the name is reserved first.
 */
async function giveName(draft: string, destination: string): Promise<void> {
  try {
    await link(draft, destination);
  } catch (error) {
    if (!NO_LINKS.has(systemCode(error))) throw error;
    await (await open(destination, 'wx', 0o600)).close();
    await rename(draft, destination);
    return;
  }
  try {
    await unlink(draft);
  } catch (error) {
    await removeFile(destination);
    throw error;
  }
}

async function openRegular(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, READ_WITHOUT_WAITING);
    try {
      refuseIrregular(await file.stat({ bigint: true }));
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    throw error instanceof ServiceError ? error : unreadable(error);
  }
}

function refuseIrregular(found: BigIntStats): void {
  if (!found.isFile()) throw new ServiceError('DOCUMENT_UNREADABLE', 'The path is not that of a regular file.');
}

async function* chunksOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  const stream = file.createReadStream({ autoClose: false, highWaterMark: CHUNK_SIZE });
  for await (const chunk of stream as AsyncIterable<Uint8Array>) yield chunk;
}

async function measure(file: FileHandle, limit: number): Promise<ReturnType<Measure['finish']>> {
  // A file that is known to be too long is not read; one that grows is found while it is read.
  if ((await file.stat()).size > limit) throw tooLarge(limit);
  const result = new Measure();
  const chunk = Buffer.allocUnsafe(CHUNK_SIZE);
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) return result.finish();
    result.add(chunk.subarray(0, bytesRead));
    if (result.size > limit) throw tooLarge(limit);
  }
}

const tooLarge = (limit: number): ServiceError =>
  new ServiceError('DOCUMENT_TOO_LARGE', `A document may have at most ${describeSize(limit)}.`);

function unreadable(cause: unknown): ServiceError {
  const reasons: Readonly<Record<string, readonly [ServiceErrorCode, string]>> = {
    ENOENT: ['DOCUMENT_UNREADABLE', 'The document is not there: check the path.'],
    ENOTDIR: ['DOCUMENT_UNREADABLE', 'The document is not there: check the path.'],
    ENAMETOOLONG: ['DOCUMENT_UNREADABLE', 'The document is not there: its name is longer than its disk can keep.'],
    ELOOP: ['DOCUMENT_UNREADABLE', 'The path of the document leads through a loop of symbolic links.'],
    EACCES: ['PATH_NOT_ALLOWED', 'The operating system does not allow reading the document.'],
    EPERM: ['PATH_NOT_ALLOWED', 'The operating system does not allow reading the document.'],
  };
  const [code, message] = reasons[systemCode(cause)] ?? ['DOCUMENT_UNREADABLE', 'The document cannot be read.'];
  return new ServiceError(code, message, { cause });
}

function replaced(): ServiceError {
  const message = 'A folder or file on this path was moved or replaced since the request was checked: ask again.';
  return new ServiceError('PATH_NOT_ALLOWED', message);
}

function nameTooLong(cause: unknown): ServiceError {
  const message = 'The name of the destination is too long for its disk: give a shorter one, of at most 255 bytes.';
  return new ServiceError('REQUEST_INVALID', message, { cause });
}

function destinationExists(): ServiceError {
  return new ServiceError('DESTINATION_EXISTS', 'Something is already at the destination: it is never replaced.');
}
