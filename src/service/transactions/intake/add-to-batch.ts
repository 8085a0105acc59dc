import { ServiceError, type ServiceErrorCode } from '../../errors/index.ts';
import { eachInParts } from '../../scheduling/index.ts';
import { nextFreeId } from './check-request.ts';
import type { TransactionMemory, TransactionStores } from '../dependencies.ts';
import { blankRecord, failureByContent, placed, placeOf } from './document-records.ts';
import { mediaTypeOf } from '../documents/content-kind.ts';
import { plainFileName } from '../documents/file-names.ts';
import { matchUploads } from './match-uploads.ts';
import type {
  DocumentContent,
  DocumentRecord,
  StoredTransaction,
  TransactionChange,
  TransactionRecord,
} from '../records.ts';
import type { ReceivedFile } from '../stores.ts';
import type { UploadRequest } from '../transaction.ts';
import { readStored } from '../answers/views.ts';

/** A received document of this request that is not yet part of the transaction. */
export interface Received extends ReceivedFile {
  readonly key: string;
  readonly content: DocumentContent;
  /** As in `UploadedPart`. */
  readonly label?: string;
  readonly fileName: string | undefined;
  readonly mediaType: string | undefined;
}

/**
 * Refuses uploads that are wrong whatever their bytes are. A request that only ends a batch needs no setting: the
 * documents of the batch have theirs. If that request brings a document too, `fill` chooses the setting.
 */
export function refuseClosed(
  { transaction, documents }: StoredTransaction,
  { settingId, endOfTransaction }: UploadRequest,
): void {
  if (!transaction.uploadOpen) {
    const detail =
      transaction.documentsSource === 'UPLOAD_REFERENCE'
        ? 'The batch has ended: create another transaction for more documents.'
        : 'This transaction takes no uploads: its documents came with the request that created it.';
    throw new ServiceError('UPLOAD_CLOSED', detail);
  }
  const announced = documents.some(({ content, settingId: own }) => content === null && own !== null);
  const mayOnlyEnd = endOfTransaction && documents.some(({ content }) => content !== null);
  if (settingId !== undefined || !(announced || mayOnlyEnd)) chooseSetting(transaction, settingId);
}

/** The setting named by the request, else that of the document, else the only setting. */
function chooseSetting({ settings }: TransactionRecord, named: string | undefined, own?: string | null): string {
  const ids = settings.map(({ id }) => id);
  const chosen = named ?? own ?? (ids.length === 1 ? ids[0] : undefined);
  const refuse = (code: ServiceErrorCode, detail: string): never => {
    throw new ServiceError(code, detail, { problems: [{ field: 'signature_setting', code, detail }] });
  };
  if (chosen === undefined) {
    return refuse(
      'SIGNATURE_SETTING_REQUIRED',
      `Name one of the signature settings in the address: ${ids.join(', ')}.`,
    );
  }
  if (ids.includes(chosen)) return chosen;
  return refuse('SIGNATURE_SETTING_UNKNOWN', `No signature setting has this id; there are: ${ids.join(', ')}.`);
}

/** Refuses too many documents; a token may have a lower limit than the instance. */
export function refuseTooMany(
  { limits }: TransactionMemory,
  { documentLimit = limits.documentsPerTransaction }: TransactionRecord,
  count: number,
): void {
  const most = Math.min(limits.documentsPerTransaction, documentLimit);
  if (count > most) throw new ServiceError('TOO_MANY_DOCUMENTS', `A transaction takes at most ${most} documents.`);
}

/**
 * Adds documents to a transaction. Runs alone for its transaction, so that two simultaneous requests cannot take the
 * same entry or exceed a limit together. Answers the entries of this request, in its order. Rejects as `matchUploads`
 * does.
 */
