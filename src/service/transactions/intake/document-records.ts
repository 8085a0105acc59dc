import { randomUUID } from 'node:crypto';
import { basename, normalize } from 'node:path';
import type { CheckedDocument, CheckedRequest } from './check-request.ts';
import type { TransactionContext } from '../dependencies.ts';
import { signatureForm } from '../../signature-types/index.ts';
import { mediaTypeOf } from '../documents/content-kind.ts';
import { plainFileName } from '../documents/file-names.ts';
import type { DocumentRecord } from '../records.ts';
import type { ObjectAddress, ObjectPlace } from '../../stores/index.ts';
import { placeResult, storeKinds } from '../documents/object-documents.ts';
import type { SignatureType } from '../transaction.ts';
import { kindNames, type DetectedFile } from '../../../values/file-kind.ts';

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
  const kind = storeKinds[destination];
  return kind === undefined ? undefined : objects.defaultPlace(kind);
}

/** The received bytes of a document. `mediaType` is that of the source, where the request gives none. */
export type ReceivedDocument = Pick<DocumentRecord, 'content' | 'size' | 'checksum'> & {
  readonly head: Buffer;
  readonly kind: DetectedFile;
  readonly mediaType?: string | undefined;
};

/** The record of a document of the request before its bytes are read, and the name that its source gives it. */
export function unreadRecord(
  tcn: string,
  position: number,
  document: CheckedDocument,
): { readonly blank: DocumentRecord; readonly nameAtSource: string | undefined } {
  const blank = blankRecord(tcn, position, document);
  const { source } = document;
  switch (source.kind) {
    case 'path':
      return { blank, nameAtSource: basename(normalize(source.path)) };
    case 'object':
      return { blank, nameAtSource: plainFileName(source.address.key) };
    case 'bytes':
    case 'hash':
    case 'announced':
      return { blank, nameAtSource: undefined };
  }
}

/** The record with a name for people, for a document that could not be read. */
export const withName = (blank: DocumentRecord, nameAtSource: string | undefined): DocumentRecord => ({
  ...blank,
  originalFileName: blank.originalFileName ?? plainFileName(nameAtSource) ?? null,
});

/** The record of a document of the request; `received` is undefined for an announced document. */
export function recordOfDocument(
  blank: DocumentRecord,
  nameAtSource: string | undefined,
  { type }: Pick<CheckedRequest, 'type'>,
  { source }: CheckedDocument,
  received: ReceivedDocument | undefined,
  place: ObjectPlace | undefined,
): DocumentRecord {
  const isPdf = signatureForm(type).container === 'pdf';
  if (received === undefined) {
    return placed(isPdf ? { ...blank, mediaType: 'application/pdf' } : blank, place, type);
  }
  const { content, size, checksum, kind, mediaType } = received;
  const error = failureByContent(type, kind);
  const record: DocumentRecord = {
    ...blank,
    content,
    size,
    checksum,
    originalFileName: blank.originalFileName ?? nameAtSource ?? null,
    mediaType: source.kind === 'hash' ? null : mediaTypeOf(type, received, blank.mediaType ?? mediaType),
    ...(error === null ? {} : { status: 'ERROR', error }),
  };
  return placed(record, place, type, source.kind === 'object' ? source.address : undefined);
}

/** Adds the destination in a store, if its name is known: an announced document may bring its own. */
export function placed(
  record: DocumentRecord,
  place: ObjectPlace | undefined,
  type: SignatureType,
  address?: ObjectAddress,
): DocumentRecord {
  if (place === undefined || record.destinationUrl !== null) return record;
  const isNamed = record.destinationFileName !== null || record.originalFileName !== null;
  if (record.content === null && !isNamed) return record;
  const source = address?.kind === place.kind ? address : undefined;
  return { ...record, ...placeResult(place, { ...record, type }, source) };
}

/** A document before its upload. */
export function blankRecord(tcn: string, position: number, document: CheckedDocument): DocumentRecord {
  const { destination } = document;
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
    destinationPath: destination.kind === 'path' ? destination.path : null,
    destinationUrl: null,
    destinationFileName: document.destinationFileName ?? null,
    delivery: null,
    result: null,
    error: null,
  };
}

/** The error of a file that is no PDF in a transaction of PDFs; the other documents continue. */
export function failureByContent(type: SignatureType, { kind, form }: DetectedFile): DocumentRecord['error'] {
  if (signatureForm(type).container !== 'pdf') return null;
  if (kind === 'pdf' && form === 'none') return null;
  const isKnown = kind !== 'other' && kind !== 'pdf';
  const what = isKnown ? `not a PDF but ${kindNames[kind]}` : 'not a PDF';
  return { code: 'DOCUMENT_NOT_A_PDF', detail: `The document is ${what}: choose CMS or CAdES for other files.` };
}
