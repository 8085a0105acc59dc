/** What the configuration lets callers ask (`hashes.allowed`, `hashes.raw`). */
export interface HashRules {
  readonly allowed: 'ask' | 'never';
  readonly raw: 'ask' | 'never';
}

/** Limits of transactions. Sizes are bytes, times are milliseconds. */
export interface TransactionLimits {
  readonly documentSize: number;
  readonly documentsPerTransaction: number;
  /** Maximum size of an original in the database; larger originals are files. */
  readonly smallDocumentSize: number;
  /** Maximum number of simultaneous uploads, overall and per application, site or person; more wait in a queue. */
  readonly uploadsAtOnce: number;
  readonly uploadsAtOncePerOwner: number;
  /** Maximum number of waiting uploads, overall and per application, site or person; more are refused. */
  readonly uploadsWaiting: number;
  readonly uploadsWaitingPerOwner: number;
  /** Maximum wait of an upload for its turn. */
  readonly uploadWait: number;
  /** Maximum time for which uploads may stay open. */
  readonly uploadTimeout: number;
  /** Maximum wait of a transaction for its approval. */
  readonly approvalTimeout: number;
  /** Maximum wait of a `sync` create request. */
  readonly syncTimeout: number;
  /** Lifetime of a stored result. */
  readonly resultLifetime: number;
  readonly idempotencyLifetime: number;
  /** Documents of a transaction signed at the same time. */
  readonly documentsAtOnce: number;
  /** The same per application, site or person. */
  readonly documentsAtOncePerOwner: number;
  /** Documents of all transactions signed at the same time. */
  readonly documentsAtOnceOverall: number;
  /** The same for small documents signed with keys in memory, without files and waits. */
  readonly smallDocumentsAtOnce: number;
  readonly smallDocumentsAtOncePerOwner: number;
  readonly smallDocumentsAtOnceOverall: number;
  /**
   * The same per application, site or person while another one signs, so that documents of others wait only briefly.
   */
  readonly smallDocumentsAtOnceBesideOthers: number;
  /** Number of approved documents that stops further intake, overall and per application, site or person. */
  readonly documentsHeld: number;
  readonly documentsHeldPerOwner: number;
  /** The longest CMS for `return_signature` in an answer; clients download longer signatures. */
  readonly returnedSignatureSize: number;
  /** Time between two searches for expired data. */
  readonly sweepInterval: number;
  /** Pause before the first check of all stored results, and between two checks. */
  readonly scrubDelay: number;
  readonly scrubInterval: number;
  /** Bytes per second that the check of stored results reads. */
  readonly scrubRate: number;
  /** First pause before newer revocation data is requested again; later pauses are a quarter of the time waited. */
  readonly evidenceRetry: number;
  /** The longest of these pauses. */
  readonly evidenceRetryLongest: number;
  /** Longest time between two looks at the clock, which may have been set. */
  readonly evidenceSleep: number;
  /** Maximum time for which a document stays WAITING for newer revocation data. */
  readonly evidenceTimeout: number;
  /** Time in which a result that was already delivered may still be extended. */
  readonly evidenceLatest: number;
  /** First pause before repeating work refused by the store; each further pause doubles, up to a minute. */
  readonly retryDelay: number;
}

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const KIBIBYTE = 2 ** 10;
const MEBIBYTE = 2 ** 20;

export const defaultLimits: TransactionLimits = {
  documentSize: 2048 * MEBIBYTE,
  smallDocumentSize: 64 * KIBIBYTE,
  documentsPerTransaction: 10_000,
  uploadsAtOnce: 200,
  uploadsAtOncePerOwner: 150,
  uploadsWaiting: 400,
  uploadsWaitingPerOwner: 200,
  uploadWait: 10 * SECOND,
  uploadTimeout: 24 * HOUR,
  approvalTimeout: 24 * HOUR,
  syncTimeout: 30 * SECOND,
  resultLifetime: 12 * HOUR,
  idempotencyLifetime: 24 * HOUR,
  documentsAtOnce: 4,
  documentsAtOncePerOwner: 6,
  documentsAtOnceOverall: 8,
  smallDocumentsAtOnce: 192,
  smallDocumentsAtOncePerOwner: 224,
  smallDocumentsAtOnceOverall: 256,
  smallDocumentsAtOnceBesideOthers: 8,
  documentsHeld: 100_000,
  documentsHeldPerOwner: 50_000,
  returnedSignatureSize: 4 * MEBIBYTE,
  sweepInterval: 60 * SECOND,
  scrubDelay: 60 * SECOND,
  scrubInterval: 6 * HOUR,
  scrubRate: 16 * MEBIBYTE,
  evidenceRetry: 15 * SECOND,
  evidenceRetryLongest: 900 * SECOND,
  evidenceSleep: 30 * SECOND,
  evidenceTimeout: 24 * HOUR,
  evidenceLatest: 90 * 24 * HOUR,
  retryDelay: SECOND,
};
