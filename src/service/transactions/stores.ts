import type { DocumentStatus } from './transaction.ts';
import type { DocumentRecord, StoredTransaction, TransactionChange, TransactionRecord } from './records.ts';

/** An `Idempotency-Key` with the digest of the body that it came with. */
export interface IdempotencyClaim {
  readonly key: string;
  readonly bodyDigest: string;
}

/** What an idempotency key already stands for. */
export interface IdempotencyOwner {
  readonly tcn: string;
  readonly bodyDigest: string;
}

/** The transactions that another part of the life cycle has to look at. */
export type TransactionFilter =
  /** Not finished and held up by nothing but this application. */
  | { readonly kind: 'to-be-signed' }
  /** Held up by the user, oldest first. */
  | { readonly kind: 'waiting-for-user' }
  | { readonly kind: 'waiting-for-pin' }
  /** Still open for uploads and created before the given time. */
  | { readonly kind: 'uploads-before'; readonly time: Date };

/**
 * Where transactions rest. What `apply` and `insert` have resolved survives a crash of the process and a loss of power.
 * Rejects with `ServiceError` `STORAGE_UNAVAILABLE` or `STORAGE_FULL`; nothing has changed then.
 */
export interface TransactionStore {
  /**
   * Keeps a transaction with its documents. With a claim whose key is already taken by a transaction created after
   * `keysSince`, keeps nothing and answers the owner.
   */
  insert(
    stored: StoredTransaction,
    idempotency?: { readonly claim: IdempotencyClaim; readonly keysSince: Date },
  ): Promise<IdempotencyOwner | undefined>;
  findIdempotent(key: string, keysSince: Date): Promise<IdempotencyOwner | undefined>;
  /** With an id, of all documents only the one with this id. */
  read(tcn: string, documentId?: string): Promise<StoredTransaction | undefined>;
  readTransaction(tcn: string): Promise<TransactionRecord | undefined>;
  isFinished(tcn: string): Promise<boolean>;
  /**
   * Applies all changes in one commit, or none. A transaction whose batch has ended and whose last waiting document
   * became final is finished, at `at`, in the same commit; its small originals go with it, and where it has a callback,
   * its row of the outbox comes with it. The same holds for one that is finished when it is inserted.
   */
  apply(changes: readonly TransactionChange[], at: Date): Promise<void>;
  list(filter: TransactionFilter): Promise<readonly TransactionRecord[]>;
  /** Newest first. */
  recent(limit: number): Promise<readonly StoredTransaction[]>;
  countByStatus(): Promise<Record<DocumentStatus, number>>;
  /** Kept results whose lifetime ended before `time` and that are not yet erased. */
  expiredResults(time: Date): Promise<readonly DocumentRecord[]>;
  /** Keys of the documents whose files are still needed. */
  neededFiles(): Promise<{ readonly originals: ReadonlySet<string>; readonly results: ReadonlySet<string> }>;
  /** Forgets idempotency keys of transactions created before `time`. */
  forgetIdempotencyKeys(time: Date): Promise<void>;
}

/** What came in, as measured on the way to the disk. */
export interface ReceivedFile {
  readonly size: number;
  /** Lower-case hex SHA-256. */
  readonly checksum: string;
  /** The first octets, at most 1,024. */
  readonly head: Buffer;
}

/**
 * The files of the documents: originals that were sent here and results that are kept here. Files are named by document
 * keys only. Rejects with `ServiceError` `STORAGE_FULL` or `STORAGE_UNAVAILABLE`; errors of `content` pass unchanged.
 */
export interface DocumentStore {
  /** Streams into a new file while hashing. On failure the file is removed. */
  receive(key: string, content: AsyncIterable<Uint8Array>): Promise<ReceivedFile>;
  /** Makes received originals permanent: when it resolves they survive a loss of power. */
  keep(keys: readonly string[]): Promise<void>;
  /** Absolute path of a kept original. */
  originalPath(key: string): string;
  /** Absolute path at which a result is to be made; nothing is there, also when an earlier attempt left something. */
  prepareResult(key: string): Promise<string>;
  /** Gives finished results their place; when it resolves they survive a loss of power. May be repeated. */
  publishResults(keys: readonly string[]): Promise<void>;
  /** Absolute path of a published result. */
  resultPath(key: string): string;
  /** Removes what was received, the original, or the result and its draft; what is not there is ignored. */
  removeOriginal(key: string): Promise<void>;
  removeResult(key: string): Promise<void>;
  /** Removes everything but the named files; called when nothing is being received or signed. */
  removeUnneeded(needed: {
    readonly originals: ReadonlySet<string>;
    readonly results: ReadonlySet<string>;
  }): Promise<number>;
}

/** An original that is small enough to rest in the database. */
export interface SmallDocument {
  /** Key of the document. */
  readonly key: string;
  readonly octets: Buffer;
}

/**
 * Small documents, which rest in the database, where a thousand of them cost less than one file does. Results get there
 * by `document-signed`, in the commit that makes the document SIGNED; originals go when their transaction is finished.
 * Rejects with `ServiceError` `STORAGE_FULL` or `STORAGE_UNAVAILABLE`; nothing has changed then.
 */
export interface SmallDocumentStore {
  /** Keeps all or none: when it resolves they survive a loss of power. Their rows come afterwards. */
  keepOriginals(originals: readonly SmallDocument[]): Promise<void>;
  original(key: string): Promise<Buffer | undefined>;
  /** Undefined when there is none, or it was erased. */
  result(key: string): Promise<Buffer | undefined>;
  /** What is not there is ignored. */
  removeOriginals(keys: readonly string[]): Promise<void>;
  /** Removes originals that no waiting document needs; called when nothing is being received. Answers how many. */
  removeUnneeded(): Promise<number>;
}

/** A file of the user, as found. */
export interface SourceFile extends ReceivedFile {
  /** Absolute, symbolic links resolved. */
  readonly path: string;
}

/** What a file looks like from outside: when two of these are equal, its content was not written in between. */
export interface FileStamp {
  readonly size: number;
  readonly modified: bigint;
  readonly inode: bigint;
}

/**
 * Files that belong to the user, named by paths. Rejects with `ServiceError`: `DOCUMENT_UNREADABLE`,
 * `DOCUMENT_TOO_LARGE`, `PATH_NOT_ALLOWED`, `DESTINATION_EXISTS`, `STORAGE_FULL`, `STORAGE_UNAVAILABLE`.
 */
export interface UserFiles {
  /** Reads a regular file to its end; `limit` is in octets. The application's own folder is refused. */
  inspect(path: string, limit: number): Promise<SourceFile>;
  stamp(path: string): Promise<FileStamp>;
  /** Refuses a destination that cannot be written: something is there, its folder is missing, or it is our own. */
  checkDestination(path: string): Promise<void>;
  /**
   * Absolute path in the destination's folder at which a result is to be made; nothing is there, also when an earlier
   * attempt left something. `key` makes the name unique.
   */
  prepareDraft(destination: string, key: string): Promise<string>;
  /** Gives a draft its final name without ever replacing a file; when it resolves it survives a loss of power. */
  deliver(draft: string, destination: string): Promise<void>;
  /** Whether a file with this SHA-256 is at `path`. */
  holds(path: string, size: number, checksum: string): Promise<boolean>;
}
