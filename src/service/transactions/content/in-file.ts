import { hash } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { ServiceError } from '../../errors/index.ts';
import { inSpan } from '../../monitoring/index.ts';
import { type FairScheduler, inParts } from '../../scheduling/index.ts';
import { BLOCK_SIZE, hashFile, readBlock, readCheckedBlocks } from '../documents/checked-blocks.ts';
import { attemptName, resultName } from '../documents/result-names.ts';
import type { DocumentRecord, ResultRecord } from '../records.ts';
import { allWarnings, type DocumentJob, type DocumentSigner, type SignedDocumentFile } from '../signers.ts';
import type { FileStamp, RemovedUnneeded } from '../stores.ts';
import type { DocumentHash } from '../transaction.ts';
import {
  PART_SIZE,
  type CheckedResult,
  type CheckOptions,
  type Content,
  type ContentParts,
  type KeptResult,
  type Original,
  type ReadPart,
  type ResultPlace,
  type SignedDraft,
} from './content.ts';
import { documentChanged } from './original-parts.ts';

/**
 * Largest file that is hashed completely before its first byte is passed on; longer files are checked block by block.
 */
const CHECKED_BEFORE = 64 * 2 ** 20;

/** Documents in files: originals of any size that were received, the user's own files, and results of any kind. */
export class InFile implements Content {
  readonly #parts: ContentParts;

  constructor(parts: ContentParts) {
    this.#parts = parts;
  }

  queueFor(): FairScheduler {
    return this.#parts.queues.files;
  }

  async readOriginal<Value>(original: Original, use: (read: ReadPart) => Promise<Value>): Promise<Value> {
    const file = await this.#parts.files.openRegular(await this.#pathOf(original));
    try {
      return await use((number) => readPart(file, number));
    } finally {
      await file.close();
    }
  }

