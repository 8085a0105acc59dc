import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { AppError } from '../../app-error.ts';
import { printLine } from '../print.ts';

/** `master-key make`: the file of a master key, for servers that get it from their administrator. */
export function addMasterKeyCommands(program: Command): void {
  const masterKey = program.command('master-key').description('make the file of a master key for a server');
  masterKey
    .command('make <file>')
    .description('write a fresh master key into a new file that only you can read')
    .action(make);
}

async function make(file: string): Promise<void> {
  const path = resolve(file);
  if (existsSync(path)) throw new AppError(2, `The file ${path} is there already: a master key is never replaced.`);
  const { openSecretStore } = await import('../../../storage/index.ts');
  const store = await openSecretStore({ mode: 'key-file', keyFile: path });
  (await store.getMasterKey()).fill(0);
  printLine(`The master key is in ${path}. Name it in SINETE_MASTER_KEY_FILE, and keep a copy apart from the data.`);
}
