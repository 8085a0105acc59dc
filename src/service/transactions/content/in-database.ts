import { hash, randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { parseCertificate } from '../../../signing/index.ts';
import { ServiceError } from '../../errors/index.ts';
import { inSpan } from '../../monitoring/index.ts';
import type { FairScheduler } from '../../scheduling/index.ts';
import { signatureForm } from '../../signature-types/index.ts';
import { needsTimestamp } from '../choices/choose-policy.ts';
import type { DocumentRecord, ResultRecord, TransactionRecord } from '../records.ts';
import { allWarnings, type DocumentJob, type DocumentSigner } from '../signers.ts';
import type { CheckedResult, Content, ContentParts, Original, ReadPart, SignedDraft } from './content.ts';
import type { RemovedUnneeded } from '../stores.ts';
import { PART_SIZE } from './content.ts';
import { documentChanged } from './original-parts.ts';

/** The properties that determine the storage. */
type Choice = Pick<TransactionRecord, 'type' | 'policy' | 'digest' | 'destination' | 'existingSignature'>;

/**
 * True when documents of such a transaction may be stored in the database: the signing core signs in memory, and the
 * result is about as small and stays here.
 */
export function mayBeInDatabase({ type, policy, destination, existingSignature }: Choice): boolean {
  const inMemory = signatureForm(type).container !== 'pdf' && existingSignature === undefined;
  return inMemory && !needsTimestamp(policy) && destination === 'LOCAL';
}

/** Types of keys that can sign any hash. EdDSA and ML-DSA have their own (RFC 8419 §3.1, RFC 9882 §3.3). */
const SIGN_ANY_HASH: ReadonlySet<string | undefined> = new Set(['rsa', 'rsa-pss', 'ec']);

/**
 * Tells whether to store an original; not needed when nobody has to look at the document before the signature, and a
 * detached signature only needs its SHA-256. Originals without storage cost no flush and no erasure. The key of an
 * absent token is unknown: the original is stored then.
 */
export function kindInDatabase({
  type,
  digest,
  approval,
  certificate,
}: Pick<TransactionRecord, 'type' | 'digest' | 'approval'> & { readonly certificate: Buffer | undefined }):
  'small' | 'digest' {
  if (approval === 'required' || certificate === undefined) return 'small';
  // Bytes to sign are signed as they are.
  if (signatureForm(type).container === 'raw') return 'small';
  if (signatureForm(type).attached || digest !== 'sha256') return 'small';
  return SIGN_ANY_HASH.has(parseCertificate(certificate).publicKey().asymmetricKeyType) ? 'digest' : 'small';
}

/** Small documents, with their results beside their rows: no file is made, flushed or renamed. */
export class InDatabase implements Content {
  readonly #parts: ContentParts;

  constructor(parts: ContentParts) {
    this.#parts = parts;
  }

  /** A token signs strictly in order, and other callers of the token should not wait long. */
  queueFor(keySource: TransactionRecord['keySource']): FairScheduler {
    const { memory, files } = this.#parts.queues;
    return keySource === 'file' ? memory : files;
  }

  async readOriginal<Value>({ key, content }: Original, use: (read: ReadPart) => Promise<Value>): Promise<Value> {
    if (content?.kind === 'digest' || content?.kind === 'hash') {
      throw new ServiceError('NOT_FOUND', 'The document is not stored here: only its checksum is.');
    }
    const bytes = await this.#parts.smallDocuments.original(key);
    if (bytes === undefined) throw documentChanged();
    return use((number) => Promise.resolve(bytes.subarray(number * PART_SIZE, (number + 1) * PART_SIZE)));
  }

  /** The file is a copy. If a crash leaves it, the next start removes it. */
  async withFile<Value>({ key }: Original, use: (path: string) => Promise<Value>): Promise<Value> {
    const { documents, smallDocuments } = this.#parts;
    const copy = `${documents.originalPath(key)}.${randomUUID()}`;
    try {
      await writeFile(copy, (await smallDocuments.original(key)) ?? '', { mode: 0o600, flag: 'wx' });
      return await use(copy);
    } finally {
      await rm(copy, { force: true });
    }
  }

  async whileUnchanged<Value>(_original: Original, action: () => Promise<Value>): Promise<Value> {
    return action();
  }

  /** The result becomes durable in the commit of SIGNED. */
  async sign({ document, transaction, signer }: DocumentJob): Promise<SignedDraft> {
    const { limits, now } = this.#parts;
    const signedAt = now();
    const bytes = await this.#signature(document, signer, signedAt);
    const isReturned = transaction.returnSignature && bytes.length <= limits.returnedSignatureSize;
    return {
      delivery: {
        size: bytes.length,
        checksum: hash('sha256', bytes, 'hex'),
        signedAt,
        signature: isReturned ? bytes.toString('base64') : null,
        warnings: allWarnings(signer),
      },
      kept: { bytes },
    };
  }

  async #signature(document: DocumentRecord, signer: DocumentSigner, signingTime: Date): Promise<Buffer> {
    const { content, checksum } = document;
    if (content?.kind === 'hash' && signer.signHash !== undefined) {
      return (await signer.signHash({ ...content.hash, signingTime })).signature;
    }
    if (signer.signInMemory === undefined || checksum === null) {
      throw new ServiceError('INTERNAL', 'A document that is stored in the database has no signer.');
    }
    return signer.signInMemory({
      sha256: checksum,
      signingTime,
      read: () => inSpan(this.#parts.tracer, 'content', {}, async () => this.#originalOf(document)),
    });
  }

  async #originalOf({ key, checksum }: DocumentRecord): Promise<Buffer> {
    const bytes = await this.#parts.smallDocuments.original(key);
    if (bytes !== undefined && hash('sha256', bytes, 'hex') === checksum) return bytes;
    throw new ServiceError('DOCUMENT_UNREADABLE', 'The document is not what was sent: send it again.');
  }

  async checkResult({ key }: DocumentRecord, { size, checksum }: ResultRecord): Promise<CheckedResult> {
    const bytes = await this.#parts.smallDocuments.result(key);
    if (bytes === undefined) return { outcome: 'missing' };
    const isSame = bytes.length === size && hash('sha256', bytes, 'hex') === checksum;
    return isSame ? { outcome: 'good', place: { bytes } } : { outcome: 'changed' };
  }

  /** The change of the row erases the result in the same commit. */
  async eraseResult(): Promise<void> {
    return Promise.resolve();
  }

  /** Originals without a row are removed by the next start, in the same database. */
  async confirmOriginals(): Promise<void> {
    return Promise.resolve();
  }

  async discardOriginals(documents: readonly Original[]): Promise<void> {
    const stored = documents.filter(({ content }) => content?.kind === 'small');
    await this.#parts.smallDocuments.removeOriginals(stored.map(({ key }) => key));
  }

  /** Nothing to do: the commit that finishes a transaction removes its originals. */
  async releaseOriginals(): Promise<number> {
    return Promise.resolve(0);
  }

  async removeUnneeded(writtenBefore?: Date): Promise<RemovedUnneeded> {
    return { removed: await this.#parts.smallDocuments.removeUnneeded(writtenBefore), found: 0, unanswered: 0 };
  }
}
