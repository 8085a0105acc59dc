/** Signs one PDF of a corpus twice and asks foreign programs whether everything still holds. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SigningError } from '../../src/signing/errors.ts';
import type { CmsSigner } from '../../src/signing/cms/index.ts';
import { repairPdf } from '../../src/signing/pdf/repair/repair-pdf.ts';
import { signPdf } from '../../src/signing/pdf/signature/sign-pdf.ts';
import { verifyPdf } from '../../src/signing/pdf/verification/verify-pdf.ts';
import { recipientPdf } from '../oracles/pdf-box.ts';
import { runProgram } from '../oracles/run-program.ts';
import { askPdfsig, askQpdf } from '../signing/pdf/oracles.ts';
import type { PdfsigSignature, QpdfCheck } from '../signing/pdf/oracles.ts';
import type { FileKeys, KeysOf } from './read-keys.ts';

/** Damaged files make programs hang. Milliseconds. */
const TOOL_LIMIT = 20_000;

/**
 * The judgement of qpdf about the original file. qpdf cannot read content encrypted for `recipients`. `closed`:
 * encrypted, without a known password or key.
 */
export type Group = 'clean' | 'warnings' | 'broken' | 'recipients' | 'closed';

export interface FileReport {
  readonly name: string;
  readonly group: Group;
  /** Repairs made before the signature; absent without repairs. */
  readonly repairs?: readonly string[];
  /** Why the file does not count as signed; absent when everything held. */
  readonly failure?: { readonly reason: string; readonly detail: string };
  /** Why the failure does not count: the file forbids the change, or no program finds a page in it. */
  readonly excuse?: 'forbidden' | 'no page';
  /** Earlier signatures, valid for pdfsig before and after. */
  readonly earlierSignatures: number;
  /** Fields with signatures valid for pdfsig and not for our verification, in the original already. */
  readonly stricterThanPdfsig: readonly string[];
}

class Failure extends Error {
  readonly reason: string;

