import { resolve } from 'node:path';
import type { Command } from 'commander';
import { describeLoss } from '../../../service/checks/index.ts';
import { inspectDataFolder, recoverDataFolder, type MarkPlaces, type RecoveryWay } from '../../../storage/index.ts';
import { AppError } from '../../app-error.ts';
import { markPlacesOf } from '../../compose/open-secrets.ts';
import { readConfiguration } from '../../config/config.ts';
import { dataFolder } from '../../config/data-folder.ts';
import { findRunningInstance } from '../core-client.ts';
import { answeredAsJson, printLine } from '../print.ts';

interface RecoverOptions {
  readonly data?: string;
  readonly json?: boolean;
  readonly restoreCopy?: boolean;
  readonly rebuild?: boolean;
  readonly acceptLoss?: boolean;
}

/** `recover`: shows the losses of a data folder, and records the user's decision about them. */
export function addRecoverCommand(program: Command): void {
  program
    .command('recover')
    .description('tell what the database has lost, and put back or accept what is lost')
    .option('--data <folder>', 'data folder')
    .option('--restore-copy', 'put the newest good copy of the database in its place')
    .option('--rebuild', 'add the readable rows of a damaged database that was set aside')
    .option('--accept-loss', 'go on with the database as it is')
    .option('--json', 'as JSON')
    .action(recover);
}

async function recover(options: RecoverOptions): Promise<void> {
  const folder = resolve(dataFolder(options.data));
  if ((await findRunningInstance(folder)) !== undefined) {
    throw new AppError(3, 'Sinete runs on this data folder: end it first.');
  }
  const ways = (['restoreCopy', 'rebuild', 'acceptLoss'] as const).filter((name) => options[name] === true);
  const [way] = ways;
  if (ways.length > 1) throw new AppError(2, 'Choose one of --restore-copy, --rebuild and --accept-loss.');
  const { secretStore } = await readConfiguration({ dataFolder: folder, environment: process.env });
  const places = markPlacesOf(secretStore, folder);
  if (way === undefined) await show(places, options);
  else await decide(places, names[way], options);
}

const names = { restoreCopy: 'restore-copy', rebuild: 'rebuild', acceptLoss: 'accept-loss' } as const satisfies Record<
  string,
  RecoveryWay
>;

async function show(places: MarkPlaces, { json }: RecoverOptions): Promise<void> {
  const { dataFolder: folder } = places;
  const state = await inspectDataFolder(places);
  const { problem, copy, damaged, found, unanswered } = state;
  if (problem !== undefined || found > 0) process.exitCode = 1;
  if (answeredAsJson({ json }, { dataFolder: folder, ...state })) return;
  printLine(problem === undefined ? '✔ The database has every row of its mark.' : `✘ ${describeLoss(problem)}`);
  if (found > 0)
    printLine(`✘ ${found} documents without a row are in "lost+found" of ${folder}: see "found.jsonl" there.`);
  if (unanswered > 0)
    printLine(`  ${unanswered} documents there may be removed: their requests ended without an answer.`);
  if (problem === undefined) return;
  printLine();
  printLine('Choose one way. The present database is set aside or kept, and never erased:');
  if (copy !== undefined) printLine(`  sinete recover --restore-copy   the copy of ${copy.time} takes its place`);
  if (damaged !== undefined) printLine(`  sinete recover --rebuild        readable rows of ${damaged} are added`);
  printLine('  sinete restore FILE --replace   a backup takes the place of the whole folder');
  printLine('  sinete recover --accept-loss    go on with the database as it is');
}

async function decide(places: MarkPlaces, way: RecoveryWay, { json }: RecoverOptions): Promise<void> {
  const { dataFolder: folder } = places;
  const { missing, rebuiltRows, aside } = await recoverDataFolder(places, way, new Date());
  if (answeredAsJson({ json }, { dataFolder: folder, way, missing: missing ?? null, rebuiltRows, aside })) return;
  if (way === 'rebuild') printLine(`✔ ${rebuiltRows} rows were added.`);
  if (aside !== null) printLine(`  The database before is now ${aside}.`);
  printLine(missing === undefined ? '✔ Nothing is missing.' : `  Accepted: ${describeLoss(missing)}`);
  printLine('Documents that no row knows go to "lost+found" at the next start.');
}
