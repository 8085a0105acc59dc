import { ServiceError } from '../../errors/index.ts';
import { decideTransaction } from '../answers/decide.ts';
import { DOCUMENTS_AT_ONCE, letOthersRun } from '../../scheduling/index.ts';
import type { TransactionMemory, TransactionQueues, TransactionStores } from '../dependencies.ts';
import type { TransactionView } from '../transaction.ts';
import { queryTransaction } from '../answers/query.ts';
import { readStored, readState } from '../answers/views.ts';
import { shortTcn } from '../../monitoring/index.ts';
import type { TransactionChange } from '../records.ts';

/** Milliseconds after which a file without a row, or an incomplete transaction, belongs to no process that runs. */
const LEFT_AFTER = 86_400_000;

/**
 * Pauses a transaction before its next document, or continues the transaction. Rejects with `TRANSACTION_NOT_FOUND`.
 */
export async function pauseTransaction(
  context: TransactionStores & TransactionQueues & TransactionMemory,
  tcn: string,
  paused: boolean,
): Promise<TransactionView> {
  const { finishedAt } = await readState(context, tcn);
  if (finishedAt === null && context.holds.get(tcn) !== 'cancelled') {
    if (paused) {
      context.holds.set(tcn, 'paused');
      await context.jobs.hold(tcn, 'paused');
    } else if (context.holds.delete(tcn) || context.nodes !== undefined) {
      await context.jobs.hold(tcn, null);
      context.runner.start(tcn);
    }
  }
  return queryTransaction(context, tcn);
}

/**
 * Cancels the documents of a transaction that are not being signed yet. The signing run marks the documents, so that no
 * running signature loses its document. An open upload ends. Rejects with `TRANSACTION_NOT_FOUND`.
 */
export async function cancelTransaction(
  context: TransactionStores & TransactionQueues & TransactionMemory,
  tcn: string,
): Promise<void> {
  const { waitingFor, finishedAt, uploadOpen } = await readState(context, tcn);
  if (finishedAt !== null) return;
  if (uploadOpen) {
    await context.locks.run(tcn, () => endUpload(context, tcn, 'CANCELLED'));
    await context.contents.releaseOriginals((await readStored(context, tcn)).documents);
    context.changes.announce(tcn);
    return;
  }
  if (waitingFor !== null) {
    await decideTransaction(context, tcn, 'cancel');
    return;
  }
  context.holds.set(tcn, 'cancelled');
  await context.jobs.hold(tcn, 'cancelled');
  context.runner.start(tcn);
}

/**
 * Continues the work of an earlier process: removes files without a row, removes expired data, and signs documents that
 * wait only for this application, or for a PIN that may not be needed any more.
 */
export async function resumeTransactions(
  context: TransactionStores & TransactionQueues & TransactionMemory,
): Promise<void> {
  const { nodes, transactions, runner, log, now } = context;
  // Other nodes may be storing theirs: `removeExpired` removes what a node left.
  if (nodes === undefined) await whenRoom(context, () => transactions.removeIncomplete());
  let removed: number | undefined;
  // Other nodes may be receiving and signing, so only old files are removed.
  if (nodes === undefined) removed = await removeUnneeded(context);
  else {
    const before = new Date(now().getTime() - LEFT_AFTER);
    await nodes.locks.runAlone('clean-up', async () => {
      await removeUnneeded(context, before);
    });
  }
  await whenRoom(context, async () => expireTransactions(context));
  // With several nodes, each node looks for unclaimed jobs all the time.
  if (nodes !== undefined) return;
  const toSign = await transactions.list({ kind: 'to-be-signed' });
  const locked = await transactions.list({ kind: 'waiting-for-pin' });
  for (const { tcn } of [...toSign, ...locked]) runner.start(tcn);
  log.info({ removed, resumed: toSign.length + locked.length }, 'resumed');
}

/** Removes files without a row, and answers their number. */
async function removeUnneeded(context: TransactionStores & TransactionMemory, before?: Date): Promise<number> {
  let removed = 0;
  let found = 0;
  let unanswered = 0;
  for (const content of context.contents.all) {
    const unneeded = await whenRoom(context, async () => content.removeUnneeded(before));
    removed += unneeded?.removed ?? 0;
    found += unneeded?.found ?? 0;
    unanswered += unneeded?.unanswered ?? 0;
  }
  if (unanswered > 0) {
    context.log.warn({ files: unanswered }, 'documents of requests without an answer were moved to lost+found');
  }
  if (found > 0) context.log.error({ files: found }, 'documents without a row were moved to lost+found');
  return removed;
}

