import type { SignaturePolicy, SignatureRequest, SignatureSetting } from '../../request/signature-request.ts';
import type { DigestAlgorithm, PdfRecipient, StandardWarning } from '../../signing/index.ts';
import type { Authority } from '../authorization/index.ts';
import type { AliasSight } from '../certificates/index.ts';
import type { Quota, ServiceErrorCode } from '../errors/index.ts';
import type { NotificationCallback, NotificationState } from '../notifications/index.ts';
import type { PaceOptions } from '../scheduling/index.ts';
import type { ResultMediaType, SignatureType } from '../signature-types/index.ts';
import type { OriginalInspection } from './documents/content-kind.ts';

export type { SignaturePolicy, SignerCompany } from '../../request/signature-request.ts';
export type { SignatureType } from '../../request/signature-types.ts';

/** Where documents come from; `HASHES`: they stay with the caller, who sends hashes or bytes to sign. */
export type DocumentsSource =
  'DATA_URL' | 'FILE_PATH' | 'UPLOAD_REFERENCE' | 'STORE_A_S3' | 'STORE_B_STORAGE' | 'HASHES';

/** A hash that stands for a document which is not here. */
export interface DocumentHash {
  readonly digest: DigestAlgorithm;
  /** Lower-case hex. */
  readonly value: string;
}

/**
 * Where signed documents go: kept here until their lifetime ends, written to a path, or to an object store.
 *
 * - `BESIDE_SOURCE`: beside the file that was signed, under a name that is free.
 * - `FREE_PATH`: to the path that each document names, under the next free name where that name is taken.
 */
export type DocumentsDestination =
  'LOCAL' | 'FILE_PATH' | 'BESIDE_SOURCE' | 'FREE_PATH' | 'STORE_A_S3' | 'STORE_B_STORAGE';

/** State of a document. WAITING → SIGNED | ERROR; both are final. */
export type DocumentStatus = 'WAITING' | 'SIGNED' | 'ERROR';

/** The reason for waiting documents; null without a reason (being signed, or finished). */
export type WaitingFor = 'upload' | 'approval' | 'pin' | 'evidence' | null;

/** The levels of EN 319 122-1 and EN 319 142-1. */
export type BaselineLevel = 'B-B' | 'B-T' | 'B-LT' | 'B-LTA';

/** The requester of a transaction: shown at approval and stored. */
export interface Requester {
  readonly kind: 'native-program' | 'user-interface' | 'command-line' | 'site' | 'application';
  /** A name for a person: program, application or "this window"; of a site its origin. */
  readonly name: string;
}

/** Interfaces of other protocols: ICP-Brasil's cloud keys (DOC-ICP-17.01), and the Cloud Signature Consortium's. */
export type Door = 'psc' | 'csc';

/** The requester of a create request, with the way by which it came. */
export interface CallingRequester extends Requester {
  /** True for a site that came through the bridge window. */
  readonly byBridge?: true;
  /** The interface of another protocol through which the request came. */
  readonly door?: Door;
  /** True if nothing but an answer of the user approves the transaction: credentials and settings do not. */
  readonly isAskedAlways?: true;
  /** True for a site or an application with the permission to ask for bare signatures (`sign_raw`). */
  readonly signsRaw?: boolean;
}

/** A document of the create request. */
export interface NewDocument {
  /** Unique in the transaction, `[A-Za-z0-9._-]{1,64}`; absent: given in order, "0", "1", … */
  readonly id?: string;
  readonly signatureSetting?: string;
  readonly originalFileName?: string;
  readonly mediaType?: string;
  /**
   * FILE_PATH destination: an absolute path. Stores: the address of an object, or a name for the first store of the
   * kind.
   */
  readonly destinationFileName?: string;
  /**
   * DATA_URL: the data URL. FILE_PATH: an absolute path or `file:` URL. UPLOAD_REFERENCE: absent. Stores: `bucket/key`,
   * `s3://bucket/key` or `gs://bucket/key`. HASHES: absent.
   */
  readonly data?: string;
  /** HASHES: the hash in base64 or hex, and its hash function where that is not the transaction's. */
  readonly hash?: { readonly text: string; readonly digest: DigestAlgorithm | undefined };
  /** HASHES: base64 of the bytes to sign. */
  readonly dataToSign?: string;
}

