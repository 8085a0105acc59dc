import { ServiceError } from '../../errors/index.ts';
import { decideTransaction } from '../answers/decide.ts';
import type { TransactionContext } from '../dependencies.ts';
import type { TransactionView } from '../transaction.ts';
import { readStored, readTransaction, viewTransaction } from '../answers/views.ts';
import { shortTcn } from '../../monitoring/index.ts';
import type { TransactionChange } from '../records.ts';
import { removeFinalOriginals } from '../documents/remove-originals.ts';

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

/**
 * Continues the work of an earlier process: removes files without a row, removes expired data, and signs documents that
 * wait only for this application, or for a PIN that may not be needed any more.
 */
export async function resumeTransactions(context: TransactionContext): Promise<void> {
  const { transactions, documents, smallDocuments, runner, log } = context;
  const removed = await documents.removeUnneeded(await transactions.neededFiles());
  const removedSmall = await smallDocuments.removeUnneeded();
  await expireTransactions(context);
  const toSign = await transactions.list({ kind: 'to-be-signed' });
  const locked = await transactions.list({ kind: 'waiting-for-pin' });
  for (const { tcn } of [...toSign, ...locked]) runner.start(tcn);
  log.info({ removedFiles: removed, removedSmall, resumed: toSign.length + locked.length }, 'resumed');
}

/** Removes expired data: stored results, unfinished uploads, idempotency keys. */
export async function expireTransactions(context: TransactionContext): Promise<void> {
  await eraseResults(context);
  await endForgottenUploads(context);
  const { idempotencyLifetime } = context.limits;
  await context.transactions.forgetIdempotencyKeys(new Date(context.now().getTime() - idempotencyLifetime));
}

/** The file is removed first, because a row marked as erased would keep a remaining file for ever. */
async function eraseResults({ transactions, documents, changes, now }: TransactionContext): Promise<void> {
  const at = now();
  const expired = await transactions.expiredResults(at);
  if (expired.length === 0) return;
  for (const { key } of expired) await documents.removeResult(key);
  await transactions.apply(
    expired.map(({ key }): TransactionChange => ({ kind: 'result-erased', key, at })),
    at,
  );
  for (const tcn of new Set(expired.map((document) => document.tcn))) changes.announce(tcn);
}

async function endForgottenUploads(context: TransactionContext): Promise<void> {
  const { transactions, limits, now } = context;
  const time = new Date(now().getTime() - limits.uploadTimeout);
  for (const { tcn } of await transactions.list({ kind: 'uploads-before', time })) {
    await context.locks.run(tcn, () => endUpload(context, tcn));
    await removeFinalOriginals(context, tcn);
    context.log.info({ transaction: shortTcn(tcn) }, 'upload expired');
    context.changes.announce(tcn);
  }
}

async function endUpload(context: TransactionContext, tcn: string): Promise<void> {
  const { transaction, documents } = await readStored(context, tcn);
  if (!transaction.uploadOpen) return;
  const { code, message } = new ServiceError('UPLOAD_EXPIRED', 'The batch was not ended in time: start again.');
  const waiting = documents.filter(({ status }) => status === 'WAITING');
  const failures = waiting.map(({ key }): TransactionChange => ({
    kind: 'document-failed',
    key,
    error: { code, detail: message },
  }));
  await context.transactions.apply([...failures, { kind: 'upload-ended', tcn }], context.now());
}
