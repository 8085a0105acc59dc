import type { ReadableDigestAlgorithm } from '../../algorithms/algorithms.ts';
import { createDigest } from '../../algorithms/digest.ts';
import { forEachChunk } from '../../signed-data/stream-file.ts';
import { verifyCmsWithDigest } from '../../signed-data/verify-cms.ts';
import type { CmsVerification } from '../../signed-data/verify-result.ts';
import { SigningError } from '../../errors.ts';
import { readByteRange } from '../signature/byte-range.ts';
import { isEmptyField, isSignatureField, walkFields } from '../reading/form-fields.ts';
import type { FormField } from '../reading/form-fields.ts';
import { verifyDocumentTimestamp } from './verify-document-timestamp.ts';
import { PdfDocument } from '../reading/pdf-document.ts';
import type { PdfKeys } from '../encryption/standard-security.ts';
import type { PdfFile } from '../reading/pdf-file.ts';
import { decodeTextString, parseDate } from '../syntax/text-string.ts';
import { nameOf, PdfString } from '../syntax/values.ts';
import type { PdfDictionary } from '../syntax/values.ts';
import type { PdfSignatureVerification, PdfVerification } from './verify-result.ts';

type Verdict = Pick<PdfSignatureVerification, 'outcome' | 'problem' | 'cms' | 'timestamp'>;

/** Digest of the signed octets. */
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
    ...(signingTime === undefined ? {} : { signingTime }),
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
