import { createReadStream, createWriteStream } from 'node:fs';
import { basename, extname, join, parse, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Option, type Command } from 'commander';
import type { ValidatedSignatureView } from '../../../ui-contract/validation-calls.ts';
import type { CallInput, ValidationView } from '../../../ui-contract/ui-contract.ts';
import { giveResultRights, rightsIfThere } from '../../../rights/file-rights.ts';
import { AppError } from '../../app-error.ts';
import type { CoreClient } from '../core-client.ts';
import { asAppError, isSystemError, problemOfFailure, problemOfFile } from '../file-problems.ts';
import { fitFileName } from '../../../text/file-name.ts';
import { answeredAsJson, printLine, printNote, printTable } from '../print.ts';
import { writeReport } from '../result-file.ts';
import { isOnOtherComputer, withGivenFiles, type GivenFile } from '../given-files.ts';
import { documentBeside } from '../../evidence/document-beside.ts';
import {
  readOpeningSecrets,
  withOpeningOptions,
  type OpeningSecrets,
  type OpeningOptions,
} from '../opening-options.ts';
import { withClient, withCommonOptions, type CommonOptions } from '../with-client.ts';
import { validationWords, type ValidationWords } from '../validation-words.ts';

interface ValidateOptions extends CommonOptions, OpeningOptions {
  readonly content?: string;
  readonly evidenceRecord?: readonly string[];
  readonly report?: string;
  readonly offline?: boolean;
  readonly strictChanges?: boolean;
  readonly at?: string;
  readonly extractRevision?: number;
  readonly language: ValidationView['report']['language'];
}

/** The result of a file. */
interface Outcome {
  readonly file: string;
  readonly validation?: ValidationView;
  /** The body of the HTTP validator. */
  readonly body?: unknown;
  readonly error?: AppError;
}

/** `validate`: validates signatures. Exit code 1 when a signature is invalid, or could not be determined. */
export function addValidateCommand(program: Command): void {
  const command = program
    .command('validate <files...>')
    .description('validate signatures and signed PDFs, or standard input (-)');
  withCommonOptions(withOpeningOptions(command))
    .option('--content <file>', 'the document that a detached signature belongs to')
    .option(
      '--evidence-record <file>',
      'an evidence record (.er) over the signed file; may stand more than once',
      collect,
    )
    .option('--report <file>', 'write the report of one file: .html, .pdf or .json')
    .option('--offline', 'fetch nothing: judge by what the signature carries and what is known here')
    .option('--at <moment>', 'judge as of this time in the past: 2026-01-02, or with a time of day', readPastMoment)
    .option(
      '--strict-changes',
      'exit with 1 also when a document was changed after it was signed, as its signatures allow',
    )
    .option('--extract-revision <number>', 'write this revision of one PDF to a file beside it', readRevision)
    .addOption(new Option('--language <name>', 'of findings and report').choices(['en', 'pt-BR']).default('en'))
    .action(validate);
}

async function validate(words: readonly string[], options: ValidateOptions): Promise<void> {
  checkUse(words, options);
  const beside = [...(options.content === undefined ? [] : [options.content]), ...(options.evidenceRecord ?? [])];
  await Promise.all(beside.map(checkReadable));
  const outcomes = await withGivenFiles(words, async (files) => {
    const [only, ...others] = files;
    if (only !== undefined && others.length === 0) await checkReadable(only.path);
    const opening = await readOpeningSecrets(options);
    return withClient(options, async (client) => {
      const found: Outcome[] = [];
      for (const file of files) found.push(await validateOne(client, file, options, opening));
      return found;
    });
  });
  if (!answeredAsJson(options, outcomes.map(jsonOf))) for (const outcome of outcomes) printOutcome(outcome);
  const reached = outcomes.find(({ error }) => error?.exitCode === 3);
  const isGood = outcomes.every(({ validation }) => {
    const { indication, changedSince } = validation?.report ?? {};
    return indication === 'TOTAL-PASSED' && !(options.strictChanges === true && changedSince === true);
  });
  process.exitCode = reached === undefined ? (isGood ? 0 : 1) : 3;
}

const collect = (file: string, before: readonly string[] = []): readonly string[] => [...before, file];

/** Reads a past moment; a day means its beginning in UTC. */
function readPastMoment(text: string): string {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) {
    throw new AppError(2, '--at is a day or a moment: 2026-01-02, 2026-01-02T10:00:00-03:00.');
  }
  return moment.toISOString();
}

