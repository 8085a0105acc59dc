import { statSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { resultFileName, type SignatureType } from '../../../service/signature-types/index.ts';
import type { DigestAlgorithm } from '../../../service/transactions/index.ts';
import { icpBrasilArc, isArchivalPolicy, signaturePolicies } from '../../../request/signature-policies.ts';
import { pdfTypes, documentTypes } from '../../../request/signature-types.ts';
import { findName } from '../../../text/closed-set.ts';
import type { UiTransaction } from '../../../ui-contract/ui-contract.ts';
import { AppError } from '../../app-error.ts';
import type { CoreClient } from '../core-client.ts';
import { answeredAsJson, printLine, printNote } from '../print.ts';
import { askLine, confirmHere, expectSecretFiles } from '../secret-input.ts';
import {
  coSignatureDestination,
  coSignatureType,
  readExistingSignature,
  type ExistingSignature,
} from '../signing/co-sign.ts';
import {
  readCounterSigning,
  readSignerChoice,
  type CounterSigning,
  type SignerChoice,
} from '../signing/counter-sign.ts';
import { followTransaction } from '../signing/follow-transaction.ts';
import { kindOfFile, withGivenFiles, type GivenFile } from '../given-files.ts';
import { withOpeningOptions, type OpeningOptions } from '../opening-options.ts';
import { withRequestOptions } from '../request-options.ts';
import { readHash } from '../read-options.ts';
import {
  freeAmong,
  isTaken,
  readDestination,
  STANDARD_OUTPUT,
  withResultOptions,
  type ResultOptions,
} from '../result-file.ts';
import { isInDataFolder, signFiles } from '../signing/sign-files.ts';
import { problemOfFailure, problemOfFile } from '../file-problems.ts';
import { readLooks, readPlace, type Looks, type LooksOptions } from '../signing/signature-looks.ts';
import { withClient, withCommonOptions, type CommonOptions } from '../with-client.ts';

interface SignOptions extends CommonOptions, LooksOptions, OpeningOptions, ResultOptions {
  readonly type?: SignatureType;
  readonly certificate?: string;
  readonly hash: DigestAlgorithm;
  readonly detached?: boolean;
  readonly cosign?: string;
  readonly countersign?: boolean;
  readonly signer?: SignerChoice;
  readonly approveHere?: boolean;
  readonly pinFile?: string;
  readonly policy?: string;
  readonly tsa?: string;
}

interface FileToSign extends GivenFile {
  /** A path, or `STANDARD_OUTPUT`. */
  readonly destination: string;
}

/** `sign FILE…`: signs files in place, with a line for each file. */
export function addSignCommand(program: Command): void {
  const command = program
    .command('sign <files...>')
    .description('sign files, or standard input (-); PDFs as PAdES and others as CAdES, unless --type says otherwise')
    .option('-t, --type <type>', `one of ${documentTypes.join(', ')}`, readType)
    .option('-d, --detached', 'CAdES without the content inside')
    .option('--cosign <signature>', 'add your signature to this .p7s or .p7m of the one file given')
    .option('--countersign', 'the files are .p7s or .p7m: sign the signatures in them')
    .option('--signer <number>', 'with --countersign, whose of several: 1 for the first, or all', readSignerChoice)
    .option('-c, --certificate <alias>', 'sign with this certificate instead of the default one')
    .addOption(new Option('--hash <name>', 'SHA256, SHA384 or SHA512').argParser(readHash).default('sha256', 'SHA256'))
    .option(
      '--visible [place]',
      'show the signature on PDFs: page,x,y,width,height in points from the lower left; page may be last',
      readPlace,
    )
    .option('--visible-image <file>', 'PNG or JPEG on the visible signature')
    .option('--visible-text <template>', 'its text, with {name} {cpf} {cnpj} {date} {reason} {location} {company}')
    .option('--auto-fix', 'repair damaged PDFs before they are signed')
    .option('-y, --approve-here', 'approve here, without asking')
    .option('--pin-file <path>', 'file that holds the PIN of the token');
  withCommonOptions(withOpeningOptions(withRequestOptions(withResultOptions(command)))).action(sign);
}

/** The reported result of a file. */
interface Outcome {
  readonly file: string;
  readonly status: string;
  readonly result: string | null;
  /** Effects of the signature on the claimed standards (PDF/A, PDF/UA). */
  readonly warnings?: UiTransaction['documents'][number]['warnings'];
  /** A sentence for each repair before the signature. */
  readonly repairs?: readonly string[];
  /** A sentence for each stamp that was moved into its page. */
  readonly adjustments?: readonly string[];
  /** The level that the document gets once newer revocation data is available. */
  readonly pendingLevel?: string;
  readonly error: { readonly code: string; readonly detail: string } | null;
}

async function sign(words: readonly string[], options: SignOptions): Promise<void> {
  const destination = readDestination(words, options);
  readPolicyName(options.policy);
  await expectSecretFiles([options.pinFile, options.passwordFile, options.recipientKey, options.recipientPasswordFile]);
  const outcomes = await withGivenFiles(words, async (files) =>
    inOrder(files, await signGiven(files, destination, options)),
  );
  const failed = outcomes.filter(({ status }) => status !== 'SIGNED').length;
  if (failed > 0) process.exitCode = 1;
  if (answeredAsJson(options, outcomes)) return;
  const print = destination === STANDARD_OUTPUT ? printNote : printLine;
  await sayHowToCosign(outcomes, options);
  for (const { file, result, error, warnings = [], repairs = [], adjustments = [], pendingLevel } of outcomes) {
    print(error === null ? `✔ ${file} → ${result ?? ''}` : `✘ ${file}: ${error.detail} (${error.code})`);
    for (const sentence of [...repairs, ...adjustments]) print(`  ! ${sentence}`);
    for (const { detail } of warnings) print(`  ! ${detail}`);
    if (pendingLevel !== undefined) print(`  ! ${pendingSentence(pendingLevel)}`);
  }
  if (failed > 0) printNote(`${failed} of ${outcomes.length} could not be signed.`);
}

/** Notes that a signed file was enclosed once more, where people may have meant to sign beside its signers. */
async function sayHowToCosign(outcomes: readonly Outcome[], options: SignOptions): Promise<void> {
  if (options.cosign !== undefined || options.countersign === true) return;
  for (const { file, status } of outcomes) {
    if (status !== 'SIGNED' || file === STANDARD_OUTPUT) continue;
    const { kind } = await kindOfFile(file).catch(() => ({ kind: 'other' }));
    if (kind !== 'cms') continue;
    printNote(
      `Note: ${file} is signed already, and your signature encloses it. To sign the document beside its signers: ` +
        `sinete sign DOCUMENT --cosign ${file}`,
    );
  }
}

/** The outcomes in the order of the command line: files that cannot be signed were found first. */
function inOrder(files: readonly GivenFile[], outcomes: readonly Outcome[]): readonly Outcome[] {
  const places = new Map(files.map(({ shown }, index) => [shown, index]));
  return outcomes.toSorted((left, right) => (places.get(left.file) ?? 0) - (places.get(right.file) ?? 0));
}

const pendingSentence = (level: string): string =>
  `B-T for now, because newer revocation data is not there yet: "sinete extend --level ${level}" makes it ${level} later.`;

/** Finds mistakes before anything is signed, and before an existing result is reported. */
async function signGiven(
  files: readonly GivenFile[],
  destination: string | undefined,
  options: SignOptions,
): Promise<readonly Outcome[]> {
  const { groups, unread } = await groupFiles(files, options);
  const tasks = groups.map((task) => withDestination(task, destination));
  if (tasks.length === 0) return unread;
  const looks = new Map<SignatureType, Looks>();
  for (const { type } of tasks) looks.set(type, looks.get(type) ?? (await readLooks(options, type)));
  return withClient(options, async (client) => {
    await expectKnown(client, options);
    const finished: Outcome[] = [...unread];
    const taken = new Set<string>();
    for (const { group: all, ...about } of tasks) {
      const { group, refused } = await sortOut(all, taken, options);
      finished.push(...refused);
      if (group.length === 0) continue;
      const task = { ...about, group, looks: looks.get(about.type) ?? {} };
      finished.push(...(await signOrExplain(client, task, options, tasks.length > 1)));
    }
    return finished;
  });
}

function withDestination({ group, ...task }: FileGroup, destination: string | undefined): FileGroup {
  return {
    ...task,
    group: destination === undefined ? group : group.map((file) => ({ ...file, destination })),
  };
}

/** Checks a policy: a level by name in any letter case, or a version of an ICP-Brasil policy by its OID. */
function readPolicyName(name: string | undefined): void {
  if (name === undefined || name.startsWith(`${icpBrasilArc}.`)) return;
  if (findName(signaturePolicies, name) !== undefined) return;
  throw new AppError(2, `"${name}" is no policy: use ${signaturePolicies.join(', ')}, or the OID of one.`);
}

/** Refuses an unknown alias and an unknown time-stamp server. The core looks up a CPF or CNPJ. */
async function expectKnown(client: CoreClient, { certificate, tsa }: SignOptions): Promise<void> {
  if (certificate !== undefined && !/^[\d./-]+$/.test(certificate)) {
    const aliases = (await client.call('certificates.list', {})).map(({ alias }) => alias);
    expectOneOf(certificate, aliases, 'certificate', '"sinete certificates list" shows them');
  }
  if (tsa === undefined) return;
  const ids = (await client.call('tsa.list', {})).map(({ id }) => id);
  expectOneOf(tsa, ids, 'time-stamp server', 'add one with "sinete tsa add"');
}

function expectOneOf(name: string, known: readonly string[], what: string, remedy: string): void {
  if (known.some((one) => one.toLowerCase() === name.trim().toLowerCase())) return;
  const list = known.length === 0 ? `There is none: ${remedy}.` : `Use one of "${known.join('", "')}".`;
  throw new AppError(2, `There is no ${what} "${name}". ${list}`);
}

/** Files of the same kind. */
interface FileGroup {
  readonly type: SignatureType;
  readonly group: readonly FileToSign[];
  readonly existing?: ExistingSignature;
  readonly counterSign?: CounterSigning['counterSign'];
}

interface SigningTask extends FileGroup {
  readonly looks: Looks;
}

/** Signs a group of files; a refusal of one group must not stop the others. */
async function signOrExplain(
  client: CoreClient,
  task: SigningTask,
  options: SignOptions,
  hasOthers: boolean,
): Promise<readonly Outcome[]> {
  const { group } = task;
  try {
    return await signGroup(client, task, options);
  } catch (error) {
    if (!hasOthers || !(error instanceof AppError) || error.exitCode === 3) throw error;
    const refused = { code: 'REFUSED', detail: error.message };
    return group.map(({ shown }) => ({ file: shown, status: 'ERROR', result: null, error: refused }));
  }
}

/** Separates files that cannot be signed, because one such file would make the core refuse the whole transaction. */
async function sortOut(
  files: readonly FileToSign[],
  taken: Set<string>,
  options: SignOptions,
): Promise<{ readonly group: readonly FileToSign[]; readonly refused: readonly Outcome[] }> {
  const group: FileToSign[] = [];
  const refused: Outcome[] = [];
  for (const one of files) {
    const file = { ...one, destination: freeAmong(one.destination, taken) };
    const error = await problemWith(file, options);
    taken.add(file.destination);
    if (error === undefined) group.push(file);
    else refused.push(failedOutcome(file, error));
  }
  return { group, refused };
}

const failedOutcome = ({ shown }: FileToSign, error: NonNullable<Outcome['error']>): Outcome => ({
  file: shown,
  status: 'ERROR',
  result: null,
  error,
});

async function problemWith(file: FileToSign, options: SignOptions): Promise<NonNullable<Outcome['error']> | undefined> {
  const { path, destination } = file;
  try {
    const problem = await problemOfFile(path);
    if (problem !== undefined) return problem;
    if (isInDataFolder(file, options)) {
      return { code: 'PATH_NOT_ALLOWED', detail: 'The data folder of Sinete is no place for documents.' };
    }
    if (destination === STANDARD_OUTPUT || !isTaken(destination)) return undefined;
    if (statSync(destination).isDirectory()) {
      return { code: 'DESTINATION_EXISTS', detail: `${destination} is a folder: name another result.` };
    }
    if (options.force === true) return undefined;
    return { code: 'DESTINATION_EXISTS', detail: `${destination} already exists: --force replaces it.` };
  } catch (error) {
    return problemOfFailure(error);
  }
}

/** Groups files by kind, because a transaction has a single signature type. */
async function groupFiles(
  files: readonly GivenFile[],
  options: SignOptions,
): Promise<{ readonly groups: readonly FileGroup[]; readonly unread: readonly Outcome[] }> {
  const { cosign, countersign, type, out } = options;
  const paths = files.map(({ path }) => path);
  if (countersign === true) {
    if (cosign !== undefined)
      throw new AppError(2, 'Choose one: --cosign signs the document, --countersign signatures.');
    const unread: Outcome[] = [];
    const refuse = (file: string, { code = 'REFUSED', message }: AppError): void => {
      unread.push({ file, status: 'ERROR', result: null, error: { code, detail: message } });
    };
    const found = await readCounterSigning(paths, options, files.length > 1 ? refuse : undefined);
    const groups = found.map(({ group, ...about }) => ({
      ...about,
      group: group.map((one) => ({ ...one, ...given(one) })),
    }));
    return { groups, unread };
  }
  if (options.signer !== undefined) throw new AppError(2, '--signer belongs to --countersign.');
  const [only] = files;
  if (cosign === undefined || only === undefined) return { groups: await groupByType(files, options), unread: [] };
  const existing = await readExistingSignature(cosign, paths);
  const file = { ...only, destination: coSignatureDestination(existing, out) };
  return { groups: [{ type: coSignatureType(existing, type), group: [file], existing }], unread: [] };

  function given({ path }: { readonly path: string }): GivenFile {
    const found = files.find((one) => one.path === path);
    if (found === undefined) throw new AppError(3, `${path} is not a file of this command.`);
    return found;
  }
}

async function groupByType(files: readonly GivenFile[], options: SignOptions): Promise<readonly FileGroup[]> {
  const groups = new Map<SignatureType, FileToSign[]>();
  for (const file of files) {
    const type = options.type ?? (await usualType(file, options.detached === true));
    const folder = options.out === undefined ? dirname(file.path) : resolve(options.out);
    const destination = join(folder, resultFileName(file.name, type));
    groups.set(type, [...(groups.get(type) ?? []), { ...file, destination }]);
  }
  return [...groups].map(([type, group]) => ({ type, group }));
}

/** Signs a group of files; at a terminal, a person chooses among the empty fields of a PDF. */
async function signGroup(client: CoreClient, task: SigningTask, options: SignOptions): Promise<readonly Outcome[]> {
  const isAsked = options.json !== true && process.stdin.isTTY;
  const open = isAsked ? withOpenField(task) : task;
  const outcomes = await signOnce(client, open, options);
  const finished: Outcome[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const file = task.group[index];
    if (open === task || file === undefined || outcome.error?.code !== 'FIELD_REQUIRED') {
      finished.push(outcome);
      continue;
    }
    const name = await askLine(`${file.shown}: ${outcome.error.detail}\nField (empty: none of them): `);
    const looks = { ...task.looks, fieldName: name === '' ? undefined : name };
    finished.push(...(await signOnce(client, { ...task, group: [file], looks }, options)));
  }
  return finished;
}

/** Lets the core ask for a field (`?`) where neither a field nor a place was named. */
function withOpenField(task: SigningTask): SigningTask {
  const { type, looks } = task;
  const isOpen = pdfTypes.includes(type) && looks.fieldName === undefined && looks.visible === undefined;
  return isOpen ? { ...task, looks: { ...looks, fieldName: '?' } } : task;
}

async function signOnce(client: CoreClient, task: SigningTask, options: SignOptions): Promise<readonly Outcome[]> {
  const request = {
    type: task.type,
    digest: options.hash,
    existingSignature: task.existing === undefined ? undefined : task.existing.bytes.toString('base64'),
    counterSign: task.counterSign,
    alias: options.certificate,
    ...task.looks,
  };
  const follow = async (created: UiTransaction): Promise<UiTransaction> => {
    if (options.json !== true) await sayAcceptance(client, created.certificateAlias);
    if (options.json !== true && isArchivalPolicy(request.policy ?? '')) await sayStaleTrust(client);
    if (created.waitingFor === 'approval') await approve(client, created, options);
    return followTransaction(client, created.tcn, {
      quiet: options.json === true,
      pinFile: options.pinFile,
    });
  };
  const { documents, failures } = await signFiles(client, { request, files: task.group, options, follow });
  return documents.map((document, index) => {
    const file = task.group[index];
    const failure = file && failures.get(file.path);
    return file === undefined || failure === undefined ? outcome(document, file) : failedOutcome(file, failure);
  });
}

/** Notes before an archival signature which of its trust data has expired, or expires soon. */
async function sayStaleTrust(client: CoreClient): Promise<void> {
  const { stale = [] } = await client.call('trust.list', {});
  for (const sentence of stale) printNote(`Note: ${sentence}`);
}

/** Notes before the signature how other programs will judge it. */
async function sayAcceptance(client: CoreClient, alias: string): Promise<void> {
  const { acceptanceNote } = await client.call('certificates.describe', { alias });
  if (acceptanceNote !== null) printNote(`Note: ${acceptanceNote}`);
}

/** Asks in the terminal if possible; without a terminal, a running instance asks in its window. */
async function approve(client: CoreClient, created: UiTransaction, options: SignOptions): Promise<void> {
  const { tcn, documents, certificateAlias } = created;
  if (options.approveHere !== true) {
    if (client.remote && !process.stdin.isTTY) {
      printNote('Waiting for your approval in the window of Sinete (or repeat with --approve-here)…');
      return;
    }
    const what = documents.length === 1 ? 'one file' : `${documents.length} files`;
    const question = `Sign ${what} with the certificate of ${certificateAlias}?`;
    if (!(await confirmHere(question, 'add --approve-here to approve'))) {
      await client.call('approvals.decide', { tcn, decision: 'refuse' });
      return;
    }
  }
  await client.call('approvals.decide', { tcn, decision: 'approve' });
}

function outcome(document: UiTransaction['documents'][number], file: FileToSign | undefined): Outcome {
  const { status, error, name, warnings, repairs, adjustments, pendingLevel } = document;
  const result = status === 'SIGNED' ? (file?.destination ?? null) : null;
  return {
    file: file?.shown ?? name,
    status,
    result,
    error,
    warnings: warnings.length === 0 ? undefined : warnings,
    repairs: repairs.length === 0 ? undefined : repairs,
    adjustments: adjustments.length === 0 ? undefined : adjustments,
    pendingLevel,
  };
}

/**
 * The type of a file by its content. A file called `.pdf` whose content is none of the known kinds is a damaged PDF; a
 * file that cannot be read is reported with the others that cannot be signed.
 */
async function usualType({ path, name }: GivenFile, detached: boolean): Promise<SignatureType> {
  if (detached) return 'CAdES-detached';
  // To open a pipe would wait for its writer.
  const isReadable = (await problemOfFile(path)) === undefined;
  const unknown = { kind: 'other', form: 'none' } as const;
  const { kind, form } = isReadable ? await kindOfFile(path).catch(() => unknown) : unknown;
  const isNamedPdf = extname(name).toLowerCase() === '.pdf' && kind !== 'cms';
  return (kind === 'pdf' && form === 'none') || isNamedPdf ? 'PAdES' : 'CAdES-attached';
}

/** Reads a type in any letter case. `CMS` and `CAdES` mean the attached types. */
function readType(text: string): SignatureType {
  const type = findName(documentTypes, text) ?? findName(documentTypes, `${text}-attached`);
  if (type !== undefined) return type;
  throw new AppError(2, `"${text}" is not a signature type: use one of ${documentTypes.join(', ')}.`);
}