/** A folder, or a prefix in an object store, that the owner opened to a caller. */
export interface GrantedRoot {
  /** An absolute path, `s3://bucket/prefix` or `gs://bucket/prefix`. */
  readonly root: string;
  readonly access: 'read' | 'write' | 'both';
}

/** The files that a caller may name instead of sending bytes; depends on the kind of caller, not on its credentials. */
export type Reach =
  /**
   * The owner of the data folder, who could open the files anyway. `overNetwork`: paths on other computers too, for the
   * window and the command line.
   */
  | { readonly kind: 'owner'; readonly overNetwork: boolean }
  /** A web site or a remote caller. */
  | {
      readonly kind: 'guest';
      readonly grants: readonly GrantedRoot[];
      /** Called once for each grant that an accepted request uses. */
      readonly noteUse: (grant: GrantedRoot) => Promise<void>;
      /** True for callers that may read certificates, and for a person about the person's own. */
      readonly readsCertificates?: boolean;
    };

/** The caller's view of certificate names: whole or masked. */
export const sightOf = (reach: Reach): AliasSight =>
  reach.kind === 'owner' || reach.readsCertificates === true ? 'whole' : 'masked';

/** Somebody who wants to cancel a transaction, as the credentials and the browser tell. */
export interface Canceller {
  /** `callerName`: the creator of the transactions in the list of this name. */
  readonly name: string | undefined;
  readonly clientId?: string;
  /** CPF or CNPJ of a person whose own credentials came. */
  readonly person?: string;
}

/** A create request, read and checked in form by the HTTP layer; meaning is checked here. */
export interface CreateTransaction extends SignatureRequest {
  readonly reach: Reach;
  readonly documentsSource: DocumentsSource;
  readonly documents: readonly NewDocument[];
  readonly certificateAlias?: string;
  readonly mode: 'async' | 'sync';
  readonly settings: readonly SignatureSetting[];
  readonly destination: DocumentsDestination;
  readonly autoFixDocument: boolean;
  readonly returnSignature: boolean;
  /** The existing CMS signature to add the signer to, DER, BER or PEM. */
  readonly existingSignature?: Buffer;
  /** Opens encrypted PDFs. In memory only, so that a restart forgets it, but stored sealed while a level is pending. */
  readonly password?: string;
  /** Opens PDFs encrypted for certificates. In memory only. */
  readonly recipient?: PdfRecipient;
  /** The address for the notification of the finished transaction. */
  readonly callback?: NotificationCallback;
  readonly idempotency?: {
    readonly key: string;
    /** Lower-case hex SHA-256 of the request body. */
    readonly bodyDigest: string;
  };
  /** Called after the documents are stored, so that the request can free its copies. */
  readonly onKept?: () => void;
}

