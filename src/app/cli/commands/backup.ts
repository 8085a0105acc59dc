import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { SettingsStore } from '../../../service/settings/index.ts';
import {
  copyWithoutSetting,
  isDatabaseCopy,
  putBackCopy,
  readSettingOfCopy,
  restoreBackup,
  SHORTEST_PASSPHRASE,
  SqlSettingsStore,
  verifyBackup,
  type BackupKey,
} from '../../../storage/index.ts';
import { describeLoss } from '../../../service/checks/index.ts';
import { AppError } from '../../app-error.ts';
import { readConfiguration } from '../../config/config.ts';
import { findRunningInstance } from '../core-client.ts';
import { dataFolder } from '../../config/data-folder.ts';
import { codeNotAccepted, describeCode, dropCode, readCode, type CodeOfBackup } from '../../compose/code-of-backup.ts';
import { driversIn, driverSetting } from '../../compose/key-sources.ts';
import { adoptMasterKey } from '../../compose/open-secrets.ts';
import { answer, answeredAsJson, printLine, printNote } from '../print.ts';
import { printCheck, progressHere } from './fsck.ts';
import { passphraseAsker, confirmHere, readSecret } from '../secret-input.ts';
import { callCore, withCommonOptions, type CommonOptions } from '../with-client.ts';

interface KeyOptions extends CommonOptions {
  readonly passphraseFile?: string;
  /** Path of a file with private age keys. */
  readonly identity?: string;
}

interface BackupOptions extends KeyOptions {
  /** Public keys of age (`age1…`). */
  readonly recipient?: readonly string[];
  /** Restore the backup into a temporary folder and check everything. */
  readonly verify?: boolean;
}

interface RestoreOptions extends KeyOptions {
  readonly replace?: boolean;
  readonly drivers?: 'keep' | 'drop';
}

/** `backup` and `restore`: everything of an instance in a single file, and back. */
export function addBackupCommands(program: Command): void {
  const passphrase = ['--passphrase-file <file>', 'file with the passphrase of the backup'] as const;
  withCommonOptions(
    program.command('backup <file>').description('write everything of this instance into one encrypted file'),
  )
    .option(...passphrase)
    .option(
      '--recipient <age1…>',
      'public key of age that opens the backup instead of a passphrase; may be repeated',
      (one: string, others: readonly string[] | undefined) => [...(others ?? []), one],
    )
    .option('--identity <file>', 'with --recipient and --verify: file with a private key of age')
    .option('--verify', 'restore it into a temporary folder and check every document')
    .action(backup);
  withCommonOptions(
    program
      .command('restore <file>')
      .description('make a data folder from a backup, or put back a copy of the database'),
  )
    .option(...passphrase)
    .option('--identity <file>', 'file with the private key of age that opens the backup, instead of a passphrase')
    .option('--replace', 'set aside the data folder that is there')
    .addOption(
      new Option(
        '--drivers <decision>',
        'keep or drop the drivers of the backup and the variables of their processes, instead of being asked',
      ).choices(['keep', 'drop']),
    )
    .action(restore);
}

async function backup(path: string, options: BackupOptions): Promise<void> {
  const { recipient: recipients, verify, identity } = options;
  if (recipients !== undefined && verify === true && identity === undefined) {
    throw new AppError(2, 'Name a private key that opens the backup (--identity FILE), or leave out --verify.');
  }
  const seal =
    recipients === undefined ? { passphrase: await choosePassphrase(options) } : { recipients: [...recipients] };
  const place = resolve(path);
  const made = await callCore(options, 'backup.make', { path: place, ...seal });
  if (answeredAsJson(options, { path: place, ...made })) return;
  printLine(`✔ ${place}: ${made.size} bytes, with ${made.documents} documents.`);
  const needed = recipients === undefined ? 'its passphrase' : 'the private key of a recipient';
  printNote(`It holds your keys. Without ${needed} nobody can open it, and nobody can help.`);
  const { passphrase } = seal;
  if (verify === true) {
    await verifyHere(place, passphrase === undefined ? await readKey(options) : { passphrase }, options);
  }
}

async function choosePassphrase({ passphraseFile }: KeyOptions): Promise<string> {
  const passphrase = await readSecret('Passphrase for the backup: ', passphraseFile);
  if (passphrase.length < SHORTEST_PASSPHRASE) {
    throw passphraseNeeded(`of at least ${SHORTEST_PASSPHRASE} characters, which protects your keys`);
  }
  if (passphraseFile === undefined && process.stdin.isTTY) {
    const again = await readSecret('Once more: ', undefined);
    if (again !== passphrase) throw new AppError(2, 'The two passphrases differ.');
  }
  return passphrase;
}

