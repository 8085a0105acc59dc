/** The files of a command line: paths, `file:` URLs, and `-` for standard input. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { AppError } from '../app-error.ts';
import { detectKindOf, type DetectedFile } from '../../values/file-kind.ts';

/** A file that a command reads. */
export interface GivenFile {
  /** The word on the command line. */
  readonly word: string;
  /** The path to show in answers: absolute, or `-`. */
  readonly shown: string;
  /** Absolute; for standard input the path of a copy. */
  readonly path: string;
  readonly name: string;
  readonly isInput: boolean;
}

const inputWords: ReadonlySet<string> = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);

/**
 * Runs `action` with the files that the words name. Standard input is copied into a private temporary folder, which is
 * removed afterwards. Rejects with `AppError` (exit code 2) if `-` is given twice, or if standard input is a terminal.
 */
export async function withGivenFiles<Result>(
  words: readonly string[],
  action: (files: readonly GivenFile[]) => Promise<Result>,
): Promise<Result> {
  const inputs = words.filter((word) => inputWords.has(word));
  if (inputs.length > 1) throw new AppError(2, 'Standard input is one file: give "-" once.');
  if (inputs.length === 0) return action(words.map(readWord));
  if (process.stdin.isTTY) throw new AppError(2, 'Standard input is the terminal: pipe a file into the command.');
  const folder = await mkdtemp(join(tmpdir(), 'sinete-input-'));
  try {
    const input = await readInput(folder);
    return await action(words.map((word) => (inputWords.has(word) ? input : readWord(word))));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function readWord(word: string): GivenFile {
  const path = resolve(/^file:/i.test(word) ? pathOfUrl(word) : word);
  return { word, path, shown: path, name: basename(path), isInput: false };
}

function pathOfUrl(word: string): string {
  try {
    return fileURLToPath(word);
  } catch (cause) {
    const remedy = 'give the path of the file, on this computer or in a mounted folder';
    throw new AppError(2, `${word} names no file that can be opened here: ${remedy}.`, { cause });
  }
}

async function readInput(folder: string): Promise<GivenFile> {
  const path = join(folder, 'input');
  await pipeline(process.stdin, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
  return { word: '-', shown: '-', path, name: `document${await extensionOf(path)}`, isInput: true };
}

/** The extension by the first bytes: `.pdf`, `.p7m` for a CMS signature in DER or in a text form, or none. */
async function extensionOf(path: string): Promise<string> {
  const { kind, form } = await kindOfFile(path);
  if (kind === 'pdf' && form === 'none') return '.pdf';
  return kind === 'cms' ? '.p7m' : '';
}

/** Detects the kind of a file by its content. Rejects with the system's error for a file that cannot be read. */
export async function kindOfFile(path: string): Promise<DetectedFile> {
  const file = await open(path);
  try {
    return await detectKindOf(async (length) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
      return buffer.subarray(0, bytesRead);
    });
  } finally {
    await file.close();
  }
}

/** True if a path names a file on another computer. Only Windows has such paths. */
export const isOnOtherComputer = (path: string): boolean =>
  process.platform === 'win32' && /^\\\\(?!\?\\[a-z]:\\)/i.test(path);
