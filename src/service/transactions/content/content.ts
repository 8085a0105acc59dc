import type { FileRights } from '../../../rights/file-rights.ts';
import type { Tracer } from '../../monitoring/index.ts';
import type { FairScheduler } from '../../scheduling/index.ts';
import type { TransactionLimits } from '../limits.ts';
import type { Delivery, DocumentRecord, PendingEvidence, ResultRecord, TransactionRecord } from '../records.ts';
import type { DocumentJob } from '../signers.ts';
import type { DocumentStore, RemovedUnneeded, SmallDocumentStore, TransactionStore, UserFiles } from '../stores.ts';
import type { CreateTransaction, ResultFile } from '../transaction.ts';
import type { ResultChecks } from './result-checks.ts';
import type { TransactionJobs } from '../nodes.ts';

/** Bytes of a part of an original. */
export const PART_SIZE = 256 * 1024;

/** Answers a part of an original by its number from 0; an empty part is the end. */
export type ReadPart = (number: number) => Promise<Buffer>;

/** The properties of a document that are needed to find its original. */
export type Original = Pick<DocumentRecord, 'key' | 'content' | 'checksum' | 'size'>;

/** The parts of the change to SIGNED for a result that stays with the application. */
export interface KeptResult {
  /** The result itself, stored beside its row. */
  readonly bytes?: Buffer;
  /** SHA-256 of each MiB of a stored file, 32 bytes each; absent for a result of one block. */
  readonly blocks?: Buffer;
  /** Name of the file to move into place before the commit. */
  readonly publish?: string;
  /** The number of the claim, which is part of the name. */
  readonly attempt?: number;
}

/** A complete result that is not yet at its destination. */
export interface SignedDraft {
  readonly delivery: Delivery;
  readonly kept: KeptResult;
  /** The file of the result; absent for a result in memory, which stays with the application. */
  readonly path?: string;
  /** The pending level, if any. */
  readonly pending?: PendingEvidence;
  /** The most rights of a result at a path; absent: its document was no file of the user. */
  readonly rights?: FileRights;
}

/** Where a result can be read. */
export type ResultPlace =
  | { readonly bytes: Buffer; readonly path?: undefined; readonly read?: undefined }
  | ({ readonly path: string } & Pick<ResultFile & { readonly path: string }, 'read'>);

/** The outcome of comparing a result with its record. */
export type CheckedResult =
  { readonly outcome: 'good'; readonly place: ResultPlace } | { readonly outcome: 'missing' | 'changed' };

/** Options for checking a result. */
export interface CheckOptions {
  /** Hashes every byte now, whatever the size. Default: long results are checked while they are read. */
  readonly whole?: boolean;
  /** Called for damage that is found while a long result is read. */
  readonly onDamage: () => void;
}

/**
 * A storage for documents and their results. The record of a document names its storage; the steps of a transaction are
 * the same for all.
 */
export interface Content {
  /** The queue for the document's signature. */
  queueFor(keySource: TransactionRecord['keySource']): FairScheduler;
  /**
   * Reads an original in parts of `PART_SIZE`. Rejects with `NOT_FOUND` for an original that is not stored, and with
   * `DOCUMENT_UNREADABLE`.
   */
  readOriginal<Value>(original: Original, use: (read: ReadPart) => Promise<Value>): Promise<Value>;
  /** Provides a file with the original's bytes to a reader that needs a path. */
  withFile<Value>(original: Original, use: (path: string) => Promise<Value>): Promise<Value>;
  /** Rejects with `DOCUMENT_UNREADABLE` when the user's own file was written during the action. */
  whileUnchanged<Value>(original: Original, action: () => Promise<Value>): Promise<Value>;
  /** Signs the recorded bytes and no others. Rejects with `DOCUMENT_UNREADABLE`, and as the signer does. */
  sign(job: DocumentJob): Promise<SignedDraft>;
  /** Compares a result with its record. Rejects with the system's errors other than a missing file. */
  checkResult(document: DocumentRecord, result: ResultRecord, options: CheckOptions): Promise<CheckedResult>;
  /** Removes a stored result before its row says so. */
  eraseResult(document: DocumentRecord): Promise<void>;
  /** Called before the answer, after the rows of received originals are committed. Never rejects. */
  confirmOriginals(documents: readonly Original[]): Promise<void>;
  /** Removes the originals of documents outside of any transaction. */
  discardOriginals(documents: readonly Original[]): Promise<void>;
  /**
   * Removes the stored originals of documents that have ended, and that no commit has removed. Answers the number of
   * failures.
   */
  releaseOriginals(documents: readonly Original[]): Promise<number>;
  /**
   * Removes files without a row that a crash left; called while nothing is being received or signed. With a time,
   * removes only older files.
   */
  removeUnneeded(writtenBefore?: Date): Promise<RemovedUnneeded>;
}

/** The queues of documents that wait for their signature. */
export interface SigningQueues {
  /** For documents in files, and for tokens. */
  readonly files: FairScheduler;
  /** For documents in the database and keys in memory, without files and waits. */
  readonly memory: FairScheduler;
}

/** The services for storing documents. */
export interface ContentParts {
  readonly transactions: Pick<TransactionStore, 'neededFiles' | 'resultBlocks'>;
  readonly documents: DocumentStore;
  readonly smallDocuments: SmallDocumentStore;
  readonly files: UserFiles;
  readonly limits: Pick<TransactionLimits, 'documentSize' | 'evidenceRetry' | 'returnedSignatureSize'>;
  readonly now: () => Date;
  /** Passwords and keys of encrypted PDFs by TCN. */
  readonly openings: ReadonlyMap<string, Pick<CreateTransaction, 'password' | 'recipient'>>;
  readonly queues: SigningQueues;
  readonly results: ResultChecks;
  readonly jobs: Pick<TransactionJobs, 'claimOf'>;
  readonly tracer: Tracer;
}