/** A document for the query, the sync answer and the window. */
export interface DocumentView {
  readonly id: string;
  readonly status: DocumentStatus;
  readonly originalFileName: string | null;
  readonly mediaType: string | null;
  /** Bytes of the original; null before its receipt. */
  readonly size: number | null;
  /** Lower-case hex SHA-256 of the original; null before its receipt. */
  readonly checksum: string | null;
  readonly signatureSetting: string;
  /** Absolute path of the user's own file that is signed, symbolic links resolved; null for other sources. */
  readonly sourcePath: string | null;
  /** The destination of the result: a path or an object's address; null for a result stored here. */
  readonly destination: string | null;
  /**
   * The place of the result: a path for a FILE_PATH destination, `s3://bucket/key` or `gs://bucket/key` for stores;
   * null without a result, and for a result stored here (the HTTP layer makes the URL).
   */
  readonly resultPath: string | null;
  /** The request's name; for stores also the chosen name. */
  readonly destinationFileName: string | null;
  /** The destination is an object store. */
  readonly inObjectStore: boolean;
  /**
   * Seconds left until the result is erased, counted from signing; null while WAITING, ERROR or delivered elsewhere.
   */
  readonly lifetime: number | null;
  readonly error: { readonly code: ServiceErrorCode; readonly detail: string } | null;
  /** Bytes of the result; null without a result. */
  readonly resultSize: number | null;
  /** Lower-case hex SHA-256 of the result; null without a result. */
  readonly resultChecksum: string | null;
  /** Base64 of the CMS of a SIGNED document, on request only. */
  readonly signature: string | null;
  /** A sentence for each repair before the signature; empty: none. */
  readonly repairs: readonly string[];
  /** A sentence for each stamp that was moved into its page; empty: none. */
  readonly adjustments: readonly string[];
  /** The level of the result now; null without a result, and for a signature without a level. */
  readonly level: SignaturePolicy | null;
  /** The level that the result, or the waiting document, gets once newer revocation data is available. */
  readonly pendingLevel: SignaturePolicy | null;
  /** Why the pending level will not be reached; the result keeps its level. */
  readonly pendingError: { readonly code: ServiceErrorCode; readonly detail: string } | null;
  /** How often the result was replaced by its extended form. */
  readonly revision: number;
  /** Effects of the signature on the standards that a PDF claims; empty: none. */
  readonly warnings: readonly StandardWarning[];
  /** The given hash of a document that is not here; null for a document. */
  readonly hash: DocumentHash | null;
}

/** A transaction for the query, the sync answer and the window. */
export interface TransactionView {
  readonly tcn: string;
  /** WAITING while any document waits (or none was received yet), else ERROR if any failed, else SIGNED. */
  readonly status: DocumentStatus;
  readonly waitingFor: WaitingFor;
  readonly certificateAlias: string;
  /** Lower-case hex SHA-256 of the certificate. */
  readonly certificateFingerprint: string;
  readonly type: SignatureType;
  readonly digest: DigestAlgorithm;
  readonly policy: SignaturePolicy;
  /** True if the policy requires a time stamp. */
  readonly timestamped: boolean;
  /** The role that the signer claims in the signature; null: none. */
  readonly claimedRole: string | null;
  readonly documentsSource: DocumentsSource;
  /** True while further documents may be uploaded. */
  readonly uploadOpen: boolean;
  readonly mode: 'async' | 'sync';
  readonly requester: Requester;
  /** The interface of another protocol through which the request came; null: our own. */
  readonly door: Door | null;
  readonly settings: readonly SignatureSetting[];
  readonly documents: readonly DocumentView[];
  /** Numbers of all documents by status. */
  readonly counts: Readonly<Record<DocumentStatus, number>>;
  /** True if `documents` is only a part of the list. */
  readonly isPage: boolean;
  readonly createdAt: Date;
  /** When the last document became SIGNED or ERROR. */
  readonly finishedAt: Date | null;
  /** Absent if the request named no address for a notification. */
  readonly notification?: NotificationState;
}

