import { copyFile, open } from 'node:fs/promises';
import { ServiceError, SigningError, toServiceError, passesByItself, waitsForPin } from '../../errors/index.ts';
import { inSpan, shortTcn } from '../../monitoring/index.ts';
import type { TransactionMemory, TransactionQueues, TransactionStores } from '../dependencies.ts';
import type { SignedDraft } from '../content/content.ts';
import { attemptOf, nameOfAttempt, removeDraft } from '../content/in-file.ts';
import { checkedIfFree, freeDestination } from '../documents/destination-names.ts';
import { holdsResult, writeResult } from '../documents/object-documents.ts';
import { stampedName } from '../documents/result-names.ts';
import type { Delivery, DocumentRecord, ResultRecord } from '../records.ts';
import type { DocumentJob } from '../signers.ts';
import { keepPassword } from './kept-passwords.ts';
import { signatureSpan } from './signing-spans.ts';

/**
 * `ended`: the document is SIGNED or ERROR, and nothing more happens to it. `pending`: it has a signature, whose level
 * waits for newer revocation data. `waiting`: it stays WAITING until something else happens. `again`: a store refused to
 * remember.
 */
export type DocumentOutcome = 'ended' | 'pending' | 'waiting' | 'again';

/**
 * Signs a document and delivers the result. The row says SIGNED only after the result is complete, flushed and in
 * place; an earlier crash leaves the document WAITING, and the next attempt starts afresh or recognises the delivered
 * result.
 */
export async function signDocument(
  context: TransactionStores & TransactionQueues & TransactionMemory,
  job: DocumentJob,
): Promise<DocumentOutcome> {
  if (job.stop.pin || context.runner.closed || context.holds.has(job.document.tcn)) return 'waiting';
  try {
    if (await wasDelivered(context, job.document)) {
      const { delivery, evidence } = job.document;
      return await commitSigned(context, job, delivery, evidence?.pending && { pending: evidence.pending });
    }
    const sign = async (): Promise<SignedDraft> => context.contents.of(job.document).sign(job);
    const signed = await inSpan(context.tracer, 'signature', signatureSpan(job), sign).catch((error: unknown) => ({
      error,
    }));
    if ('error' in signed) return await failOrWait(context, job, signed.error);
    if (signed.pending !== undefined) await keepPassword(context, job.transaction.tcn);
    const postpone = signed.pending !== undefined && waitsForEvidence(job);
    return await (postpone ? postponeDocument : deliver)(context, job, signed);
  } catch (error) {
    const { code } = toServiceError(error);
    context.log.error({ transaction: shortTcn(job.document.tcn), code, error }, 'not recorded; it is tried again');
    return 'again';
  }
}

async function failOrWait(
  context: TransactionStores & TransactionQueues & TransactionMemory,
  job: DocumentJob,
  error: unknown,
): Promise<DocumentOutcome> {
  // Nodes read documents from a share or an object store, which may be out of reach for some time.
  const isLost = context.nodes !== undefined && toServiceError(error).code === 'STORAGE_UNAVAILABLE';
  // Requests before the token, or sessions of an HSM that other nodes have.
  const isQueued = error instanceof SigningError && error.code === 'QUEUE_FULL';
  if (isLost || isQueued || (isKeptHere(job.document) && passesByItself(error))) return 'again';
  if (!waitsForPin(error)) return commitFailed(context, job, error);
  job.stop.pin = true;
  return 'waiting';
}

/** True if an earlier attempt has already delivered the result, so that only the row is missing. */
async function wasDelivered({ files, objects }: TransactionStores, document: DocumentRecord): Promise<boolean> {
  const { delivery, destinationPath, destinationUrl } = document;
  if (delivery === null) return false;
  if (destinationUrl !== null) return holdsResult(objects, destinationUrl, delivery);
  if (destinationPath === null) return false;
  if (!(await files.holds(destinationPath, delivery.size, delivery.checksum))) return false;
  // A crash between the temporary and the final name leaves the draft in the same folder.
  await files.removeDraft(destinationPath, document.key);
  return true;
}

/** Objects in stores are never replaced, so their documents wait for the evidence. */
const waitsForEvidence = ({ document, transaction }: DocumentJob): boolean =>
  transaction.evidence === 'wait' || document.destinationUrl !== null;

/** Stores the signature among the results; its document stays WAITING for newer revocation data. */
async function postponeDocument(
  context: TransactionStores & TransactionQueues & TransactionMemory,
  { document }: DocumentJob,
  { path, pending, delivery }: SignedDraft,
): Promise<DocumentOutcome> {
  if (path === undefined || pending === undefined)
    throw new ServiceError('INTERNAL', 'The document has no pending level.');
  const { key, tcn } = document;
  const attempt = attemptOf(context, document);
  const name = stampedName(nameOfAttempt(context, document));
  await copyFlushed(path, await context.documents.prepareResult(name));
  const { repairs, adjustments, warnings } = delivery;
  const findings = { repairs, adjustments, warnings };
  const change = {
    kind: 'document-postponed',
    key,
    pending: { ...pending, findings },
    attempt,
  } as const;
  await context.commits.add({ tcn, changes: [change], publish: name });
  await removeDraft(context, document);
  context.pendingEvidence.wake();
  return 'pending';
}

