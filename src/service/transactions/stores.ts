import type { FileHandle } from 'node:fs/promises';
import type { DetectedFile } from '../../values/file-kind.ts';
import type { FileRights } from '../../rights/file-rights.ts';
import type { DocumentStatus, ListFilter } from './transaction.ts';
import type {
  DocumentRecord,
  StoredTransaction,
  TransactionChange,
  TransactionRecord,
  TransactionState,
} from './records.ts';

/** An `Idempotency-Key` with the digest of its body. */
export interface IdempotencyClaim {
  readonly key: string;
  readonly bodyDigest: string;
}

/** The transaction of an already used idempotency key. */
export interface IdempotencyOwner {
  readonly tcn: string;
  readonly bodyDigest: string;
}

/** The claim of a node on the job of a transaction. A later claim on the same job has a greater number. */
export interface JobClaim {
  readonly tcn: string;
  readonly node: string;
  readonly number: number;
}

/** A job that this node has claimed. */
export interface ClaimedJob extends JobClaim {
  /** The owner's decision: the transaction is paused, or the rest is cancelled. */
  readonly hold: 'paused' | 'cancelled' | null;
  /** The certificate of a key in a token, which not every node has; null if the key is in the database. */
  readonly tokenCertificate: string | null;
  /** True when another node had the job and is not alive any more. */
  readonly isTakenOver: boolean;
}

/**
 * Claims of several nodes on the jobs of transactions. A claim ends when the node releases it, or no longer counts as
 * alive. Rejects with `ServiceError` `STORAGE_UNAVAILABLE`.
 */
export interface JobClaimStore {
  /** The name of this node. */
  readonly node: string;
  /** Undefined if another node has the job, or if the files of the transaction are on another computer. */
  claim(tcn: string): Promise<ClaimedJob | undefined>;
  /** Claims at most `most` unclaimed jobs, one owner after the other. Jobs in `except` are left out. */
  claimNext(most: number, except: readonly string[]): Promise<readonly ClaimedJob[]>;
  /** Releases a claim; a lost claim stays lost. */
  release(claim: JobClaim): Promise<void>;
  /** Stores the owner's decision for all nodes; null: the transaction continues. */
  hold(tcn: string, hold: 'paused' | 'cancelled' | null): Promise<void>;
  /** Number of nodes that are alive, this one included. */
  countAlive(): Promise<number>;
}

/** Selects transactions for the other parts of the life cycle. */
export type TransactionFilter =
  /** Unfinished, and waiting for nothing but this application. */
  | { readonly kind: 'to-be-signed' }
  /** Waiting for the user, oldest first. */
  | { readonly kind: 'waiting-for-user' }
  | { readonly kind: 'waiting-for-pin' }
  /** Still open for uploads and created before the given time. */
  | { readonly kind: 'uploads-before'; readonly time: Date }
  /** Waiting for approval since this time or longer. */
  | { readonly kind: 'approvals-before'; readonly time: Date };

/**
 * The store of transactions. Changes of a resolved `apply` or `insert` survive a crash of the process and a loss of
 * power. Rejects with `ServiceError` `STORAGE_UNAVAILABLE` or `STORAGE_FULL` without any change.
 */