/**
 * Starts the jobs of transactions that wait only for this instance and have no job: a commit whose outcome was unknown
 * may have succeeded after its caller got an error.
 */
export async function continueForgotten({
  nodes,
  transactions,
  runner,
}: TransactionStores & TransactionQueues): Promise<void> {
  if (nodes !== undefined) return;
  for (const { tcn } of await transactions.list({ kind: 'to-be-signed' })) if (!runner.has(tcn)) runner.start(tcn);
}

/**
 * Runs clean-up that may itself need space: on a full disk the start continues without it, so that documents can be
 * read.
 */
async function whenRoom<Result>(
  { log }: TransactionMemory,
  remove: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await remove();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'STORAGE_FULL') throw error;
    log.warn({ error }, 'the disk is full: data that is no longer needed stays until the next start');
    return undefined;
  }
}

/**
 * Removes expired data: stored results, unfinished uploads, unanswered approvals, idempotency keys. Waits while the
 * clock is in doubt. Of several nodes one does so at a time.
 */
export async function expireTransactions(
  context: TransactionStores & TransactionQueues & TransactionMemory,
): Promise<void> {
  if (!context.mayErase()) return;
  if (context.nodes === undefined) await removeExpired(context);
  else await context.nodes.locks.runAlone('expiry', () => removeExpired(context));
}

async function removeExpired(context: TransactionStores & TransactionQueues & TransactionMemory): Promise<void> {
  await eraseResults(context);
  await endForgottenUploads(context);
  await endForgottenApprovals(context);
  const { idempotencyLifetime } = context.limits;
  await context.transactions.forgetIdempotencyKeys(new Date(context.now().getTime() - idempotencyLifetime));
  await context.transactions.removeIncomplete(new Date(context.now().getTime() - LEFT_AFTER));
}

/** The file is removed first, because a row marked as erased would keep a remaining file for ever. */
async function eraseResults({
  transactions,
  contents,
  changes,
  results,
  now,
}: TransactionStores & TransactionQueues & TransactionMemory): Promise<void> {
  const at = now();
  for (;;) {
    const expired = await transactions.expiredResults(at, DOCUMENTS_AT_ONCE);
    if (expired.length === 0) return;
    for (const document of expired) await contents.of(document).eraseResult(document);
    await transactions.apply(
      expired.map(({ key }): TransactionChange => ({ kind: 'result-erased', key, at })),
      at,
    );
    for (const { key } of expired) results.forget(key);
    for (const tcn of new Set(expired.map((document) => document.tcn))) changes.announce(tcn);
    await letOthersRun();
  }
}

const endOfUpload = {
  UPLOAD_EXPIRED: 'The batch was not ended in time: start again.',
  CANCELLED: 'The transaction was cancelled.',
} as const;

async function endForgottenUploads(context: TransactionStores & TransactionQueues & TransactionMemory): Promise<void> {
  const { transactions, limits, now } = context;
  const time = new Date(now().getTime() - limits.uploadTimeout);
  for (const { tcn } of await transactions.list({ kind: 'uploads-before', time })) {
    await context.locks.run(tcn, () => endUpload(context, tcn, 'UPLOAD_EXPIRED'));
    await context.contents.releaseOriginals((await readStored(context, tcn)).documents);
    context.log.info({ transaction: shortTcn(tcn) }, 'upload expired');
    context.changes.announce(tcn);
  }
}

/** Ends transactions that nobody approved in time, with their notifications and originals. */
async function endForgottenApprovals(
  context: TransactionStores & TransactionQueues & TransactionMemory,
): Promise<void> {
  const { transactions, limits, now } = context;
  const time = new Date(now().getTime() - limits.approvalTimeout);
  for (const { tcn } of await transactions.list({ kind: 'approvals-before', time })) {
    try {
      await decideTransaction(context, tcn, 'expire');
    } catch (error) {
      // The transaction was decided in the meantime.
      if (!(error instanceof ServiceError) || error.code !== 'APPROVAL_NOT_WAITING') throw error;
    }
  }
}

async function endUpload(
  context: TransactionStores & TransactionMemory,
  tcn: string,
  code: 'UPLOAD_EXPIRED' | 'CANCELLED',
): Promise<void> {
  const { transaction, documents } = await readStored(context, tcn);
  if (!transaction.uploadOpen) return;
  const message = endOfUpload[code];
  const waiting = documents.filter(({ status }) => status === 'WAITING');
  const failures = waiting.map(({ key }): TransactionChange => ({
    kind: 'document-failed',
    key,
    error: { code, detail: message },
  }));
  const at = context.now();
  await context.transactions.apply([...failures, { kind: 'upload-ended', tcn, at, reason: code }], at);
}