/** A document of an upload. `content` must be read to its end before the next document. */
export interface IncomingDocument {
  /** The text in the brackets of the field `document[…]`: an announced id, else the position in the request. */
  readonly label?: string;
  readonly fileName: string | undefined;
  readonly mediaType: string | undefined;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface UploadRequest {
  /** Id of the chosen setting; absent: the only setting, or `SIGNATURE_SETTING_REQUIRED`. */
  readonly settingId?: string;
  /** The batch ends with this request (`eot`). */
  readonly endOfTransaction: boolean;
  /** Announced bytes, if known. */
  readonly announcedBytes?: number;
  /** The announced bytes are a single document, without a form around it. */
  readonly isOneDocument?: boolean;
}

/** The rest of the application's documents for today; absent: the caller has no such limit. */
export interface IntakeQuota {
  readonly quota?: Quota;
}

export interface UploadOutcome extends IntakeQuota {
  readonly tcn: string;
  /** The entries of this request, in its order. */
  readonly documents: readonly DocumentView[];
  readonly endOfTransaction: boolean;
}

/** A signed document or signature, ready to be sent: in a file or, if small, in memory. */
export type ResultFile = ResultDescription &
  (
    | {
        /** Absolute path of the file to stream. */
        readonly path: string;
        /**
         * Gives the bytes `start` to `end` (inclusive), each MiB after its check; rejects with `RESULT_DAMAGED`. Absent
         * for a file that was checked as a whole.
         */
        readonly read?: (range: { readonly start: number; readonly end: number }) => AsyncGenerator<Buffer, void>;
        readonly bytes?: undefined;
      }
    | { readonly path?: undefined; readonly bytes: Buffer; readonly read?: undefined }
  );

/** The documents of an answer: at most `limit`, after the id `after`. */
export interface DocumentsPage {
  readonly after?: string;
  /** 0 to `DOCUMENTS_A_PAGE`, which is the default. */
  readonly limit?: number;
}

/** Options of a query. `queues` and `signal` are for callers that wait. */
export interface QueryOptions extends PaceOptions {
  readonly waitSeconds?: number;
  readonly documents?: DocumentsPage;
}

/** The transactions of a list; absent conditions do not restrict the list. */
export interface ListFilter {
  readonly status?: DocumentStatus;
  /** Finished at this time or later. */
  readonly finishedSince?: Date;
  /** TCN of the last transaction of the page before. */
  readonly after?: string;
  /** 1 to `TRANSACTIONS_A_PAGE`. */
  readonly limit: number;
}

/** Maximum number of transactions of an answer. */
export const TRANSACTIONS_A_PAGE = 1000;

/** A page of a list. `documents` of the transactions is empty; `counts` has their numbers. */
export interface TransactionsPage {
  readonly transactions: readonly TransactionView[];
  /** The `after` of the next page; null: this page is the last. */
  readonly next: string | null;
}

/** A stored result that has changed or is missing. */
export interface DamagedResult {
  readonly tcn: string;
  readonly documentId: string;
  readonly reason: 'missing' | 'changed';
}

/** The properties of a result besides its bytes. */
export interface ResultDescription {
  readonly size: number;
  readonly mediaType: ResultMediaType;
  /** The result's file name: `contract-signed.pdf`, `contract.txt.p7m`. */
  readonly fileName: string;
  /** Lower-case hex SHA-256 of the result. */
  readonly checksum: string;
  readonly signedAt: Date;
}

/**
 * The decision on a waiting transaction. `withdraw`: the caller hung up before the decision. `cancel`: a holder of the
 * TCN cancelled the transaction. `expire`: nobody decided in time.
 */
export type Decision = 'approve' | 'refuse' | 'withdraw' | 'cancel' | 'expire';

/** The transactions of this instance: the single object for HTTP, window and command line. */
export interface Transactions {
  /** Seconds from the signature until a result stored here is erased. */
  readonly resultLifetime: number;
  /**
   * Starts a transaction. In `sync` mode resolves when every document is final or `syncTimeout` is over. Rejects with
   * `ServiceError` without storing anything. When the caller hangs up (`signal`) before the answer and before the
   * user's decision, the transaction is withdrawn, unless an idempotency key announces the caller's return.
   */
  create(
    request: CreateTransaction,
    requester: CallingRequester,
    signal?: AbortSignal,
    /** Absent: a program or the window of the computer's user. */
    authority?: Authority,
  ): Promise<TransactionView & IntakeQuota & { readonly isRepeated?: true }>;
  /**
   * Receives documents, in the queue of the transaction's owner; a broken upload leaves no entry and no file. Signing
   * starts at the end of the batch. When the caller hangs up (`signal`), the wait ends.
   */
  upload(
    tcn: string,
    request: UploadRequest,
    documents: AsyncIterable<IncomingDocument>,
    signal?: AbortSignal,
  ): Promise<UploadOutcome>;
  /**
   * The present state or the next change of the transaction's state, at the latest after `waitSeconds`. Rejects with
   * the signal's reason when the caller has gone while it waited.
   */
  query(tcn: string, options?: QueryOptions): Promise<TransactionView>;
  /**
   * `NOT_SIGNED_YET`, `SIGNING_FAILED`, `LIFETIME_OVER`, `RESULT_DAMAGED`, `RESULT_DELIVERED` (to a store),
   * `TRANSACTION_NOT_FOUND`, `DOCUMENT_NOT_FOUND`.
   */
  result(tcn: string, documentId: string): Promise<ResultFile>;
  /**
   * The kind of a waiting document, for its approval: `TRANSACTION_NOT_FOUND`, `DOCUMENT_NOT_FOUND`, `NOT_FOUND` for a
   * document that does not wait or is not stored, `DOCUMENT_UNREADABLE` for a document that has changed.
   */
  inspectOriginal(tcn: string, documentId: string): Promise<OriginalInspection>;
  /** Bytes of a waiting document, in parts from 0: the bytes that will be signed. Rejects like `inspectOriginal`. */
  readOriginalPart(tcn: string, documentId: string, part: number): Promise<Buffer>;
  /** Transactions waiting for the user: approval or PIN, oldest first. */
  waiting(): Promise<readonly TransactionView[]>;
  /** Approves with a person's token; `APPROVAL_NOT_WAITING`, `SCOPE_NOT_ALLOWED`. */
  authorize(tcn: string, authority: Authority): Promise<TransactionView>;
  /** Approves or refuses; refused documents become ERROR with `APPROVAL_REFUSED`. `APPROVAL_NOT_WAITING`. */
  decide(tcn: string, decision: Decision): Promise<TransactionView>;
  /**
   * Pauses the documents that are not being signed yet, or continues. A pause is in memory only and ends with the
   * process. `TRANSACTION_NOT_FOUND`.
   */
  pause(tcn: string, paused: boolean): Promise<TransactionView>;
  /**
   * Cancels the documents that are not being signed yet, with ERROR and `CANCELLED`. Signed documents stay; an open
   * upload ends. `TRANSACTION_NOT_FOUND`, also for a caller that neither created the transaction nor signs with it.
   *
   * @param canceller absent for the computer's owner, who may cancel every transaction
   */
  cancel(tcn: string, canceller?: Canceller): Promise<void>;
  /** Newest first. */
  recent(limit: number): Promise<readonly TransactionView[]>;
  /** The transactions of a caller (`callerName`), newest first; `REQUEST_INVALID` for an unknown `after`. */
  list(caller: string, filter: ListFilter): Promise<TransactionsPage>;
  /**
   * Present states without documents, in the order of `tcns`; unknown transactions are left out, and with a caller also
   * the transactions of others.
   */
  overview(tcns: readonly string[], caller?: string): Promise<readonly TransactionView[]>;
  /** Stored results that were found missing or changed since the start. */
  damagedResults(): readonly DamagedResult[];
  /** Checks every stored result once; also done in the background. */
  checkResults(): Promise<void>;
  /** Counts of documents. */
  countByStatus(): Promise<Record<DocumentStatus, number>>;
  /** When the newest transaction was created; undefined when there is none. */
  newestCreation(): Promise<Date | undefined>;
  /** Calls `listener` after every change; returns the function that stops listening. */
  onChange(listener: (tcn: string, isElsewhere: boolean) => void): () => void;
  /** Calls `listener` when changes of other nodes may have been missed, so that it can read again. */
  onMissed(listener: () => void): () => void;
  /** Retries transactions waiting for a PIN (after a token was unlocked or inserted). */
  keysChanged(): void;
  /**
   * Continues the WAITING transactions of an earlier process and removes its half written files. Called once, at start.
   */
  resume(): Promise<void>;
  /**
   * Begins no further signature and waits for running ones, at most `patience` milliseconds; then answers all callers
   * that wait for a change. False if signatures are still running. Documents that were not begun stay WAITING.
   */
  close(patience?: number): Promise<boolean>;
}
