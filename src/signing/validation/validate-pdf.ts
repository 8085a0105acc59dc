/** Validates the signatures and document time stamps of a PDF, from the facts of the PDF reader. */
import { normalizeBerPrefix } from '../der/normalize-ber.ts';
import { Tag } from '../der/reader.ts';
import { SigningError } from '../errors.ts';
import type { PdfFacts, PdfFileProblem, PdfSignatureFacts, WithPdfFacts } from '../pdf/differences/pdf-facts.ts';
import type { PdfKeys } from '../pdf/encryption/standard-security.ts';
import type { ValidationCheckCode } from './check-codes.ts';
import { type ObjectKey, type SignatureFacts, type TimestampFacts, objectKey, signatureKey } from './facts.ts';
import type { GatherContext } from './gather/evidence-pool.ts';
import { addMaterialWithKeys, addSecurityStore, type StoredObject } from './gather/gather-material.ts';
import { gatherPdfSignature, isKnownKind } from './gather/gather-pdf-signature.ts';
import { damagedSignature } from './gather/gather-signer.ts';
import {
  addRecordsBeside,
  gatherRecordsBeside,
  withRecordsBeside,
  type RecordsBeside,
} from './gather/gather-evidence-record.ts';
import { gatherTimestamp } from './gather/gather-timestamp.ts';
import { openDer } from './input/open-signature.ts';
import { judgeFile, rulesOf, type FileFacts } from './judge/judge-file.ts';
import { finding, worstOf } from './judge/verdict.ts';
import { signatureReport, timestampReport, withCounterSignatures } from './report/write-report.ts';
import { gatherContext } from './validate-signature.ts';
import type { ValidationReport } from './validation-report.ts';
import type { ValidationOptions, ValidationServices, WithRecords } from './validation-request.ts';

/** A PDF to be validated. */
export interface PdfInput extends PdfKeys, WithRecords {
  readonly path: string;
}

/** A signature of a PDF, opened as far as possible. */
interface OpenedField {
  readonly id: string;
  readonly pdf: PdfSignatureFacts;
  readonly cms: ReturnType<typeof openDer> | { readonly problem: string; readonly isUnknownKind: boolean };
  /** Keys of everything inside that a later document time stamp covers. */
  readonly keys: readonly ObjectKey[];
}

function openField(pdf: PdfSignatureFacts, id: string, context: GatherContext): OpenedField {
  if (!pdf.isDocumentTimestamp && !isKnownKind(pdf)) {
    const problem = `Signatures of the kind "${pdf.subFilter}" cannot be checked here.`;
    return { id, pdf, cms: { problem, isUnknownKind: true as const }, keys: [] };
  }
  try {
    const cms = openDer(pdf.contents, true);
    const inside = addMaterialWithKeys(context.pool, cms);
    const own = pdf.isDocumentTimestamp ? tokenKey(pdf) : signatureKey(id);
    return { id, pdf, cms, keys: [own, ...inside] };
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    return { id, pdf, cms: { problem: error.message, isUnknownKind: false }, keys: [] };
  }
}

/** The key of a document time stamp: the key of its token without trailing padding. */
const tokenKey = ({ contents }: PdfSignatureFacts): ObjectKey => objectKey(normalizeBerPrefix(contents).der);

async function gatherField({ id, pdf, cms }: OpenedField, context: GatherContext): Promise<SignatureFacts> {
  if ('problem' in cms) {
    const { problem, isUnknownKind } = cms;
    return { ...damagedSignature(id, 'PDF', problem), ...(isUnknownKind ? { isUnknownKind } : {}), pdf };
  }
  return { ...(await gatherPdfSignature(id, pdf, cms, context)), pdf };
}

/** A document time stamp covers all earlier signatures, and the store's contents of its time (EN 319 142-1 §5.4.3). */
function coveredBy(
  stamp: OpenedField,
  earlier: readonly OpenedField[],
  stored: readonly StoredObject[],
): readonly ObjectKey[] {
  const { revision, coversWholeFile } = stamp.pdf;
  const inStore = stored.filter((object) =>
    object.revision === undefined ? coversWholeFile : object.revision <= revision,
  );
  return [...earlier.flatMap(({ keys }) => keys), ...inStore.map(({ key }) => key)];
}

async function gatherDocumentTimestamp(
  stamp: OpenedField,
  covers: readonly ObjectKey[],
  context: GatherContext,
): Promise<TimestampFacts> {
  const { pdf } = stamp;
  const facts = await gatherTimestamp(
    {
      role: 'document',
      der: pdf.contents,
      padded: true,
      stamped: async (algorithm) => ({
        imprints: pdf.problem === undefined ? [await pdf.digestOf(algorithm)] : [],
        covers,
      }),
    },
    context,
  );
  return pdf.problem === undefined ? facts : { ...facts, damage: pdf.problem.sentence };
}

