import { ServiceError } from '../../errors/index.ts';
import { shortTcn, type ServiceLog } from '../../monitoring/index.ts';
import type { TransactionContext } from '../dependencies.ts';
import type { TransactionChange } from '../records.ts';
import { removeFinalOriginals } from '../documents/remove-originals.ts';
import type { Decision, TransactionView, Transactions } from '../transaction.ts';
import { readStored, viewTransaction } from './views.ts';
import type { Consent } from '../../consent/index.ts';

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

/**
 * Runs `answer` and withdraws the transaction when its caller hangs up before: nobody would learn its TCN, and the user
 * would be asked in vain. Running signatures are finished.
 */
export async function withdrawOnHangUp<Answer>(
  context: TransactionContext,
  tcn: string,
  signal: AbortSignal | undefined,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  if (signal === undefined) return answer();
  const hangUp = (): void => {
    decideTransaction(context, tcn, 'withdraw').catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'APPROVAL_NOT_WAITING') return;
      context.log.warn({ transaction: shortTcn(tcn), error }, 'could not be withdrawn');
    });
  };
  signal.addEventListener('abort', hangUp, { once: true });
  if (signal.aborted) hangUp();
  try {
    return await answer();
  } finally {
    signal.removeEventListener('abort', hangUp);
  }
}

/**
 * Approves transactions of sites with the user's approval in advance: "N signatures for M minutes for this site and
 * certificate". All documents of a transaction are covered, or none. Returns a function to stop.
 */
export function approveStanding(
  transactions: Transactions,
  consent: Pick<Consent, 'takeSignatures'>,
  log: ServiceLog,
): () => void {
  const busy = new Set<string>();
  const approve = async (tcn: string): Promise<void> => {
    const { waitingFor, requester, certificateFingerprint, documents } = await transactions.query(tcn);
    if (waitingFor !== 'approval' || requester.kind !== 'site') return;
    const count = documents.filter(({ status }) => status === 'WAITING').length;
    if (!(await consent.takeSignatures(requester.name, certificateFingerprint, count))) return;
    await transactions.decide(tcn, 'approve');
    log.info({ transaction: shortTcn(tcn), documents: count }, 'approved in advance');
  };
  return transactions.onChange((tcn) => {
    if (busy.has(tcn)) return;
    busy.add(tcn);
    approve(tcn)
      .catch((error: unknown) => {
        log.warn({ transaction: shortTcn(tcn), error }, 'could not be approved in advance');
      })
      .finally(() => busy.delete(tcn));
  });
}
