/** Where a command writes a result: into a folder, to a file by name, or to standard output. */
import { randomBytes } from 'node:crypto';
import { createWriteStream, statSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname, join, parse, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { fitFileName } from '../../text/file-name.ts';
import { AppError } from '../app-error.ts';

/** Options that say where results go. */
export interface ResultOptions {
  readonly json?: boolean;
  readonly out?: string;
  readonly output?: string;
  readonly force?: boolean;
}

/** The word for standard output. */
export const STANDARD_OUTPUT = '-';

const outputWords: ReadonlySet<string> = new Set([STANDARD_OUTPUT, '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']);

/** Adds `--out`, `-o` and `--force`. */
export function withResultOptions(command: Command): Command {
  return command
    .option('--out <folder>', 'folder of the results, instead of beside each file; - writes to standard output')
    .option('-o, --output <file>', 'file of the result, for one file; - writes to standard output')
    .option('-f, --force', 'replace a result that already exists');
}

/**
 * The named destination of a single result: a path, or `STANDARD_OUTPUT`; undefined when results go beside their files
 * or to a folder. Throws `AppError` (exit code 2) for options that contradict each other and for missing folders.
 */
export function readDestination(words: readonly string[], options: ResultOptions): string | undefined {
  const { out, output } = options;
  if (out !== undefined && output !== undefined) throw new AppError(2, 'Choose one: --out or -o.');
  const isInput = words.includes('-');
  const named = output ?? (out === STANDARD_OUTPUT || (out === undefined && isInput) ? STANDARD_OUTPUT : undefined);
  if (named === undefined) {
    if (out !== undefined) expectFolder(resolve(out));
    return undefined;
  }
  if (words.length !== 1) throw new AppError(2, 'One result has a name: give one file with -o, or with "-".');
  if (!outputWords.has(named)) {
    const path = resolve(named);
    expectFolder(dirname(path));
    expectWritable(path);
    return path;
  }
  if (options.json === true) throw new AppError(2, 'Standard output takes the result or the answer of --json: add -o.');
  if (process.stdout.isTTY) throw new AppError(2, 'A result is no text for a terminal: name a file with -o.');
  return STANDARD_OUTPUT;
}

function expectFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new AppError(2, `The folder ${path} is not there: make it first.`);
}

/** Refuses a folder, a disk or a socket: a result never replaces one. */
function expectWritable(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile() || isStream(path)) return;
  throw new AppError(2, `${path} is ${found.isDirectory() ? 'a folder' : 'no file'}: name a file with -o.`);
}

/** True if the path is a pipe or a device, such as `/dev/null`: a result is written into it and never replaces it. */
export function isStream(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.isFIFO() || found.isCharacterDevice());
}

/** True if a result would replace an existing file. */
export function isTaken(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined && !isStream(path);
}

/** The destination, with a number where another file of this command has the same: `a-signed (2).pdf`. */
export function freeAmong(destination: string, taken: ReadonlySet<string>): string {
  if (destination === STANDARD_OUTPUT) return destination;
  const { dir, name, ext } = parse(destination);
  let free = destination;
  for (let number = 2; taken.has(free); number += 1) free = join(dir, fitFileName(name, ` (${number})${ext}`));
  return free;
}

/**
 * Writes a result completely or not at all: to standard output, into a pipe or a device, or to a file, which is only
 * replaced with `force`. The file has no more rights than the document at the path `document`. Rejects with `AppError`, with the code `DESTINATION_EXISTS` for an existing file.
 */
export async function writeResult(
  content: Readable,
  destination: string,
  { force, document }: { readonly force: boolean; readonly document?: string },
): Promise<void> {
  if (destination === STANDARD_OUTPUT) {
    // Failures of standard output are reported once, for the whole command.
    await pipeline(content, process.stdout, { end: false }).catch(ignoreOutputFailure);
    return;
  }
  if (isStream(destination)) {
    await pipeline(content, createWriteStream(destination)).catch((cause: unknown) => {
      throw notWritten(destination, cause);
    });
    return;
  }
  const draft = join(dirname(destination), `.sinete-${randomBytes(8).toString('hex')}.draft`);
  try {
    const file = await open(draft, 'wx', 0o600);
    await pipeline(content, file.createWriteStream({ flush: true }));
    const { giveResultRights, rightsIfThere } = await import('../../rights/file-rights.ts');
    const rights = document === undefined ? undefined : await rightsIfThere(document);
    await giveResultRights(draft, dirname(destination), rights);
    if (force) await rename(draft, destination);
    else await link(draft, destination);
  } catch (cause) {
    throw notWritten(destination, cause);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Writes a report, and replaces an earlier one. It tells whose names are in `document`, so that it has no more rights
 * than that file; a report about no single file is for its owner alone.
 */
export async function writeReport(path: string, content: Buffer | string, document?: string): Promise<void> {
  await writeResult(Readable.from([content]), resolve(path), { force: true, document }).catch((cause: unknown) => {
    throw new AppError(2, `The report cannot be written to ${path}.`, { cause });
  });
}

function notWritten(destination: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'EEXIST') {
    return new AppError(1, `${destination} already exists: --force replaces it.`, { code: 'DESTINATION_EXISTS' });
  }
  const reason = code === 'ENOSPC' ? 'the disk is full' : String(code);
  const options = code === 'ENOSPC' ? { cause } : { cause, code: 'DESTINATION_UNUSABLE' };
  return new AppError(3, `The result cannot be written to ${destination}: ${reason}.`, options);
}

function ignoreOutputFailure(error: unknown): void {
  const isOfOutput = error instanceof Error && 'syscall' in error && error.syscall === 'write';
  if (!isOfOutput) throw error;
}
