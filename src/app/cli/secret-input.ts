import { access, constants, readFile, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { AppError } from '../app-error.ts';
import type { Configuration } from '../config/config.ts';

/**
 * Reads a secret from a file, from standard input if that is no terminal, or from a prompt without echo. Never from an
 * argument, because other programs on the computer can read arguments. The line end is not part of the secret.
 */
export async function readSecret(prompt: string, file: string | undefined): Promise<string> {
  if (file !== undefined) return withoutLineEnd(await readSecretFile(file));
  if (!process.stdin.isTTY) return withoutLineEnd(await text(process.stdin));
  return askWithoutEcho(prompt);
}

/** Asks for the passphrase of the master key in this terminal. */
export async function askPassphraseHere(): Promise<string> {
  if (!process.stdin.isTTY) throw new AppError(3, 'The passphrase of the master key can only be asked in a terminal.');
  return askWithoutEcho('Passphrase of the master key: ');
}

/**
 * Reads the passphrase of the master key from the file `secret_store.passphrase_from`, which no other user may read, or
 * else asks in this terminal.
 */
export function passphraseAsker({ passphraseFrom }: Configuration['secretStore']): () => Promise<string> {
  if (passphraseFrom === undefined) return askPassphraseHere;
  return async () => {
    const content = withoutLineEnd(await readSecretFile(passphraseFrom));
    const { mode } = await stat(passphraseFrom);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new AppError(
        3,
        `Other users may read the passphrase in ${passphraseFrom}: take their rights away (chmod 600).`,
      );
    }
    return content;
  };
}

/** Refuses missing files of secrets before a command begins. The files are not read yet: some may be pipes. */
export async function expectSecretFiles(paths: readonly (string | undefined)[]): Promise<void> {
  for (const path of paths) {
    if (path === undefined) continue;
    await access(path, constants.R_OK).catch((cause: unknown) => {
      throw unreadable(path, cause);
    });
  }
}

const unreadable = (path: string, cause: unknown): AppError =>
  new AppError(2, `The file ${path} cannot be read.`, { cause });

async function readSecretFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** Readline echoes input; give it a null output. */
async function askWithoutEcho(prompt: string): Promise<string> {
  process.stderr.write(prompt);
  const nowhere = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('SIGINT', () => {
        reject(new AppError(2, 'Cancelled.'));
      });
      lines.once('close', () => {
        reject(new AppError(2, 'Nothing was entered.'));
      });
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

function withoutLineEnd(content: string): string {
  return content.replace(/\r?\n$/, '');
}

/** Asks a yes-or-no question in the terminal; without a terminal, throws an error with `remedy`. */
export async function confirmHere(question: string, remedy: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new AppError(2, `Nobody can be asked here: ${remedy}.`);
  return /^(y|yes|s|sim)$/i.test(await askLine(`${question} [y/N] `));
}

/** Asks for a line in the terminal and answers it without white space around; the caller knows that it has a terminal. */
export async function askLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await new Promise<string>((resolve) => {
      lines.question(question, resolve);
    });
    return answer.trim();
  } finally {
    lines.close();
  }
}
