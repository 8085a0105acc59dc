import { AsyncLocalStorage } from 'node:async_hooks';
import { SigningError } from '../../../signing/index.ts';
import { inParts } from '../../scheduling/index.ts';
import { refuseUnusable } from '../choices/choose-certificate.ts';
import type {
  SigningServices,
  TransactionContext,
  TransactionMemory,
  TransactionQueues,
  TransactionStores,
} from '../dependencies.ts';
import { toKeyFailure, waitsForPin } from '../../errors/index.ts';
import { inSpan, shortTcn } from '../../monitoring/index.ts';
import { signatureForm } from '../../signature-types/index.ts';
import type { RunOutcome } from '../nodes.ts';
import type { DocumentRecord, StoredTransaction, TransactionChange } from '../records.ts';
import type { DocumentSigner } from '../signers.ts';
import { openingOf } from './kept-passwords.ts';
import { signDocument, type DocumentOutcome } from './sign-document.ts';
import { jobSpan, tracedSigner } from './signing-spans.ts';
import type { WaitingFor } from '../transaction.ts';
import { turnOwnerOf } from '../schedule/turns.ts';
import { readStored, readState } from '../answers/views.ts';

/**
 * Signs the waiting documents of a transaction. May be called at any time and repeatedly: final documents and documents
 * waiting for the user stay unchanged, and unfinished work of an earlier process is recognized. A failed document does
 * not stop the others.
 */
export async function signDocuments(context: TransactionContext, tcn: string): Promise<RunOutcome> {
  const job = await load(context, tcn);
  if (job.waiting.length === 0) return finish(context, job, []);
  if (!isApproved(job)) return 'done';
  return inSpan(context.tracer, 'job', jobSpan(context, job), async (span) => {
    const outcome = await signWaiting(context, job);
    span.note({ 'sinete.job.outcome': outcome });
    return outcome;
  });
}

async function signWaiting(context: TransactionContext, job: Job): Promise<RunOutcome> {
  const { tcn } = job.transaction;
  await recallPassword(context, job);
  const held = context.holds.get(tcn);
  if (held !== undefined) return held === 'paused' ? 'done' : giveUp(context, job);

  const opening = await openKey(context, job);
  if (opening.kind === 'locked') return hold(context, tcn, 'pin');
  if (opening.kind === 'failed') return failAll(context, job, opening.error);
  if (!(await takeFromUser(context, job))) return 'done';

  const turn = [...turnOwnerOf(job.transaction), tcn];
  const shared = { signer: opening.signer, stop: { pin: false }, queuedAt: performance.now() };
  // A queue starts a task at the end of another one: the task returns to its own request and span.
  const here = AsyncLocalStorage.snapshot();
  const running: Promise<DocumentOutcome>[] = [];
  for await (const some of inParts(job.waiting)) {
    for (const document of some) {
      const queue = context.contents.of(document).queueFor(job.transaction.keySource);
      const signing = queue.run(turn, () => here(() => signDocument(context, { ...job, ...shared, document })));
      // A failure is read below, once all documents are in their queue.
      signing.catch(() => undefined);
      running.push(signing);
    }
  }
  const outcomes = await Promise.all(running);
  await finish(context, job, outcomes);
  if (outcomes.includes('again')) {
    return outcomes.includes('ended') || outcomes.includes('pending') ? 'again-soon' : 'again';
  }
  return shared.stop.pin ? hold(context, tcn, 'pin') : 'done';
}

/** The password of encrypted PDFs whose transaction was created on another node. */
async function recallPassword(
  context: TransactionStores & TransactionQueues & TransactionMemory,
  { transaction: { tcn, type } }: Job,
): Promise<void> {
  const { nodes, openings } = context;
  if (nodes === undefined || openings.has(tcn) || signatureForm(type).container !== 'pdf') return;
  const found = await openingOf(context, tcn);
  if (found.password !== undefined) openings.set(tcn, { password: found.password });
}

interface Job extends StoredTransaction {
  readonly waiting: readonly DocumentRecord[];
}

async function load(context: TransactionStores, tcn: string): Promise<Job> {
  const stored = await readStored(context, tcn);
  return { ...stored, waiting: stored.documents.filter((one) => one.status === 'WAITING' && !isPostponed(one)) };
}

/** Signed, and waiting for newer revocation data (`PendingEvidenceJob`). */
const isPostponed = ({ status, evidence, delivery }: DocumentRecord): boolean =>
  status === 'WAITING' && evidence?.pending !== undefined && delivery === null;

/** True for a transaction with a stored approval and a finished upload. Signing itself never grants an approval. */
function isApproved({ transaction }: Job): boolean {
  return transaction.approval === 'given' && !transaction.uploadOpen;
}

type OpenedKey =
  | { readonly kind: 'open'; readonly signer: DocumentSigner }
  | { readonly kind: 'locked' }
  | { readonly kind: 'failed'; readonly error: unknown };

async function openKey(context: SigningServices & TransactionMemory, { transaction }: Job): Promise<OpenedKey> {
  try {
    const key = await context.keys.find(transaction.certificateFingerprint);
    // The reason is stored with the document, for whoever knows the TCN.
    refuseUnusable(key, context.now(), 'masked');
    const choice = { ...transaction, now: context.now };
    const signer = tracedSigner(context.tracer, await context.keys.open(key), transaction.keySource);
    return { kind: 'open', signer: await context.prepareDocumentSigner(signer, choice) };
  } catch (error) {
    const tokenIsAway =
      transaction.keySource !== 'file' && error instanceof SigningError && error.code === 'KEY_NOT_FOUND';
    return tokenIsAway || waitsForPin(error) ? { kind: 'locked' } : { kind: 'failed', error };
  }
}

