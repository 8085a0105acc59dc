import { ServiceError, type ServiceErrorCode } from '../errors.ts';
import { nextFreeId } from './check-request.ts';
import type { TransactionContext } from './dependencies.ts';
import { plainFileName } from './file-names.ts';
import { awaitFinal } from './query.ts';
import type {
  DocumentContent,
  DocumentRecord,
  StoredTransaction,
  TransactionChange,
  TransactionRecord,
} from './records.ts';
import { type RoomForDocuments, withRoom } from './room-for-documents.ts';
import { mayBeSmall, readAhead, restOfSmall, SmallIntake } from './small-documents.ts';
import type { ReceivedFile } from './stores.ts';
import {
  blankRecord,
  failureByContent,
  keysOf,
  limited,
  newDocumentKey,
  placed,
  placeOf,
  removeKept,
} from './take-documents.ts';
import { shortTcn } from './tcn.ts';
import type { IncomingDocument, UploadOutcome, UploadRequest } from './transaction.ts';
import { refuseCrowd, turnOwnerOf } from './turns.ts';
import { readStored, readTransaction, viewDocument } from './views.ts';

/** Many uploads run at once: each holds little. */
const OCTETS_TOGETHER = 2 ** 18;

/** A document of this request, here but not yet part of the transaction. */
interface Received extends ReceivedFile {
  readonly key: string;
  readonly content: DocumentContent;
  readonly fileName: string | undefined;
  readonly mediaType: string | undefined;
}

/**
 * Takes an upload in the turn of whoever started the transaction. Rejects with `BUSY` when there is no place to wait,
 * and with `UPLOAD_INCOMPLETE` when the caller goes away before.
 */
export async function takeUpload(
  context: TransactionContext,
  tcn: string,
  upload: {
    readonly request: UploadRequest;
    readonly documents: AsyncIterable<IncomingDocument>;
    readonly signal: AbortSignal | undefined;
  },
): Promise<UploadOutcome> {
  const { request, documents, signal } = upload;
  const [owner] = turnOwnerOf(await readTransaction(context, tcn));
  const leave = await context.uploads.enter(owner, 1, signal).catch((error: unknown) => {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('UPLOAD_INCOMPLETE', 'The caller went away before it was its turn.', { cause: error });
  });
  try {
    return await uploadDocuments(context, tcn, request, documents);
  } finally {
    leave();
  }
}

/**
 * Takes the documents of one request, all or none. Announced documents are matched in order; others get the next free
 * number as id. In `sync` mode the request that ends the batch waits for the signatures.
 */
async function uploadDocuments(
  context: TransactionContext,
  tcn: string,
  request: UploadRequest,
  incoming: AsyncIterable<IncomingDocument>,
): Promise<UploadOutcome> {
  const stored = await readStored(context, tcn);
  refuseClosed(stored, request);
  const received: Received[] = [];
  let added: readonly DocumentRecord[];
  try {
    added = await withRoom(context, stored.transaction, request.announcedOctets ?? 0, async (room) => {
      await receiveAll(context, stored, { incoming, room }, received);
      return context.locks.run(tcn, () => addToTransaction(context, tcn, request, received));
    });
  } catch (error) {
    await removeKept(context, received);
    throw error;
  }
  const { endOfTransaction } = request;
  context.log.info({ transaction: shortTcn(tcn), documents: added.length, endOfTransaction }, 'uploaded');
  context.changes.announce(tcn);
  if (endOfTransaction) context.runner.start(tcn);
  return answer(context, stored.transaction, request, added);
}

