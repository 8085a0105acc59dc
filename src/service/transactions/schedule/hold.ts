import { ServiceError } from '../../errors/index.ts';
import { decideTransaction } from '../answers/decide.ts';
import type { TransactionContext } from '../dependencies.ts';
import type { TransactionView } from '../transaction.ts';
import { readStored, readTransaction, viewTransaction } from '../answers/views.ts';

/**
 * Pauses a transaction before its next document, or continues the transaction. Rejects with `TRANSACTION_NOT_FOUND`.
 */
export async function pauseTransaction(
  context: TransactionContext,
  tcn: string,
  paused: boolean,
): Promise<TransactionView> {
  const stored = await readStored(context, tcn);
  if (stored.transaction.finishedAt === null && context.holds.get(tcn) !== 'cancelled') {
    if (paused) context.holds.set(tcn, 'paused');
    else if (context.holds.delete(tcn)) context.runner.start(tcn);
  }
  return viewTransaction(stored, context.now());
}

/**
 * Cancels the documents of a transaction that are not being signed yet. The signing run marks the documents, so that no
 * running signature loses its document. Rejects with `TRANSACTION_NOT_FOUND` or `APPROVAL_NOT_WAITING`.
 */
export async function cancelTransaction(context: TransactionContext, tcn: string): Promise<void> {
  const { waitingFor, finishedAt, uploadOpen } = await readTransaction(context, tcn);
  if (finishedAt !== null) return;
  if (uploadOpen) throw new ServiceError('APPROVAL_NOT_WAITING', 'This transaction still takes documents.');
  if (waitingFor !== null) {
    await decideTransaction(context, tcn, 'refuse');
    return;
  }
  context.holds.set(tcn, 'cancelled');
  context.runner.start(tcn);
}
