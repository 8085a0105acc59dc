import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { CallInput } from '../../ui-contract/ui-contract.ts';
import { AppError } from '../app-error.ts';
import { readSecret } from './secret-input.ts';

/** Options with the secrets that open encrypted PDFs. */
export interface OpeningOptions {
  readonly passwordFile?: string;
  readonly recipientKey?: string;
  readonly recipientPasswordFile?: string;
}

/** The secrets in the form that calls take. */
export type OpeningSecrets = Pick<CallInput<'signatures.raise'>, 'password' | 'recipient'>;

export function withOpeningOptions(command: Command): Command {
  return command
    .option('--password-file <path>', 'file that holds the password of encrypted PDFs')
    .option('--recipient-key <file>', 'the .p12 or .pfx whose key opens PDFs that are encrypted for its certificate')
    .option(
      '--recipient-password-file <path>',
      'file that holds the password of --recipient-key; else it is asked for',
    );
}

/** Asks for the password of the key file, unless a file holds the password. */
export async function readOpeningSecrets({
  passwordFile,
  recipientKey: path,
  recipientPasswordFile,
}: OpeningOptions): Promise<OpeningSecrets> {
  const opening = {
    password: passwordFile === undefined ? undefined : await readSecret('', passwordFile),
  };
  if (path === undefined) return opening;
  const file = await readFile(path).catch((cause: unknown) => {
    throw new AppError(2, `The key file ${path} cannot be read.`, { cause });
  });
  const password = await readSecret(`Password of ${path}: `, recipientPasswordFile);
  return { ...opening, recipient: { file: file.toString('base64'), password } };
}
