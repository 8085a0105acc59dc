import { access, constants, readFile, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { AppError } from '../app-error.ts';
import type { Configuration } from '../config/config.ts';
import { decodeSecret, decodeUnicode } from '../config/secret-text.ts';

/**
 * Reads a secret from a file, from standard input if that is no terminal, or from a prompt without echo. Never from an
 * argument, because other programs on the computer can read arguments. The line end is not part of the secret.
 */
export async function readSecret(prompt: string, file: string | undefined): Promise<string> {
  if (file === undefined && process.stdin.isTTY) return askWithoutEcho(prompt);
  const content = await readContent(file);
  return decodeSecret(content);
}

/**
 * Reads a PIN like a secret. A PIN that no person typed so is refused before a token counts an attempt: with blanks at its
 * ends, several lines, control characters or damaged letters, as commands of Windows write into files.
 */
export async function readPin(prompt: string, file: string | undefined): Promise<string> {
  if (file === undefined && process.stdin.isTTY) return askWithoutEcho(prompt);
  const pin = decodeUnicode(await readContent(file));
  const oddity = pin === undefined ? 'its letters are neither UTF-8 nor UTF-16' : oddityOf(pin);
  if (pin === undefined || oddity !== undefined) {
    const where = file === undefined ? 'from standard input' : `in ${file}`;
    throw new AppError(
      2,
      `The PIN ${where} was not tried, because each wrong PIN uses up an attempt: ${oddity ?? ''}. Write the PIN alone, in one line.`,
    );
  }
  return pin;
}

/** The reason why a PIN is probably a mistake, such as a line break inside; undefined for a usual PIN. */
function oddityOf(pin: string): string | undefined {
  const count = Array.from(pin).length;
  if (count === 0) return 'it is empty';
  if (/[\r\n]/.test(pin)) return 'it has more than one line';
  if (/\p{C}/u.test(pin)) return `it has ${count} characters, among them one that cannot be seen`;
  if (pin.includes('\ufffd')) return `it has ${count} characters, among them a damaged one`;
  return pin.trim() === pin
    ? undefined
    : `it has ${count} characters and a blank at its ${/^\s/.test(pin) ? 'start' : 'end'}`;
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
    const content = await readSecret('', passphraseFrom);
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

async function readContent(file: string | undefined): Promise<Buffer> {
  if (file === undefined) return await buffer(process.stdin);
  try {
    return await readFile(file);
  } catch (cause) {
    throw unreadable(file, cause);
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
