import { basename, dirname, extname, join, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { CallInput } from '../../../ui-contract/ui-contract.ts';
import { AppError } from '../../app-error.ts';
import type { CoreClient } from '../core-client.ts';
import { printJson, printLine, printNote } from '../print.ts';
import { documentBeside } from '../document-beside.ts';
import { readOpening, withOpeningOptions, type Opening, type OpeningOptions } from '../opening-options.ts';
import { withClient, withCommonOptions, type CommonOptions } from '../with-client.ts';

type Level = CallInput<'signatures.raise'>['level'];

interface RaiseOptions extends CommonOptions, OpeningOptions {
  readonly level: Level;
  readonly tsa?: string;
  readonly out?: string;
  readonly content?: string;
}

const levels: readonly Level[] = ['B-T', 'B-LT', 'B-LTA'];

/** `raise FILE…`: extends existing signatures to a higher level, with a line for each file. */
export function addRaiseCommand(program: Command): void {
  const command = program
    .command('raise <files...>')
    .description('raise the level of signatures that are there: signed PDFs, .p7s and .p7m')
    .addOption(new Option('--level <level>', 'what they are raised to').choices(levels).makeOptionMandatory())
    .option('--tsa <id>', 'ask this time-stamp server only')
    .option('--content <file>', 'the document of a detached signature, where it is not beside it under its own name')
    .option('--out <folder>', 'where the results go, under the same names; else beside each file, named by the level');
  withCommonOptions(withOpeningOptions(command)).action(raise);
}

interface Outcome {
  readonly file: string;
  readonly result: string | null;
  readonly error: string | null;
}

async function raise(files: readonly string[], options: RaiseOptions): Promise<void> {
  if (options.content !== undefined && files.length > 1) {
    throw new AppError(2, 'One document belongs to one signature: give one file with --content.');
  }
  const opening = await readOpening(options);
  const outcomes = await withClient(options, async (client) => {
    const finished: Outcome[] = [];
    for (const file of files) finished.push(await raiseOne(client, file, options, opening));
    return finished;
  });
  const failed = outcomes.filter(({ error }) => error !== null).length;
  if (failed > 0) process.exitCode = 1;
  if (options.json === true) {
    printJson(outcomes);
    return;
  }
  for (const { file, result, error } of outcomes) {
    printLine(error === null ? `✔ ${file} → ${result ?? ''}` : `✘ ${file}: ${error}`);
  }
  if (failed > 0) printNote(`${failed} of ${outcomes.length} could not be raised.`);
}

/** A file that cannot be extended does not stop the others. */
async function raiseOne(client: CoreClient, file: string, options: RaiseOptions, opening: Opening): Promise<Outcome> {
  const { level, tsa } = options;
  const path = resolve(file);
  const destination = destinationOf(path, options);
  const content = options.content === undefined ? documentBeside(path) : resolve(options.content);
  try {
    await client.call('signatures.raise', {
      ...{ path, destination, level },
      ...(content === undefined ? {} : { content }),
      ...(tsa === undefined ? {} : { timestampServer: tsa }),
      ...opening,
    });
    return { file: path, result: destination, error: null };
  } catch (error) {
    if (!(error instanceof AppError) || error.exitCode === 3) throw error;
    return { file: path, result: null, error: error.message };
  }
}

/** `contract-signed.pdf` → `contract-signed-B-LTA.pdf`. */
function destinationOf(path: string, { out, level }: RaiseOptions): string {
  if (out !== undefined) return join(resolve(out), basename(path));
  const extension = extname(path);
  return join(dirname(path), `${basename(path, extension)}-${level}${extension}`);
}
