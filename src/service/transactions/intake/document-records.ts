import { randomUUID } from 'node:crypto';
import { type CheckedDocument, type CheckedRequest, pathOfDocument } from './check-request.ts';
import type { TransactionContext } from '../dependencies.ts';
import { signatureForm } from '../../signature-types/index.ts';
import { plainFileName } from '../documents/file-names.ts';
import type { DocumentRecord } from '../records.ts';
import { parseObjectAddress, type ObjectPlace } from '../../stores/index.ts';
import { placeResult, storeKindOf } from '../documents/object-documents.ts';
import type { SignatureType } from '../transaction.ts';
import { detectFileKind, kindNames } from '../../../values/file-kind.ts';
import { dropUndefined } from '../../../values/drop-undefined.ts';

/**
 * The key of a document's bytes: milliseconds since 1970, so that documents of the same time are neighbours in the
 * database, and 80 random bits.
 */
export function newDocumentKey(): string {
  // Node generates UUIDs in bulk. The first eight and the last twelve digits of a UUID are random.
  const random = randomUUID();
  return Date.now().toString(16).padStart(12, '0') + random.slice(0, 8) + random.slice(-12);
}

/** The place for results with only a name; undefined without an object store as destination. */
export async function placeOf(
  objects: TransactionContext['objects'],
  destination: CheckedRequest['destination'],
): Promise<ObjectPlace | undefined> {
  const kind = storeKindOf(destination);
  return kind === undefined ? undefined : objects.defaultPlace(kind);
}

/** Adds the destination in a store, if its name is known: an announced document may bring its own. */
export function placed(
  record: DocumentRecord,
  place: ObjectPlace | undefined,
  { type, documentsSource }: Pick<CheckedRequest, 'type' | 'documentsSource'>,
  data?: string,
): DocumentRecord {
  if (place === undefined || record.destinationUrl !== null) return record;
  const isNamed = record.destinationFileName !== null || record.originalFileName !== null;
  if (record.content === null && !isNamed) return record;
  const source = storeKindOf(documentsSource) === place.kind ? parseObjectAddress(data, place.kind) : undefined;
  return { ...record, ...placeResult(place, { ...record, type, ...dropUndefined({ source }) }) };
}

/** A document before its upload. */
export function blankRecord(tcn: string, position: number, document: CheckedDocument): DocumentRecord {
  const originalFileName = plainFileName(document.originalFileName) ?? null;
  return {
    key: newDocumentKey(),
    tcn,
    position,
    id: document.id,
    status: 'WAITING',
    announcedId: document.announcedId,
    announcedName: originalFileName !== null,
    originalFileName,
    mediaType: document.mediaType ?? null,
    settingId: document.settingId ?? null,
    content: null,
    size: null,
    checksum: null,
    destinationPath: pathOfDocument(document.destinationFileName) ?? null,
    destinationUrl: null,
    destinationFileName: document.destinationFileName ?? null,
    delivery: null,
    result: null,
    error: null,
  };
}

/** The error of a file that is no PDF in a transaction of PDFs; the other documents continue. */
export function failureByContent(type: SignatureType, head: Buffer): DocumentRecord['error'] {
  if (signatureForm(type).container !== 'pdf') return null;
  const { kind, form } = detectFileKind(head);
  if (kind === 'pdf' && form === 'none') return null;
  const isKnown = kind !== 'other' && kind !== 'pdf';
  const what = isKnown ? `not a PDF but ${kindNames[kind]}` : 'not a PDF';
  return { code: 'DOCUMENT_NOT_A_PDF', detail: `The document is ${what}: choose CMS or CAdES for other files.` };
}
