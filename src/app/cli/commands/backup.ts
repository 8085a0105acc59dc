import { resolve } from 'node:path';
import type { Command } from 'commander';
import {
  isDatabaseCopy,
  putBackCopy,
  restoreBackup,
  SHORTEST_PASSPHRASE,
  SqliteSettingsStore,
} from '../../../storage/index.ts';
import { AppError } from '../../app-error.ts';
import { readConfiguration } from '../../config/config.ts';
import { findRunningInstance } from '../core-client.ts';
import { dataFolder } from '../../config/data-folder.ts';
import { adoptMasterKey } from '../../compose/open-secrets.ts';
import { printJson, printLine, printNote } from '../print.ts';
import { askPassphraseHere, readSecret } from '../secret-input.ts';
import { withClient, withCommonOptions, type CommonOptions } from '../with-client.ts';

interface BackupOptions extends CommonOptions {
  readonly passphraseFile?: string;
}

interface RestoreOptions extends BackupOptions {
  readonly replace?: boolean;
}

/** `backup` and `restore`: everything of an instance in a single file, and back. */
export function addBackupCommands(program: Command): void {
  const passphrase = ['--passphrase-file <file>', 'file with the passphrase of the backup'] as const;
  withCommonOptions(
    program.command('backup <file>').description('write everything of this instance into one encrypted file'),
  )
    .option(...passphrase)
    .action(backup);
  withCommonOptions(
    program
      .command('restore <file>')
      .description('make a data folder from a backup, or put back a copy of the database'),
  )
    .option(...passphrase)
    .option('--replace', 'set aside the data folder that is there')
    .action(restore);
}

async function backup(path: string, { passphraseFile, ...options }: BackupOptions): Promise<void> {
  const passphrase = await readSecret('Passphrase for the backup: ', passphraseFile);
  if (passphrase.length < SHORTEST_PASSPHRASE) {
    throw passphraseNeeded(`of at least ${SHORTEST_PASSPHRASE} characters, which protects your keys`);
  }
  if (passphraseFile === undefined && process.stdin.isTTY) {
    const again = await readSecret('Once more: ', undefined);
    if (again !== passphrase) throw new AppError(2, 'The two passphrases differ.');
  }
  const input = { path: resolve(path), passphrase };
  const made = await withClient(options, async (client) => client.call('backup.make', input));
  if (options.json === true) {
    printJson({ path: input.path, ...made });
    return;
  }
  printLine(`✔ ${input.path}: ${made.size} octets, with ${made.documents} documents.`);
  printNote('It holds your keys. Without its passphrase nobody can open it, and nobody can help.');
}

function passphraseNeeded(which: string): AppError {
  return new AppError(2, `Give a passphrase ${which}: in a file (--passphrase-file FILE) or on standard input.`);
}

async function restore(path: string, options: RestoreOptions): Promise<void> {
  const folder = dataFolder(options.data);
  if ((await findRunningInstance(folder)) !== undefined) {
    throw new AppError(3, 'Sinete runs on this data folder: end it first.');
  }
  if (isDatabaseCopy(path)) {
    putBack(path, folder, options);
    return;
  }
  const passphrase = await readSecret('Passphrase of the backup: ', options.passphraseFile);
  if (passphrase === '') throw passphraseNeeded('that the backup was made with');
  const restored = await restoreBackup({
    ...{ path, passphrase, dataFolder: folder, replace: options.replace === true, now: new Date() },
    adopt: async ({ folder: staging, database, masterKey }) => {
      const { secretStore } = await readConfiguration({
        ...{ dataFolder: staging, environment: process.env },
        ...(options.config === undefined ? {} : { file: options.config }),
      });
      await adoptMasterKey(secretStore, new SqliteSettingsStore(database), masterKey, askPassphraseHere);
    },
  });
  if (restored.audit.state === 'broken') process.exitCode = 1;
  if (options.json === true) {
    printJson({ dataFolder: folder, ...restored });
    return;
  }
  printLine(`✔ ${folder} is as it was at ${restored.createdAt}, with ${restored.documents} documents.`);
  if (restored.aside !== null) printLine(`  The earlier folder is now ${restored.aside}.`);
  if (restored.audit.state === 'broken') {
    printLine(
      `✘ The audit log in this backup is broken at row ${restored.audit.row}: "sinete audit verify" tells more.`,
    );
  }
}

function putBack(path: string, folder: string, options: RestoreOptions): void {
  const aside = putBackCopy(folder, resolve(path), options.replace === true, new Date());
  if (options.json === true) printJson({ dataFolder: folder, aside });
  else printLine(`✔ The database of ${folder} is the one of ${path}.${aside === null ? '' : ` Set aside: ${aside}`}`);
}
