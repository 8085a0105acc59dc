import { copyFile, open } from 'node:fs/promises';
import { ServiceError, toServiceError, passesByItself, waitsForPin } from '../../errors/index.ts';
import { shortTcn } from '../../monitoring/index.ts';
import type { TransactionContext } from '../dependencies.ts';
import type { DocumentJob, SignedDocumentFile } from './document-signer.ts';
import { hashFile } from '../documents/checked-blocks.ts';
import { checkedIfFree, freeDestination } from '../documents/file-names.ts';
import { holdsResult, writeResult } from '../documents/object-documents.ts';
import { documentChanged, isSameStamp } from '../documents/original-bytes.ts';
import { stampedName } from '../documents/result-names.ts';
import type { Delivery, DocumentRecord, PendingEvidence, ResultRecord } from '../records.ts';
import { signSmallDocument } from './sign-small-document.ts';
import { hasSmallResult } from '../documents/small-documents.ts';
import type { FileStamp } from '../stores.ts';
import { dropUndefined } from '../../../values/drop-undefined.ts';

/** `waiting`: the document stays WAITING until something else happens. `again`: a store refused to remember. */
export type DocumentOutcome = 'final' | 'waiting' | 'again';

/**
 * Signs a document and delivers the result. The row says SIGNED only after the result is complete, flushed and in
 * place; an earlier crash leaves the document WAITING, and the next attempt starts afresh or recognises the delivered
 * result.
 */
export async function signDocument(context: TransactionContext, job: DocumentJob): Promise<DocumentOutcome> {
  if (job.stop.pin || context.runner.closed || context.holds.has(job.document.tcn)) return 'waiting';
  try {
    if (hasSmallResult(job.document.content)) return await signSmall(context, job);
    if (await wasDelivered(context, job.document)) {
      const { delivery, evidence } = job.document;
      return await commitSigned(context, job, delivery, evidence?.pending && { pending: evidence.pending });
    }
    const attempt = await attemptSignature(context, job);
    if (attempt.kind === 'signed') {
      const postpone = attempt.pending !== undefined && waitsForEvidence(job);
      return await (postpone ? postponeDocument : deliver)(context, job, attempt);
    }
    return await failOrWait(context, job, attempt.error);
  } catch (error) {
    const { code } = toServiceError(error);
    context.log.error({ transaction: shortTcn(job.document.tcn), code, error }, 'not recorded; it is tried again');
    return 'again';
  }
}

async function failOrWait(context: TransactionContext, job: DocumentJob, error: unknown): Promise<DocumentOutcome> {
  if (isKeptHere(job.document) && passesByItself(error)) return 'again';
  if (!waitsForPin(error)) return commitFailed(context, job, error);
  job.stop.pin = true;
  return 'waiting';
}

/** The result of a small document becomes durable in the commit of SIGNED. */
async function signSmall(context: TransactionContext, job: DocumentJob): Promise<DocumentOutcome> {
  const { key, tcn } = job.document;
  const attempt = await signSmallDocument(context, job).catch((error: unknown) => ({ error }));
  if ('error' in attempt) return failOrWait(context, job, attempt.error);
  await context.commits.add({ tcn, changes: [{ kind: 'document-signed', key, ...attempt }] });
  return 'final';
}

/** A complete result on its way to its place. */
export interface SignedDraft {
  readonly draft: string;
  readonly delivery: Delivery;
  readonly blocks?: Buffer;
  /** The level that is still to come. */
  readonly pending?: PendingEvidence;
}

type Attempt = ({ readonly kind: 'signed' } & SignedDraft) | { readonly kind: 'failed'; readonly error: unknown };

/** Whether an earlier attempt got as far as the user's folder or store and only the row is missing. */
async function wasDelivered({ files, objects }: TransactionContext, document: DocumentRecord): Promise<boolean> {
  const { delivery, destinationPath, destinationUrl } = document;
  if (delivery === null) return false;
  if (destinationUrl !== null) return holdsResult(objects, destinationUrl, delivery);
  if (destinationPath === null) return false;
  if (!(await files.holds(destinationPath, delivery.size, delivery.checksum))) return false;
  // A crash between the two names of the result leaves the draft in the same folder.
  await files.removeDraft(destinationPath, document.key);
  return true;
}

