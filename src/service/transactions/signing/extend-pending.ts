/** The extension of one signature with pending evidence, and the end of an unsuccessful wait. */
import { copyFile, readFile, stat } from 'node:fs/promises';
import { withoutRepeats, type StandardWarning } from '../../../signing/index.ts';
import { ServiceError, toServiceError } from '../../errors/index.ts';
import { inSpan, shortTcn } from '../../monitoring/index.ts';
import { signatureForm } from '../../signature-types/index.ts';
import { readStored } from '../answers/views.ts';
import { attemptOf, keptFile, nameOfAttempt, prepareDraft, pathOfSource } from '../content/in-file.ts';
import type { TransactionContext } from '../dependencies.ts';
import { hashFile } from '../documents/checked-blocks.ts';
import { attemptName, nameOfRevision, resultName, stampedName } from '../documents/result-names.ts';
import type { Delivery, DocumentRecord, PendingEvidence, TransactionRecord } from '../records.ts';
import { openingOf } from './kept-passwords.ts';
import { deliver } from './sign-document.ts';

/**
 * Extends one document at a time; the caller holds the lock of its transaction. All state is in the database: a result
 * is only replaced by a complete file, and the row decides which of two files is valid.
 */
export class EvidenceExtension {
  readonly #context: TransactionContext;
  readonly #discard: (name: string) => void;

  /** `discard` removes a replaced result of this name, once downloads of it have ended. */
  constructor(context: TransactionContext, discard: (name: string) => void) {
    this.#context = context;
    this.#discard = discard;
  }

