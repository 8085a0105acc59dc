import { stat } from 'node:fs/promises';
import type { TransactionContext } from '../dependencies.ts';
import type { TransactionView, ResultFile, DocumentStatus, SignatureType } from '../transaction.ts';
import { readStored, viewTransaction, isLifetimeOver } from './views.ts';
import { ServiceError } from '../../errors/index.ts';
import { resultFileName, resultMediaType } from '../documents/file-names.ts';
import type { DocumentRecord, ResultRecord, StoredTransaction } from '../records.ts';
import { hasSmallResult } from '../documents/small-documents.ts';

/** The present state, or the next state of a WAITING transaction. Rejects with `TRANSACTION_NOT_FOUND`. */
export async function queryTransaction(
  context: TransactionContext,
  tcn: string,
  options: { readonly waitSeconds?: number; readonly signal?: AbortSignal } = {},
): Promise<TransactionView> {
  const view = async (): Promise<TransactionView> => viewTransaction(await readStored(context, tcn), context.now());
  if (options.waitSeconds === undefined || options.waitSeconds <= 0) return view();
  // Watching starts before reading the state, so that no change is missed in between.
  const watch = context.changes.watch(tcn, options.waitSeconds * 1000, options.signal);
  try {
    const before = await view();
    if (before.status !== 'WAITING') return before;
    await watch.changed;
    return await view();
  } finally {
    watch.stop();
  }
}

/**
 * Resolves when every document is final, at the latest after the wait of `sync` mode, independent of changes of the
 * clock.
 */
export async function awaitFinal({ transactions, changes, limits }: TransactionContext, tcn: string): Promise<void> {
  const end = performance.now() + limits.syncTimeout;
  for (let left = limits.syncTimeout; left > 0; left = end - performance.now()) {
    const watch = changes.watch(tcn, left);
    try {
      if (await transactions.isFinished(tcn)) return;
      await watch.changed;
    } finally {
      watch.stop();
    }
  }
}

/**
 * The result of a SIGNED document. Rejects with `TRANSACTION_NOT_FOUND`, `DOCUMENT_NOT_FOUND`, `NOT_SIGNED_YET`,
 * `SIGNING_FAILED` (with the document's reason), `LIFETIME_OVER`, or `RESULT_DELIVERED` for a result in an object
 * store.
 */
export async function findResult(context: TransactionContext, tcn: string, documentId: string): Promise<ResultFile> {
  const { transaction, documents } = await readStored(context, tcn, documentId);
  const [document] = documents;
  if (document === undefined) {
    throw new ServiceError('DOCUMENT_NOT_FOUND', 'This transaction has no document with this id.');
  }
  const result = signedResult(document, context.now());
  if (document.destinationUrl !== null) {
    throw new ServiceError('RESULT_DELIVERED', `The signed document is at ${document.destinationUrl}: get it there.`);
  }
  const small = hasSmallResult(document.content) ? await context.smallDocuments.result(document.key) : undefined;
  return {
    ...(small === undefined ? { path: await findFile(context, document, result) } : { octets: small }),
    size: result.size,
    mediaType: resultMediaType(transaction.type),
    fileName: resultFileName(document.originalFileName ?? document.id, transaction.type),
    checksum: result.checksum,
    signedAt: result.signedAt,
  };
}

function signedResult(document: DocumentRecord, now: Date): ResultRecord {
  if (document.status === 'WAITING') {
    throw new ServiceError('NOT_SIGNED_YET', 'The document is not signed yet: ask again later.', { retryAfter: 1 });
  }
  if (document.result === null) {
    const { code, detail } = document.error ?? { code: 'SIGNING_FAILED', detail: 'The document was not signed.' };
    const problems = [{ field: `documents[${document.position}]`, code, detail }];
    throw new ServiceError('SIGNING_FAILED', `The document could not be signed: ${detail}`, { problems });
  }
  if (isLifetimeOver(document, now)) {
    throw new ServiceError('LIFETIME_OVER', 'The signed document is no longer kept here: sign it again.');
  }
  return document.result;
}

/** A delivered result belongs to the user, who may have moved or changed the file since. */
async function findFile(
  { documents }: TransactionContext,
  { destinationPath, key }: DocumentRecord,
  result: ResultRecord,
): Promise<string> {
  const path = destinationPath ?? documents.resultPath(key);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true && found.size === result.size) return path;
  throw new ServiceError('LIFETIME_OVER', 'The signed document is no longer where it was written.');
}

/** A filter of transactions; absent conditions do not narrow. */
export interface HistoryFilter {
  /**
   * Part of a document's name, of the requester, of the certificate's alias or of the TCN; case matters beyond ASCII
   * only.
   */
  readonly text?: string;
  readonly status?: DocumentStatus;
  readonly type?: SignatureType;
  /** Created then or later. */
  readonly from?: Date;
  /** Created before. */
  readonly before?: Date;
}

/** A part of a list. */
export interface HistoryPage {
  readonly offset: number;
  readonly limit: number;
}

/** Numbers of documents by status, for the transactions of a day. */
export interface HistoryDay {
  /** `2026-11-20`, in the requested time zone. */
  readonly day: string;
  readonly counts: Readonly<Record<DocumentStatus, number>>;
}

/** The history of signatures. Rejects with `ServiceError` `STORAGE_UNAVAILABLE`. */
export interface HistoryStore {
  /** Newest first, and how many there are in all. */
  find(
    filter: HistoryFilter,
    page: HistoryPage,
  ): Promise<{ readonly total: number; readonly transactions: readonly StoredTransaction[] }>;
  /** Days with documents, oldest first; `minutesAhead` is local time minus UTC. */
  countByDay(filter: HistoryFilter, minutesAhead: number): Promise<readonly HistoryDay[]>;
}

/** Reads past transactions, in the form for people. */
export async function readHistory(
  { history, now }: { readonly history: HistoryStore; readonly now: () => Date },
  filter: HistoryFilter,
  page: HistoryPage,
): Promise<{ readonly total: number; readonly transactions: readonly TransactionView[] }> {
  const { total, transactions } = await history.find(filter, page);
  const at = now();
  return { total, transactions: transactions.map((stored) => viewTransaction(stored, at)) };
}