async function attemptSignature(context: TransactionContext, job: DocumentJob): Promise<Attempt> {
  try {
    const { document } = job;
    const draft = await prepareDraft(context, document);
    const signedAt = context.now();
    try {
      const signed = await signUnchanged(context, job, draft, signedAt);
      const { checksum, blocks } = await hashFile(draft);
      const delivery: Delivery = {
        size: signed.size,
        checksum,
        signedAt,
        signature: signed.signature?.toString('base64') ?? null,
        ...dropUndefined({ repairs: signed.repairs, adjustments: signed.adjustments, warnings: signed.warnings }),
      };
      const pending = signed.postponed === undefined ? {} : { pending: pendingFrom(context, job) };
      return { kind: 'signed', draft, delivery, ...(blocks === undefined ? {} : { blocks }), ...pending };
    } catch (error) {
      await removeDraft(context, document);
      throw error;
    }
  } catch (error) {
    return { kind: 'failed', error };
  }
}

function pendingFrom({ now, limits }: TransactionContext, { transaction }: DocumentJob): PendingEvidence {
  const since = now();
  return { level: transaction.policy, since, next: new Date(since.getTime() + limits.evidenceRetry) };
}

/** Nothing in an object store is replaced, so its documents wait for the evidence too. */
const waitsForEvidence = ({ document, transaction }: DocumentJob): boolean =>
  transaction.evidence === 'wait' || document.destinationUrl !== null;

/** The signature is kept among the results, and its document stays WAITING for newer revocation data. */
async function postponeDocument(
  context: TransactionContext,
  { document: { key, tcn, destinationPath } }: DocumentJob,
  { draft, pending, delivery }: SignedDraft,
): Promise<DocumentOutcome> {
  if (pending === undefined) throw new ServiceError('INTERNAL', 'Nothing is pending.');
  const name = stampedName(key);
  const kept = await context.documents.prepareResult(name);
  await copyFlushed(draft, kept);
  const { repairs, adjustments, warnings } = delivery;
  const findings = dropUndefined({ repairs, adjustments, warnings });
  const change = { kind: 'document-postponed', key, pending: { ...pending, findings } } as const;
  await context.commits.add({ tcn, changes: [change], publish: name });
  if (destinationPath === null) await context.documents.prepareResult(key);
  else await context.files.removeDraft(destinationPath, key);
  context.pendingEvidence.wake();
  return 'final';
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

/** The path for making the result; an earlier attempt's file is removed. */
export function prepareDraft({ documents, files }: TransactionContext, document: DocumentRecord): Promise<string> {
  const { destinationPath, key } = document;
  return destinationPath === null ? documents.prepareResult(key) : files.prepareDraft(destinationPath, key);
}

async function removeDraft({ documents, files }: TransactionContext, document: DocumentRecord): Promise<void> {
  const { destinationPath, key } = document;
  if (destinationPath === null) await documents.prepareResult(key);
  else await files.removeDraft(destinationPath, key);
}

/** Signs the announced content and nothing else: a source changed since its measurement is refused. */
async function signUnchanged(
  context: TransactionContext,
  job: DocumentJob,
  draft: string,
  signingTime: Date,
): Promise<SignedDocumentFile> {
  const { document, transaction, signer } = job;
  const source = document.content?.kind === 'path' ? document.content.path : undefined;
  const before = source === undefined ? undefined : await context.files.stamp(source);
  const signed = await signer.sign({
    inputPath: source ?? context.documents.originalPath(document.key),
    outputPath: draft,
    setting: transaction.settings.find(({ id }) => id === document.settingId) ?? { id: 'default' },
    signingTime,
    ...(await repairOf(context, job, draft)),
    ...context.openings.get(transaction.tcn),
    ...(transaction.returnSignature ? { returnUpTo: context.limits.returnedSignatureSize } : {}),
  });
  if (signed.contentChecksum !== undefined) {
    if (signed.contentChecksum !== document.checksum) throw documentChanged();
  } else if (document.content?.kind === 'kept') {
    const { checksum } = await hashFile(context.documents.originalPath(document.key));
    if (checksum !== document.checksum) throw damagedHere();
  } else if (source !== undefined && before !== undefined) {
    await refuseChanged(context, document, source, before);
  }
  return signed;
}

/** Where a repaired PDF may stand for a moment: always among our own files. */
async function repairOf(
  { documents }: TransactionContext,
  { document, transaction }: DocumentJob,
  draft: string,
): Promise<{ readonly repairPath?: string }> {
  if (!transaction.autoFixDocument) return {};
  const own = document.destinationPath === null ? draft : await documents.prepareResult(document.key);
  return { repairPath: `${own}.repaired` };
}

/**
 * Equal content now, and no write since before the signature: the signed content is the content measured at creation.
 */
async function refuseChanged(
  { files, limits }: TransactionContext,
  document: DocumentRecord,
  source: string,
  before: FileStamp,
): Promise<void> {
  const { checksum } = await files.inspect(source, limits.documentSize);
  const after = await files.stamp(source);
  if (checksum !== document.checksum || !isSameStamp(before, after)) throw documentChanged();
}

const damagedHere = (): ServiceError =>
  new ServiceError('DOCUMENT_UNREADABLE', 'The stored document is damaged: send it again.');

/** Brings a result to its place and records the document as SIGNED. */
export async function deliver(
  context: TransactionContext,
  job: Pick<DocumentJob, 'document' | 'transaction'>,
  signed: SignedDraft,
): Promise<DocumentOutcome> {
  const { document, transaction } = job;
  const { key, tcn, destinationPath } = document;
  const { draft, delivery, pending } = signed;
  if (isKeptHere(document)) return commitSigned(context, job, delivery, signed);
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
    await bringToDestination(context, job, draft, delivery);
  } catch (error) {
    // A network file system may report a failure after success.
    if (await wasDelivered(context, { ...document, delivery })) return commitSigned(context, job, delivery, later);
    const isNumbered = transaction.destination === 'BESIDE_SOURCE' || transaction.destination === 'FREE_PATH';
    const other = isNumbered ? await otherName(context, document, error) : undefined;
    if (other === undefined) return commitFailed(context, job, error);
    const renamed = { ...job, document: { ...document, destinationPath: other } };
    return deliver(context, renamed, { draft, delivery, ...later });
  }
  return commitSigned(context, job, delivery, later);
}