function readRevision(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new AppError(2, '--extract-revision is the number of a revision, from 1 on.');
  return Number(text);
}

function checkUse(
  files: readonly string[],
  { content, evidenceRecord, report, extractRevision }: ValidateOptions,
): void {
  if (files.length > 1 && evidenceRecord !== undefined) throw new AppError(2, '--evidence-record is over one file.');
  if (files.includes('-') && extractRevision !== undefined) {
    throw new AppError(2, '--extract-revision writes beside a file: give the path of the file.');
  }
  if (files.length > 1 && extractRevision !== undefined) throw new AppError(2, '--extract-revision is of one file.');
  if (files.length > 1 && content !== undefined) throw new AppError(2, '--content belongs to one signature.');
  if (files.length > 1 && report !== undefined) throw new AppError(2, '--report is of one file.');
  if (report !== undefined) formatOf(report);
}

function formatOf(report: string): CallInput<'validation.report'>['format'] {
  switch (extname(report).toLowerCase()) {
    case '.html':
    case '.htm':
      return 'html';
    case '.pdf':
      return 'pdf';
    case '.json':
      return 'json';
    default:
      throw new AppError(2, 'A report is an .html, a .pdf or a .json file.');
  }
}

async function checkReadable(file: string): Promise<void> {
  const problem = await problemOfFile(file);
  if (problem !== undefined) throw asAppError(problem, file);
}

async function validateOne(
  client: CoreClient,
  { word, path, name, isInput }: GivenFile,
  {
    content = isInput ? undefined : documentBeside(path),
    evidenceRecord,
    report,
    offline,
    at,
    language,
    json,
    extractRevision,
  }: ValidateOptions,
  opening: OpeningSecrets,
): Promise<Outcome> {
  const problem = await problemOfFile(path);
  if (problem !== undefined) return { file: word, error: new AppError(1, problem.detail, { code: problem.code }) };
  try {
    const validation = await client.call('validation.run', {
      signature:
        isInput || (client.remote && isOnOtherComputer(path)) ? await client.giveFile({ path, name }) : { path },
      language,
      content: content === undefined ? undefined : { path: resolve(content) },
      records: evidenceRecord?.map((path) => ({ path: resolve(path) })),
      ...(offline === true ? { offline } : {}),
      at,
      ...opening,
    });
    const fileOf = async (format: CallInput<'validation.report'>['format']): Promise<Buffer> => {
      const { data } = await client.call('validation.report', { id: validation.id, format, language });
      return Buffer.from(data, 'base64');
    };
    const words = validationWords[language];
    if (extractRevision !== undefined) {
      const target = await extract(path, extractRevision, validation.report.revisionEnds);
      printNote(`${words.revision} ${extractRevision}: ${target}`);
    }
    if (report !== undefined) {
      await writeReport(report, await fileOf(formatOf(report)), isInput ? undefined : path);
      printNote(`${words.report}: ${report}`);
    }
    const body: unknown = json === true ? JSON.parse((await fileOf('json')).toString('utf8')) : undefined;
    return { file: word, validation, body };
  } catch (error) {
    if (isSystemError(error)) return { file: word, error: new AppError(1, problemOfFailure(error).detail) };
    if (!(error instanceof AppError) || error.exitCode === 2) throw error;
    return { file: word, error };
  }
}

/** Writes a revision of a PDF to a new file beside it, and answers the path. */
async function extract(file: string, revision: number, ends: readonly (number | null)[]): Promise<string> {
  const end = ends[revision - 1] ?? null;
  if (end === null) {
    const known = ends.flatMap((one, index) => (one === null ? [] : [index + 1])).join(', ');
    throw new AppError(
      2,
      `The file has no revision ${revision}. ${known === '' ? 'Only PDFs do.' : `It has: ${known}.`}`,
    );
  }
  const { dir, name } = parse(file);
  const target = join(dir, fitFileName(name, `-revision-${revision}.pdf`));
  await pipeline(
    createReadStream(file, { end: end - 1 }),
    createWriteStream(target, { flags: 'wx', mode: 0o600 }),
  ).catch((cause: unknown) => {
    throw new AppError(2, `The revision cannot be written to ${target}; perhaps that file exists already.`, {
      cause,
    });
  });
  await giveResultRights(target, dir, await rightsIfThere(file));
  return target;
}

