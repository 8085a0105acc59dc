import { basename, dirname, extname, join, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { CallInput, CallOutput } from '../../../ui-contract/ui-contract.ts';
import { AppError } from '../../app-error.ts';
import type { CoreClient } from '../core-client.ts';
import { printJson, printLine, printNote } from '../print.ts';
import { documentBeside } from '../../evidence/document-beside.ts';
import { readDuration } from '../read-options.ts';
import { renewDue, type DueOptions } from '../renew-due.ts';
import { readOpening, withOpeningOptions, type Opening, type OpeningOptions } from '../opening-options.ts';
import { withClient, withCommonOptions, type CommonOptions } from '../with-client.ts';
import { dropUndefined } from '../../../values/drop-undefined.ts';

type Level = CallInput<'signatures.raise'>['level'];

interface ExtendOptions extends CommonOptions, OpeningOptions, DueOptions {
  readonly level?: Level;
  readonly due?: boolean;
  readonly tsa?: string;
  readonly out?: string;
  readonly content?: string;
}

const levels: readonly Level[] = ['B-T', 'B-LT', 'B-LTA'];

/** `extend FILE…`: extends existing signatures to a higher level, with a line for each file. */
export function addExtendCommand(program: Command): void {
  const command = program
    .command('extend <files...>')
    .alias('raise')
    .description('extend the signatures of signed PDFs, .p7s and .p7m, or renew those whose protection ends soon')
    .addOption(new Option('--level <level>', 'the level that they get').choices(levels))
    .option('--due', 'renew in place: files, and folders with all that is in them, whose protection ends soon')
    .option('--within <time>', 'with --due, how soon: 30d, 90d (default), 365d', readDuration)
    .option('--dry-run', 'with --due, change nothing: list what would be renewed')
    .option('--report <file>', 'with --due, write a .json report: what was proven when, and by whom')
    .option('--tsa <id>', 'ask this time-stamp server only')
    .option('--content <file>', 'the document of a detached signature, where it is not beside it under its own name')
    .option('--out <folder>', 'where the results go, under the same names; else beside each file, named by the level');
  withCommonOptions(withOpeningOptions(command)).action(extend);
}

type Warnings = CallOutput<'signatures.raise'>['warnings'];

interface Outcome {
  readonly file: string;
  readonly result: string | null;
  readonly error: string | null;
  /** Effects of the time stamps on the claimed standards (PDF/A, PDF/UA); absent when there are none. */
  readonly warnings?: Warnings;
}

async function extend(files: readonly string[], options: ExtendOptions): Promise<void> {
  if (options.due === true) {
    if (options.level !== undefined) throw new AppError(2, '--due renews to B-LTA: leave out --level.');
    return renewDue(files, options);
  }
  const { level } = options;
  if (level === undefined) throw new AppError(2, 'Give --level B-T, B-LT or B-LTA; or --due to renew what ends soon.');
  return extendAll(files, { ...options, level });
}

/** The options with a chosen level. */
type LevelOptions = ExtendOptions & { readonly level: Level };

async function extendAll(files: readonly string[], options: LevelOptions): Promise<void> {
  if (options.content !== undefined && files.length > 1) {
    throw new AppError(2, 'One document belongs to one signature: give one file with --content.');
  }
  const opening = await readOpening(options);
  const outcomes = await withClient(options, async (client) => {
    const finished: Outcome[] = [];
    for (const file of files) finished.push(await extendOne(client, file, options, opening));
    return finished;
  });
  const failed = outcomes.filter(({ error }) => error !== null).length;
  if (failed > 0) process.exitCode = 1;
  if (options.json === true) {
    printJson(outcomes);
    return;
  }
  for (const { file, result, error, warnings = [] } of outcomes) {
    printLine(error === null ? `✔ ${file} → ${result ?? ''}` : `✘ ${file}: ${error}`);
    for (const { detail } of warnings) printLine(`  ! ${detail}`);
  }
  if (failed > 0) printNote(`${failed} of ${outcomes.length} could not be extended.`);
}

/** A file that cannot be extended does not stop the others. */
async function extendOne(client: CoreClient, file: string, options: LevelOptions, opening: Opening): Promise<Outcome> {
  const { level, tsa } = options;
  const path = resolve(file);
  const destination = destinationOf(path, options);
  const content = options.content === undefined ? documentBeside(path) : resolve(options.content);
  try {
    const { warnings } = await client.call('signatures.raise', {
      path,
      destination,
      level,
      ...dropUndefined({ content, timestampServer: tsa }),
      ...opening,
    });
    return { file: path, result: destination, error: null, ...(warnings.length === 0 ? {} : { warnings }) };
  } catch (error) {
    if (!(error instanceof AppError) || error.exitCode === 3) throw error;
    return { file: path, result: null, error: error.message };
  }
}

/** `contract-signed.pdf` → `contract-signed-B-LTA.pdf`. */
function destinationOf(path: string, { out, level }: LevelOptions): string {
  if (out !== undefined) return join(resolve(out), basename(path));
  const extension = extname(path);
  return join(dirname(path), `${basename(path, extension)}-${level}${extension}`);
}