/** Until now a transaction waiting for a PIN could be refused; from here on it is being signed. */
async function takeFromUser(
  context: TransactionStores & TransactionQueues & TransactionMemory,
  { transaction: { tcn } }: Job,
): Promise<boolean> {
  return context.locks.run(tcn, async () => {
    const state = await readState(context, tcn);
    if (state.finishedAt !== null) return false;
    if (state.waitingFor !== null) await writeWaitingFor(context, tcn, null);
    return true;
  });
}

async function hold(
  context: TransactionStores & TransactionQueues & TransactionMemory,
  tcn: string,
  waitingFor: 'pin' | 'evidence',
): Promise<RunOutcome> {
  await context.locks.run(tcn, async () => {
    const state = await readState(context, tcn);
    if (state.finishedAt === null && state.waitingFor !== waitingFor) {
      await writeWaitingFor(context, tcn, waitingFor);
    }
  });
  return 'done';
}

async function writeWaitingFor(
  context: TransactionStores & TransactionQueues & TransactionMemory,
  tcn: string,
  waitingFor: WaitingFor,
): Promise<void> {
  await applyAsJob(context, tcn, [{ kind: 'waiting-for', tcn, waitingFor }]);
  context.changes.announce(tcn);
}

/** Applies changes while this node has the job. */
async function applyAsJob(
  { transactions, jobs, now }: TransactionStores & TransactionQueues & TransactionMemory,
  tcn: string,
  changes: readonly TransactionChange[],
): Promise<void> {
  const claim = jobs.claimOf(tcn);
  await transactions.apply(changes, now(), claim === undefined ? [] : [claim]);
}

async function failAll(
  context: TransactionStores & TransactionQueues & TransactionMemory,
  job: Job,
  cause: unknown,
): Promise<RunOutcome> {
  const { tcn } = job.transaction;
  const { code, message } = toKeyFailure(cause);
  context.log.warn({ transaction: shortTcn(tcn), code, error: cause }, 'key could not be opened');
  return failWaiting(context, job, { code, detail: message });
}

/** Ends the remaining documents, after the owner has cancelled the batch. */
async function giveUp(
  context: TransactionStores & TransactionQueues & TransactionMemory,
  job: Job,
): Promise<RunOutcome> {
  context.log.info({ transaction: shortTcn(job.transaction.tcn), documents: job.waiting.length }, 'given up');
  return failWaiting(context, job, { code: 'CANCELLED', detail: 'The rest of the batch was cancelled.' });
}

async function failWaiting(
  context: TransactionStores & TransactionQueues & TransactionMemory,
  job: Job,
  error: Extract<TransactionChange, { kind: 'document-failed' }>['error'],
): Promise<RunOutcome> {
  const { tcn } = job.transaction;
  const changes = job.waiting.map(({ key }): TransactionChange => ({ kind: 'document-failed', key, error }));
  await context.locks.run(tcn, async () => {
    const state = await readState(context, tcn);
    if (state.finishedAt === null) await applyAsJob(context, tcn, changes);
  });
  context.changes.announce(tcn);
  return finish(
    context,
    job,
    changes.map(() => 'ended'),
  );
}

async function finish(
  context: TransactionStores & TransactionQueues & TransactionMemory,
  job: Job,
  outcomes: readonly DocumentOutcome[],
): Promise<RunOutcome> {
  const { tcn } = job.transaction;
  context.log.info({ transaction: shortTcn(tcn), documents: outcomes.length }, 'signing ended');
  if (hasEnded(job, outcomes)) {
    await context.contents.releaseEnded(job.documents);
    forgetEnded(context, tcn);
    if (context.nodes !== undefined) await forgetKeptPassword(context, job);
    return 'done';
  }
  const stored = await readStored(context, tcn);
  await context.contents.releaseOriginals(stored.documents);
  forgetFinished(context, stored);
  if (isOver(stored) && context.nodes !== undefined) await forgetKeptPassword(context, stored);
  return awaitsOnlyEvidence(stored) ? hold(context, tcn, 'evidence') : 'done';
}

/** True if this run has ended each document, so that nothing of the transaction has to be read from the store. */
const hasEnded = ({ transaction, documents }: Job, outcomes: readonly DocumentOutcome[]): boolean =>
  !transaction.uploadOpen && outcomes.length === documents.length && outcomes.every((outcome) => outcome === 'ended');

function awaitsOnlyEvidence({ transaction, documents }: StoredTransaction): boolean {
  const waiting = documents.filter(({ status }) => status === 'WAITING');
  return !transaction.uploadOpen && waiting.length > 0 && waiting.every(isPostponed);
}

/**
 * Forgets data that a finished transaction no longer needs. A pending level of an encrypted PDF still needs the
 * password.
 */
export function forgetFinished(context: TransactionMemory, { transaction, documents }: StoredTransaction): void {
  if (transaction.finishedAt === null) return;
  const hasPending = documents.some(({ evidence }) => evidence?.pending !== undefined);
  forgetEnded(context, transaction.tcn, hasPending);
}

function forgetEnded({ holds, correlation, openings }: TransactionMemory, tcn: string, hasPending = false): void {
  holds.delete(tcn);
  correlation.forget(tcn);
  if (!hasPending) openings.delete(tcn);
}

const isOver = ({ transaction, documents }: StoredTransaction): boolean =>
  transaction.finishedAt !== null && documents.every(({ evidence }) => evidence?.pending === undefined);

/** Only PDFs have passwords. */
async function forgetKeptPassword(
  { passwords }: TransactionStores,
  { transaction: { tcn, type } }: StoredTransaction,
): Promise<void> {
  if (signatureForm(type).container === 'pdf') await passwords.forget(tcn);
}
