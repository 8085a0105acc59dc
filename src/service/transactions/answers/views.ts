import { ServiceError } from '../../errors/index.ts';
import type { NotificationState } from '../../notifications/index.ts';
import { needsTimestamp, stampedLevel } from '../choices/choose-policy.ts';
import { DOCUMENTS_AT_ONCE, letOthersRun } from '../../scheduling/index.ts';
import type { TransactionContext } from '../dependencies.ts';
import type { DocumentRecord, StoredTransaction, TransactionRecord, TransactionState } from '../records.ts';
import type { DocumentStatus, DocumentView, SignaturePolicy, TransactionView } from '../transaction.ts';

/** The refusal of an unknown TCN. */
export const transactionNotFound = (): ServiceError =>
  new ServiceError('TRANSACTION_NOT_FOUND', 'No transaction has this TCN.');

/** With an id, only the document with this id is included. Rejects with `TRANSACTION_NOT_FOUND`. */
export async function readStored(
  context: Pick<TransactionContext, 'transactions'>,
  tcn: string,
  documentId?: string,
): Promise<StoredTransaction> {
  const stored = await context.transactions.read(tcn, documentId);
  if (stored === undefined) throw transactionNotFound();
  return stored;
}

/** The state alone. Rejects with `TRANSACTION_NOT_FOUND`. */
export async function readState(
  context: Pick<TransactionContext, 'transactions'>,
  tcn: string,
): Promise<TransactionState> {
  const state = await context.transactions.readState(tcn);
  if (state === undefined) throw transactionNotFound();
  return state;
}

/** The numbers of a transaction's documents by status. */
export function countDocuments({ documents, counts }: StoredTransaction): Readonly<Record<DocumentStatus, number>> {
  if (counts !== undefined) return counts;
  const all = { WAITING: 0, SIGNED: 0, ERROR: 0 };
  for (const { status } of documents) all[status]++;
  return all;
}

/**
 * WAITING while any document waits or may still be uploaded, else ERROR if any failed or there are none, else SIGNED.
 */
function transactionStatus(
  { uploadOpen }: TransactionRecord,
  { WAITING, SIGNED, ERROR }: Readonly<Record<DocumentStatus, number>>,
): DocumentStatus {
  if (uploadOpen || WAITING > 0) return 'WAITING';
  return SIGNED === 0 || ERROR > 0 ? 'ERROR' : 'SIGNED';
}

/** True if a stored result has expired at `now`; a delivered result, and one with a pending level, never expires. */
export function isLifetimeOver({ result, evidence }: DocumentRecord, now: Date): boolean {
  if (result === null || result.expiresAt === null || evidence?.pending !== undefined) return false;
  return result.erasedAt !== null || result.expiresAt.getTime() <= now.getTime();
}

function secondsLeft({ result, evidence }: DocumentRecord, now: Date): number | null {
  if (result === null || result.expiresAt === null || evidence?.pending !== undefined) return null;
  if (result.erasedAt !== null) return 0;
  return Math.max(0, Math.ceil((result.expiresAt.getTime() - now.getTime()) / 1000));
}

/**
 * The present level of a result: the level of the policy, or of its time stamp as long as the rest is pending or could
 * not be obtained.
 */
function levelNow(policy: SignaturePolicy, { result, evidence }: DocumentRecord): SignaturePolicy | null {
  if (result === null || policy === 'none') return null;
  const stamped = evidence?.pending !== undefined || evidence?.error !== undefined;
  return stamped ? stampedLevel(policy) : policy;
}

export function viewDocument(document: DocumentRecord, policy: SignaturePolicy, now: Date): DocumentView {
  const { id, status, originalFileName, mediaType, size, checksum, result } = document;
  const over = isLifetimeOver(document, now);
  return {
    id,
    status,
    originalFileName,
    mediaType,
    size,
    checksum,
    signatureSetting: document.settingId ?? '',
    sourcePath: document.content?.kind === 'path' ? document.content.path : null,
    destination: document.destinationUrl ?? document.destinationPath,
    resultPath: result === null ? null : (document.destinationUrl ?? document.destinationPath),
    destinationFileName: document.destinationFileName,
    inObjectStore: document.destinationUrl !== null,
    lifetime: secondsLeft(document, now),
    error: document.error,
    resultSize: result?.size ?? null,
    resultChecksum: result?.checksum ?? null,
    signature: over ? null : (result?.signature ?? null),
    repairs: result?.repairs ?? [],
    adjustments: result?.adjustments ?? [],
    level: levelNow(policy, document),
    pendingLevel: document.evidence?.pending?.level ?? null,
    pendingError: document.evidence?.error ?? null,
    revision: document.evidence?.revision ?? 0,
    warnings: result?.warnings ?? [],
    hash: document.content?.kind === 'hash' ? document.content.hash : null,
  };
}

export function viewTransaction(stored: StoredTransaction, now: Date): TransactionView {
  const { transaction, documents } = stored;
  const counts = countDocuments(stored);
  return {
    tcn: transaction.tcn,
    status: transactionStatus(transaction, counts),
    counts,
    waitingFor: transaction.waitingFor,
    certificateAlias: transaction.certificateAlias,
    certificateFingerprint: transaction.certificateFingerprint,
    type: transaction.type,
    digest: transaction.digest,
    policy: transaction.policy,
    timestamped: needsTimestamp(transaction.policy),
    claimedRole: transaction.claimedRole ?? null,
    documentsSource: transaction.documentsSource,
    uploadOpen: transaction.uploadOpen,
    mode: transaction.mode,
    requester: transaction.requester,
    door: transaction.door ?? null,
    settings: transaction.settings,
    documents: documents.map((document) => viewDocument(document, transaction.policy, now)),
    isPage: stored.counts !== undefined && documents.length < counts.WAITING + counts.SIGNED + counts.ERROR,
    createdAt: transaction.createdAt,
    finishedAt: transaction.finishedAt,
    notification: transaction.callback === undefined ? undefined : (stored.notification ?? notBegun),
  };
}

/** Views of a long list of documents, described in several turns of the event loop. */
export async function viewDocumentsByTurn(
  documents: readonly DocumentRecord[],
  policy: SignaturePolicy,
  now: Date,
  described = { count: 0 },
): Promise<readonly DocumentView[]> {
  const views: DocumentView[] = [];
  for (const document of documents) {
    views.push(viewDocument(document, policy, now));
    if (++described.count % DOCUMENTS_AT_ONCE === 0) await letOthersRun();
  }
  return views;
}

/** The view of a transaction with a long list of documents, described in several turns of the event loop. */
export async function viewByTurn(
  stored: StoredTransaction,
  now: Date,
  described = { count: 0 },
): Promise<TransactionView> {
  const documents = await viewDocumentsByTurn(stored.documents, stored.transaction.policy, now, described);
  const counts = countDocuments(stored);
  const isPage = documents.length < counts.WAITING + counts.SIGNED + counts.ERROR;
  return { ...viewTransaction({ ...stored, documents: [], counts }, now), documents, isPage };
}

/** Views of transactions with their documents, likewise. */
export async function viewAllByTurn(all: readonly StoredTransaction[], now: Date): Promise<readonly TransactionView[]> {
  const described = { count: 0 };
  const views: TransactionView[] = [];
  for (const stored of all) views.push(await viewByTurn(stored, now, described));
  return views;
}

const notBegun: NotificationState = { status: 'WAITING', attempts: 0, lastError: null };