  async withFile<Value>(original: Original, use: (path: string) => Promise<Value>): Promise<Value> {
    return use(await this.#pathOf(original));
  }

  async whileUnchanged<Value>({ content }: Original, action: () => Promise<Value>): Promise<Value> {
    if (content?.kind !== 'path') return action();
    const before = await this.#parts.files.stamp(content.path);
    const value = await action();
    if (!isSameStamp(before, await this.#parts.files.stamp(content.path))) throw documentChanged();
    return value;
  }

  async #pathOf({ key, content }: Pick<Original, 'key' | 'content'>): Promise<string> {
    return content?.kind === 'path' ? content.path : this.#parts.documents.fetchOriginal(key);
  }

  async sign(job: DocumentJob): Promise<SignedDraft> {
    const { document, transaction } = job;
    const { files, limits, now } = this.#parts;
    const source = pathOfSource(document);
    const path = await prepareDraft(this.#parts, document);
    const signedAt = now();
    try {
      const before = source === undefined ? undefined : await files.stamp(source);
      const signed = await this.#signUnchanged(job, path, signedAt, before);
      const after = source === undefined ? undefined : await files.stamp(source).catch(() => undefined);
      const { repairs, adjustments, warnings, postponed } = signed;
      const { checksum, blocks } = await hashFile(path);
      const since = now();
      const next = new Date(since.getTime() + limits.evidenceRetry);
      return {
        path,
        kept: keptFile(this.#parts, document, blocks),
        // Another file in the place of the document says nothing about the document's rights.
        rights: after !== undefined && after.inode === before?.inode ? before.rights : undefined,
        delivery: {
          size: signed.size,
          checksum,
          signedAt,
          signature: signed.signature?.toString('base64') ?? null,
          repairs,
          adjustments,
          warnings: allWarnings(job.signer, warnings),
        },
        ...(postponed === undefined ? {} : { pending: { level: transaction.policy, since, next } }),
      };
    } catch (error) {
      await removeDraft(this.#parts, document);
      throw error;
    }
  }

  /** Signs only the announced content: a source that has changed since its measurement is refused. */
  async #signUnchanged(
    job: DocumentJob,
    draft: string,
    signingTime: Date,
    before: FileStamp | undefined,
  ): Promise<SignedDocumentFile> {
    const { document, transaction, signer } = job;
    const { limits, openings } = this.#parts;
    const source = pathOfSource(document);
    if (document.content?.kind === 'hash') return signHashToFile(signer, document.content.hash, { draft, signingTime });
    const signed = await signer.sign({
      inputPath: await inSpan(this.#parts.tracer, 'content', {}, async () => this.#pathOf(document)),
      outputPath: draft,
      setting: transaction.settings.find(({ id }) => id === document.settingId) ?? { id: 'default' },
      signingTime,
      ...(await this.#repairOf(job, draft)),
      ...openings.get(transaction.tcn),
      ...(transaction.returnSignature ? { returnUpTo: limits.returnedSignatureSize } : {}),
    });
    if (signed.contentChecksum !== undefined) {
      if (signed.contentChecksum !== document.checksum) throw documentChanged();
    } else if (source !== undefined && before !== undefined) {
      await this.#refuseChanged(document, source, before);
    } else {
      const { checksum } = await hashFile(await this.#pathOf(document));
      if (checksum !== document.checksum) throw damagedHere();
    }
    return signed;
  }

  /** A path for the temporary copy of a repaired PDF, always in the application's own folder. */
  async #repairOf({ document, transaction }: DocumentJob, draft: string): Promise<{ readonly repairPath?: string }> {
    if (!transaction.autoFixDocument) return {};
    const own =
      document.destinationPath === null
        ? draft
        : await this.#parts.documents.prepareResult(nameOfAttempt(this.#parts, document));
    return { repairPath: `${own}.repaired` };
  }

  /**
   * Refuses a source that has changed: its content must be equal now, and must not have been written since before the
   * signature.
   */
  async #refuseChanged(document: DocumentRecord, source: string, before: FileStamp): Promise<void> {
    const { files, limits } = this.#parts;
    const { checksum } = await files.inspect(source, limits.documentSize);
    const after = await files.stamp(source);
    if (checksum !== document.checksum || !isSameStamp(before, after)) throw documentChanged();
  }

  async checkResult(
    document: DocumentRecord,
    { size, checksum }: ResultRecord,
    { whole = false, onDamage }: CheckOptions,
  ): Promise<CheckedResult> {
    const { documents, results, transactions } = this.#parts;
    const { key, destinationPath } = document;
    const path = destinationPath ?? (await documents.fetchResult(resultName(document)));
    const found = await stat(path, { bigint: true }).catch(() => undefined);
    if (found?.isFile() !== true) return { outcome: 'missing' };
    if (Number(found.size) !== size) return { outcome: 'changed' };
    if (size <= BLOCK_SIZE) {
      const bytes = await readFile(path);
      const isSame = bytes.length === size && hash('sha256', bytes, 'hex') === checksum;
      return isSame ? { outcome: 'good', place: { bytes } } : { outcome: 'changed' };
    }
    const blocks = destinationPath === null ? await transactions.resultBlocks(key) : undefined;
    const place: ResultPlace = {
      path,
      read: blocks === undefined ? undefined : checkedReader(path, blocks, onDamage),
    };
    const state = `${found.ino} ${found.mtimeNs} ${found.ctimeNs}`;
    const isCheckedLater = blocks !== undefined && size > CHECKED_BEFORE;
    if (!whole && (isCheckedLater || results.isGood(key, state))) return { outcome: 'good', place };
    if ((await hashFile(path)).checksum !== checksum) return { outcome: 'changed' };
    results.noteGood(key, state);
    return { outcome: 'good', place };
  }

  async eraseResult(document: DocumentRecord): Promise<void> {
    await this.#parts.documents.removeResult(resultName(document));
  }

  async confirmOriginals(documents: readonly Original[]): Promise<void> {
    await this.#parts.documents.confirm(keptOnes(documents).map(({ key }) => key));
  }

  async discardOriginals(documents: readonly Original[]): Promise<void> {
    await this.#removeStored(documents);
  }

  async releaseOriginals(documents: readonly Original[]): Promise<number> {
    return this.#removeStored(documents);
  }

  /** The user's own files stay. Answers the number of failures. */
  async #removeStored(documents: readonly Original[]): Promise<number> {
    let failures = 0;
    for await (const some of inParts(keptOnes(documents))) {
      const outcomes = await Promise.allSettled(some.map(({ key }) => this.#parts.documents.removeOriginal(key)));
      failures += outcomes.filter(({ status }) => status === 'rejected').length;
    }
    return failures;
  }

  async removeUnneeded(writtenBefore?: Date): Promise<RemovedUnneeded> {
    const { documents, transactions } = this.#parts;
    return documents.removeUnneeded((keys) => transactions.neededFiles(keys), writtenBefore);
  }
}

/** Signs a document by its hash, into a new file. */
async function signHashToFile(
  signer: DocumentSigner,
  hash: DocumentHash,
  { draft, signingTime }: { readonly draft: string; readonly signingTime: Date },
): Promise<SignedDocumentFile> {
  const signed = await signer.signHash?.({ ...hash, signingTime });
  if (signed === undefined) throw new ServiceError('INTERNAL', 'A hash has no signer of its type.');
  await writeFile(draft, signed.signature, { flag: 'wx', flush: true, mode: 0o600 });
  return { size: signed.signature.length, ...signed };
}

/** The path of a document that is a file of the user. */
export const pathOfSource = ({ content }: Pick<DocumentRecord, 'content'>): string | undefined =>
  content?.kind === 'path' ? content.path : undefined;

/** The documents whose originals are files of ours. */
const keptOnes = (documents: readonly Original[]): readonly Original[] =>
  documents.filter(({ content }) => content?.kind === 'kept');

type DraftParts = Pick<ContentParts, 'documents' | 'files' | 'jobs'>;
type Attempted = Pick<DocumentRecord, 'key' | 'tcn' | 'attempt'>;

/** The number of the claim for files that are written now; undefined for a single instance. */
export const attemptOf = ({ jobs }: Pick<DraftParts, 'jobs'>, { tcn, attempt }: Attempted): number | undefined =>
  jobs.claimOf(tcn)?.number ?? attempt;

/** The name of the files that are written now. */
export const nameOfAttempt = (parts: Pick<DraftParts, 'jobs'>, document: Attempted): string =>
  attemptName(document.key, attemptOf(parts, document));

/** The file of a result, before it is published under the name of the attempt. */
export function keptFile(parts: Pick<DraftParts, 'jobs'>, document: Attempted, blocks: Buffer | undefined): KeptResult {
  const attempt = attemptOf(parts, document);
  return { publish: attemptName(document.key, attempt), blocks, attempt };
}

/** The path for making the result, after removing the file of an earlier attempt. */
export function prepareDraft(parts: DraftParts, document: DocumentRecord): Promise<string> {
  const { destinationPath, key } = document;
  return destinationPath === null
    ? parts.documents.prepareResult(nameOfAttempt(parts, document))
    : parts.files.prepareDraft(destinationPath, key);
}

/** Removes the files of an attempt. */
export async function removeDraft(parts: DraftParts, document: DocumentRecord): Promise<void> {
  const { destinationPath, key } = document;
  if (destinationPath === null) await parts.documents.prepareResult(nameOfAttempt(parts, document));
  else await parts.files.removeDraft(destinationPath, key);
}

/** True if a file was not written between two readings of its outer properties. */
const isSameStamp = (one: FileStamp, other: FileStamp): boolean =>
  one.size === other.size && one.modified === other.modified && one.inode === other.inode;

const damagedHere = (): ServiceError =>
  new ServiceError('DOCUMENT_UNREADABLE', 'The stored document is damaged: send it again.');

async function readPart(file: FileHandle, number: number): Promise<Buffer> {
  const part = Buffer.allocUnsafe(PART_SIZE);
  return part.subarray(0, await readBlock(file, part, number * PART_SIZE));
}

function checkedReader(path: string, blocks: Buffer, onDamage: () => void): NonNullable<ResultPlace['read']> {
  return async function* (range) {
    try {
      yield* readCheckedBlocks(path, blocks, range);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'RESULT_DAMAGED') onDamage();
      throw error;
    }
  };
}
