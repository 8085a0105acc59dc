import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { ServiceErrorCode } from '../../../service/errors/index.ts';
import { resultFileName, type SignatureType } from '../../../service/signature-types/index.ts';
import type { DigestAlgorithm } from '../../../service/transactions/index.ts';
import type { UiTransaction } from '../../../ui-contract/ui-contract.ts';
import { AppError } from '../../app-error.ts';
import type { CoreClient } from '../core-client.ts';
import { confirmHere } from '../secret-input.ts';
import { printJson, printLine, printNote } from '../print.ts';
import { coSignatureDestination, coSignatureType, readExistingSignature, type ExistingSignature } from './co-sign.ts';
import { readCounterSigning, readSignerChoice, type CounterSigning, type SignerChoice } from './counter-sign.ts';
import { followTransaction } from '../follow-transaction.ts';
import { withOpeningOptions } from '../opening-options.ts';
import { withRequestOptions } from '../request-options.ts';
import { readHash } from '../read-options.ts';
import { readLooks, readPlace, type LooksOptions } from '../signature-looks.ts';
import { withClient, withCommonOptions, type CommonOptions } from '../with-client.ts';
import { dropUndefined } from '../../../values/drop-undefined.ts';

interface SignOptions extends CommonOptions, LooksOptions {
  readonly type?: SignatureType;
  readonly certificate?: string;
  readonly hash: DigestAlgorithm;
  readonly out?: string;
  readonly detached?: boolean;
  readonly cosign?: string;
  readonly countersign?: boolean;
  readonly signer?: SignerChoice;
  readonly approveHere?: boolean;
  readonly pinFile?: string;
}

interface FileToSign {
  readonly path: string;
  readonly destination: string;
}

const types: readonly SignatureType[] = [
  'CMS-attached',
  'CMS-detached',
  'CAdES-attached',
  'CAdES-detached',
  'PDFSignature',
  'PAdES',
];

/** `sign FILE…`: signs files in place, with a line for each file. */
export function addSignCommand(program: Command): void {
  const command = program
    .command('sign <files...>')
    .description('sign files; PDFs as PAdES and others as CAdES, unless --type says otherwise')
    .option('--type <type>', `one of ${types.join(', ')}`, readType)
    .option('--detached', 'CAdES without the content inside')
    .option('--cosign <signature>', 'add your signature to this .p7s or .p7m of the one file given')
    .option('--countersign', 'the files are .p7s or .p7m: sign the signatures in them')
    .option('--signer <number>', 'with --countersign, whose of several: 1 for the first, or all', readSignerChoice)
    .option('--certificate <alias>', 'sign with this one instead of the default')
    .addOption(new Option('--hash <name>', 'SHA256, SHA384 or SHA512').argParser(readHash).default('sha256', 'SHA256'))
    .option('--out <folder>', 'where the results go, instead of beside each file')
    .option(
      '--visible [place]',
      'show the signature on PDFs: page,x,y,width,height in points from the lower left; page may be last',
      readPlace,
    )
    .option('--visible-image <file>', 'PNG or JPEG on the visible signature')
    .option('--visible-text <template>', 'its text, with {name} {cpf} {cnpj} {date} {reason} {location} {company}')
    .option('--auto-fix', 'repair damaged PDFs before they are signed')
    .option('--approve-here', 'approve here, without asking')
    .option('--pin-file <path>', 'file that holds the PIN of the token');
  withCommonOptions(withOpeningOptions(withRequestOptions(command))).action(sign);
}

/** The reported result of a file. */
interface Outcome {
  readonly file: string;
  readonly status: string;
  readonly result: string | null;
  /** Effects of the signature on the claimed standards (PDF/A, PDF/UA). */
  readonly warnings?: UiTransaction['documents'][number]['warnings'];
  readonly error: { readonly code: string; readonly detail: string } | null;
}

async function sign(files: readonly string[], options: SignOptions): Promise<void> {
  const groups = await groupFiles(files, options);
  const outcomes = await withClient(options, async (client) => {
    const finished: Outcome[] = [];
    for (const { group: all, ...about } of groups) {
      const { group, refused } = await sortOut(all);
      finished.push(...refused);
      if (group.length === 0) continue;
      finished.push(...(await signOrExplain(client, { ...about, group }, options, groups.length > 1)));
    }
    return finished;
  });
  const failed = outcomes.filter(({ status }) => status !== 'SIGNED').length;
  if (failed > 0) process.exitCode = 1;
  if (options.json === true) {
    printJson(outcomes);
    return;
  }
  for (const { file, result, error, warnings = [] } of outcomes) {
    printLine(error === null ? `✔ ${file} → ${result ?? ''}` : `✘ ${file}: ${error.detail} (${error.code})`);
    for (const { detail } of warnings) printLine(`  ! ${detail}`);
  }
  if (failed > 0) printNote(`${failed} of ${outcomes.length} could not be signed.`);
}

/** Files of the same kind. */
interface SigningTask {
  readonly type: SignatureType;
  readonly group: readonly FileToSign[];
  readonly existing?: ExistingSignature;
  readonly counterSign?: CounterSigning['counterSign'];
}

/** A refusal for some kind of files must not stop the other kinds. */
async function signOrExplain(
  client: CoreClient,
  task: SigningTask,
  options: SignOptions,
  hasOthers: boolean,
): Promise<readonly Outcome[]> {
  const { group } = task;
  try {
    const { documents } = await signGroup(client, task, options);
    return documents.map((document, index) => outcome(document, group[index]));
  } catch (error) {
    if (!hasOthers || !(error instanceof AppError) || error.exitCode === 3) throw error;
    const refused = { code: 'REFUSED', detail: error.message };
    return group.map(({ path }) => ({ file: path, status: 'ERROR', result: null, error: refused }));
  }
}