/** Another transaction may have taken the name beside the source since it was chosen. */
async function otherName(
  { files }: TransactionContext,
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
  { files, objects }: TransactionContext,
  {
    document: { destinationPath, destinationUrl },
    transaction: { type },
  }: Pick<DocumentJob, 'document' | 'transaction'>,
  draft: string,
  { size, checksum }: Delivery,
): Promise<void> {
  if (destinationUrl !== null) await writeResult(objects, { destinationUrl, path: draft, size, checksum, type });
  else if (destinationPath !== null) await files.deliver(draft, destinationPath);
}

async function commitSigned(
  { commits, documents, limits, log, now, pendingEvidence }: TransactionContext,
  { document }: Pick<DocumentJob, 'document'>,
  delivery: Delivery | null,
  { blocks, pending }: Pick<SignedDraft, 'blocks' | 'pending'> = {},
): Promise<DocumentOutcome> {
  const { key, tcn, destinationUrl } = document;
  if (delivery === null) throw new ServiceError('INTERNAL', 'A result without its measures cannot be recorded.');
  const keptHere = isKeptHere(document);
  const result: ResultRecord = {
    ...delivery,
    expiresAt: keptHere ? new Date(now().getTime() + limits.resultLifetime) : null,
    erasedAt: null,
  };
  await commits.add({
    tcn,
    changes: [
      {
        kind: 'document-signed',
        key,
        result,
        ...(blocks === undefined || !keptHere ? {} : { blocks }),
        ...(pending === undefined ? {} : { pending }),
      },
    ],
    ...(keptHere ? { publish: key } : {}),
  });
  if (pending !== undefined) pendingEvidence.wake();
  if (destinationUrl !== null) {
    // The next start tries again.
    await documents.removeResult(key).catch((error: unknown) => log.warn({ error }, 'a draft could not be removed'));
  }
  return 'final';
}

async function commitFailed(
  context: TransactionContext,
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
  return 'final';
}