/** Reads the private keys from a file written by `age-keygen`, or else the passphrase. */
async function readKey({ identity, passphraseFile }: KeyOptions): Promise<BackupKey> {
  if (identity === undefined) {
    const passphrase = await readSecret('Passphrase of the backup: ', passphraseFile);
    if (passphrase === '') throw passphraseNeeded('that the backup was made with');
    return { passphrase };
  }
  const lines = (await readSecret('', identity)).split(/\r?\n/).map((line) => line.trim());
  const identities = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (identities.length > 0) return { identities };
  throw new AppError(2, `The file ${identity} has no private key of age (AGE-SECRET-KEY-1…).`);
}

/**
 * Restores the backup into a temporary folder inside the data folder, which gives it the same protection, and checks
 * everything there.
 */
async function verifyHere(path: string, key: BackupKey, options: CommonOptions): Promise<void> {
  const temporaryFolder = join(dataFolder(options.data), 'backups', `.verify-${randomUUID()}`);
  printCheck(await verifyBackup({ path, key, temporaryFolder }, progressHere()), false);
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
    await putBack(path, folder, options);
    return;
  }
  const restored = await restoreBackup({
    path,
    key: await readKey(options),
    dataFolder: folder,
    replace: options.replace === true,
    now: new Date(),
    adopt: async ({ folder: staging, database, masterKey }) => {
      const settings = new SqlSettingsStore(database);
      await decideAboutCode(staging, settings, options.drivers);
      const { secretStore } = await readConfiguration({
        dataFolder: staging,
        environment: process.env,
        file: options.config,
      });
      await adoptMasterKey(secretStore, settings, masterKey, passphraseAsker(secretStore));
    },
  });
  if (restored.audit.state === 'broken' || restored.missing !== undefined) process.exitCode = 1;
  if (answeredAsJson(options, { dataFolder: folder, ...restored })) return;
  printLine(`✔ ${folder} is as it was at ${restored.createdAt}, with ${restored.documents} documents.`);
  if (restored.missing !== undefined) {
    printLine(`✘ Rows were missing already when the backup was made. ${describeLoss(restored.missing)}`);
  }
  if (restored.aside !== null) printLine(`  The earlier folder is now ${restored.aside}.`);
  if (restored.audit.state === 'broken') {
    printLine(
      `✘ The audit log in this backup is broken at row ${restored.audit.row}: "sinete audit verify" tells more.`,
    );
  }
}

/** A backup from somebody else may name code that this computer would load next to the keys, so the user decides. */
async function decideAboutCode(
  staging: string,
  settings: SettingsStore,
  decision: RestoreOptions['drivers'],
): Promise<void> {
  const code = await readCode(staging, settings);
  if (await isDropped(code, decision)) await dropCode(staging, settings, code);
}

async function isDropped(code: CodeOfBackup, decision: RestoreOptions['drivers']): Promise<boolean> {
  const lines = describeCode(code);
  if (lines.length === 0 || decision !== undefined) return lines.length > 0 && decision === 'drop';
  if (!process.stdin.isTTY) throw codeNotAccepted(code);
  printNote('This backup has code loaded, which could use your keys:');
  for (const line of lines) printNote(`  ${line}`);
  return !(await confirmHere('Load it here too?', 'add --drivers keep or --drivers drop'));
}

/**
 * A copy from the folder's own `backups/` has the drivers of this instance; any other backup may come from a stranger.
 */
async function putBack(path: string, folder: string, options: RestoreOptions): Promise<void> {
  const copy = resolve(path);
  const isOwn = dirname(copy) === join(folder, 'backups');
  const drivers = isOwn ? [] : driversIn(readSettingOfCopy(copy, driverSetting));
  const code = { drivers: drivers.map((one) => one.path), variables: {} };
  let aside: string | null;
  if (await isDropped(code, options.drivers)) {
    const place = await mkdtemp(join(tmpdir(), 'sinete-copy-'));
    try {
      const cleaned = join(place, 'sinete.db');
      copyWithoutSetting(copy, cleaned, driverSetting);
      aside = putBackCopy(folder, cleaned, options.replace === true, new Date());
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  } else aside = putBackCopy(folder, copy, options.replace === true, new Date());
  answer(
    options,
    { dataFolder: folder, aside },
    () => `✔ The database of ${folder} is the one of ${path}.${aside === null ? '' : ` Set aside: ${aside}`}`,
  );
}
