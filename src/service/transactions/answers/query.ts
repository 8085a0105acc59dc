import type { Signer } from '../../certificates/index.ts';
import { DOCUMENTS_AT_ONCE, letOthersRun, type PaceOptions, type TurnPacer } from '../../scheduling/index.ts';
import { ServiceError } from '../../errors/index.ts';
import type { TransactionMemory, TransactionQueues, TransactionStores } from '../dependencies.ts';
import type { DocumentsPage, DocumentStatus, QueryOptions, SignatureType, TransactionView } from '../transaction.ts';
import { readState, transactionNotFound, viewAllByTurn, viewTransaction } from './views.ts';
import type { DocumentRecord, StoredTransaction, TransactionRecord } from '../records.ts';

/** Maximum number of documents of an answer; more come in pages. */
export const DOCUMENTS_A_PAGE = 1000;

/**
 * The present state, or the next state of a WAITING transaction: another status, or another reason to wait. Single
 * documents of a batch wake nobody, because each answer has all of them. Reads of callers that wait are paced. Rejects
 * with `TRANSACTION_NOT_FOUND`, and with the signal's reason when the caller has gone: nothing is read for it any more.
 */
export async function queryTransaction(
  context: TransactionStores & TransactionQueues & TransactionMemory,
  tcn: string,
  { waitSeconds = 0, documents, ...wait }: QueryOptions = {},
): Promise<TransactionView> {
  if (waitSeconds <= 0) return viewPage(context, tcn, { documents, wait });
  await awaitState(context, tcn, waitSeconds, wait);
  wait.signal?.throwIfAborted();
  return viewPage(context, tcn, { pacer: context.polls, documents, wait });
}

/** Waits for the next state of a WAITING transaction, until the time is over or the caller has gone. */
async function awaitState(
  context: TransactionStores & TransactionQueues,
  tcn: string,
  waitSeconds: number,
  wait: PaceOptions,
): Promise<void> {
  const { signal } = wait;
  const end = performance.now() + waitSeconds * 1000;
  const isGone = (): boolean => signal?.aborted === true;
  let before: string | undefined;
  while (!isGone()) {
    // Watching starts before reading the state, so that no change is missed in between.
    const watch = context.changes.watch(tcn, Math.max(0, end - performance.now()), signal);
    try {
      const { waitingFor, uploadOpen, finishedAt } = await context.polls.run(() => readState(context, tcn), wait);
      const now = `${waitingFor} ${uploadOpen}`;
      const isOver = performance.now() >= end || isGone() || context.changes.hasEnded;
      if (finishedAt !== null || isOver) return;
      if (before !== undefined && now !== before) return;
      before = now;
      await watch.changed;
    } finally {
      watch.stop();
    }
  }
}

/**
 * A page of a transaction's documents. It is read and described in parts, so that other requests are served in between.
 */
async function viewPage(
  context: TransactionStores & TransactionMemory,
  tcn: string,
  { pacer, documents: page, wait }: PagedQuery,
): Promise<TransactionView> {
  const { after, limit = DOCUMENTS_A_PAGE } = page ?? {};
  const pace = async (part: () => Promise<TransactionView>): Promise<TransactionView> =>
    pacer === undefined ? part() : pacer.run(part, wait);
  const read = async (behind: string | undefined, most: number): Promise<TransactionView> =>
    pace(() => readPart(context, tcn, behind, Math.min(most, DOCUMENTS_AT_ONCE)));
  // The first part tells the state: documents that are read later may be newer than it, but not older.
  const first = await read(after, limit);
  const documents = [...first.documents];
  let { length } = documents;
  while (documents.length < limit && length === DOCUMENTS_AT_ONCE) {
    if (pacer === undefined) await letOthersRun();
    const next = await read(documents.at(-1)?.id, limit - documents.length);
    documents.push(...next.documents);
    ({ length } = next.documents);
  }
  return { ...first, documents, isPage: after !== undefined || isShorter(documents.length, first) };
}

interface PagedQuery {
  /** Present for callers that wait for a change. */
  readonly pacer?: TurnPacer;
  readonly documents: DocumentsPage | undefined;
  readonly wait: PaceOptions;
}

const isShorter = (length: number, { counts }: TransactionView): boolean =>
  length < counts.WAITING + counts.SIGNED + counts.ERROR;

