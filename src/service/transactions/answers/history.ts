import type { StoredTransaction } from '../records.ts';
import type { DocumentStatus, SignatureType, TransactionView } from '../transaction.ts';
import { viewTransaction } from './views.ts';

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
