import { stat, writeFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { ValidatedSignatureView } from '../../../ui-contract/validation-calls.ts';
import type { CallInput, ValidationView } from '../../../ui-contract/ui-contract.ts';
import { AppError } from '../../app-error.ts';
import type { CoreClient } from '../core-client.ts';
import { formatTable, printJson, printLine, printNote } from '../print.ts';
import { documentBeside } from '../document-beside.ts';
import { readOpening, withOpeningOptions, type Opening, type OpeningOptions } from '../opening-options.ts';
import { withClient, withCommonOptions, type CommonOptions } from '../with-client.ts';

interface ValidateOptions extends CommonOptions, OpeningOptions {
  readonly content?: string;
  readonly report?: string;
  readonly offline?: boolean;
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
  const command = program.command('validate <files...>').description('validate signatures and signed PDFs');
  withCommonOptions(withOpeningOptions(command))
    .option('--content <file>', 'the document that a detached signature belongs to')
    .option('--report <file>', 'write the report of one file: .html, .pdf or .json')
    .option('--offline', 'fetch nothing: judge by what the signature carries and what is known here')
    .addOption(new Option('--language <name>', 'of findings and report').choices(['en', 'pt-BR']).default('en'))
    .action(validate);
}

async function validate(files: readonly string[], options: ValidateOptions): Promise<void> {
  checkUse(files, options);
  await Promise.all([...files, ...(options.content === undefined ? [] : [options.content])].map(checkReadable));
  const opening = await readOpening(options);
  const outcomes = await withClient(options, async (client) => {
    const found: Outcome[] = [];
    for (const file of files) found.push(await validateOne(client, file, options, opening));
    return found;
  });
  if (options.json === true) printJson(outcomes.map(jsonOf));
  else for (const outcome of outcomes) printOutcome(outcome);
  const reached = outcomes.find(({ error }) => error?.exitCode === 3);
  const isGood = outcomes.every(({ validation }) => validation?.status === true);
  process.exitCode = reached === undefined ? (isGood ? 0 : 1) : 3;
}

function checkUse(files: readonly string[], { content, report }: ValidateOptions): void {
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
  const isFile = await stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) throw new AppError(2, `${file} cannot be read.`);
}

async function validateOne(
  client: CoreClient,
  file: string,
  { content = documentBeside(file), report, offline, language, json }: ValidateOptions,
  opening: Opening,
): Promise<Outcome> {
  try {
    const validation = await client.call('validation.run', {
      ...{ signature: { path: resolve(file) }, language },
      ...(content === undefined ? {} : { content: { path: resolve(content) } }),
      ...(offline === true ? { offline } : {}),
      ...opening,
    });
    const fileOf = async (format: CallInput<'validation.report'>['format']): Promise<Buffer> => {
      const { data } = await client.call('validation.report', { id: validation.id, format, language });
      return Buffer.from(data, 'base64');
    };
    if (report !== undefined) await writeReport(report, await fileOf(formatOf(report)));
    const body: unknown = json === true ? JSON.parse((await fileOf('json')).toString('utf8')) : undefined;
    return { file, validation, body };
  } catch (error) {
    if (!(error instanceof AppError) || error.exitCode === 2) throw error;
    return { file, error };
  }
}

async function writeReport(path: string, content: Buffer): Promise<void> {
  await writeFile(path, content).catch((cause: unknown) => {
    throw new AppError(2, `The report cannot be written to ${path}.`, { cause });
  });
  printNote(`Report: ${path}`);
}

function jsonOf({ file, body, error }: Outcome): object {
  return error === undefined ? { file, ...(body as object) } : { file, status: false, error: error.message };
}

function printOutcome({ file, validation, error }: Outcome): void {
  if (validation === undefined) {
    printLine(`${basename(file)}: ${error?.message ?? ''}`);
    printLine();
    return;
  }
  const { report } = validation;
  printLine(`${validation.fileName}: ${report.sentence}`);
  const rows = report.signatures.flatMap((signature) => rowsOf(signature));
  printLine(formatTable(['', 'Result', 'Signer', 'CPF/CNPJ', 'Level', 'Hierarchy', 'Why'], rows));
  for (const line of [...report.signatures.flatMap(remediesOf), ...remarksOf(report.remarks)]) printLine(`  → ${line}`);
  printLine(`${report.notice.text} ${report.notice.url}`);
  printLine();
}

function rowsOf(signature: ValidatedSignatureView): readonly (readonly string[])[] {
  const { id, verdict, holder, taxpayerNumber, level, hierarchy, sentence } = signature;
  const row = [id, verdict, holder ?? '', taxpayerNumber ?? '', level ?? '', hierarchy ?? '', sentence];
  return [row, ...signature.counterSignatures.flatMap(rowsOf)];
}

/** The remedies of the deciding findings, without repetitions. */
function remediesOf({ checks, changes, counterSignatures }: ValidatedSignatureView): readonly string[] {
  const isWrong = checks.some(({ outcome }) => outcome === 'failed' || outcome === 'unknown');
  const remedies = checks
    .filter(({ outcome }) => (isWrong ? outcome === 'failed' || outcome === 'unknown' : outcome === 'warning'))
    .flatMap(({ finding, remedy }) => [`${finding} ${remedy ?? ''}`.trim()]);
  const later = isWrong ? changes.filter(({ level }) => level === 'other').map(({ text }) => text) : [];
  return [...new Set([...remedies, ...later]), ...counterSignatures.flatMap(remediesOf)];
}

function remarksOf(remarks: ValidationView['report']['remarks']): readonly string[] {
  return remarks.filter(({ outcome }) => outcome !== 'passed').map(({ finding, detail }) => `${finding} ${detail}`);
}
