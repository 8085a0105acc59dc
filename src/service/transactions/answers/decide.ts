import { ServiceError } from '../../errors/index.ts';
import { shortTcn } from '../../monitoring/index.ts';
import type { TransactionContext } from '../dependencies.ts';
import type { TransactionChange } from '../records.ts';
import { removeFinalOriginals } from '../documents/remove-originals.ts';
import type { Decision, TransactionView } from '../transaction.ts';
import { readStored, viewTransaction } from './views.ts';

/**
 * Applies the user's decision to a transaction waiting for approval. A transaction waiting for a PIN can still be
 * refused. Rejects with `TRANSACTION_NOT_FOUND` or `APPROVAL_NOT_WAITING`.
 */
export async function decideTransaction(
  context: TransactionContext,
  tcn: string,
  decision: Decision,
): Promise<TransactionView> {
  await context.locks.run(tcn, async () => {
    const { transaction, documents } = await readStored(context, tcn);
    const { waitingFor } = transaction;
    if (waitingFor !== 'approval' && !(waitingFor === 'pin' && decision !== 'approve')) {
      throw new ServiceError('APPROVAL_NOT_WAITING', 'This transaction does not wait for a decision.');
    }
    const waiting = documents.filter(({ status }) => status === 'WAITING');
    const changes: TransactionChange[] =
      decision === 'approve'
        ? [{ kind: 'approved', tcn }]
        : waiting.map(({ key }) => ({ kind: 'document-failed', key, error: refusal(decision) }));
    await context.transactions.apply(changes, context.now());
  });
  context.log.info({ transaction: shortTcn(tcn), decision }, 'decided');
  context.changes.announce(tcn);
  if (decision === 'approve') context.runner.start(tcn);
  else await removeFinalOriginals(context, tcn);
  return viewTransaction(await readStored(context, tcn), context.now());
}

function refusal(decision: Exclude<Decision, 'approve'>): { code: 'APPROVAL_REFUSED'; detail: string } {
  return { code: 'APPROVAL_REFUSED', detail: refusals[decision] };
}

const refusals: Record<Exclude<Decision, 'approve'>, string> = {
  refuse: 'The user refused to sign.',
  withdraw: 'The caller hung up before the user decided.',
};