export interface TransactionStore {
  /**
   * Stores a transaction with its documents; nobody sees a part of them (decision 129). For a claim with a key already
   * used by a transaction created after `keysSince`, stores nothing and answers the owner.
   */
  insert(
    stored: StoredTransaction,
    idempotency?: { readonly claim: IdempotencyClaim; readonly keysSince: Date },
  ): Promise<IdempotencyOwner | undefined>;
  /**
   * Holds a transaction in memory, to be stored in the commit of its first change; `read`, `readState` and `apply` know
   * the transaction at once. False: the store does not hold this one, and it has to be inserted. The caller calls
   * `settle` before anybody learns the TCN.
   */
  begin(stored: StoredTransaction): boolean;
  /**
   * Stores a begun transaction that no change has stored yet. Answers the transaction as it is stored; undefined for one
   * that was inserted. Rejects with the failure of its commit: it is stored nowhere then.
   */
  settle(tcn: string): Promise<StoredTransaction | undefined>;
  /**
   * Removes the parts of transactions that a crash left while they were stored; with a time, only of those begun
   * before. Answers the number of transactions.
   */
  removeIncomplete(begunBefore?: Date): Promise<number>;
  findIdempotent(key: string, keysSince: Date): Promise<IdempotencyOwner | undefined>;
  /** With an id, only the document with this id is included. */
  read(tcn: string, documentId?: string): Promise<StoredTransaction | undefined>;
  /**
   * The transaction with the numbers of all its documents, and at most `limit` documents after the document with the id
   * `after`; `startIsUnknown` for an id that no document has. The documents are as new as the numbers, or newer, never older.
   */
  readPage(
    tcn: string,
    page: { readonly after: string | undefined; readonly limit: number },
  ): Promise<
    | (StoredTransaction & Required<Pick<StoredTransaction, 'counts'>> & { readonly startIsUnknown?: boolean })
    | undefined
  >;
  /** The state alone, for steps that need neither the options nor the documents. */
  readState(tcn: string): Promise<TransactionState | undefined>;
  /**
   * Applies all changes in a single commit, or none. A transaction with an ended batch and only final documents is
   * finished, at `at`, in the same commit: its small originals are removed, and a transaction with a callback gets its
   * row of the outbox. The same holds for a transaction finished at its insertion. `claims` are those under which the
   * changes were made: rejects with `BUSY`, without any change, when another node has taken over one of the jobs.
   */
  apply(changes: readonly TransactionChange[], at: Date, claims?: readonly JobClaim[]): Promise<void>;
  list(filter: TransactionFilter): Promise<readonly TransactionRecord[]>;
  /** Newest first. */
  recent(limit: number): Promise<readonly StoredTransaction[]>;
  /**
   * The transactions of a caller (`callerName`), newest first, with the numbers of their documents and without the
   * documents. Undefined: `after` is not in the caller's list.
   */
  listOf(caller: string, filter: ListFilter): Promise<readonly CountedTransaction[] | undefined>;
  /** As `listOf`, for these transactions in any order; only those of `caller`, if given. */
  overview(tcns: readonly string[], caller?: string): Promise<readonly CountedTransaction[]>;
  countByStatus(): Promise<Record<DocumentStatus, number>>;
  /** When the newest transaction was created; undefined when there is none. */
  newestCreation(): Promise<Date | undefined>;
  /** At most `limit` documents with a pending level, the next attempt first. */
  pendingEvidence(limit: number): Promise<readonly DocumentRecord[]>;
  /** At most `limit` stored results without a pending level, expired before `time` and not yet erased. */
  expiredResults(time: Date, limit: number): Promise<readonly DocumentRecord[]>;
  /** SIGNED documents with a result stored here and not erased, in the order of their keys, after the key `after`. */
  keptResults(after: string, limit: number): Promise<readonly DocumentRecord[]>;
  /** SHA-256 of each MiB of a stored result file, 32 bytes each; undefined for a result without. */
  resultBlocks(key: string): Promise<Buffer | undefined>;
  /** The files that documents with these keys still need. */
  neededFiles(keys: readonly string[]): Promise<NeededFiles>;
  /** Forgets idempotency keys of transactions created before `time`. */
  forgetIdempotencyKeys(time: Date): Promise<void>;
}

/** A transaction with the numbers of its documents; `documents` is empty. */
export type CountedTransaction = StoredTransaction & Required<Pick<StoredTransaction, 'counts'>>;

/** Files that documents still need, among those asked for. */
export interface NeededFiles {
  /** Keys of documents. */
  readonly originals: ReadonlySet<string>;
  /** Names of results: see `resultName` and `stampedName`. */
  readonly results: ReadonlySet<string>;
  /** Keys of all documents that exist. */
  readonly known: ReadonlySet<string>;
}

/** Numbers of removed files or rows, and of files set aside because no document knows them. */
export interface RemovedUnneeded {
  readonly removed: number;
  /** Documents that may have lost their row. */
  readonly found: number;
  /** Originals whose request ended without an answer. */
  readonly unanswered: number;
}

/** A received file, measured on the way to the disk. */
export interface ReceivedFile {
  readonly size: number;
  /** Lower-case hex SHA-256. */
  readonly checksum: string;
  /** The first bytes, at most 1,024. */
  readonly head: Buffer;
  readonly kind: DetectedFile;
}

/**
 * The files of the documents: received originals and stored results. Files are named by document keys only. Rejects
 * with `ServiceError` `STORAGE_FULL` or `STORAGE_UNAVAILABLE`; errors of `content` pass unchanged.
 */
export interface DocumentStore {
  /** Streams into a new file while hashing. On failure the file is removed. */
  receive(key: string, content: AsyncIterable<Uint8Array>): Promise<ReceivedFile>;
  /**
   * Makes received originals permanent: after resolving, the files survive a loss of power. A start tells an original
   * that has no row, and was never confirmed, from one that has lost its row.
   */
  keep(keys: readonly string[]): Promise<void>;
  /** Called before the answer, after the rows of stored originals are committed. Never rejects. */
  confirm(keys: readonly string[]): Promise<void>;
  /** Absolute path of a kept original on this computer; the file may be missing, see `fetchOriginal`. */
  originalPath(key: string): string;
  /** Absolute path of a kept original, after its copy came to this computer where documents are stored elsewhere. */
  fetchOriginal(key: string): Promise<string>;
  /** Absolute path for making a result; an earlier attempt's file is removed. */
  prepareResult(key: string): Promise<string>;
  /** Moves finished results into place; after resolving, the files survive a loss of power. May be repeated. */
  publishResults(keys: readonly string[]): Promise<void>;
  /** Absolute path of a published result; see `fetchOriginal`. */
  fetchResult(key: string): Promise<string>;
  /** Removes the received file, the original, or the result and its draft; a missing file is ignored. */
  removeOriginal(key: string): Promise<void>;
  removeResult(key: string): Promise<void>;
  /**
   * Removes everything but the needed files; originals and results of unknown documents are set aside instead. `needed`
   * is asked about the files that are found. Files written later than `writtenBefore` stay, because other nodes may be
   * writing them; absent: nothing is being received or signed.
   */
  removeUnneeded(
    needed: (keys: readonly string[]) => Promise<NeededFiles>,
    writtenBefore?: Date,
  ): Promise<RemovedUnneeded>;
}

