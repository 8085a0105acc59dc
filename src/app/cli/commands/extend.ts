import { createReadStream, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { CallInput, CallOutput } from '../../../ui-contract/ui-contract.ts';
import { fitFileName } from '../../../text/file-name.ts';
import { AppError } from '../../app-error.ts';
import type { CoreClient } from '../core-client.ts';
import { answeredAsJson, printLine, printNote } from '../print.ts';
import { withGivenFiles, type GivenFile } from '../given-files.ts';
import {
  freeAmong,
  isStream,
  readDestination,
  STANDARD_OUTPUT,
  withResultOptions,
  writeResult,
  type ResultOptions,
} from '../result-file.ts';
import { documentBeside } from '../../evidence/document-beside.ts';
import { readDuration, readTimestampHash } from '../read-options.ts';
import { renewDue, type DueOptions } from '../renew-due.ts';
import {
  readOpeningSecrets,
  withOpeningOptions,
  type OpeningSecrets,
  type OpeningOptions,
} from '../opening-options.ts';
import { withClient, withCommonOptions, type CommonOptions } from '../with-client.ts';
import { problemOfFile, isSystemError, problemOfFailure } from '../file-problems.ts';

type Level = CallInput<'signatures.raise'>['level'];

interface ExtendOptions extends CommonOptions, OpeningOptions, DueOptions, ResultOptions {
  readonly level?: Level;
  readonly due?: boolean;
  readonly tsa?: string;
  readonly hash?: CallInput<'signatures.raise'>['timestampDigest'];
  readonly content?: string;
}

/** Evidence records (RFC 4998) have no level and are renewed instead. */
const isRecord = (path: string): boolean => /\.er$/i.test(path);

const levels: readonly Level[] = ['B-T', 'B-LT', 'B-LTA'];

/** `extend FILE…`: extends existing signatures to a higher level, with a line for each file. */
export function addExtendCommand(program: Command): void {
  const command = program
    .command('extend <files...>')
    .alias('raise')
    .description(
      'extend the signatures of signed PDFs, .p7s and .p7m, and renew evidence records (.er), or what ends soon',
    )
    .addOption(new Option('--level <level>', 'the level that they get').choices(levels))
    .option('--due', 'renew in place: files, and folders with all that is in them, whose protection ends soon')
    .option('--within <time>', 'with --due, how soon: 30d, 90d (default), 365d', readDuration)
    .option('--dry-run', 'with --due, change nothing: list what would be renewed')
    .option('--report <file>', 'with --due, write a .json report: what was proven when, and by whom')
    .option('--tsa <id>', 'ask this time-stamp server only')
    .option('--hash <name>', 'hash of the time stamps: SHA256, SHA512, SHA3-256 …', readTimestampHash)
    .option('--content <file>', 'the document of a detached signature or of a record, where it is not beside it');
  withCommonOptions(withOpeningOptions(withResultOptions(command))).action(extend);
}

type Warnings = CallOutput<'signatures.raise'>['warnings'];

interface Outcome {
  readonly file: string;
  readonly result: string | null;
  readonly error: string | null;
  /** Effects of the time stamps on the claimed standards (PDF/A, PDF/UA); absent if there are none. */
  readonly warnings?: Warnings;
}

async function extend(files: readonly string[], options: ExtendOptions): Promise<void> {
  if (options.due === true) {
    if (options.level !== undefined) throw new AppError(2, '--due renews to B-LTA: leave out --level.');
    if (options.hash !== undefined) throw new AppError(2, '--due chooses the hash that lasts: leave out --hash.');
    return renewDue(files, options);
  }
  const level = options.level ?? (files.every(isRecord) ? 'B-LTA' : undefined);
  if (level === undefined) throw new AppError(2, 'Give --level B-T, B-LT or B-LTA; or --due to renew what ends soon.');
  return extendAll(files, { ...options, level });
}

/** The options with a chosen level. */
type LevelOptions = ExtendOptions & { readonly level: Level };

async function extendAll(words: readonly string[], options: LevelOptions): Promise<void> {
  if (options.content !== undefined && words.length > 1) {
    throw new AppError(2, 'One document belongs to one signature: give one file with --content.');
  }
  const destination = readDestination(words, options);
  const outcomes = await withGivenFiles(words, async (files) => {
    const opening = await readOpeningSecrets(options);
    return withClient(options, async (client) => {
      const finished: Outcome[] = [];
      const taken = new Set<string>();
      for (const file of files) {
        const target = freeAmong(destination ?? destinationOf(file.path, options), taken);
        taken.add(target);
        finished.push(await extendOne(client, { file, destination: target }, options, opening));
      }
      return finished;
    });
  });
  const failed = outcomes.filter(({ error }) => error !== null).length;
  if (failed > 0) process.exitCode = 1;
  if (answeredAsJson(options, outcomes)) return;
  const print = destination === STANDARD_OUTPUT ? printNote : printLine;
  for (const { file, result, error, warnings = [] } of outcomes) {
    print(error === null ? `✔ ${file} → ${result ?? ''}` : `✘ ${file}: ${error}`);
    for (const { detail } of warnings) print(`  ! ${detail}`);
  }
  if (failed > 0) printNote(`${failed} of ${outcomes.length} could not be extended.`);
}

/** A file that cannot be extended does not stop the others. */
async function extendOne(
  client: CoreClient,
  { file, destination }: { readonly file: GivenFile; readonly destination: string },
  options: LevelOptions,
  opening: OpeningSecrets,
): Promise<Outcome> {
  const { level, tsa, hash } = options;
  const { shown, path, isInput } = file;
  const beside = isInput ? undefined : documentBeside(path);
  const content = options.content === undefined ? beside : resolve(options.content);
  const extendTo = async (target: string) =>
    client.call('signatures.raise', {
      path,
      destination: target,
      level,
      content,
      timestampServer: tsa,
      timestampDigest: hash,
      ...opening,
    });
  const problem = await problemOfFile(path);
  if (problem !== undefined) return { file: shown, result: null, error: problem.detail };
  try {
    const isReplacing = options.force === true && existsSync(destination);
    const { warnings } =
      destination === STANDARD_OUTPUT || isStream(destination) || isReplacing
        ? await throughDraft({ destination, force: options.force === true, document: path }, extendTo)
        : await extendTo(destination);
    return { file: shown, result: destination, error: null, ...(warnings.length === 0 ? {} : { warnings }) };
  } catch (error) {
    const isOfFile = error instanceof AppError ? error.exitCode !== 3 || error.code?.startsWith('DESTINATION_') : false;
    if (isOfFile !== true && !isSystemError(error)) throw error;
    return { file: shown, result: null, error: problemOfFailure(error).detail };
  }
}

/** Lets `write` create a file in a private temporary folder, then moves the file to the destination. */
async function throughDraft<Answer>(
  { destination, ...rest }: { readonly destination: string; readonly force: boolean; readonly document: string },
  write: (path: string) => Promise<Answer>,
): Promise<Answer> {
  const folder = await mkdtemp(join(tmpdir(), 'sinete-extend-'));
  try {
    const draft = join(folder, 'result');
    const answer = await write(draft);
    await writeResult(createReadStream(draft), destination, rest);
    return answer;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** `contract-signed.pdf` → `contract-signed-B-LTA.pdf`, and `letter.txt.er` → `letter.txt-renewed.er`. */
function destinationOf(path: string, { out, level }: LevelOptions): string {
  if (out !== undefined) return join(resolve(out), basename(path));
  const extension = extname(path);
  return join(
    dirname(path),
    fitFileName(basename(path, extension), `-${isRecord(path) ? 'renewed' : level}${extension}`),
  );
}
