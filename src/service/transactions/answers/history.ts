import type { StoredTransaction } from '../records.ts';
import type { DocumentStatus, SignatureType, TransactionView } from '../transaction.ts';
import { viewTransaction } from './views.ts';

/** Which transactions are meant; what is absent does not narrow. */
export interface HistoryFilter {
  /** Part of a document's name, of who asked, of the certificate's alias or of the TCN; case counts beyond ASCII only. */
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

/** Documents of the transactions of one day, by what became of them. */
export interface HistoryDay {
  /** `2026-11-20`, in the time zone that was asked for. */
  readonly day: string;
  readonly counts: Readonly<Record<DocumentStatus, number>>;
}

/** What was signed here, to look back at. Rejects with `ServiceError` `STORAGE_UNAVAILABLE`. */
export interface HistoryStore {
  /** Newest first, and how many there are in all. */
  find(
    filter: HistoryFilter,
    page: HistoryPage,
  ): Promise<{ readonly total: number; readonly transactions: readonly StoredTransaction[] }>;
  /** Days with documents, oldest first; `minutesAhead` is local time minus UTC. */
  countByDay(filter: HistoryFilter, minutesAhead: number): Promise<readonly HistoryDay[]>;
}

/** Looks back at transactions, as they are told to people. */
export async function readHistory(
  { history, now }: { readonly history: HistoryStore; readonly now: () => Date },
  filter: HistoryFilter,
  page: HistoryPage,
): Promise<{ readonly total: number; readonly transactions: readonly TransactionView[] }> {
  const { total, transactions } = await history.find(filter, page);
  const at = now();
  return { total, transactions: transactions.map((stored) => viewTransaction(stored, at)) };
}
