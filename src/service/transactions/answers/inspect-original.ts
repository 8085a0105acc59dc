import { ServiceError } from '../../errors/index.ts';
import { readSignedAttributes, SigningError } from '../../../signing/index.ts';
import { signatureForm } from '../../signature-types/index.ts';
import type { SigningServices, TransactionMemory, TransactionStores } from '../dependencies.ts';
import { detectContent, type ExaminedPdf, type OriginalInspection } from '../documents/content-kind.ts';
import { PART_SIZE } from '../content/content.ts';
import { measureOriginal, readMeasuredPart, type MeasuredOriginal } from '../content/original-parts.ts';
import type { DocumentRecord, TransactionRecord } from '../records.ts';
import { readStored } from './views.ts';

/** Documents whose part hashes are cached: 32 bytes for each 256 KiB of a document. */
const MOST_KEPT = 64;

/**
 * Inspects a document that waits for its signature. Rejects with `TRANSACTION_NOT_FOUND`, `DOCUMENT_NOT_FOUND`,
 * `NOT_FOUND` for a document that is not waiting or not stored, and `DOCUMENT_UNREADABLE` if the document has changed.
 */
export async function inspectOriginal(
  context: TransactionStores & SigningServices & TransactionMemory,
  tcn: string,
  documentId: string,
): Promise<OriginalInspection> {
  const { document, transaction } = await findWaiting(context, tcn, documentId);
  const content = context.contents.of(document);
  context.inspections.delete(document.key);
  // Makes sure that the examined bytes are the measured bytes.
  const { detected, pdf, start } = await content.whileUnchanged(document, async () => {
    const { head, hasZeroByte } = await measured(context, document);
    const detected = detectContent(head, hasZeroByte);
    return { detected, pdf: detected.kind === 'pdf' ? await examine(context, document) : null, start: head };
  });
  const isBytesToSign = signatureForm(transaction.type).container === 'raw';
  const { password } = context.openings.get(tcn) ?? {};
  return {
    ...detected,
    size: document.size ?? 0,
    checksum: document.checksum ?? '',
    partSize: PART_SIZE,
    pdf,
    password: detected.kind === 'pdf' ? (password ?? null) : null,
    signedAttributes: isBytesToSign ? await attributesIn(context, transaction, start) : undefined,
  };
}

/** Bytes to sign are shorter than the first part of a document. */
async function attributesIn(
  { keys }: SigningServices,
  { certificateFingerprint }: TransactionRecord,
  bytes: Buffer,
): Promise<OriginalInspection['signedAttributes']> {
  const key = await keys.find(certificateFingerprint).catch(() => undefined);
  return readSignedAttributes(bytes, key?.certificate);
}

/**
 * A part of a waiting document, by its number from 0: the bytes that will be signed. Rejects like `inspectOriginal`,
 * and with `NOT_FOUND` after the last part.
 */
export async function readOriginalPart(
  context: TransactionStores & TransactionMemory,
  tcn: string,
  documentId: string,
  part: number,
): Promise<Buffer> {
  const { document } = await findWaiting(context, tcn, documentId);
  return readMeasuredPart(context.contents.of(document), document, await measured(context, document), part);
}

async function findWaiting(
  context: TransactionStores,
  tcn: string,
  documentId: string,
): Promise<{ readonly document: DocumentRecord; readonly transaction: TransactionRecord }> {
  const { transaction, documents } = await readStored(context, tcn, documentId);
  const [document] = documents;
  if (document === undefined) {
    throw new ServiceError('DOCUMENT_NOT_FOUND', 'This transaction has no document with this id.');
  }
  if (document.status === 'WAITING' && document.content !== null) return { document, transaction };
  throw new ServiceError('NOT_FOUND', 'The document does not wait for its signature.');
}

function measured(context: TransactionStores & TransactionMemory, document: DocumentRecord): Promise<MeasuredOriginal> {
  const { inspections } = context;
  const kept = inspections.get(document.key);
  if (kept !== undefined) return kept;
  const measuring = measureOriginal(context.contents.of(document), document);
  inspections.set(document.key, measuring);
  measuring.catch(() => inspections.delete(document.key));
  const [oldest] = inspections.keys();
  if (inspections.size > MOST_KEPT && oldest !== undefined) inspections.delete(oldest);
  return measuring;
}

async function examine(
  context: TransactionStores & SigningServices & TransactionMemory,
  document: DocumentRecord,
): Promise<ExaminedPdf> {
  const { contents, openings, examinePdf } = context;
  const keys = openings.get(document.tcn) ?? {};
  try {
    const found = await contents.of(document).withFile(document, (path) => examinePdf(path, keys));
    return { state: 'examined', ...found };
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    const isLocked = error.code === 'PDF_ENCRYPTED' || error.code === 'PASSWORD_INCORRECT';
    return { state: isLocked ? 'encrypted' : 'unreadable' };
  }
}
