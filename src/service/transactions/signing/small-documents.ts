import { hash } from 'node:crypto';
import { parseCertificate } from '../../../signing/index.ts';
import { needsTimestamp } from '../intake/choose-policy.ts';
import { signatureForm } from '../intake/document-form.ts';
import type { DocumentContent, TransactionRecord } from '../records.ts';
import type { ReceivedFile, SmallDocument, SmallDocumentStore } from '../stores.ts';

/** What decides whether documents of a transaction may be small. */
type Choice = Pick<TransactionRecord, 'type' | 'policy' | 'digest' | 'destination' | 'existingSignature'>;

/**
 * Whether small originals of such a transaction rest in the database. They do where the signing core signs what is in
 * memory, its result is about as small, and stays here.
 */
export function mayBeSmall({ type, policy, destination, existingSignature }: Choice): boolean {
  const inMemory = signatureForm(type).container === 'cms' && existingSignature === undefined;
  return inMemory && !needsTimestamp(policy) && destination === 'LOCAL';
}

/** Keys that sign the hash that is asked for. EdDSA and ML-DSA sign with their own (RFC 8419 §3.1, RFC 9882 §3.3). */
const SIGN_ANY_HASH: ReadonlySet<string | undefined> = new Set(['rsa', 'rsa-pss', 'ec']);

/**
 * Where small originals of such a transaction rest: nowhere when a detached signature needs nothing but the SHA-256
 * that the record holds anyway. What is not kept need not be flushed, nor erased.
 */
export function restOfSmall({ type, digest }: Choice, certificate: Buffer): 'small' | 'digest' {
  if (signatureForm(type).attached || digest !== 'sha256') return 'small';
  return SIGN_ANY_HASH.has(parseCertificate(certificate).publicKey().asymmetricKeyType) ? 'digest' : 'small';
}

/** Whether the result of a document with this content rests in the database. */
export function hasSmallResult(content: DocumentContent | null): boolean {
  return content?.kind === 'small' || content?.kind === 'digest';
}

const HEAD_SIZE = 1024;

/** Measures small originals and takes those that are needed to their store, many in one commit. */
export class SmallIntake {
  readonly #store: Pick<SmallDocumentStore, 'keepOriginals'>;
  readonly #octetsTogether: number;
  #pending: SmallDocument[] = [];
  #size = 0;

  /** `octetsTogether` bounds one commit, and with it what the intake holds in memory. */
  constructor(store: Pick<SmallDocumentStore, 'keepOriginals'>, octetsTogether: number) {
    this.#store = store;
    this.#octetsTogether = octetsTogether;
  }

  /** What was added as `small` is kept after `flush` at the latest. */
  async add(key: string, octets: Buffer, rest: 'small' | 'digest'): Promise<ReceivedFile> {
    if (rest === 'small') await this.#keep(key, octets);
    return {
      size: octets.length,
      checksum: hash('sha256', octets, 'hex'),
      // A copy: a slice would hold the whole document.
      head: Buffer.from(octets.subarray(0, HEAD_SIZE)),
    };
  }

  async #keep(key: string, octets: Buffer): Promise<void> {
    this.#pending.push({ key, octets });
    this.#size += octets.length;
    if (this.#size >= this.#octetsTogether) await this.flush();
  }

  async flush(): Promise<void> {
    const originals = this.#pending;
    this.#pending = [];
    this.#size = 0;
    if (originals.length > 0) await this.#store.keepOriginals(originals);
  }
}

/** A content that ended within the limit, or one that begins with what was read of it. */
export type ReadAhead =
  | { readonly kind: 'small'; readonly octets: Buffer }
  | { readonly kind: 'large'; readonly content: AsyncIterable<Uint8Array> };

/** Reads a content until it ends or is longer than `limit` octets. Errors of `content` pass. */
export async function readAhead(content: AsyncIterable<Uint8Array>, limit: number): Promise<ReadAhead> {
  const iterator = content[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  for (let size = 0; size <= limit;) {
    const next = await iterator.next();
    if (next.done === true) return { kind: 'small', octets: Buffer.concat(chunks) };
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
