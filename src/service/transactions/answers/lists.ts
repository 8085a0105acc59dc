import { ServiceError } from '../../errors/index.ts';
import type { TransactionMemory, TransactionStores } from '../dependencies.ts';
import type { ListFilter, TransactionsPage, TransactionView } from '../transaction.ts';
import { viewTransaction } from './views.ts';

/**
 * The transactions of a caller (`callerName`), newest first. Rejects with `REQUEST_INVALID` when `after` is not in the
 * caller's list.
 */
export async function listTransactions(
  { transactions, now }: TransactionStores & TransactionMemory,
  caller: string,
  filter: ListFilter,
): Promise<TransactionsPage> {
  const { limit } = filter;
  const found = await transactions.listOf(caller, { ...filter, limit: limit + 1 });
  if (found === undefined) {
    const detail = 'Give the TCN of a transaction in your own list, or leave after out to begin anew.';
    throw new ServiceError('REQUEST_INVALID', detail, { problems: [{ field: 'after', code: 'UNKNOWN', detail }] });
  }
  const page = found.slice(0, limit);
  return {
    transactions: page.map((stored) => viewTransaction(stored, now())),
    next: found.length > limit ? (page.at(-1)?.transaction.tcn ?? null) : null,
  };
}

/**
 * The present states of these transactions without their documents, in the order of `tcns`; unknown transactions are
 * left out, and those of others too where a caller is named.
 */
export async function readOverview(
  { transactions, now }: TransactionStores & TransactionMemory,
  tcns: readonly string[],
  caller?: string,
): Promise<readonly TransactionView[]> {
  const found = await transactions.overview(tcns, caller);
  const byTcn = new Map(found.map((stored) => [stored.transaction.tcn, stored]));
  return [...new Set(tcns)].flatMap((tcn) => {
    const stored = byTcn.get(tcn);
    return stored === undefined ? [] : [viewTransaction(stored, now())];
  });
}