async function gatherFile(
  facts: PdfFacts,
  beside: RecordsBeside | undefined,
  context: GatherContext,
): Promise<FileFacts> {
  if (beside !== undefined) addRecordsBeside(beside, context.pool);
  const fields = facts.signatures.map((pdf, index) => openField(pdf, String(index + 1), context));
  const stored = facts.securityStore === undefined ? [] : addSecurityStore(context.pool, facts.securityStore);
  const signatures: SignatureFacts[] = [];
  const documentTimestamps: TimestampFacts[] = [];
  for (const [index, field] of fields.entries()) {
    if (field.pdf.isDocumentTimestamp) {
      const covers = coveredBy(field, fields.slice(0, index), stored);
      documentTimestamps.push(await gatherDocumentTimestamp(field, covers, context));
    } else {
      signatures.push(await gatherField(field, context));
    }
  }
  if (beside === undefined) return { signatures, documentTimestamps };
  const covers = [...fields.flatMap(({ keys }) => keys), ...stored.map(({ key }) => key)];
  const records = await gatherRecordsBeside(beside, undefined, covers, context);
  return { signatures, documentTimestamps: [...documentTimestamps, ...records] };
}

/** The warning about bytes other than zeros behind the signature in `Contents`. */
function paddingCheck({ contents, fieldName }: PdfSignatureFacts): ReturnType<typeof finding> | undefined {
  const behind = bytesBehind(contents);
  const start = behind?.findIndex((byte) => byte !== 0) ?? -1;
  if (behind === undefined || start < 0) return undefined;
  const value = behind.subarray(start);
  // Random bytes have this form about never, and a CMS has no other one (RFC 5652 §3).
  if (value[0] === Tag.sequence && bytesBehind(value) !== undefined) {
    const sentence = `A second value follows the signature in the field "${fieldName}"; it is neither signed nor read.`;
    return finding('PDF_VALUE_BEHIND_SIGNATURE', sentence);
  }
  return finding('PDF_PADDING_UNUSUAL', `Bytes without meaning follow the signature in the field "${fieldName}".`);
}

/** The bytes behind the first value. Undefined without a whole value: other findings tell of damage. */
function bytesBehind(bytes: Buffer): Buffer | undefined {
  try {
    return bytes.subarray(normalizeBerPrefix(bytes).consumed);
  } catch (error) {
    if (error instanceof SigningError) return undefined;
    throw error;
  }
}

/** The check of each oddity of the file as a whole. */
const FILE_CHECKS: Readonly<Record<PdfFileProblem['code'], ValidationCheckCode>> = {
  CONTENT_BEFORE_HEADER: 'PDF_FILE_UNSOUND',
  CONTENT_AFTER_END: 'PDF_FILE_UNSOUND',
  LAST_VERSION_CUT_OFF: 'PDF_INCOMPLETE',
  USAGE_RIGHTS: 'PDF_USAGE_RIGHTS',
  SIGNATURE_REMOVED: 'PDF_SIGNATURE_REMOVED',
  FIELD_NOT_LISTED: 'PDF_FIELD_NOT_LISTED',
  STORE_NOT_READ: 'PDF_FILE_UNSOUND',
};

function fileChecks({ problems, signatures }: PdfFacts): ValidationReport['checks'] {
  return [
    ...problems.map(({ code, sentence }) => finding(FILE_CHECKS[code], sentence)),
    ...signatures.map(paddingCheck).filter((check) => check !== undefined),
    ...(signatures.length === 0 ? [finding('PDF_NO_SIGNATURE', 'The PDF has no signature.')] : []),
  ];
}

/** The report over a PDF with open facts, and with the evidence records beside it. Rejects with `CANCELLED` and the system's errors. */
export async function validatePdfFacts(
  facts: PdfFacts,
  services: ValidationServices,
  options: ValidationOptions = {},
  beside?: RecordsBeside,
): Promise<ValidationReport> {
  const context = gatherContext(services, options);
  const gathered = await gatherFile(facts, beside, context);
  const { at } = context;
  const judged = judgeFile(gathered, rulesOf(options), at);
  const signatures = judged.signatures.map((one) => signatureReport(one, at));
  const documentTimestamps = judged.documentTimestamps.map((one) => timestampReport(one, at));
  const checks = fileChecks(facts);
  const isUnsound = checks.some(({ outcome }) => outcome === 'failed');
  return {
    kind: 'pdf',
    ...worstOf([
      ...(isUnsound ? [{ indication: 'TOTAL-FAILED', subIndication: 'FORMAT_FAILURE' } as const] : []),
      ...(signatures.length > 0 ? signatures.flatMap(withCounterSignatures) : documentTimestamps),
    ]),
    signatures,
    revisionEnds: facts.revisionEnds,
    standards: facts.standards,
    documentTimestamps,
    validatedAt: at,
    checks,
  };
}

/**
 * Validates a PDF. Rejects with `PDF_MALFORMED`, `PDF_UNSUPPORTED`, `PDF_ENCRYPTED`, `PASSWORD_INCORRECT`, `CANCELLED`,
 * and the system's errors; a broken signature is a verdict.
 */
export function validatePdf(
  { path, records, ...keys }: PdfInput,
  services: ValidationServices,
  options: ValidationOptions,
  withPdfFacts: WithPdfFacts,
): Promise<ValidationReport> {
  return withRecordsBeside(records, { path }, (beside) =>
    withPdfFacts(path, keys, (facts) => validatePdfFacts(facts, services, options, beside)),
  );
}