async function readPart(
  context: TransactionStores & TransactionMemory,
  tcn: string,
  after: string | undefined,
  limit: number,
): Promise<TransactionView> {
  const stored = await context.transactions.readPage(tcn, { after, limit });
  if (stored === undefined) throw transactionNotFound();
  if (stored.startIsUnknown === true) {
    const detail = 'No document of this transaction has this id: give the last id of the page before.';
    throw new ServiceError('REQUEST_INVALID', detail, {
      problems: [{ field: 'documents_after', code: 'UNKNOWN', detail }],
    });
  }
  return viewTransaction(stored, context.now());
}

/**
 * Resolves when every document is final, at the latest after the wait of `sync` mode, independent of changes of the
 * clock.
 */
export async function awaitFinal(
  { transactions, changes, limits }: TransactionStores & TransactionQueues & TransactionMemory,
  tcn: string,
): Promise<void> {
  const end = performance.now() + limits.syncTimeout;
  for (let left = limits.syncTimeout; left > 0; left = end - performance.now()) {
    const watch = changes.watch(tcn, left);
    try {
      const state = await transactions.readState(tcn);
      if ((state !== undefined && state.finishedAt !== null) || changes.hasEnded) return;
      await watch.changed;
    } finally {
      watch.stop();
    }
  }
}

/** A filter of transactions; absent conditions do not restrict the result. */
export interface HistoryFilter {
  /**
   * Part of a document's name, of the requester, of the certificate's alias or of the TCN; case matters beyond ASCII
   * only.
   */
  readonly text?: string;
  readonly status?: DocumentStatus;
  readonly type?: SignatureType;
  /** Created at this time or later. */
  readonly from?: Date;
  /** Created before this time. */
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

/** The days with documents, oldest first. */
export interface HistoryDays {
  readonly days: readonly HistoryDay[];
  /** True if only the newest documents were counted, because a search counts no more than a fixed number. */
  readonly newestOnly: boolean;
}

/** A document with its transaction. */
export interface StoredDocument {
  readonly document: DocumentRecord;
  readonly transaction: TransactionRecord;
  /** Number of documents of the transaction. */
  readonly batch: number;
  readonly signer: Pick<Signer, 'name' | 'number'> | null;
}

/** The history of signatures. Rejects with `ServiceError` `STORAGE_UNAVAILABLE`. */
export interface HistoryStore {
  /** Newest first, with the total number. */
  find(
    filter: HistoryFilter,
    page: HistoryPage,
  ): Promise<{ readonly total: number; readonly transactions: readonly StoredTransaction[] }>;
  /**
   * Documents with their transactions, the newest transaction first, and the total number. `more`: the text is in more
   * documents than were counted.
   */
  findDocuments(
    filter: HistoryFilter,
    page: HistoryPage,
  ): Promise<{ readonly total: number; readonly more: boolean; readonly documents: readonly StoredDocument[] }>;
  /** Stores the signers of these certificates, so that searches by name also find transactions of earlier versions. */
  noteSigners(signers: ReadonlyMap<string, Signer>): Promise<void>;
  /** Counts documents by day; `minutesAhead` is local time minus UTC. */
  countByDay(filter: HistoryFilter, minutesAhead: number): Promise<HistoryDays>;
}

/** Past transactions as views for the window. */
export async function readHistory(
  { history, now }: { readonly history: HistoryStore; readonly now: () => Date },
  filter: HistoryFilter,
  page: HistoryPage,
): Promise<{ readonly total: number; readonly transactions: readonly TransactionView[] }> {
  const { total, transactions } = await history.find(filter, page);
  const at = now();
  return { total, transactions: await viewAllByTurn(transactions, at) };
}

/** A past document, with its transaction; the transaction's list contains this document only. */
export interface PastDocument {
  readonly transaction: TransactionView;
  readonly batch: number;
  /** The person or company that signed, with masked CPF or CNPJ; null if the certificate is unknown here. */
  readonly signer: StoredDocument['signer'];
}

/** Reads past documents one by one, independent of their transactions. */
export async function readDocumentHistory(
  { history, now }: { readonly history: HistoryStore; readonly now: () => Date },
  filter: HistoryFilter,
  page: HistoryPage,
): Promise<{ readonly total: number; readonly more: boolean; readonly documents: readonly PastDocument[] }> {
  const { total, more, documents } = await history.findDocuments(filter, page);
  const at = now();
  return {
    total,
    more,
    documents: documents.map(({ document, transaction, batch, signer }) => ({
      transaction: viewTransaction({ transaction, documents: [document] }, at),
      batch,
      signer,
    })),
  };
}
