import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import {
  isDatabaseCopy,
  openCopy,
  putBackCopy,
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
import { dropReach, readReach, type RestoredFolder } from '../../compose/reach-of-backup.ts';
import { backupGroups, type BackupGroup, type BackupReach } from '../../../values/backup-groups.ts';
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
  readonly drop?: boolean;
  readonly keep?: readonly string[];
  /** The earlier form of `--keep drivers` and `--drop`. */
  readonly drivers?: 'keep' | 'drop';
}

const EVERYTHING = 'all';
const REMEDY = 'add --drop, or --keep for each kind to restore';

/** What each kind of a backup's content opens. */
const groupMeanings: Readonly<Record<BackupGroup, string>> = {
  approval: 'signs without asking',
  listeners: 'other computers may connect',
  sites: 'web sites may sign or reach files',
  administrators: 'holders of these tokens may administer',
  applications: 'these applications may ask for signatures',
  people: 'these people may authenticate here',
  trust: 'changes which signatures are valid',
  timestamps: 'is asked for time stamps',
  network: 'changes which computers are contacted',
  tracing: 'is told what Sinete does',
  renewals: 'files are changed here',
  stores: 'documents may be read from and written to these stores',
  storage: 'keys and documents are kept there',
  work: 'goes on by itself',
  drivers: 'loads code, which could use your keys',
  others: 'is unknown to this version',
};

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
    .option('--drop', 'restore nothing that lets others in or loads code, instead of being asked')
    .addOption(
      new Option(
        '--keep <kind>',
        'restore this kind of what lets others in or loads code, and no other kind; may be repeated',
      )
        .choices([...backupGroups, EVERYTHING])
        .argParser<readonly string[]>(collectGroup),
    )
    .addOption(new Option('--drivers <decision>', 'as --keep drivers, or --drop').choices(['keep', 'drop']))
    .action(restore);
}

function collectGroup(one: string, others: readonly string[] | undefined): readonly string[] {
  const known: readonly string[] = [...backupGroups, EVERYTHING];
  if (!known.includes(one)) throw new AppError(2, `"${one}" is no kind of content: ${known.join(', ')}.`);
  return [...(others ?? []), one];
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
  if (recipients !== undefined)
    printNote('Its maker is known to this instance only: elsewhere a restore says that the maker is unknown.');
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
  const leftOut: BackupReach[] = [];
  const restored = await restoreBackup({
    path,
    key: await readKey(options),
    dataFolder: folder,
    replace: options.replace === true,
    now: new Date(),
    adopt: async ({ folder: staging, database, masterKey, isOwn }) => {
      printNote(isOwn ? 'This instance has made the backup.' : 'The maker of the backup is unknown.');
      leftOut.push(...(await decideAboutReach({ folder: staging, database }, options, isOwn)));
      const { secretStore } = await readConfiguration({
        dataFolder: staging,
        environment: process.env,
        file: options.config,
      });
      await adoptMasterKey(secretStore, new SqlSettingsStore(database), masterKey, passphraseAsker(secretStore));
    },
  });
  tellLeftOut(leftOut, options);
  if (restored.audit.state === 'broken' || restored.missing !== undefined) process.exitCode = 1;
  if (answeredAsJson(options, { dataFolder: folder, ...restored, leftOut })) return;
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

/**
 * A backup from somebody else may let others in or load code, so the person decides about each kind. Removes the refused
 * kinds from the restored folder, and answers them.
 */
async function decideAboutReach(
  restored: RestoredFolder,
  options: RestoreOptions,
  isOwn: boolean,
): Promise<readonly BackupReach[]> {
  const reach = await readReach(restored);
  const kept = await chooseGroups(reach, options, isOwn);
  const dropped = reach.filter(({ group }) => !kept.has(group));
  await dropReach(restored, new Set(dropped.map(({ group }) => group)), new Date());
  return dropped;
}

async function chooseGroups(
  reach: readonly BackupReach[],
  options: RestoreOptions,
  isOwn: boolean,
): Promise<ReadonlySet<string>> {
  const all = reach.map(({ group }) => group);
  if (hasDecided(options)) {
    const kept = [...(options.keep ?? []), ...(options.drivers === 'keep' ? ['drivers'] : [])];
    return new Set(kept.includes(EVERYTHING) ? all : kept);
  }
  if (reach.length === 0 || !process.stdin.isTTY) return new Set();
  if (isOwn) {
    for (const one of reach) printReach(one);
    return new Set((await confirmHere('Restore all of this?', REMEDY)) ? all : []);
  }
  const kept = new Set<string>();
  for (const one of reach) {
    printReach(one);
    if (await confirmHere('Restore this?', REMEDY)) kept.add(one.group);
  }
  return kept;
}

const hasDecided = ({ drop, keep, drivers }: RestoreOptions): boolean =>
  drop === true || keep !== undefined || drivers !== undefined;

function printReach({ group, lines }: BackupReach): void {
  printNote(`${group}: ${groupMeanings[group]}:`);
  for (const line of lines) printNote(`  ${line}`);
}

/** Without a decision, kinds that were left out are a failure of a part of the restore. */
function tellLeftOut(leftOut: readonly BackupReach[], options: RestoreOptions): void {
  if (leftOut.length === 0) return;
  if (!hasDecided(options) && !process.stdin.isTTY) process.exitCode = 1;
  printNote('Not restored, because it lets others in or loads code:');
  for (const one of leftOut) printReach(one);
  printNote(`To restore a kind: sinete restore FILE --replace --keep ${leftOut[0]?.group ?? ''}`);
}

/** A copy in the folder's own `backups/` is of this instance; any other copy may come from a stranger. */
async function putBack(path: string, folder: string, options: RestoreOptions): Promise<void> {
  const copy = resolve(path);
  const replace = options.replace === true;
  const isOwn = dirname(copy) === join(folder, 'backups');
  let aside: string | null;
  let leftOut: readonly BackupReach[] = [];
  if (isOwn) aside = putBackCopy(folder, copy, replace, new Date());
  else {
    const place = await mkdtemp(join(tmpdir(), 'sinete-copy-'));
    try {
      const cleaned = join(place, 'sinete.db');
      await openCopy(copy, cleaned, async (database) => {
        leftOut = await decideAboutReach({ database }, options, false);
      });
      aside = putBackCopy(folder, cleaned, replace, new Date());
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  }
  tellLeftOut(leftOut, options);
  answer(
    options,
    { dataFolder: folder, aside, leftOut },
    () => `✔ The database of ${folder} is the one of ${path}.${aside === null ? '' : ` Set aside: ${aside}`}`,
  );
}
