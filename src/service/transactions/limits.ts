/** What one transaction may ask of this computer. Sizes are octets, times are milliseconds. */
export interface TransactionLimits {
  readonly documentSize: number;
  readonly documentsPerTransaction: number;
  /** Longest original that rests in the database, not in a file. */
  readonly smallDocumentSize: number;
  /** Requests that upload at the same time, and of one application, site or person; more wait for their turn. */
  readonly uploadsAtOnce: number;
  readonly uploadsAtOncePerOwner: number;
  /** Requests that wait to upload, and of one application, site or person; more are asked to come back. */
  readonly uploadsWaiting: number;
  readonly uploadsWaitingPerOwner: number;
  /** How long uploads may stay open. */
  readonly uploadTimeout: number;
  /** How long a `sync` create waits. */
  readonly syncTimeout: number;
  /** How long a kept result stays. */
  readonly resultLifetime: number;
  readonly idempotencyLifetime: number;
  /** Documents of one transaction signed at the same time. */
  readonly documentsAtOnce: number;
  /** The same of one application, site or person. */
  readonly documentsAtOncePerOwner: number;
  /** Documents of all transactions signed at the same time. */
  readonly documentsAtOnceOverall: number;
  /** The same, of small documents that are signed with keys in memory: they cost neither files nor waiting. */
  readonly smallDocumentsAtOnce: number;
  readonly smallDocumentsAtOncePerOwner: number;
  readonly smallDocumentsAtOnceOverall: number;
  /** Approved documents, from which on no more are taken, and the same of one application, site or person. */
  readonly documentsHeld: number;
  readonly documentsHeldPerOwner: number;
  /** The longest CMS that `return_signature` puts in an answer; longer ones are downloaded. */
  readonly returnedSignatureSize: number;
  /** How often lifetimes are looked at. */
  readonly sweepInterval: number;
  /** First pause before work that the store refused is tried again; it doubles up to a minute. */
  readonly retryDelay: number;
}

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const KIBIBYTE = 2 ** 10;
const MEBIBYTE = 2 ** 20;

export const defaultLimits: TransactionLimits = {
  documentSize: 2048 * MEBIBYTE,
  smallDocumentSize: 64 * KIBIBYTE,
  documentsPerTransaction: 1000,
  uploadsAtOnce: 200,
  uploadsAtOncePerOwner: 150,
  uploadsWaiting: 400,
  uploadsWaitingPerOwner: 200,
  uploadTimeout: 24 * HOUR,
  syncTimeout: 30 * SECOND,
  resultLifetime: 12 * HOUR,
  idempotencyLifetime: 24 * HOUR,
  documentsAtOnce: 4,
  documentsAtOncePerOwner: 6,
  documentsAtOnceOverall: 8,
  smallDocumentsAtOnce: 192,
  smallDocumentsAtOncePerOwner: 224,
  smallDocumentsAtOnceOverall: 256,
  documentsHeld: 100_000,
  documentsHeldPerOwner: 50_000,
  returnedSignatureSize: 4 * MEBIBYTE,
  sweepInterval: 60 * SECOND,
  retryDelay: SECOND,
};
