import { ServiceError } from '../errors.ts';
import type { TransactionContext } from './dependencies.ts';
import type { TransactionChange } from './records.ts';
import { removeFinalOriginals } from './remove-originals.ts';
import { shortTcn } from './tcn.ts';
import type { TransactionView } from './transaction.ts';
import { readStored, viewTransaction } from './views.ts';

/**
 * Takes the user's decision on a transaction that waits for approval. One that waits for a PIN can still be refused.
 * Rejects with `TRANSACTION_NOT_FOUND` or `APPROVAL_NOT_WAITING`.
 */
export async function decideTransaction(
  context: TransactionContext,
  tcn: string,
  decision: 'approve' | 'refuse',
): Promise<TransactionView> {
  await context.locks.run(tcn, async () => {
    const { transaction, documents } = await readStored(context, tcn);
    const { waitingFor } = transaction;
    if (waitingFor !== 'approval' && !(waitingFor === 'pin' && decision === 'refuse')) {
      throw new ServiceError('APPROVAL_NOT_WAITING', 'This transaction does not wait for a decision.');
    }
    const error = { code: 'APPROVAL_REFUSED', detail: 'The user refused to sign.' } as const;
    const refusals = documents.filter(({ status }) => status === 'WAITING');
    const changes: TransactionChange[] =
      decision === 'approve'
        ? [{ kind: 'approved', tcn }]
        : refusals.map(({ key }) => ({ kind: 'document-failed', key, error }));
    await context.transactions.apply(changes, context.now());
  });
  context.log.info({ transaction: shortTcn(tcn), decision }, 'decided');
  context.changes.announce(tcn);
  if (decision === 'approve') context.runner.start(tcn);
  else await removeFinalOriginals(context, tcn);
  return viewTransaction(await readStored(context, tcn), context.now());
}
