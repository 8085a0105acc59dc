import { hash } from 'node:crypto';
import { detectFileKind, KIND_HEAD } from '../../../values/file-kind.ts';
import type { TransactionLimits } from '../limits.ts';
import { DOCUMENTS_AT_ONCE } from '../../scheduling/index.ts';
import { limited } from '../documents/data-url.ts';
import type { RoomForDocuments } from '../documents/room-for-documents.ts';
import type { DocumentContent, DocumentRecord, TransactionRecord } from '../records.ts';
import type { DocumentHash } from '../transaction.ts';
import type { DocumentStore, ReceivedFile, SmallDocument, SmallDocumentStore } from '../stores.ts';
import { kindInDatabase, mayBeInDatabase } from './in-database.ts';

/** A received document: its storage and its measures. */
export interface ReceivedContent extends ReceivedFile {
  readonly content: DocumentContent;
}

/** The properties of the transaction that receives documents. */
export type IntakeChoice = Pick<
  TransactionRecord,
  'type' | 'policy' | 'digest' | 'destination' | 'existingSignature' | 'approval'
> & {
  /** The certificate of the key; undefined for a token that is absent. */
  readonly certificate: Buffer | undefined;
  /** Maximum number of bytes of a commit, which limits the memory of the intake. */
  readonly bytesTogether: number;
  readonly came: RoomForDocuments['came'];
};

/** The stores for received documents. */
interface IntakeStores {
  readonly documents: DocumentStore;
  readonly smallDocuments: SmallDocumentStore;
  readonly limits: Pick<TransactionLimits, 'documentSize' | 'smallDocumentSize'>;
}

/**
 * Receives the documents of a request. The length of a document is known only at its end, and determines where it is
 * stored.
 */
export class ContentIntake {
  readonly #needs: IntakeStores;
  readonly #choice: IntakeChoice;
  /** Length of the longest document in the database; negative: none. */
  readonly #longest: number;
  readonly #kind: 'small' | 'digest';
  readonly #files: string[] = [];
  #pending: SmallDocument[] = [];
  #size = 0;

  constructor(needs: IntakeStores, choice: IntakeChoice) {
    this.#needs = needs;
    this.#choice = choice;
    const isSmall = mayBeInDatabase(choice);
    this.#longest = isSmall ? needs.limits.smallDocumentSize : -1;
    this.#kind = isSmall ? kindInDatabase(choice) : 'small';
  }

  /**
   * Receives a document under its key; durable after `keep`. Rejects with `DOCUMENT_TOO_LARGE` and `STORAGE_FULL`, and
   * with the errors of `bytes`.
   */
  async receive(key: string, bytes: AsyncIterable<Uint8Array>): Promise<ReceivedContent> {
    const { documents, limits } = this.#needs;
    const read = await readAhead(limited(bytes, limits.documentSize, this.#choice.came), this.#longest);
    if ('bytes' in read) return this.#receiveSmall(key, read.bytes);
    const received = await documents.receive(key, read.content);
    this.#files.push(key);
    return { content: { kind: 'kept' }, ...received };
  }

  /**
   * A hash takes the place of the bytes. A level with a time stamp may be extended later, which needs the result in a
   * file.
   */
  receiveHash(
    hash: DocumentHash,
  ): Omit<ReceivedContent, 'size' | 'checksum'> & Pick<DocumentRecord, 'size' | 'checksum'> {
    return {
      content: { kind: 'hash', hash, result: this.#longest < 0 ? 'file' : 'database' },
      size: null,
      checksum: hash.digest === 'sha256' ? hash.value : null,
      head: Buffer.alloc(0),
      kind: detectFileKind(Buffer.alloc(0)),
    };
  }

  async #receiveSmall(key: string, bytes: Buffer): Promise<ReceivedContent> {
    if (this.#kind === 'small') {
      this.#pending.push({ key, bytes: withoutRest(bytes) });
      this.#size += bytes.length;
      const isFull = this.#size >= this.#choice.bytesTogether || this.#pending.length >= DOCUMENTS_AT_ONCE;
      if (isFull) await this.#flush();
    }
    return {
      content: { kind: this.#kind },
      size: bytes.length,
      checksum: hash('sha256', bytes, 'hex'),
      // A copy, because a slice would keep the whole document in memory.
      head: Buffer.from(bytes.subarray(0, KIND_HEAD)),
      kind: detectFileKind(bytes),
    };
  }

  /** Makes everything received permanent. */
  async keep(): Promise<void> {
    await this.#flush();
    await this.#needs.documents.keep(this.#files);
  }

  async #flush(): Promise<void> {
    const originals = this.#pending;
    this.#pending = [];
    this.#size = 0;
    if (originals.length > 0) await this.#needs.smallDocuments.keepOriginals(originals);
  }
}

/** A content that ended within the limit, or a content that begins with the bytes read so far. */
type ReadAhead = { readonly bytes: Buffer } | { readonly content: AsyncIterable<Uint8Array> };

/** Reads a content up to its end or `limit` bytes. Errors of `content` pass. */
async function readAhead(content: AsyncIterable<Uint8Array>, limit: number): Promise<ReadAhead> {
  const iterator = content[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  for (let size = 0; size <= limit;) {
    const next = await iterator.next();
    if (next.done === true) return { bytes: joined(chunks) };
    chunks.push(next.value);
    size += next.value.length;
  }
  return { content: continued(chunks, iterator) };
}

/** A copy of a slice, because a slice would hold the rest of its chunk in memory. */
const withoutRest = (bytes: Buffer): Buffer => (bytes.length === bytes.buffer.byteLength ? bytes : Buffer.from(bytes));

/** A single chunk is not copied. */
function joined(chunks: readonly Uint8Array[]): Buffer {
  const [first, second] = chunks;
  if (first === undefined || second !== undefined) return Buffer.concat(chunks);
  return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
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