function jsonOf({ file, body, error }: Outcome): object {
  return error === undefined ? { file, ...(body as object) } : { file, status: false, error: error.message };
}

function printOutcome({ file, validation, error }: Outcome): void {
  if (validation === undefined) {
    const needsPassword = ['DOCUMENT_ENCRYPTED', 'PASSWORD_INCORRECT'].includes(error?.code ?? '');
    const remedy = needsPassword
      ? ' Name a file with the password by --password-file, or a key by --recipient-key.'
      : '';
    printLine(`${basename(file)}: ${error?.message ?? ''}${remedy}`);
    printLine();
    return;
  }
  const { report } = validation;
  const words = validationWords[report.language];
  printLine(`${validation.fileName}: ${report.sentence}`);
  const rows = [
    ...report.signatures.flatMap((signature) => rowsOf(signature, words)),
    ...report.documentTimestamps.map(({ verdict, authority, time, title, sentence }) => {
      return ['', verdict, authority ?? '', '', '', '', `${title}${time === null ? '' : `, ${time}`}. ${sentence}`];
    }),
  ];
  printTable(words.headings, rows);
  for (const line of report.signatures.flatMap(changesOf)) printLine(`  ! ${line}`);
  const remedies = [
    ...report.signatures.flatMap(remediesOf),
    ...report.documentTimestamps.flatMap(({ checks }) => remediesOf({ checks, changes: [], counterSignatures: [] })),
  ];
  for (const line of [...remedies, ...remarksOf(report.remarks)]) printLine(`  → ${line}`);
  printLine(`${report.notice.text} ${report.notice.url}`);
  printLine();
}

function rowsOf(signature: ValidatedSignatureView, words: ValidationWords): readonly (readonly string[])[] {
  const { id, verdict, holder, taxpayerNumber, hierarchy, sentence } = signature;
  const level = levelText(signature, words);
  const below = hierarchy === null ? '' : words.hierarchies[hierarchy];
  const row = [id, verdict, holder ?? '', taxpayerNumber ?? '', level, below, sentence];
  return [row, ...signature.counterSignatures.flatMap((one) => rowsOf(one, words))];
}

/** The formal level, followed by the proven level if that is lower. */
const levelText = ({ level, levelProven }: ValidatedSignatureView, { proven, nothing }: ValidationWords): string =>
  level === null || level === levelProven ? (level ?? '') : `${level} (${proven}: ${levelProven ?? nothing})`;

/** Findings whose sentence contains a time, such as the end of a protection. */
const WITH_TIME: ReadonlySet<string> = new Set(['PROTECTION_ENDED', 'REVOCATION_NOT_CHECKED_SINCE']);

/** The visible changes that a signature does not cover but allows, and the rule that allows them. */
function changesOf({ id, changedSince, changes, allowedBy }: ValidatedSignatureView): readonly string[] {
  if (!changedSince || allowedBy === null) return [];
  const shown = changes.filter(({ isShown }) => isShown).map(({ text }) => `${id}: ${text}`);
  return [...shown, `${id}: ${allowedBy}`];
}

/** The remedies of the deciding findings, without repetitions. */
function remediesOf({
  checks,
  changes,
  counterSignatures,
}: Pick<ValidatedSignatureView, 'checks' | 'changes' | 'counterSignatures'>): readonly string[] {
  const isWrong = checks.some(({ outcome }) => outcome === 'failed' || outcome === 'unknown');
  const remedies = checks
    .filter(({ code, outcome }) =>
      isWrong ? outcome === 'failed' || outcome === 'unknown' || code === 'PROTECTION_ENDED' : outcome === 'warning',
    )
    .flatMap(({ code, finding, remedy, detail }) => [
      [finding, WITH_TIME.has(code) ? (detail ?? '') : '', remedy ?? ''].filter((part) => part !== '').join(' '),
    ]);
  const later = isWrong ? changes.filter(({ level }) => level === 'other').map(({ text }) => text) : [];
  return [...new Set([...remedies, ...later]), ...counterSignatures.flatMap(remediesOf)];
}

function remarksOf(remarks: ValidationView['report']['remarks']): readonly string[] {
  return remarks
    .filter(({ outcome }) => outcome !== 'passed')
    .map(({ finding, detail, remedy }) => `${finding} ${(detail === finding ? remedy : detail) ?? ''}`.trim());
}