export async function addToTransaction(
  context: TransactionStores & TransactionMemory,
  tcn: string,
  request: UploadRequest,
  received: readonly Received[],
): Promise<readonly DocumentRecord[]> {
  const stored = await readStored(context, tcn);
  refuseClosed(stored, request);
  const announced = stored.documents.filter(({ content }) => content === null);
  refuseTooMany(context, stored.transaction, stored.documents.length - announced.length + received.length);
  const matched = matchUploads(stored.documents, received);
  const taken = new Set(stored.documents.map(({ id }) => id));
  let position = stored.documents.length;
  const place = await placeOf(context.objects, stored.transaction.destination);
  const documents: DocumentRecord[] = [];
  for await (const [index, file] of eachInParts(received)) {
    const entry = matched[index] ?? unannounced(stored, position++, taken);
    documents.push(placed(fill(stored, request, file, entry), place, stored.transaction.type));
  }
  refuseSharedDestinations([...stored.documents.filter(({ content }) => content !== null), ...documents]);
  const changes = documents.map((document, index): TransactionChange => ({
    kind: matched[index] === undefined ? 'document-added' : 'document-arrived',
    document,
  }));
  if (request.endOfTransaction) {
    const arrived = new Set(matched);
    const missing = announced.filter((entry) => !arrived.has(entry));
    changes.push(...endBatch(stored, received.length, missing, context.now()));
  }
  if (changes.length > 0) await context.transactions.apply(changes, context.now());
  return documents;
}

/** The entry of a received document. Its files keep the key of the upload, so that nothing is renamed. */
function fill(
  { transaction }: StoredTransaction,
  { settingId }: UploadRequest,
  file: Received,
  entry: DocumentRecord,
): DocumentRecord {
  const error = failureByContent(transaction.type, file.kind);
  return {
    ...entry,
    key: file.key,
    status: error === null ? 'WAITING' : 'ERROR',
    originalFileName: entry.originalFileName ?? plainFileName(file.fileName) ?? null,
    mediaType: mediaTypeOf(transaction.type, file, entry.mediaType ?? file.mediaType),
    settingId: chooseSetting(transaction, settingId, entry.settingId),
    content: file.content,
    size: file.size,
    checksum: file.checksum,
    error,
  };
}

/** Refuses two results of a transaction whose destination is the same object. */
function refuseSharedDestinations(documents: readonly DocumentRecord[]): void {
  const urls = documents.flatMap(({ destinationUrl }) => (destinationUrl === null ? [] : [destinationUrl]));
  if (new Set(urls).size === urls.length) return;
  const detail = 'Two documents have the same destination: announce each with its destination_file_name.';
  throw new ServiceError('DESTINATION_EXISTS', detail, {
    problems: [{ field: 'document', code: 'DESTINATION_EXISTS', detail }],
  });
}

function unannounced({ transaction }: StoredTransaction, position: number, taken: Set<string>): DocumentRecord {
  if (transaction.destination === 'FILE_PATH' || transaction.destination === 'FREE_PATH') {
    const detail = 'Announce each document with its destination_file_name when results go to paths.';
    throw new ServiceError('REQUEST_INVALID', detail, {
      problems: [{ field: 'document', code: 'REQUEST_INVALID', detail }],
    });
  }
  return blankRecord(transaction.tcn, position, {
    id: nextFreeId(position, taken),
    announcedId: false,
    settingId: undefined,
    source: { kind: 'announced' },
    destination: { kind: 'here' },
  });
}

/** Announced documents without an upload fail; a batch without any document is refused and stays open. */
function endBatch(
  { transaction, documents }: StoredTransaction,
  arriving: number,
  missing: readonly DocumentRecord[],
  at: Date,
): TransactionChange[] {
  if (arriving === 0 && documents.length === missing.length) {
    throw new ServiceError('NO_DOCUMENTS', 'Send at least one document before the batch ends.');
  }
  const detail = 'The document was announced and the batch ended without it.';
  return [
    ...missing.map(({ key }): TransactionChange => ({
      kind: 'document-failed',
      key,
      error: { code: 'UPLOAD_INCOMPLETE', detail },
    })),
    { kind: 'upload-ended', tcn: transaction.tcn, at },
  ];
}