/** From here on the documents are part of the transaction: whatever happens, the caller learns so. */
async function answer(
  context: TransactionContext,
  { tcn, mode }: TransactionRecord,
  { endOfTransaction }: UploadRequest,
  added: readonly DocumentRecord[],
): Promise<UploadOutcome> {
  const outcome = (documents: readonly DocumentRecord[]): UploadOutcome => ({
    tcn,
    documents: documents.map((document) => viewDocument(document, context.now())),
    endOfTransaction,
  });
  if (!endOfTransaction || mode !== 'sync') return outcome(added);
  try {
    await awaitFinal(context, tcn);
    const { documents } = await readStored(context, tcn);
    const keys = new Set(added.map(({ key }) => key));
    return outcome(documents.filter(({ key }) => keys.has(key)));
  } catch (error) {
    context.log.warn({ transaction: shortTcn(tcn), error }, 'answered before the signatures were made');
    return outcome(added);
  }
}

/** What can be refused before a single octet is read. */
function refuseClosed({ transaction, documents }: StoredTransaction, { settingId }: UploadRequest): void {
  if (!transaction.uploadOpen) {
    const detail =
      transaction.documentsSource === 'UPLOAD_REFERENCE'
        ? 'The batch has ended: create another transaction for more documents.'
        : 'This transaction takes no uploads: its documents came with the request that created it.';
    throw new ServiceError('UPLOAD_CLOSED', detail);
  }
  const announced = documents.some(({ content, settingId: own }) => content === null && own !== null);
  if (settingId !== undefined || !announced) chooseSetting(transaction, settingId);
}

/** The setting that the request names, else the document's own, else the only one. */
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

async function receiveAll(
  context: TransactionContext,
  { transaction, documents }: StoredTransaction,
  { incoming, room }: { readonly incoming: AsyncIterable<IncomingDocument>; readonly room: RoomForDocuments },
  received: Received[],
): Promise<void> {
  const intake = new SmallIntake(context.smallDocuments, OCTETS_TOGETHER);
  const smallLimit = mayBeSmall(transaction) ? context.limits.smallDocumentSize : -1;
  const rest = await restOf(context, transaction);
  const here = documents.filter(({ content }) => content !== null).length;
  for await (const { fileName, mediaType, content } of asUpload(incoming)) {
    refuseTooMany(context, transaction, here + received.length + 1);
    if (received.length === 0) refuseCrowd(context, turnOwnerOf(transaction));
    await room.begin();
    const key = newDocumentKey();
    const file = await receiveOne(context, { key, content, intake, smallLimit, rest, came: room.came });
    received.push({ key, fileName, mediaType, ...file });
  }
  await intake.flush();
  await context.documents.keep(keysOf(received, 'kept'));
}

/** A token that is away does not tell what its key signs: small originals are kept then. */
async function restOf({ keys }: TransactionContext, transaction: TransactionRecord): Promise<'small' | 'digest'> {
  const key = await keys.find(transaction.certificateFingerprint).catch(() => undefined);
  return key === undefined ? 'small' : restOfSmall(transaction, key.certificate);
}

/** Where a document rests is told by its length, which is known at its end. */
async function receiveOne(
  { documents, limits }: TransactionContext,
  incoming: {
    readonly key: string;
    readonly content: AsyncIterable<Uint8Array>;
    readonly intake: SmallIntake;
    readonly smallLimit: number;
    readonly rest: 'small' | 'digest';
    readonly came: RoomForDocuments['came'];
  },
): Promise<Pick<Received, 'content' | keyof ReceivedFile>> {
  const { key, intake, smallLimit, rest, came } = incoming;
  const content = limited(asUpload(incoming.content), limits.documentSize, came);
  const read = smallLimit < 0 ? ({ kind: 'large', content } as const) : await readAhead(content, smallLimit);
  if (read.kind === 'small') return { content: { kind: rest }, ...(await intake.add(key, read.octets, rest)) };
  return { content: { kind: 'kept' }, ...(await documents.receive(key, read.content)) };
}

function refuseTooMany(
  { limits }: TransactionContext,
  { documentLimit = limits.documentsPerTransaction }: TransactionRecord,
  count: number,
): void {
  const most = Math.min(limits.documentsPerTransaction, documentLimit);
  if (count > most) throw new ServiceError('TOO_MANY_DOCUMENTS', `A transaction takes at most ${most} documents.`);
}

