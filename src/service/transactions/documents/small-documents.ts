import { hash } from 'node:crypto';
import { parseCertificate } from '../../../signing/index.ts';
import { signatureForm } from '../../signature-types/index.ts';
import { needsTimestamp } from '../choices/choose-policy.ts';
import type { DocumentContent, TransactionRecord } from '../records.ts';
import type { ReceivedFile, SmallDocument, SmallDocumentStore } from '../stores.ts';

/** The properties that decide about small documents. */
type Choice = Pick<TransactionRecord, 'type' | 'policy' | 'digest' | 'destination' | 'existingSignature'>;

/**
 * True when small originals of such a transaction are stored in the database: the signing core signs in memory, and the
 * result is about as small and stays here.
 */
export function mayBeSmall({ type, policy, destination, existingSignature }: Choice): boolean {
  const inMemory = signatureForm(type).container === 'cms' && existingSignature === undefined;
  return inMemory && !needsTimestamp(policy) && destination === 'LOCAL';
}

/** Keys for any hash function. EdDSA and ML-DSA have their own (RFC 8419 §3.1, RFC 9882 §3.3). */
const SIGN_ANY_HASH: ReadonlySet<string | undefined> = new Set(['rsa', 'rsa-pss', 'ec']);

/**
 * Whether to store a small original; not needed when nobody has to look at the document before the signature, and a
 * detached signature only needs its SHA-256. Originals without storage cost no flush and no erasure.
 */
export function restOfSmall(
  { type, digest }: Choice,
  approval: TransactionRecord['approval'],
  certificate: Buffer,
): 'small' | 'digest' {
  if (approval === 'required') return 'small';
  if (signatureForm(type).attached || digest !== 'sha256') return 'small';
  return SIGN_ANY_HASH.has(parseCertificate(certificate).publicKey().asymmetricKeyType) ? 'digest' : 'small';
}

/** Whether the result of a document with this content rests in the database. */
export function hasSmallResult(content: DocumentContent | null): boolean {
  return content?.kind === 'small' || content?.kind === 'digest';
}

const HEAD_SIZE = 1024;

/** Measures small originals and stores the needed originals, many in a single commit. */
export class SmallIntake {
  readonly #store: Pick<SmallDocumentStore, 'keepOriginals'>;
  readonly #bytesTogether: number;
  #pending: SmallDocument[] = [];
  #size = 0;

  /** `bytesTogether` limits a commit, and thereby the memory of the intake. */
  constructor(store: Pick<SmallDocumentStore, 'keepOriginals'>, bytesTogether: number) {
    this.#store = store;
    this.#bytesTogether = bytesTogether;
  }

  /** An original added as `small` is stored after `flush` at the latest. */
  async add(key: string, bytes: Buffer, rest: 'small' | 'digest'): Promise<ReceivedFile> {
    if (rest === 'small') await this.#keep(key, bytes);
    return {
      size: bytes.length,
      checksum: hash('sha256', bytes, 'hex'),
      // A copy: a slice would hold the whole document.
      head: Buffer.from(bytes.subarray(0, HEAD_SIZE)),
    };
  }

  async #keep(key: string, bytes: Buffer): Promise<void> {
    this.#pending.push({ key, bytes });
    this.#size += bytes.length;
    if (this.#size >= this.#bytesTogether) await this.flush();
  }

  async flush(): Promise<void> {
    const originals = this.#pending;
    this.#pending = [];
    this.#size = 0;
    if (originals.length > 0) await this.#store.keepOriginals(originals);
  }
}

/** A content that ended within the limit, or a content with the bytes read so far in front. */
export type ReadAhead =
  | { readonly kind: 'small'; readonly bytes: Buffer }
  | { readonly kind: 'large'; readonly content: AsyncIterable<Uint8Array> };

/** Reads a content up to its end or `limit` bytes. Errors of `content` pass. */
export async function readAhead(content: AsyncIterable<Uint8Array>, limit: number): Promise<ReadAhead> {
  const iterator = content[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  for (let size = 0; size <= limit;) {
    const next = await iterator.next();
    if (next.done === true) return { kind: 'small', bytes: Buffer.concat(chunks) };
    chunks.push(next.value);
    size += next.value.length;
  }
  return { kind: 'large', content: continued(chunks, iterator) };
}

async function* continued(
  chunks: readonly Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
