import { ServiceError } from '../../errors/index.ts';
import { shortTcn } from '../../monitoring/index.ts';
import type { TransactionContext } from '../dependencies.ts';
import type { TransactionChange } from '../records.ts';
import { removeFinalOriginals } from '../documents/remove-originals.ts';
import { readStored } from '../answers/views.ts';

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
