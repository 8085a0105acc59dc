import type { CmsVerification } from '../../signed-data/verify-signer.ts';
import { type TimestampToken, readTimestampToken } from '../../timestamps/timestamp-token.ts';
import { type DigestOf, forEachChunk } from '../../signed-data/content.ts';
import { SigningError } from '../../errors.ts';
import { verifyTimestampToken } from '../../timestamps/verify-timestamp-token.ts';
import { type ReadableDigestAlgorithm, createDigest } from '../../algorithms/algorithms.ts';
import { verifyCmsWithDigest } from '../../signed-data/verify-cms.ts';
import { readByteRange } from '../signature/signature-dictionary.ts';
import { isEmptyField, isSignatureField, walkFields, type FormField } from '../reading/form-fields.ts';
import { PdfDocument } from '../reading/pdf-document.ts';
import type { PdfKeys } from '../encryption/standard-security.ts';
import type { PdfFile } from '../reading/pdf-file.ts';
import { decodeTextString, parseDate } from '../syntax/text-string.ts';
import { nameOf, PdfString, type PdfDictionary, countOf } from '../syntax/values.ts';

/** The result of verifying a signature of a PDF: integrity and identity of the signer; trust is a separate step. */
export interface PdfSignatureVerification {
  /** Full name of the signature field. */
  readonly fieldName: string;
  /** `adbe.pkcs7.detached`, `ETSI.CAdES.detached`, `ETSI.RFC3161` (a document time stamp), …; empty when absent. */
  readonly subFilter: string;
  /** The numbers in the file; empty for an absent or malformed range. */
  readonly byteRange: readonly number[];
  /** True when no bytes follow the signed bytes: no later revision changed the display. */
  readonly coversWholeFile: boolean;
  /**
   * `intact`: the byte range is sound, and every signer's digest and signature agree. `broken`: something does not.
   * `unknown`: could not tell. For both of these `problem` says why.
   */
  readonly outcome: 'intact' | 'broken' | 'unknown';
  readonly problem?: string;
  /** Absent when the signature could not be read, or its byte range is not sound. */
  readonly cms?: CmsVerification;
  /** The token of a readable document time stamp; trust in its authority needs a valid path. */
  readonly timestamp?: TimestampToken;
  /** The dictionary's `M`: a claim of the signer's computer. */
  readonly signingTime?: Date;
}

/** Each signature of a PDF with its cryptographic outcome; nothing about trust. */
export interface PdfVerification {
  /** Bytes of the file. */
  readonly size: number;
  /** In the order of signing: by the end of the covered bytes. */
  readonly signatures: readonly PdfSignatureVerification[];
}

/** Properties of a PDF, without the integrity of its signatures. */
export interface PdfInspection {
  /** The header's version, or a later version in the catalog: `1.4`, `2.0`. */
  readonly version: string;
  readonly pageCount: number;
  readonly encrypted: boolean;
  /** Number of filled signature fields. */
  readonly signatureCount: number;
  /** Full names. */
  readonly emptySignatureFields: readonly string[];
}

const OUTCOMES = { valid: 'intact', invalid: 'broken', unknown: 'unknown' } as const;

/**
 * Verifies a document time stamp: its imprint against the digest of the byte range, and its authority's signature.
 * Trust in the authority is not checked. Rejects with the errors of `digestOf`.
 *
 * @param contents the bytes of `Contents`, padding included
 */
export async function verifyDocumentTimestamp(
  contents: Buffer,
  digestOf: DigestOf,
): Promise<Pick<PdfSignatureVerification, 'outcome' | 'problem' | 'timestamp'>> {
  try {
    const timestamp = readTimestampToken(contents, true);
    const { algorithm } = timestamp.imprint;
    const imprint = { algorithm, value: await digestOf(algorithm) };
    const { outcome, problem } = await verifyTimestampToken(timestamp, { imprint, at: timestamp.time });
    return { outcome: OUTCOMES[outcome], problem, timestamp };
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    return { outcome: error.code.endsWith('_UNSUPPORTED') ? 'unknown' : 'broken', problem: error.message };
  }
}

type Verdict = Pick<PdfSignatureVerification, 'outcome' | 'problem' | 'cms' | 'timestamp'>;

/** Digest of the signed bytes. */
async function digestRanges(
  file: PdfFile,
  byteRange: readonly number[],
  algorithm: ReadableDigestAlgorithm,
): Promise<Buffer> {
  const digest = createDigest(algorithm);
  for (let index = 0; index + 1 < byteRange.length; index += 2) {
    const slice = { file: file.handle, start: byteRange[index] ?? 0, length: byteRange[index + 1] ?? 0 };
    await forEachChunk(slice, (chunk) => {
      digest.update(chunk);
      return undefined;
    });
  }
  return digest.digest();
}

