import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { AppError } from '../app-error.ts';

/**
 * A secret from a file, from standard input without a terminal, or from a prompt without echo; never from an argument,
 * because every program of this computer can read arguments. The line end is not part of the secret.
 */
export async function readSecret(prompt: string, file: string | undefined): Promise<string> {
  if (file !== undefined) return withoutLineEnd(await readSecretFile(file));
  if (!process.stdin.isTTY) return withoutLineEnd(await text(process.stdin));
  return askWithoutEcho(prompt);
}

/** The passphrase of the master key, asked in this terminal. */
export async function askPassphraseHere(): Promise<string> {
  if (!process.stdin.isTTY) throw new AppError(3, 'The passphrase of the master key can only be asked in a terminal.');
  return askWithoutEcho('Passphrase of the master key: ');
}

async function readSecretFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new AppError(2, `The file ${path} cannot be read.`, { cause });
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

/** A yes or no in the terminal; an error without a terminal. */
export async function confirmHere(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new AppError(2, 'Nobody can be asked here: add --approve-here to approve.');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await new Promise<string>((resolve) => {
      lines.question(`${question} [y/N] `, resolve);
    });
    return /^(y|yes|s|sim)$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
