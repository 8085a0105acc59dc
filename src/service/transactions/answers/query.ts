import type { TransactionContext } from '../dependencies.ts';
import type { TransactionView } from '../transaction.ts';
import { readStored, viewTransaction } from './views.ts';

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