/** Whatever ends a request early is a broken upload; refusals of the layer above pass. */
async function* asUpload<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  try {
    for await (const part of parts) yield part;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('UPLOAD_INCOMPLETE', 'The upload broke off; nothing of it was kept: send it again.', {
      cause: error,
    });
  }
}

/**
 * Runs alone for its transaction, so that two requests at once cannot share an id or pass a limit together. Answers the
 * entries of this request, in its order.
 */
async function addToTransaction(
  context: TransactionContext,
  tcn: string,
  request: UploadRequest,
  received: readonly Received[],
): Promise<readonly DocumentRecord[]> {
  const stored = await readStored(context, tcn);
  refuseClosed(stored, request);
  const announced = stored.documents.filter(({ content }) => content === null);
  refuseTooMany(context, stored.transaction, stored.documents.length - announced.length + received.length);
  const taken = new Set(stored.documents.map(({ id }) => id));
  const place = await placeOf(context.objects, stored.transaction.destination);
  const documents = received.map((file, index) => {
    const position = stored.documents.length + index - announced.length;
    const entry = announced[index] ?? unannounced(stored, position, taken);
    return placed(fill(stored, request, file, entry), place, stored.transaction);
  });
  refuseSharedDestinations([...stored.documents.filter(({ content }) => content !== null), ...documents]);
  const changes = documents.map((document, index): TransactionChange =>
    index < announced.length ? { kind: 'document-arrived', document } : { kind: 'document-added', document },
  );
  if (request.endOfTransaction) {
    changes.push(...endBatch(stored, received.length, announced.slice(received.length)));
  }
  if (changes.length > 0) await context.transactions.apply(changes, context.now());
  return documents;
}

/** The entry of a document that has come. Its files carry the key of the upload, so that nothing is renamed. */
function fill(
  { transaction }: StoredTransaction,
  { settingId }: UploadRequest,
  file: Received,
  entry: DocumentRecord,
): DocumentRecord {
  const error = failureByContent(transaction.type, file.head);
  return {
    ...entry,
    key: file.key,
    status: error === null ? 'WAITING' : 'ERROR',
    originalFileName: entry.originalFileName ?? plainFileName(file.fileName) ?? null,
    mediaType: entry.mediaType ?? file.mediaType ?? null,
    settingId: chooseSetting(transaction, settingId, entry.settingId),
    content: file.content,
    size: file.size,
    checksum: file.checksum,
    error,
  };
}

/** Two results of one transaction never meet at one object. */
function refuseSharedDestinations(documents: readonly DocumentRecord[]): void {
  const urls = documents.flatMap(({ destinationUrl }) => (destinationUrl === null ? [] : [destinationUrl]));
  if (new Set(urls).size === urls.length) return;
  const detail = 'Two documents have the same destination: announce each with its destination_file_name.';
  throw new ServiceError('DESTINATION_EXISTS', detail, {
    problems: [{ field: 'document', code: 'DESTINATION_EXISTS', detail }],
  });
}

function unannounced({ transaction }: StoredTransaction, position: number, taken: Set<string>): DocumentRecord {
  if (transaction.destination === 'FILE_PATH') {
    const detail = 'Announce each document with its destination_file_name when results go to paths.';
    throw new ServiceError('REQUEST_INVALID', detail, {
      problems: [{ field: 'document', code: 'REQUEST_INVALID', detail }],
    });
  }
  return blankRecord(transaction.tcn, position, { id: nextFreeId(position, taken), settingId: undefined });
}

/** Announced documents that never came fail; a batch without any document is refused and stays open. */
function endBatch(
  { transaction, documents }: StoredTransaction,
  arriving: number,
  missing: readonly DocumentRecord[],
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
    { kind: 'upload-ended', tcn: transaction.tcn },
  ];
}
