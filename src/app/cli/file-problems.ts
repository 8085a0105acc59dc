/** Problems of single files, which never stop the other files of a command. */
import { constants, type Stats } from 'node:fs';
import { access, lstat, stat } from 'node:fs/promises';
import { AppError } from '../app-error.ts';

/** A file that cannot be used, in a form for its line. */
export interface FileProblem {
  readonly code: 'DOCUMENT_UNREADABLE' | 'DESTINATION_EXISTS' | 'DESTINATION_UNUSABLE';
  readonly detail: string;
}

const sentences: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file.',
  ENOTDIR: 'There is no such file: a part of its path is a file, and not a folder.',
  ENAMETOOLONG: 'There is no such file: its name or path is longer than this computer allows.',
  ELOOP: 'The path leads through a loop of symbolic links.',
  EACCES: 'The file may not be read: change its permissions, or ask its owner.',
  EPERM: 'The file may not be read: change its permissions, or ask its owner.',
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown error';

const unreadable = (detail: string): FileProblem => ({ code: 'DOCUMENT_UNREADABLE', detail });

/** The reason why a path cannot be read as a file; undefined for a file that can. Never rejects. */
export async function problemOfFile(path: string): Promise<FileProblem | undefined> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) return unreadable('This is a folder: name the files in it.');
    if (!found.isFile()) return unreadable(`This is ${kindOf(found)}, and not a file.`);
    await access(path, constants.R_OK);
    return undefined;
  } catch (error) {
    const isLink = codeOf(error) === 'ENOENT' && (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true;
    if (isLink) return unreadable('There is no such file: the symbolic link leads nowhere.');
    return unreadable(sentences[codeOf(error)] ?? `The file cannot be read (${codeOf(error)}).`);
  }
}

function kindOf(found: Stats): string {
  if (found.isFIFO()) return 'a pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}

/** True for an error of the operating system about a path. */
export const isSystemError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && 'path' in error;

/** The problem as the error of a command with a single file. */
export const asAppError = ({ code, detail }: FileProblem, shown: string): AppError =>
  new AppError(2, `${shown} cannot be read. ${detail}`, { code });

/** The line of an unforeseen failure of one file; a failure of the connection to the instance ends the command. */
export function problemOfFailure(error: unknown): { readonly code: string; readonly detail: string } {
  if (error instanceof AppError) return { code: error.code ?? 'REFUSED', detail: error.message };
  return { code: codeOf(error), detail: `The file could not be worked on (${codeOf(error)}).` };
}