/** An original small enough for the database. */
export interface SmallDocument {
  /** Key of the document. */
  readonly key: string;
  readonly bytes: Buffer;
}

/**
 * Small documents in the database, where a thousand of them cost less than a file. Results are stored by
 * `document-signed`, in the commit that makes the document SIGNED; originals are removed when their transaction is
 * finished. Rejects with `ServiceError` `STORAGE_FULL` or `STORAGE_UNAVAILABLE` without any change.
 */
export interface SmallDocumentStore {
  /** Stores all or none: after resolving, the originals survive a loss of power. Their rows come afterwards. */
  keepOriginals(originals: readonly SmallDocument[]): Promise<void>;
  original(key: string): Promise<Buffer | undefined>;
  /** Undefined for a missing or erased result. */
  result(key: string): Promise<Buffer | undefined>;
  /** A missing original is ignored. */
  removeOriginals(keys: readonly string[]): Promise<void>;
  /**
   * Removes originals without a waiting document; called while nothing is being received. Answers their number. With a
   * time, only documents received before.
   */
  removeUnneeded(receivedBefore?: Date): Promise<number>;
}

/** A file of the user, as found. */
export interface SourceFile extends ReceivedFile {
  /** Absolute, symbolic links resolved. */
  readonly path: string;
}

/** A file of the user, open for reading. */
export interface OpenedFile {
  readonly content: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** A file's outer properties: two equal values mean that the content was not written in between. */
export interface FileStamp {
  readonly size: number;
  readonly modified: bigint;
  readonly inode: bigint;
  readonly rights: FileRights;
}

/**
 * The user's own files by path. Rejects with `ServiceError`: `DOCUMENT_UNREADABLE`, `DOCUMENT_TOO_LARGE`,
 * `PATH_NOT_ALLOWED`, `DESTINATION_EXISTS`, `STORAGE_FULL`, `STORAGE_UNAVAILABLE`.
 */
export interface UserFiles {
  /** Reads a regular file to its end; `limit` is in bytes. The application's own folder is refused. */
  inspect(path: string, limit: number): Promise<SourceFile>;
  /** Opens a regular file for reading, without blocking on a pipe. The caller closes the file. */
  openRegular(path: string): Promise<FileHandle>;
  stamp(path: string): Promise<FileStamp>;
  /**
   * The rights that the result of a document may have: those of the file at `path`, if this content is still there.
   * Undefined: the result is for the owner alone.
   */
  rightsOf(path: string, size: number, checksum: string): Promise<FileRights | undefined>;
  /**
   * Opens a regular file below `root` for a caller who may read nothing else. Links below the root are not followed,
   * and the opened file is checked again; both paths are absolute and `path` is below `root` as text.
   */
  openBelow(root: string, path: string): Promise<OpenedFile>;
  /**
   * Refuses a destination that exists, has no folder, is inside our own folder, or outside of `root` once its links are
   * resolved (`DESTINATION_NOT_ALLOWED`). Answers the destination with the links of its folder resolved.
   */
  checkDestination(path: string, root?: string): Promise<string>;
  /**
   * Absolute path in the destination's folder for making a result; an earlier attempt's file is removed. `key` makes
   * the name unique. The folder stays open until `deliver` or `removeDraft`: `PATH_NOT_ALLOWED` when another folder or
   * a link has taken its place.
   */
  prepareDraft(destination: string, key: string): Promise<string>;
  /** Removes the draft of an attempt, if any. */
  removeDraft(destination: string, key: string): Promise<void>;
  /**
   * Gives a draft its final name without ever replacing a file; after resolving, the file survives a loss of power. The
   * result has no more rights than its document; without a document, those that the configuration gives.
   */
  deliver(draft: string, destination: string, rights?: FileRights): Promise<void>;
  /**
   * Replaces the file at `destination` by a draft with the same rights, in one rename; after resolving, the new file
   * survives a loss of power. Only for results of this application that were checked before.
   */
  replace(draft: string, destination: string): Promise<void>;
  /** True if a file with this SHA-256 is at `path`. */
  holds(path: string, size: number, checksum: string): Promise<boolean>;
}

/** Is told of the work of this node, after it is stored. */
export interface WorkObserver {
  /** A result of this size in bytes is stored. */
  signed(bytes: number): void;
  /** A document ended with an error. */
  failed(): void;
  /** This node has taken over the job of a node that is not alive any more. */
  tookOver(): void;
}