  /** Extends the document. A temporary failure postpones it, any other ends the wait. */
  async attempt(transaction: TransactionRecord, document: DocumentRecord): Promise<void> {
    const { type, policy, traceParent } = transaction;
    const attributes = { 'sinete.signature.type': type, 'sinete.signature.policy': policy };
    const options = { kind: 'consumer', parent: { from: 'record', traceParent }, attributes } as const;
    try {
      await inSpan(this.#context.tracer, 'extension', options, async () => {
        if (document.status === 'WAITING') await this.#complete(transaction, document);
        else await this.#replace(transaction, document);
      });
    } catch (error) {
      await this.#failed(transaction, document, error);
    }
  }

  /** Gives a waiting document its extended result, and makes it SIGNED. */
  async #complete(transaction: TransactionRecord, document: DocumentRecord): Promise<void> {
    const context = this.#context;
    const stamped = await context.documents.fetchResult(stampedNameOf(document));
    const draft = await prepareDraft(context, document);
    const warnings = await this.#extend(transaction, document, stamped, draft);
    await this.#deliver(transaction, document, draft, withAny(warnings));
  }

  async #deliver(
    transaction: TransactionRecord,
    document: DocumentRecord,
    draft: string,
    { pending, ...extended }: { readonly warnings?: readonly StandardWarning[]; readonly pending?: PendingEvidence },
  ): Promise<void> {
    const context = this.#context;
    const { checksum, size, blocks } = await measure(draft);
    const delivery: Delivery = {
      size,
      checksum,
      signedAt: pendingOf(document).since,
      signature: await this.#signatureOf(transaction, draft, size),
      ...pendingOf(document).findings,
      ...extended,
    };
    const source = pathOfSource(document);
    const rights =
      source === undefined
        ? undefined
        : await context.files.rightsOf(source, document.size ?? 0, document.checksum ?? '');
    const signed = { path: draft, delivery, kept: keptFile(context, document, blocks), pending, rights };
    // An unreachable store must not cost the signature, so the attempt is repeated.
    const rethrow = (error: unknown): never => {
      throw error;
    };
    await deliver(context, { transaction, document }, signed, rethrow);
    await context.documents.removeResult(stampedNameOf(document));
  }

  /** Replaces a delivered result by its extended form. */
  async #replace(transaction: TransactionRecord, document: DocumentRecord): Promise<void> {
    const { documents, commits, limits, now } = this.#context;
    if (document.destinationPath !== null) return this.#replaceFile(transaction, document, document.destinationPath);
    const attempt = attemptOf(this.#context, document);
    const name = nameOfRevision(nameOfAttempt(this.#context, document), (document.evidence?.revision ?? 0) + 1);
    const draft = await documents.prepareResult(name);
    const before = resultName(document);
    const warnings = await this.#extend(transaction, document, await documents.fetchResult(before), draft);
    const { checksum, size, blocks } = await measure(draft);
    await commits.add({
      tcn: document.tcn,
      changes: [
        {
          kind: 'result-extended',
          key: document.key,
          result: {
            size,
            checksum,
            signature: await this.#newSignature(transaction, document, draft, size),
            expiresAt: new Date(now().getTime() + limits.resultLifetime),
            ...withAny(warnings),
          },
          blocks,
          attempt,
        },
      ],
      publish: name,
    });
    this.#discard(before);
  }

  /**
   * Replaces the user's file, but only if it is still the result that was written. The extended file is recorded first,
   * so that a process that ends between the rename and the commit can find the file again.
   */
  async #replaceFile(transaction: TransactionRecord, document: DocumentRecord, path: string): Promise<void> {
    const { files, commits } = this.#context;
    const { key, tcn, result } = document;
    const pending = pendingOf(document);
    const { replacement } = pending;
    // After an extension by an earlier process, the warnings are in the row.
    let warnings = result?.warnings ?? [];
    const isReplaced = replacement !== undefined && (await files.holds(path, replacement.size, replacement.checksum));
    if (!isReplaced) {
      if (result === null || !(await files.holds(path, result.size, result.checksum))) throw movedMeanwhile();
      const draft = await files.prepareDraft(path, key);
      warnings = await this.#extend(transaction, document, path, draft);
      const { size, checksum } = await measure(draft);
      const change = { ...pending, replacement: { size, checksum } };
      await commits.add({ tcn, changes: [{ kind: 'evidence-awaited', key, pending: change, ...withAny(warnings) }] });
      if (!(await files.holds(path, result.size, result.checksum))) throw movedMeanwhile();
      await files.replace(draft, path);
    } else {
      await files.removeDraft(path, key);
    }
    const { size, checksum } = await measure(path);
    const signature = await this.#newSignature(transaction, document, path, size);
    await commits.add({
      tcn,
      changes: [
        { kind: 'result-extended', key, result: { size, checksum, signature, expiresAt: null, ...withAny(warnings) } },
      ],
    });
  }

  /** The signature to return. A PDF's signature is unchanged, because its evidence is appended to the file. */
  async #newSignature(
    transaction: TransactionRecord,
    { result }: DocumentRecord,
    path: string,
    size: number,
  ): Promise<string | null> {
    const isPdf = signatureForm(transaction.type).container === 'pdf';
    return isPdf ? (result?.signature ?? null) : this.#signatureOf(transaction, path, size);
  }

  /** The signature for the answer to a query, in base64; null if none was asked for, or if it is too long. */
  async #signatureOf({ type, returnSignature }: TransactionRecord, path: string, size: number): Promise<string | null> {
    const isTooLong = size > this.#context.limits.returnedSignatureSize;
    if (!returnSignature || isTooLong || signatureForm(type).container === 'pdf') return null;
    return readFile(path, 'base64');
  }

  /** Answers the warnings of the signature and of its extension. */
  async #extend(
    transaction: TransactionRecord,
    document: DocumentRecord,
    inputPath: string,
    outputPath: string,
  ): Promise<readonly StandardWarning[]> {
    const { extendDocument, keys, now } = this.#context;
    const content = await this.#contentOf(transaction, document);
    const key = await keys.find(transaction.certificateFingerprint).catch(() => undefined);
    const setting = transaction.settings.find(({ id }) => id === document.settingId);
    const { warnings } = await extendDocument({
      inputPath,
      outputPath,
      transaction,
      now,
      contentPath: content,
      contentHash: document.content?.kind === 'hash' ? document.content.hash : undefined,
      certificate: key,
      keepStandard: setting?.keepStandard,
      ...(await openingOf(this.#context, transaction.tcn)),
    });
    const earlier = document.result?.warnings ?? document.evidence?.pending?.findings?.warnings ?? [];
    return withoutRepeats([...earlier, ...warnings]);
  }

  /** The document of a detached signature, unchanged since the signature. */
  async #contentOf(
    { type }: TransactionRecord,
    { key, content, checksum }: DocumentRecord,
  ): Promise<string | undefined> {
    const { container, attached } = signatureForm(type);
    if (container === 'pdf' || attached || content?.kind === 'hash') return undefined;
    const { documents, files, limits } = this.#context;
    if (content?.kind !== 'path') return documents.fetchOriginal(key);
    const found = await files.inspect(content.path, limits.documentSize);
    if (found.checksum === checksum) return found.path;
    throw new ServiceError('DOCUMENT_UNREADABLE', 'The document is not the one that was signed any more.');
  }

  /** Tries again later, or ends the wait. The signature itself is never lost. */
  async #failed(transaction: TransactionRecord, document: DocumentRecord, cause: unknown): Promise<void> {
    const { log, now, limits } = this.#context;
    const { code, message } = toServiceError(cause);
    const waited = now().getTime() - pendingOf(document).since.getTime();
    const isWaiting = document.status === 'WAITING';
    const isComplete = code === 'STORE_UNAVAILABLE';
    const isOver = waited >= (isWaiting && !isComplete ? limits.evidenceTimeout : limits.evidenceLatest);
    log.info({ transaction: shortTcn(document.tcn), code, isOver, error: cause }, 'not extended yet');
    if (passes.has(code) && !isOver) return this.postpone(document);
    const error =
      passes.has(code) && !isComplete
        ? { code: 'EVIDENCE_UNAVAILABLE' as const, detail: `Newer revocation data did not come in time. ${message}` }
        : { code, detail: message };
    if (!isWaiting) return this.#giveUp(document, error);
    const keepsStamped = transaction.evidence !== 'wait' && !isComplete;
    const failure = keepsStamped ? await this.#deliverStamped(transaction, document, error) : error;
    if (failure === undefined) return;
    if (passes.has(failure.code) && waited < limits.evidenceLatest && keepsStamped) return this.postpone(document);
    const { key, tcn } = document;
    await this.#context.commits.add({ tcn, changes: [{ kind: 'document-failed', key, error: failure }] });
    await this.#context.documents.removeResult(stampedNameOf(document));
  }

  /**
   * Delivers the signature without the missing evidence, because its caller did not ask to wait. Answers the error of a
   * failed delivery.
   */
  async #deliverStamped(
    transaction: TransactionRecord,
    document: DocumentRecord,
    error: NonNullable<DocumentRecord['error']>,
  ): Promise<NonNullable<DocumentRecord['error']> | undefined> {
    const { documents } = this.#context;
    const draft = await prepareDraft(this.#context, document);
    await copyFile(await documents.fetchResult(stampedNameOf(document)), draft);
    try {
      await this.#deliver(transaction, document, draft, { pending: pendingOf(document) });
    } catch (failure) {
      const { code, message } = toServiceError(failure);
      return { code, detail: message };
    }
    const { documents: after } = await readStored(this.#context, document.tcn, document.id);
    for (const one of after.filter(({ status }) => status === 'SIGNED')) await this.#giveUp(one, error);
    return undefined;
  }

  async #giveUp(document: DocumentRecord, error: NonNullable<DocumentRecord['error']>): Promise<void> {
    const { commits, limits, now } = this.#context;
    const { key, tcn, result } = document;
    const expiresAt = result?.expiresAt == null ? null : new Date(now().getTime() + limits.resultLifetime);
    await commits.add({ tcn, changes: [{ kind: 'evidence-failed', key, error, expiresAt }] });
  }

  /** The document is due again after a quarter of the time that it has waited, within the limits of the pause. */
  async postpone(document: DocumentRecord): Promise<void> {
    const { commits, now, limits } = this.#context;
    const { key, tcn } = document;
    const pending = pendingOf(document);
    const waited = now().getTime() - pending.since.getTime();
    const pause = Math.min(Math.max(waited / 4, limits.evidenceRetry), limits.evidenceRetryLongest);
    const next = new Date(now().getTime() + pause);
    const kind = document.status === 'WAITING' ? 'document-postponed' : 'evidence-awaited';
    await commits.add({ tcn, changes: [{ kind, key, pending: { ...pending, next } }] });
  }
}

