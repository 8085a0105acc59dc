import { ServiceError } from '../../errors/index.ts';
import { shortTcn, type ServiceLog } from '../../monitoring/index.ts';
import type {
  SigningServices,
  TransactionContext,
  TransactionMemory,
  TransactionQueues,
  TransactionStores,
} from '../dependencies.ts';
import type { TransactionChange } from '../records.ts';
import type { Authority } from '../../authorization/index.ts';
import { keysOfPerson } from '../choices/choose-certificate.ts';
import type { TransactionRecord } from '../records.ts';
import type { Decision, TransactionView, Transactions } from '../transaction.ts';
import type { TransactionStore } from '../stores.ts';
import { queryTransaction } from './query.ts';
import { readStored } from './views.ts';
import type { Consent } from '../../consent/index.ts';

/**
 * Applies the user's decision to a transaction waiting for approval. A transaction waiting for a PIN can still be
 * refused, and a transaction waiting for revocation data cancelled. Answers as a query does. Rejects with
 * `TRANSACTION_NOT_FOUND` or `APPROVAL_NOT_WAITING`.
 */
export async function decideTransaction(
  context: TransactionStores & TransactionQueues & TransactionMemory,
  tcn: string,
  decision: Decision,
): Promise<TransactionView> {
  await context.locks.run(tcn, async () => {
    const { transaction, documents } = await readStored(context, tcn);
    const { waitingFor } = transaction;
    const isOver = waitingFor === 'evidence' ? decision === 'cancel' : waitingFor === 'pin' && decision !== 'approve';
    if (waitingFor !== 'approval' && !isOver) {
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
  if (decision !== 'approve') {
    await context.contents.releaseOriginals((await readStored(context, tcn)).documents);
    await context.passwords.forget(tcn);
  }
  return queryTransaction(context, tcn);
}

type Refusal = { readonly code: 'APPROVAL_REFUSED' | 'APPROVAL_EXPIRED' | 'CANCELLED'; readonly detail: string };

const refusal = (decision: Exclude<Decision, 'approve'>): Refusal => refusals[decision];

const refusals: Record<Exclude<Decision, 'approve'>, Refusal> = {
  refuse: { code: 'APPROVAL_REFUSED', detail: 'The user refused to sign.' },
  withdraw: { code: 'APPROVAL_REFUSED', detail: 'The caller hung up before the user decided.' },
  cancel: { code: 'CANCELLED', detail: 'The transaction was cancelled.' },
  expire: { code: 'APPROVAL_EXPIRED', detail: 'Nobody approved the transaction in time: start it again.' },
};

/**
 * Approves a waiting transaction by a person's token, as far as the token's scope permits: the person approved on the
 * authorize page, or has just given a one-time password. The certificate must belong to the person, and a transaction
 * of an application needs a token of that application. Rejects with `TRANSACTION_NOT_FOUND`, `APPROVAL_NOT_WAITING`,
 * `SCOPE_NOT_ALLOWED`.
 */
export async function approveByToken(
  context: TransactionContext,
  tcn: string,
  authority: Authority,
): Promise<TransactionView> {
  const { approvedBy, username } = authority;
  await context.locks.run(tcn, async () => {
    const { transaction, documents } = await readStored(context, tcn);
    if (transaction.uploadOpen) throw notWaiting('End the upload (eot) before the transaction is approved.');
    if (transaction.waitingFor !== 'approval') throw notWaiting('This transaction does not wait for a decision.');
    if (approvedBy === undefined || username === undefined) {
      const detail = 'This token identifies and does not approve: get one on the authorize page (/oauth/authorize).';
      throw new ServiceError('SCOPE_NOT_ALLOWED', detail);
    }
    await expectOwnTransaction(context, transaction, { ...authority, username });
    await authority.claim(documents.filter(({ status }) => status === 'WAITING').length);
    await context.transactions.apply([{ kind: 'approved', tcn, by: approvedBy }], context.now());
  });
  context.log.info({ transaction: shortTcn(tcn), by: approvedBy }, 'approved by token');
  context.changes.announce(tcn);
  context.runner.start(tcn);
  return queryTransaction(context, tcn);
}

const notWaiting = (detail: string): ServiceError => new ServiceError('APPROVAL_NOT_WAITING', detail);

async function expectOwnTransaction(
  context: TransactionStores & SigningServices & TransactionMemory,
  { caller, certificateFingerprint }: TransactionRecord,
  { username, turn }: Authority & { readonly username: string },
): Promise<void> {
  const { keys } = await keysOfPerson(context, username);
  if (!(await keys.list()).some(({ fingerprint }) => fingerprint === certificateFingerprint)) {
    const detail = "The transaction signs with a certificate that is not of the token's person.";
    throw new ServiceError('SCOPE_NOT_ALLOWED', detail);
  }
  if (caller?.startsWith('application ') === true && caller !== turn?.[0]) {
    throw new ServiceError('SCOPE_NOT_ALLOWED', 'The transaction was started by another application.');
  }
}

/**
 * Runs `answer`, and withdraws the transaction if its caller hangs up before: nobody would learn its TCN, and the user
 * would be asked needlessly. Running signatures are finished.
 */
export async function withdrawOnHangUp<Answer>(
  context: TransactionStores & TransactionQueues & TransactionMemory,
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
 * Approves transactions of sites that the user has approved in advance: "N signatures for M minutes for this site and
 * certificate". Covers all documents of a transaction, or none, and no hashes. Returns the function that stops the approvals.
 */
export function approveStanding(
  transactions: Transactions,
  states: Pick<TransactionStore, 'readState'>,
  consent: Pick<Consent, 'takeSignatures'>,
  log: ServiceLog,
): () => void {
  const busy = new Set<string>();
  const approve = async (tcn: string): Promise<void> => {
    // Reads only the state, because every change of every transaction comes here and few transactions wait for
    // approval.
    const state = await states.readState(tcn);
    if (state?.waitingFor !== 'approval' || state.requester.kind !== 'site') return;
    const { waitingFor, requester, certificateFingerprint, counts, documentsSource } = await transactions.query(tcn, {
      documents: { limit: 0 },
    });
    // The window cannot show the documents behind hashes: the user approves each transaction of hashes separately.
    if (waitingFor !== 'approval' || documentsSource === 'HASHES') return;
    const count = counts.WAITING;
    if (!(await consent.takeSignatures(requester.name, certificateFingerprint, count))) return;
    await transactions.decide(tcn, 'approve');
    log.info({ transaction: shortTcn(tcn), documents: count }, 'approved in advance');
  };
  return transactions.onChange((tcn, isElsewhere) => {
    // The node on which the change happened has approved already.
    if (isElsewhere || busy.has(tcn)) return;
    busy.add(tcn);
    approve(tcn)
      .catch((error: unknown) => {
        log.warn({ transaction: shortTcn(tcn), error }, 'could not be approved in advance');
      })
      .finally(() => busy.delete(tcn));
  });
}