async function copyFlushed(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const file = await open(to, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Brings a result to its place and records the document as SIGNED. `fail` ends a delivery that failed; by default, the
 * document is ERROR.
 */
export async function deliver(
  context: TransactionStores & TransactionQueues & TransactionMemory,
  job: Pick<DocumentJob, 'document' | 'transaction'>,
  signed: SignedDraft,
  fail: (error: unknown) => Promise<DocumentOutcome> = async (error) => commitFailed(context, job, error),
): Promise<DocumentOutcome> {
  const { document, transaction } = job;
  const { key, tcn, destinationPath } = document;
  const { path, delivery, pending, rights } = signed;
  if (isKeptHere(document)) return commitSigned(context, job, delivery, signed);
  if (path === undefined) throw new ServiceError('INTERNAL', 'A result in memory has no destination.');
  const later = pending === undefined ? {} : { pending };
  await context.commits.add({
    tcn,
    changes: [
      {
        kind: 'document-delivering',
        key,
        delivery,
        ...later,
        ...(destinationPath === null ? {} : { destinationPath }),
      },
    ],
  });
  try {
    await inSpan(context.tracer, 'delivery', {}, async () => bringToDestination(context, job, path, delivery, rights));
  } catch (error) {
    // A network file system may report a failure after success.
    if (await wasDelivered(context, { ...document, delivery })) return commitSigned(context, job, delivery, later);
    const isNumbered = transaction.destination === 'BESIDE_SOURCE' || transaction.destination === 'FREE_PATH';
    const other = isNumbered ? await otherName(context, document, error) : undefined;
    if (other === undefined) return fail(error);
    const renamed = { ...job, document: { ...document, destinationPath: other } };
    return deliver(context, renamed, signed, fail);
  }
  return commitSigned(context, job, delivery, later);
}

/** Another transaction may have taken the name beside the source in the meantime. */
async function otherName(
  { files }: TransactionStores,
  { destinationPath }: DocumentRecord,
  error: unknown,
): Promise<string | undefined> {
  const isTaken = error instanceof ServiceError && error.code === 'DESTINATION_EXISTS';
  if (!isTaken || destinationPath === null) return undefined;
  return freeDestination(destinationPath, async (path) => {
    const checked = await checkedIfFree((one) => files.checkDestination(one), path);
    return checked !== undefined;
  });
}

const isKeptHere = ({ destinationPath, destinationUrl }: DocumentRecord): boolean =>
  destinationPath === null && destinationUrl === null;

async function bringToDestination(
  { files, objects }: TransactionStores,
  {
    document: { destinationPath, destinationUrl },
    transaction: { type },
  }: Pick<DocumentJob, 'document' | 'transaction'>,
  draft: string,
  { size, checksum }: Delivery,
  rights: SignedDraft['rights'],
): Promise<void> {
  if (destinationUrl !== null) await writeResult(objects, { destinationUrl, path: draft, size, checksum, type });
  else if (destinationPath !== null) await files.deliver(draft, destinationPath, rights);
}

async function commitSigned(
  context: TransactionStores & TransactionQueues & TransactionMemory,
  { document }: Pick<DocumentJob, 'document'>,
  delivery: Delivery | null,
  { kept = {}, pending }: Partial<Pick<SignedDraft, 'kept' | 'pending'>> = {},
): Promise<DocumentOutcome> {
  const { commits, documents, limits, log, now, pendingEvidence } = context;
  const { key, tcn, destinationUrl } = document;
  if (delivery === null) throw new ServiceError('INTERNAL', 'A result without its measures cannot be recorded.');
  const keptHere = isKeptHere(document);
  const { publish, ...bytes } = keptHere ? kept : {};
  const result: ResultRecord = {
    ...delivery,
    expiresAt: keptHere ? new Date(now().getTime() + limits.resultLifetime) : null,
    erasedAt: null,
  };
  const change = { kind: 'document-signed', key, result, ...bytes, pending } as const;
  const entry = { tcn, changes: [change], publish };
  await inSpan(context.tracer, 'commit', {}, async () => commits.add(entry));
  if (pending !== undefined) pendingEvidence.wake();
  if (destinationUrl !== null) {
    // The next start tries again.
    await documents
      .removeResult(nameOfAttempt(context, document))
      .catch((error: unknown) => log.warn({ error }, 'a draft could not be removed'));
  }
  return pending === undefined ? 'ended' : 'pending';
}

async function commitFailed(
  context: TransactionStores & TransactionQueues & TransactionMemory,
  { document }: Pick<DocumentJob, 'document'>,
  cause: unknown,
): Promise<DocumentOutcome> {
  const { code, message } = toServiceError(cause);
  context.log.warn({ transaction: shortTcn(document.tcn), code, error: cause }, 'document not signed');
  const { key, tcn } = document;
  if (!isKeptHere(document)) await removeDraft(context, document).catch(() => undefined);
  await context.commits.add({
    tcn,
    changes: [{ kind: 'document-failed', key, error: { code, detail: message } }],
  });
  return 'ended';
}
