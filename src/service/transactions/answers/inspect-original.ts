import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { ServiceError } from '../../errors/index.ts';
import { SigningError } from '../../../signing/index.ts';
import type { TransactionContext } from '../dependencies.ts';
import { detectContent, type ExaminedPdf, type OriginalInspection } from '../documents/content-kind.ts';
import {
  documentChanged,
  isSameStamp,
  measureOriginal,
  PART_SIZE,
  readMeasuredPart,
  type MeasuredOriginal,
} from '../documents/original-bytes.ts';
import type { DocumentRecord } from '../records.ts';
import { readStored } from './views.ts';

/** Documents whose part hashes are kept: 32 bytes for each 256 KiB of a document. */
const MOST_KEPT = 64;

/**
 * Inspects a document that waits for its signature. Rejects with `TRANSACTION_NOT_FOUND`, `DOCUMENT_NOT_FOUND`,
 * `NOT_FOUND` for a document that is not waiting or not stored, and `DOCUMENT_UNREADABLE` for a changed document.
 */
export async function inspectOriginal(
  context: TransactionContext,
  tcn: string,
  documentId: string,
): Promise<OriginalInspection> {
  const document = await findWaiting(context, tcn, documentId);
  const path = document.content?.kind === 'path' ? document.content.path : undefined;
  const before = path === undefined ? undefined : await context.files.stamp(path);
  context.inspections.delete(document.key);
  const { head, hasZeroByte } = await measured(context, document);
  const detected = detectContent(head, hasZeroByte);
  const pdf = detected.kind === 'pdf' ? await examine(context, document) : null;
  if (path !== undefined && before !== undefined && !isSameStamp(before, await context.files.stamp(path))) {
    // The examined bytes may be others than the measured bytes.
    throw documentChanged();
  }
  const { password } = context.openings.get(tcn) ?? {};
  return {
    ...detected,
    size: document.size ?? 0,
    checksum: document.checksum ?? '',
    partSize: PART_SIZE,
    pdf,
    password: detected.kind === 'pdf' ? (password ?? null) : null,
  };
}

/**
 * A part of a document that waits, by its number from 0: the bytes that will be signed. Rejects like
 * `inspectOriginal`, and with `NOT_FOUND` behind the last part.
 */
export async function readOriginalPart(
  context: TransactionContext,
  tcn: string,
  documentId: string,
  part: number,
): Promise<Buffer> {
  const document = await findWaiting(context, tcn, documentId);
  return readMeasuredPart(context, document, await measured(context, document), part);
}

async function findWaiting(context: TransactionContext, tcn: string, documentId: string): Promise<DocumentRecord> {
  const [document] = (await readStored(context, tcn, documentId)).documents;
  if (document === undefined) {
    throw new ServiceError('DOCUMENT_NOT_FOUND', 'This transaction has no document with this id.');
  }
  if (document.status === 'WAITING' && document.content !== null) return document;
  throw new ServiceError('NOT_FOUND', 'The document does not wait for its signature.');
}

function measured(context: TransactionContext, document: DocumentRecord): Promise<MeasuredOriginal> {
  const { inspections } = context;
  const kept = inspections.get(document.key);
  if (kept !== undefined) return kept;
  const measuring = measureOriginal(context, document);
  inspections.set(document.key, measuring);
  measuring.catch(() => inspections.delete(document.key));
  const [oldest] = inspections.keys();
  if (inspections.size > MOST_KEPT && oldest !== undefined) inspections.delete(oldest);
  return measuring;
}

async function examine(context: TransactionContext, document: DocumentRecord): Promise<ExaminedPdf> {
  const { documents, smallDocuments, openings, examinePdf } = context;
  const { key, tcn, content } = document;
  const keys = openings.get(tcn) ?? {};
  try {
    if (content?.kind === 'small') {
      // The next start removes a copy that a crash left.
      const copy = `${documents.originalPath(key)}.${randomUUID()}`;
      try {
        await writeFile(copy, (await smallDocuments.original(key)) ?? '', { mode: 0o600, flag: 'wx' });
        return { state: 'examined', ...(await examinePdf(copy, keys)) };
      } finally {
        await rm(copy, { force: true });
      }
    }
    const path = content?.kind === 'path' ? content.path : documents.originalPath(key);
    return { state: 'examined', ...(await examinePdf(path, keys)) };
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    const isLocked = error.code === 'PDF_ENCRYPTED' || error.code === 'PASSWORD_INCORRECT';
    return { state: isLocked ? 'encrypted' : 'unreadable' };
  }
}
