import type { TransactionContext } from '../dependencies.ts';
import type { DocumentsPage, DocumentStatus, SignatureType, TransactionView } from '../transaction.ts';
import { readState, transactionNotFound, viewTransaction } from './views.ts';
import type { DocumentRecord, StoredTransaction, TransactionRecord } from '../records.ts';

/** Documents that are read and described in one turn of the event loop. */
const DOCUMENTS_A_TURN = 500;
/** Most documents of an answer; more come in pages. */
export const DOCUMENTS_A_PAGE = 1000;

/**
 * The present state, or the next state of a WAITING transaction: another status, or another reason to wait. Single
 * documents of a batch wake nobody, because each answer has all of them. Rejects with `TRANSACTION_NOT_FOUND`.
 */
export async function queryTransaction(
  context: TransactionContext,
  tcn: string,
  options: { readonly waitSeconds?: number; readonly signal?: AbortSignal; readonly documents?: DocumentsPage } = {},
): Promise<TransactionView> {
  const { waitSeconds = 0, signal } = options;
  const page = (): Promise<TransactionView> => viewPage(context, tcn, options.documents);
  if (waitSeconds <= 0) return page();
  const end = performance.now() + waitSeconds * 1000;
  let before: string | undefined;
  for (;;) {
    // Watching starts before reading the state, so that no change is missed in between.
    const watch = context.changes.watch(tcn, Math.max(0, end - performance.now()), signal);
    try {
      const { waitingFor, uploadOpen, finishedAt } = await readState(context, tcn);
      const now = `${waitingFor} ${uploadOpen}`;
      const isOver = performance.now() >= end || signal?.aborted === true || context.changes.hasEnded;
      if (finishedAt !== null || isOver) break;
      if (before !== undefined && now !== before) break;
      before = now;
      await watch.changed;
    } finally {
      watch.stop();
    }
  }
  return page();
}

/** A page of a transaction's documents, read and described a part at a time, so that others have their turn. */
async function viewPage(
  context: TransactionContext,
  tcn: string,
  { after, limit = DOCUMENTS_A_PAGE }: DocumentsPage = {},
): Promise<TransactionView> {
  const first = await readPart(context, tcn, after, Math.min(limit, DOCUMENTS_A_TURN));
  let last = first;
  const documents = [...first.documents];
  while (documents.length < limit && last.documents.length === DOCUMENTS_A_TURN) {
    await new Promise((resolve) => setImmediate(resolve));
    last = await readPart(context, tcn, documents.at(-1)?.id, Math.min(limit - documents.length, DOCUMENTS_A_TURN));
    documents.push(...last.documents);
  }
  return { ...last, documents, isPage: after !== undefined || isShorter(documents.length, last) };
}

const isShorter = (length: number, { counts }: TransactionView): boolean =>
  length < counts.WAITING + counts.SIGNED + counts.ERROR;

async function readPart(
  context: TransactionContext,
  tcn: string,
  after: string | undefined,
  limit: number,
): Promise<TransactionView> {
  const stored = await context.transactions.readPage(tcn, { after, limit });
  if (stored === undefined) throw transactionNotFound();
  return viewTransaction(stored, context.now());
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
      const state = await transactions.readState(tcn);
      if ((state !== undefined && state.finishedAt !== null) || changes.hasEnded) return;
      await watch.changed;
    } finally {
      watch.stop();
    }
  }
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

/** A document with its transaction. */
export interface StoredDocument {
  readonly document: DocumentRecord;
  readonly transaction: TransactionRecord;
  /** Number of documents of the transaction. */
  readonly batch: number;
}

/** The history of signatures. Rejects with `ServiceError` `STORAGE_UNAVAILABLE`. */
export interface HistoryStore {
  /** Newest first, and how many there are in all. */
  find(
    filter: HistoryFilter,
    page: HistoryPage,
  ): Promise<{ readonly total: number; readonly transactions: readonly StoredTransaction[] }>;
  /** Documents with their transactions, the newest transaction first, and how many there are in all. */
  findDocuments(
    filter: HistoryFilter,
    page: HistoryPage,
  ): Promise<{ readonly total: number; readonly documents: readonly StoredDocument[] }>;
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

/** A document of the past, with its transaction whose list has this document alone. */
export interface PastDocument {
  readonly transaction: TransactionView;
  readonly batch: number;
}

/** Reads past documents, each found by itself. */
export async function readDocumentHistory(
  { history, now }: { readonly history: HistoryStore; readonly now: () => Date },
  filter: HistoryFilter,
  page: HistoryPage,
): Promise<{ readonly total: number; readonly documents: readonly PastDocument[] }> {
  const { total, documents } = await history.findDocuments(filter, page);
  const at = now();
  return {
    total,
    documents: documents.map(({ document, transaction, batch }) => ({
      transaction: viewTransaction({ transaction, documents: [document] }, at),
      batch,
    })),
  };
}