/** A file that cannot be signed must not stop the others: a transaction is refused as a whole. */
async function sortOut(
  files: readonly FileToSign[],
): Promise<{ readonly group: readonly FileToSign[]; readonly refused: readonly Outcome[] }> {
  const group: FileToSign[] = [];
  const refused: Outcome[] = [];
  const destinations = new Set<string>();
  for (const file of files) {
    const error = await problemWith(file, destinations);
    destinations.add(file.destination);
    if (error === undefined) group.push(file);
    else refused.push({ file: file.path, status: 'ERROR', result: null, error });
  }
  return { group, refused };
}

async function problemWith(
  { path, destination }: FileToSign,
  destinations: ReadonlySet<string>,
): Promise<{ readonly code: ServiceErrorCode; readonly detail: string } | undefined> {
  const readable = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
  if (!readable) return { code: 'DOCUMENT_UNREADABLE', detail: 'There is no such file, or it may not be read.' };
  if (!destinations.has(destination) && !existsSync(destination)) return undefined;
  return { code: 'DESTINATION_EXISTS', detail: `${destination} is there already, and nothing is replaced.` };
}

/** A transaction has a single type, so files of different kinds need several transactions. */
async function groupFiles(files: readonly string[], options: SignOptions): Promise<readonly SigningTask[]> {
  const { cosign, countersign, type, out } = options;
  if (countersign === true) {
    if (cosign !== undefined)
      throw new AppError(2, 'Choose one: --cosign signs the document, --countersign signatures.');
    return readCounterSigning(files, options);
  }
  if (options.signer !== undefined) throw new AppError(2, '--signer belongs to --countersign.');
  const [only] = files;
  if (cosign === undefined || only === undefined) return groupByType(files, options);
  const existing = await readExistingSignature(cosign, files);
  const file = { path: resolve(only), destination: coSignatureDestination(existing, out) };
  return [{ type: coSignatureType(existing, type), group: [file], existing }];
}

function groupByType(files: readonly string[], options: SignOptions): readonly SigningTask[] {
  const groups = new Map<SignatureType, FileToSign[]>();
  for (const file of files) {
    const path = resolve(file);
    const type = options.type ?? usualType(path, options.detached === true);
    const folder = options.out === undefined ? dirname(path) : resolve(options.out);
    const destination = join(folder, resultFileName(basename(path), type));
    groups.set(type, [...(groups.get(type) ?? []), { path, destination }]);
  }
  return [...groups].map(([type, group]) => ({ type, group }));
}

async function signGroup(
  client: CoreClient,
  { type, group, existing, counterSign }: SigningTask,
  options: SignOptions,
): Promise<UiTransaction> {
  const { certificate, hash } = options;
  const looks = await readLooks(options, type === 'PAdES' || type === 'PDFSignature');
  const created = await client.call('sign.paths', {
    type,
    digest: hash,
    files: [...group],
    ...dropUndefined({
      existingSignature: existing === undefined ? undefined : existing.bytes.toString('base64'),
      counterSign,
      alias: certificate,
    }),
    ...looks,
  });
  if (options.json !== true) await sayAcceptance(client, created.certificateAlias);
  if (options.json !== true && isArchival(looks.policy)) await sayStaleTrust(client);
  if (created.waitingFor === 'approval') await approve(client, created, options);
  return followTransaction(client, created.tcn, {
    quiet: options.json === true,
    ...dropUndefined({ pinFile: options.pinFile }),
  });
}

/** AD-RA by name, or a version of it by its OID: kinds 5 and 15 (DOC-ICP-15.03). */
const isArchival = (policy: string | undefined): boolean =>
  policy !== undefined && /^(ad-ra|2\.16\.76\.1\.7\.1\.1?5\..*)$/i.test(policy.trim());

/** Says before an archival signature which data it would be made with has ended, or ends soon. */
async function sayStaleTrust(client: CoreClient): Promise<void> {
  const { stale = [] } = await client.call('trust.list', {});
  for (const sentence of stale) printNote(`Note: ${sentence}`);
}

/** Says before the signature what other programs will say of it. */
async function sayAcceptance(client: CoreClient, alias: string): Promise<void> {
  const { acceptanceNote } = await client.call('certificates.describe', { alias });
  if (acceptanceNote !== null) printNote(`Note: ${acceptanceNote}`);
}

/** The command's user may answer here; without a terminal, a running instance asks in its window. */
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
  const { status, error, name, warnings } = document;
  const result = status === 'SIGNED' ? (file?.destination ?? null) : null;
  return { file: file?.path ?? name, status, result, error, ...(warnings.length === 0 ? {} : { warnings }) };
}

function usualType(path: string, detached: boolean): SignatureType {
  if (extname(path).toLowerCase() === '.pdf' && !detached) return 'PAdES';
  return detached ? 'CAdES-detached' : 'CAdES-attached';
}

/** Any letter case; CMS and CAdES alone are attached. */
function readType(text: string): SignatureType {
  const name = text.toLowerCase();
  const type = types.find((one) => one.toLowerCase() === name || one.toLowerCase() === `${name}-attached`);
  if (type === undefined) throw new AppError(2, `"${text}" is not a signature type: use one of ${types.join(', ')}.`);
  return type;
}