/** The name of the signature of a waiting document, under the claim that wrote it. */
const stampedNameOf = ({ key, attempt }: DocumentRecord): string => stampedName(attemptName(key, attempt));

/** Temporary failures. */
const passes: ReadonlySet<ServiceError['code']> = new Set([
  'REVOCATION_UNAVAILABLE',
  'NETWORK_UNAVAILABLE',
  'TSA_UNAVAILABLE',
  'TSA_NOT_CONFIGURED',
  'KEY_SOURCE_UNAVAILABLE',
  'STORAGE_FULL',
  'STORAGE_UNAVAILABLE',
  'STORE_UNAVAILABLE',
  'BUSY',
  'INTERNAL',
]);

const withAny = (warnings: readonly StandardWarning[]): { readonly warnings?: readonly StandardWarning[] } =>
  warnings.length === 0 ? {} : { warnings };

async function measure(path: string): Promise<{ size: number; checksum: string; blocks?: Buffer }> {
  const { size } = await stat(path);
  return { size, ...(await hashFile(path)) };
}

/** The pending level of a document: its start, and the next attempt. Throws `INTERNAL` if none is pending. */
export function pendingOf({ evidence }: DocumentRecord): PendingEvidence {
  if (evidence?.pending !== undefined) return evidence.pending;
  throw new ServiceError('INTERNAL', 'The document has no pending level.');
}

function movedMeanwhile(): ServiceError {
  const message = 'The signed file was moved or changed since it was written: extend it with "sinete extend".';
  return new ServiceError('DOCUMENT_UNREADABLE', message);
}
