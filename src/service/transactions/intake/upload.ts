import { isOutcomeUnknown, ServiceError } from '../../errors/index.ts';
import { describeSize } from '../../space/index.ts';
import { shortTcn } from '../../monitoring/index.ts';
import { applicationOfCaller } from '../../authorization/index.ts';
import { DOCUMENTS_AT_ONCE, letOthersRun } from '../../scheduling/index.ts';
import { ContentIntake } from '../content/content-intake.ts';
import { addToTransaction, refuseClosed, refuseTooMany, type Received } from './add-to-batch.ts';
import { countingDocuments, quotaAfter, withinLimits } from './application-intake.ts';
import type { TransactionContext, TransactionMemory, TransactionQueues, TransactionStores } from '../dependencies.ts';
import { newDocumentKey } from './document-records.ts';
import { awaitFinal } from '../answers/query.ts';
import type { DocumentRecord, StoredTransaction, TransactionRecord } from '../records.ts';
import { type RoomForDocuments, withRoom } from '../documents/room-for-documents.ts';
import type { IncomingDocument, UploadOutcome, UploadRequest } from '../transaction.ts';
import { refuseCrowd, turnOwnerOf } from '../schedule/turns.ts';
import { readStored, readState, viewDocumentsByTurn } from '../answers/views.ts';

/** Many uploads run at once, so each may use little memory. */
const BYTES_TOGETHER = 2 ** 18;

/** A form of so few bytes may hold no document, and end its batch on a full disk. */
const SHORT_FORM = 1024;

/** Refuses a single document by its announced length. */
function refuseTooLong({ announcedBytes = 0, isOneDocument }: UploadRequest, limit: number): void {
  if (isOneDocument !== true || announcedBytes <= limit) return;
  throw new ServiceError('DOCUMENT_TOO_LARGE', `A document may have at most ${describeSize(limit)}.`);
}

/**
 * Receives an upload after admission, in the queue of the transaction's owner. Rejects with `BUSY` without a place to
 * wait and after `uploadWait`, and with `UPLOAD_INCOMPLETE` when the caller hangs up before.
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
  const [owner] = turnOwnerOf(await readState(context, tcn));
  const patience = AbortSignal.timeout(context.limits.uploadWait);
  const signals = signal === undefined ? [patience] : [patience, signal];
  const leave = await context.uploads.enter([owner], { signal: AbortSignal.any(signals) }).catch((error: unknown) => {
    if (error instanceof ServiceError) throw error;
    if (signal?.aborted !== true) {
      throw new ServiceError('BUSY', 'Too many uploads of this caller are under way.', { cause: error, retryAfter: 5 });
    }
    throw new ServiceError('UPLOAD_INCOMPLETE', 'The client closed the connection before the upload began.', {
      cause: error,
    });
  });
  try {
    return await uploadDocuments(context, tcn, request, documents);
  } finally {
    leave();
  }
}

/**
 * Receives the documents of a request, all or none. `matchUploads` finds the entry of each; new entries get the next free
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
  const clientId = applicationOfCaller(stored.transaction.caller);
  const within = await withinLimits(context, clientId);
  refuseTooLong(request, within.limits.documentSize);
  const received: Received[] = [];
  const [caller] = turnOwnerOf(stored.transaction);
  const announced = { bytes: request.announcedBytes ?? 0, caller };
  let added: readonly DocumentRecord[];
  try {
    added = await withRoom(context, stored.transaction, announced, async (room) => {
      // A client that waits for 100 Continue is refused before it sends its documents.
      if (announced.bytes > SHORT_FORM) await room.begin();
      await receiveAll(within, stored, { incoming, room }, received);
      const counted = { clientId, documents: received.length };
      return countingDocuments(context.quotas, counted, () =>
        context.locks.run(tcn, () => addToTransaction(context, tcn, request, received)),
      );
    });
  } catch (error) {
    if (!isOutcomeUnknown(error)) await context.contents.discardOriginals(received);
    throw error;
  }
  await context.contents.confirmOriginals(added);
  const { endOfTransaction } = request;
  context.log.info({ transaction: shortTcn(tcn), documents: added.length, endOfTransaction }, 'uploaded');
  context.changes.announce(tcn);
  if (endOfTransaction) context.runner.start(tcn);
  const outcome = await answer(context, stored.transaction, request, added);
  return { ...outcome, ...(await quotaAfter(context, clientId, tcn)) };
}

/** The documents are part of the transaction now, so the caller must get the answer in any case. */
async function answer(
  context: TransactionStores & TransactionQueues & TransactionMemory,
  { tcn, mode, policy }: TransactionRecord,
  { endOfTransaction }: UploadRequest,
  added: readonly DocumentRecord[],
): Promise<UploadOutcome> {
  const outcome = async (documents: readonly DocumentRecord[]): Promise<UploadOutcome> => ({
    tcn,
    documents: await viewDocumentsByTurn(documents, policy, context.now()),
    endOfTransaction,
  });
  if (!endOfTransaction || mode !== 'sync') return outcome(added);
  try {
    await awaitFinal(context, tcn);
    const { documents } = await readStored(context, tcn);
    const keys = new Set(added.map(({ key }) => key));
    return await outcome(documents.filter(({ key }) => keys.has(key)));
  } catch (error) {
    context.log.warn({ transaction: shortTcn(tcn), error }, 'answered before the signatures were made');
    return outcome(added);
  }
}

async function receiveAll(
  context: TransactionContext,
  { transaction, documents }: StoredTransaction,
  { incoming, room }: { readonly incoming: AsyncIterable<IncomingDocument>; readonly room: RoomForDocuments },
  received: Received[],
): Promise<void> {
  // The kind of an absent token's key is unknown.
  const key = await context.keys.find(transaction.certificateFingerprint).catch(() => undefined);
  const intake = new ContentIntake(context, {
    ...transaction,
    certificate: key?.certificate,
    bytesTogether: BYTES_TOGETHER,
    came: room.came,
  });
  const here = documents.filter(({ content }) => content !== null).length;
  for await (const { label, fileName, mediaType, content } of asUpload(incoming)) {
    refuseTooMany(context, transaction, here + received.length + 1);
    if (received.length === 0) refuseCrowd(context, turnOwnerOf(transaction));
    await room.begin();
    const documentKey = newDocumentKey();
    const file = await intake.receive(documentKey, asUpload(content));
    received.push({ key: documentKey, label, fileName, mediaType, ...file });
    if (received.length % DOCUMENTS_AT_ONCE === 0) await letOthersRun();
  }
  await intake.keep();
}

/** Reports an early end of a request as a broken upload; refusals of the HTTP layer are passed on. */
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