  constructor(reason: string, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

function groupOf({ exitCode, needsPassword, needsCertificate }: QpdfCheck, { recipient }: FileKeys): Group {
  if (needsCertificate && recipient !== undefined) return 'recipients';
  if (needsPassword || needsCertificate) return 'closed';
  if (exitCode === 0) return 'clean';
  return exitCode === 3 ? 'warnings' : 'broken';
}

const severity = (exitCode: number | undefined): number => (exitCode === 0 ? 0 : exitCode === 3 ? 1 : 2);

function expectNoWorse(before: QpdfCheck, after: QpdfCheck): void {
  const [complaint] = after.complaints.filter((line) => !before.complaints.includes(line));
  if (complaint !== undefined) throw new Failure('qpdf has a complaint it did not have before', complaint);
  if (severity(after.exitCode) > severity(before.exitCode)) throw new Failure('qpdf likes it less than before', '');
}

/** Every valid signature is still so, and exactly the last `added` signatures came on top. */
function expectPdfsig(before: readonly PdfsigSignature[], after: readonly PdfsigSignature[], added: number): void {
  if (after.length !== before.length + added) {
    throw new Failure('pdfsig counts other signatures', `${before.length} before, ${after.length} after`);
  }
  const earlier = before.filter(({ valid }) => valid);
  const valid = after.filter(({ valid }) => valid);
  const lost = earlier.find(({ field }) => !valid.some((signature) => signature.field === field));
  if (lost !== undefined) throw new Failure('an earlier signature is no longer valid', lost.field);
  if (valid.length !== earlier.length + added) {
    const verdicts = after.map(({ verdict }) => verdict).join('; ');
    throw new Failure('pdfsig does not call our signature valid', verdicts);
  }
  if (!after.some(({ whole }) => whole)) throw new Failure('pdfsig does not see the whole file covered', '');
}

/** Fields with signatures intact for our own verification; none for an unreadable file. */
async function intactFields(path: string, keys: FileKeys): Promise<readonly string[]> {
  const { signatures } = await verifyPdf(path, keys);
  return signatures.filter(({ outcome }) => outcome === 'intact').map(({ fieldName }) => fieldName);
}

/** Our own verification still calls the earlier intact signatures intact, and the new signatures too. */
async function expectOwnVerification(path: string, keys: FileKeys, expected: readonly string[]): Promise<void> {
  const { signatures } = await verifyPdf(path, keys);
  for (const field of new Set(expected)) {
    const all = signatures.filter(({ fieldName }) => fieldName === field);
    if (all.some(({ outcome }) => outcome === 'intact')) continue;
    throw new Failure('our verification finds a signature broken', `${field}: ${all[0]?.problem ?? 'not found'}`);
  }
  if (signatures.at(-1)?.coversWholeFile !== true) throw new Failure('our verification misses the end of the file', '');
}

/** PDFBox opens files encrypted for a recipient, unlike poppler and qpdf, and finds this many signatures. */
async function expectPdfBox(path: string, { store }: FileKeys, count: number): Promise<void> {
  if (store === undefined) return;
  const [found] = await recipientPdf('open', path, store.path, store.password);
  if (found !== String(count)) throw new Failure('PDFBox counts other signatures', `${found ?? 'none'}, not ${count}`);
}

export interface CorpusSettings {
  readonly signer: CmsSigner;
  /** For scratch files. */
  readonly folder: string;
  /** Files impossible to sign unchanged get repaired first. */
  readonly repair: boolean;
  readonly keysOf: KeysOf;
}

/** The checks of a single file. */
interface FileSettings extends CorpusSettings {
  readonly keys: FileKeys;
}

type Checked = Pick<FileReport, 'earlierSignatures' | 'stricterThanPdfsig'>;

async function signAndCheck(path: string, { signer, folder, keys }: FileSettings, before: QpdfCheck): Promise<Checked> {
  const { password, recipient } = keys;
  const askAll = async (file: string) => (recipient === undefined ? askPdfsig(file, password) : undefined);
  const original = await askAll(path);
  const intact = await intactFields(path, keys);
  const scratch = join(folder, `${process.hrtime.bigint()}`);
  const added: string[] = [];
  let inputPath = path;
  try {
    for (const round of [1, 2]) {
      const outputPath = `${scratch}-${round}.pdf`;
      const options = { subFilter: 'ETSI.CAdES.detached', signingTime: new Date(), reason: 'Teste de ação' } as const;
      added.push((await signPdf({ inputPath, outputPath, signer, options, password, recipient })).fieldName);
      const [input, output] = await Promise.all([readFile(inputPath), readFile(outputPath)]);
      if (!output.subarray(0, input.length).equals(input)) throw new Failure('the input is not the prefix', '');
      expectNoWorse(before, await askQpdf(outputPath, password));
      const signatures = await askAll(outputPath);
      if (signatures === undefined && original !== undefined)
        throw new Failure('pdfsig hangs, as it did not before', '');
      if (signatures !== undefined && original !== undefined) expectPdfsig(original, signatures, round);
      await expectOwnVerification(outputPath, keys, [...intact, ...added]);
      inputPath = outputPath;
    }
    await expectPdfBox(inputPath, keys, intact.length + added.length);
  } finally {
    await Promise.all([1, 2].map((round) => rm(`${scratch}-${round}.pdf`, { force: true })));
  }
  const valid = (original ?? []).filter((signature) => signature.valid).map(({ field }) => field);
  return { earlierSignatures: valid.length, stricterThanPdfsig: valid.filter((field) => !intact.includes(field)) };
}

const isDamage = (error: unknown): boolean =>
  error instanceof SigningError && ['PDF_MALFORMED', 'PDF_UNSUPPORTED'].includes(error.code);

/** Repairs a copy and signs the copy; the copy must please qpdf at least as much as the original. */
async function repairAndCheck(
  path: string,
  settings: FileSettings,
  before: QpdfCheck,
): Promise<Checked & { readonly repairs: readonly string[] }> {
  const outputPath = join(settings.folder, `${process.hrtime.bigint()}-repaired.pdf`);
  try {
    const { password, recipient } = settings.keys;
    const { repairs } = await repairPdf({ inputPath: path, outputPath, password, recipient });
    const after = await askQpdf(outputPath, password);
    if (severity(after.exitCode) > severity(before.exitCode))
      throw new Failure('qpdf likes the repaired file less', '');
    const [pages, left] = [await mostPages(path), await mostPages(outputPath)];
    if (left < pages) throw new Failure('the repaired file has fewer pages', `${left} of ${pages}`);
    return { ...(await signAndCheck(outputPath, settings, after)), repairs };
  } finally {
    await rm(outputPath, { force: true });
  }
}

async function check(
  path: string,
  settings: FileSettings,
  before: QpdfCheck,
): Promise<Checked & Pick<FileReport, 'repairs'>> {
  try {
    return await signAndCheck(path, settings, before);
  } catch (error) {
    if (!settings.repair || !isDamage(error)) throw error;
    return await repairAndCheck(path, settings, before);
  }
}

export async function checkFile(name: string, path: string, settings: CorpusSettings): Promise<FileReport> {
  const keys = settings.keysOf(name);
  const before = await askQpdf(path, keys.password);
  const group = groupOf(before, keys);
  try {
    return { name, group, ...(await check(path, { ...settings, keys }, before)) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const reason =
      error instanceof SigningError ? error.code : error instanceof Failure ? error.reason : 'an unexpected error';
    const isForbidden = reason === 'PDF_CHANGE_FORBIDDEN';
    const excuse: FileReport['excuse'] = isForbidden
      ? 'forbidden'
      : (await mostPages(path)) > 0
        ? undefined
        : 'no page';
    const none = { earlierSignatures: 0, stricterThanPdfsig: [] };
    return { name, group, failure: { reason, detail }, ...none, excuse };
  }
}

/** The most pages found in a file by qpdf, poppler or MuPDF. */
async function mostPages(path: string): Promise<number> {
  const limited = { limit: TOOL_LIMIT };
  const counts = [
    (await runProgram('qpdf', ['--show-npages', path], limited)).output,
    /^Pages:\s*(\d+)/m.exec((await runProgram('pdfinfo', [path], limited)).output)?.[1],
    /^Pages:\s*(\d+)/m.exec((await runProgram('mutool', ['info', path], limited)).output)?.[1],
  ];
  return Math.max(0, ...counts.map((count) => Number.parseInt(count ?? '0', 10)).filter((count) => count >= 0));
}
