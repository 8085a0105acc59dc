import { constants, type BigIntStats } from 'node:fs';
import { type FileHandle, link, lstat, open, readdir, realpath, rename, rm, stat, unlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { ServiceError, type ServiceErrorCode } from '../../service/errors/index.ts';
import { describeSize } from '../../service/space/index.ts';
import type { FileStamp, SourceFile, UserFiles } from '../../service/transactions/index.ts';
import { flushFolder, removeFile, systemCode } from './files.ts';
import { Measure } from './measure.ts';
import { storing } from '../service-failure.ts';

const CHUNK_SIZE = 1 << 20;

/** Error codes of file systems without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

/** Where a reader must not wait for the other end: a named pipe put in place of a file. Windows has no such flag. */
const READ_WITHOUT_WAITING = constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NONBLOCK);

/**
 * The user's files on this computer: files below the given folders, or all files without given folders. The
 * application's own folder is never allowed.
 */
export class LocalUserFiles implements UserFiles {
  readonly #ownFolder: string;
  readonly #roots: readonly string[];

  constructor(ownFolder: string, roots: readonly string[] = []) {
    this.#ownFolder = ownFolder;
    this.#roots = roots;
  }

  async inspect(path: string, limit: number): Promise<SourceFile> {
    const resolved = await realpath(path).catch(async (error: unknown) => {
      // Callers do not learn whether a file exists in a closed folder.
      await this.#expectAllowed(await resolveWhatIsThere(path));
      throw unreadable(error);
    });
    await this.#expectAllowed(resolved);
    const file = await openRegular(resolved);
    try {
      return { path: resolved, ...(await measure(file, limit)) };
    } catch (error) {
      throw error instanceof ServiceError ? error : unreadable(error);
    } finally {
      await file.close();
    }
  }

  async stamp(path: string): Promise<FileStamp> {
    const found = await stat(path, { bigint: true }).catch((error: unknown) => {
      throw unreadable(error);
    });
    refuseIrregular(found);
    return { size: Number(found.size), modified: found.mtimeNs, inode: found.ino };
  }

  async checkDestination(path: string): Promise<void> {
    if (!isAbsolute(path)) throw new ServiceError('PATH_NOT_ALLOWED', 'Give the destination as an absolute path.');
    const folder = await realpath(dirname(path)).catch(() => undefined);
    await this.#expectAllowed(folder === undefined ? await resolveWhatIsThere(path) : join(folder, basename(path)));
    if (folder === undefined || !(await stat(folder)).isDirectory()) {
      throw new ServiceError('PATH_NOT_ALLOWED', 'The folder of the destination is not there: make it first.');
    }
    const found = await lstat(path).catch(() => undefined);
    if (found !== undefined) throw destinationExists();
  }

  async prepareDraft(destination: string, key: string): Promise<string> {
    if (this.#roots.length > 0) {
      // The folder may have become a link to another since the destination was checked.
      const folder = await realpath(dirname(destination)).catch(() => dirname(destination));
      await this.#expectAllowed(join(folder, basename(destination)));
    }
    const draft = join(dirname(destination), `.sinete-${key}.draft`);
    await storing(() => removeDraft(draft));
    return draft;
  }

  async deliver(draft: string, destination: string): Promise<void> {
    try {
      await giveName(draft, destination);
    } catch (error) {
      if (systemCode(error) === 'EEXIST') throw destinationExists();
      throw error;
    }
    try {
      await flushFolder(dirname(destination));
    } catch (error) {
      await removeFile(destination);
      throw error;
    }
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

/** The path with the links resolved of as many of its folders as there are. */
async function resolveWhatIsThere(path: string): Promise<string> {
  const folder = dirname(path);
  if (folder === path) return path;
  const resolved = await realpath(folder).catch(async () => resolveWhatIsThere(folder));
  return join(resolved, basename(path));
}

/** Removes a draft, and the folder of its steps if a crash left one. */
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
 * Gives a complete file its final name. A hard link is refused by the system when the name is taken, where a rename
 * would replace. Without hard links the name is reserved first.
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

async function measure(file: FileHandle, limit: number): Promise<ReturnType<Measure['finish']>> {
  const result = new Measure();
  const chunk = Buffer.allocUnsafe(CHUNK_SIZE);
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) return result.finish();
    result.add(chunk.subarray(0, bytesRead));
    if (result.size > limit) {
      throw new ServiceError('DOCUMENT_TOO_LARGE', `A document may have at most ${describeSize(limit)}.`);
    }
  }
}

function unreadable(cause: unknown): ServiceError {
  const reasons: Readonly<Record<string, readonly [ServiceErrorCode, string]>> = {
    ENOENT: ['DOCUMENT_UNREADABLE', 'The document is not there: check the path.'],
    ENOTDIR: ['DOCUMENT_UNREADABLE', 'The document is not there: check the path.'],
    EACCES: ['PATH_NOT_ALLOWED', 'The operating system does not allow reading the document.'],
    EPERM: ['PATH_NOT_ALLOWED', 'The operating system does not allow reading the document.'],
  };
  const [code, message] = reasons[systemCode(cause)] ?? ['DOCUMENT_UNREADABLE', 'The document cannot be read.'];
  return new ServiceError(code, message, { cause });
}

function destinationExists(): ServiceError {
  return new ServiceError('DESTINATION_EXISTS', 'Something is already at the destination: it is never replaced.');
}