function judge(cms: CmsVerification): Verdict {
  if (cms.intact) return { outcome: 'intact', cms };
  const broken = cms.signers.find(({ outcome }) => outcome === 'broken');
  const culprit = broken ?? cms.signers.find(({ outcome }) => outcome === 'unknown');
  const problem = culprit?.reason ?? 'The signature does not agree with the file.';
  return { outcome: culprit?.outcome ?? 'broken', problem, cms };
}

async function verifyContents(file: PdfFile, contents: Buffer, byteRange: readonly number[]): Promise<Verdict> {
  try {
    return judge(await verifyCmsWithDigest(contents, (algorithm) => digestRanges(file, byteRange, algorithm)));
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    return { outcome: error.code.endsWith('_UNSUPPORTED') ? 'unknown' : 'broken', problem: error.message };
  }
}

async function verifyBySubFilter(
  document: PdfDocument,
  signature: PdfDictionary,
  subFilter: string,
  byteRange: readonly number[],
): Promise<Verdict> {
  const contents = document.resolve(signature.get('Contents'));
  switch (subFilter) {
    case 'adbe.pkcs7.detached':
    case 'ETSI.CAdES.detached':
    case 'PBAD.PAdES':
      return verifyContents(
        document.file,
        contents instanceof PdfString ? contents.stored : Buffer.alloc(0),
        byteRange,
      );
    case 'ETSI.RFC3161':
      return verifyDocumentTimestamp(contents instanceof PdfString ? contents.stored : Buffer.alloc(0), (algorithm) =>
        digestRanges(document.file, byteRange, algorithm),
      );
    default:
      return { outcome: 'unknown', problem: `Signatures of the kind "${subFilter}" cannot be checked here.` };
  }
}

async function verifyField(document: PdfDocument, field: FormField): Promise<PdfSignatureVerification> {
  const { fullName: fieldName, value } = field;
  if (!(value.value instanceof Map)) {
    const problem = 'The signature field holds something that is no signature.';
    return { fieldName, subFilter: '', byteRange: [], coversWholeFile: false, outcome: 'broken', problem };
  }
  const signature = value.value;
  const { size } = document.file;
  const subFilter = nameOf(document.resolve(signature.get('SubFilter'))) ?? '';
  const range = readByteRange(signature, document.resolve, size);
  const time = document.resolve(signature.get('M'));
  const signingTime = time instanceof PdfString ? parseDate(decodeTextString(time.plain)) : undefined;
  const verdict: Verdict =
    range.problem === undefined
      ? await verifyBySubFilter(document, signature, subFilter, range.numbers)
      : { outcome: 'broken', problem: range.problem };
  return {
    fieldName,
    subFilter,
    byteRange: range.numbers,
    coversWholeFile: range.problem === undefined && coveredEnd(range.numbers) === size,
    signingTime,
    ...verdict,
  };
}

const coveredEnd = (byteRange: readonly number[]): number => (byteRange[2] ?? 0) + (byteRange[3] ?? 0);

/**
 * Checks the integrity of every signature of a PDF: byte range, digest and signature. The file is read in constant
 * memory. Changes by later revisions and trust in the signers are not judged here.
 *
 * Rejects with `PDF_MALFORMED`, `PDF_UNSUPPORTED`, `PDF_ENCRYPTED` (a password is needed), `PASSWORD_INCORRECT` and the
 * system's own errors; a damaged or forged signature is a result, not an error.
 *
 * @param options keys of an encrypted file
 */
export async function verifyPdf(path: string, options: PdfKeys = {}): Promise<PdfVerification> {
  const document = await PdfDocument.open(path, options);
  try {
    const signatures: PdfSignatureVerification[] = [];
    for (const field of walkFields(document)) {
      if (isSignatureField(field) && !isEmptyField(field)) signatures.push(await verifyField(document, field));
    }
    signatures.sort((first, second) => coveredEnd(first.byteRange) - coveredEnd(second.byteRange));
    return { size: document.file.size, signatures };
  } finally {
    await document.close();
  }
}

/** The effective version: the catalog may raise the header's (ISO 32000-2 §7.2.2). */
export function laterVersion(header: string, catalog: string | undefined): string {
  if (catalog === undefined || !/^\d+\.\d+$/.test(catalog)) return header;
  return Number(catalog) > Number(header) ? catalog : header;
}

/** Describes a PDF. Rejects like `signPdf` for an unreadable file. */
export async function inspectPdf(path: string, options: PdfKeys = {}): Promise<PdfInspection> {
  const document = await PdfDocument.open(path, options);
  try {
    const catalog = document.catalog.value;
    const pages = document.resolve(catalog.get('Pages'));
    const fields = [...walkFields(document)].filter(isSignatureField);
    return {
      version: laterVersion(document.version, nameOf(document.resolve(catalog.get('Version')))),
      pageCount: pages instanceof Map ? (countOf(document.resolve(pages.get('Count'))) ?? 0) : 0,
      encrypted: document.encrypted,
      signatureCount: fields.filter((field) => !isEmptyField(field)).length,
      emptySignatureFields: fields.filter(isEmptyField).map(({ fullName }) => fullName),
    };
  } finally {
    await document.close();
  }
}
