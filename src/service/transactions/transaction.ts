import type { DigestAlgorithm, IcpBrasilProfile, PdfRecipient } from '../../signing/index.ts';
import type { Authority } from '../authorization/index.ts';
import type { ServiceErrorCode } from '../errors/index.ts';
import type { NotificationCallback, NotificationState } from '../notifications/index.ts';
import type { SignatureSetting } from './intake/signature-setting.ts';

/** Signature types, spelled as the interface answers them. */
export type SignatureType =
  'CMS-attached' | 'CMS-detached' | 'CAdES-attached' | 'CAdES-detached' | 'PDFSignature' | 'PAdES';

/** Where documents come from. */
export type DocumentsSource = 'DATA_URL' | 'FILE_PATH' | 'UPLOAD_REFERENCE' | 'STORE_A_S3' | 'STORE_B_STORAGE';

/** Where signed documents go: kept here until their lifetime ends, written to a path, or to an object store. */
export type DocumentsDestination = 'LOCAL' | 'FILE_PATH' | 'STORE_A_S3' | 'STORE_B_STORAGE';

/** State of a document. WAITING → SIGNED | ERROR; both are final. */
export type DocumentStatus = 'WAITING' | 'SIGNED' | 'ERROR';

/** What holds a transaction up while documents wait; null when nothing does (it is being signed, or is finished). */
export type WaitingFor = 'upload' | 'approval' | 'pin' | null;

/** The levels of EN 319 122-1 and EN 319 142-1. */
export type BaselineLevel = 'B-B' | 'B-T' | 'B-LT' | 'B-LTA';

/**
 * What a signature carries: `none` and `B-B` itself only; a baseline level; an ICP-Brasil profile, of which the newest
 * version that fits is taken, or one version of it by its OID.
 */
export type SignaturePolicy = 'none' | BaselineLevel | IcpBrasilProfile | `2.16.76.1.7.1.${string}`;

/** The company for which is signed, as the request names it. */
export interface SignerCompany {
  /** Absent: the one in the certificate. */
  readonly name?: string;
  /** As it was given, with or without punctuation. */
  readonly cnpj: string;
}

/** Who asked for a transaction: shown at approval and kept with it. */
export interface Requester {
  readonly kind: 'native-program' | 'user-interface' | 'command-line' | 'site' | 'application';
  /** A name for a person: program, application or "this window"; of a site its origin. */
  readonly name: string;
}

/** A document as the create request names it. */
export interface NewDocument {
  /** Unique in the transaction, `[A-Za-z0-9._-]{1,64}`; absent: given in order, "0", "1", … */
  readonly id?: string;
  readonly signatureSetting?: string;
  readonly originalFileName?: string;
  readonly mediaType?: string;
  /**
   * FILE_PATH destination: an absolute path. Stores: the address of an object, or a name for the first store of the kind.
   */
  readonly destinationFileName?: string;
  /**
   * DATA_URL: the data URL. FILE_PATH: an absolute path or `file:` URL. UPLOAD_REFERENCE: absent. Stores: `bucket/key`,
   * `s3://bucket/key` or `gs://bucket/key`.
   */
  readonly data?: string;
}

/** A create request, read and checked in form by the HTTP layer; meaning is checked here. */
export interface CreateTransaction {
  readonly type: SignatureType;
  readonly documentsSource: DocumentsSource;
  readonly documents: readonly NewDocument[];
  readonly certificateAlias?: string;
  readonly mode: 'async' | 'sync';
  readonly digest: DigestAlgorithm;
  readonly policy: SignaturePolicy;
  readonly settings: readonly SignatureSetting[];
  readonly destination: DocumentsDestination;
  readonly autoFixDocument: boolean;
  readonly returnSignature: boolean;
  /** Id of the only time stamp server to ask; absent: those configured, in order. */
  readonly timestampServer?: string;
  readonly timestampDigest?: DigestAlgorithm;
  readonly signerCompany?: SignerCompany;
  /** The CMS signature that the signer is added to, DER, BER or PEM. */
  readonly existingSignature?: Buffer;
  /** Opens encrypted PDFs. Held in memory only: a restart forgets it. */
  readonly password?: string;
  /** Opens PDFs that are encrypted for certificates. Held in memory only as well. */
  readonly recipient?: PdfRecipient;
  /** Whom to notify when the transaction is finished. */
  readonly callback?: NotificationCallback;
  readonly idempotency?: {
    readonly key: string;
    /** Lower-case hex SHA-256 of the request body. */
    readonly bodyDigest: string;
  };
  /** Called when the documents are kept: what the request holds of them is needed no more. */
  readonly onKept?: () => void;
}

/** One document as query, sync answer and the GUI see it. */
export interface DocumentView {
  readonly id: string;
  readonly status: DocumentStatus;
  readonly originalFileName: string | null;
  readonly mediaType: string | null;
  /** Octets of the original; null until it is here. */
  readonly size: number | null;
  /** Lower-case hex SHA-256 of the original; null until it is here. */
  readonly checksum: string | null;
  readonly signatureSetting: string;
  /**
   * Where the result is: a path for a FILE_PATH destination, `s3://bucket/key` or `gs://bucket/key` for stores; null
   * before it is there, and while it is kept here (the HTTP layer makes the URL).
   */
  readonly resultPath: string | null;
  /** As the request named it; for stores also where it did not. */
  readonly destinationFileName: string | null;
  /** The destination is an object store. */
  readonly inObjectStore: boolean;
  /** Seconds left until the result is erased, counted from signing; null while WAITING, ERROR or delivered elsewhere. */
  readonly lifetime: number | null;
  readonly error: { readonly code: ServiceErrorCode; readonly detail: string } | null;
  /** Base64 of the CMS, only when the request asked for it and the document is SIGNED. */
  readonly signature: string | null;
  /** What was repaired before the signature, a sentence each; empty: nothing was. */
  readonly repairs: readonly string[];
}

/** A transaction as query, sync answer and the GUI see it. */
export interface TransactionView {
  readonly tcn: string;
  /** WAITING while any document waits (or none is here yet), else ERROR if any failed, else SIGNED. */
  readonly status: DocumentStatus;
  readonly waitingFor: WaitingFor;
  readonly certificateAlias: string;
  /** Lower-case hex SHA-256 of the certificate. */
  readonly certificateFingerprint: string;
  readonly type: SignatureType;
  readonly digest: DigestAlgorithm;
  readonly policy: SignaturePolicy;
  /** The policy calls for a time stamp. */
  readonly timestamped: boolean;
  readonly documentsSource: DocumentsSource;
  readonly mode: 'async' | 'sync';
  readonly requester: Requester;
  readonly settings: readonly SignatureSetting[];
  readonly documents: readonly DocumentView[];
  readonly createdAt: Date;
  /** When the last document became SIGNED or ERROR. */
  readonly finishedAt: Date | null;
  /** Absent: the request named nobody to notify. */
  readonly notification?: NotificationState;
}

/** A document on its way in, as one part of an upload. `content` must be read to its end before the next part. */
export interface IncomingDocument {
  readonly fileName: string | undefined;
  readonly mediaType: string | undefined;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface UploadRequest {
  /** Id of the chosen setting; absent: the only one, or `SIGNATURE_SETTING_REQUIRED`. */
  readonly settingId?: string;
  /** The batch ends with this request (`eot`). */
  readonly endOfTransaction: boolean;
  /** Octets that are on their way, where that is known. */
  readonly announcedOctets?: number;
}

export interface UploadOutcome {
  readonly tcn: string;
  /** The entries of this request, in its order. */
  readonly documents: readonly DocumentView[];
  readonly endOfTransaction: boolean;
}

/** A signed document or signature, ready to be sent: in a file, or, when it is small, in memory. */
export type ResultFile = ResultDescription &
  (
    | {
        /** Absolute path of the file to stream. */
        readonly path: string;
        readonly octets?: undefined;
      }
    | { readonly path?: undefined; readonly octets: Buffer }
  );

/** What is told of a result besides its octets. */
export interface ResultDescription {
  readonly size: number;
  readonly mediaType:
    'application/pdf' | 'application/pkcs7-mime; smime-type=signed-data' | 'application/pkcs7-signature';
  /** What to call it: `contract-signed.pdf`, `contract.txt.p7m`. */
  readonly fileName: string;
  /** Lower-case hex SHA-256 of the result. */
  readonly checksum: string;
  readonly signedAt: Date;
}

/** What becomes of a transaction that waits for the user; `withdraw`: the caller went away before the decision. */
export type Decision = 'approve' | 'refuse' | 'withdraw';

/** The transactions of this instance: the one object that HTTP, GUI and command line call. */
export interface Transactions {
  /**
   * Starts a transaction. In `sync` mode it resolves when every document is final or `syncTimeout` is over.
   * Rejects with `ServiceError`; nothing is kept then. When the caller hangs up (`signal`) before the answer while the
   * user is still to decide, the transaction is withdrawn, unless an idempotency key says that the caller comes back.
   */
  create(
    request: CreateTransaction,
    requester: Requester,
    signal?: AbortSignal,
    /** Absent: a program or the window of the computer's user. */
    authority?: Authority,
  ): Promise<TransactionView>;
  /**
   * Takes documents, when it is the turn of whoever started the transaction; a broken upload leaves no entry and no
   * file. Signing starts when the batch has ended. When the caller hangs up (`signal`), it waits no longer.
   */
  upload(
    tcn: string,
    request: UploadRequest,
    documents: AsyncIterable<IncomingDocument>,
    signal?: AbortSignal,
  ): Promise<UploadOutcome>;
  /** The state now, or as soon as it changes, at the latest after `waitSeconds`. */
  query(
    tcn: string,
    options?: { readonly waitSeconds?: number; readonly signal?: AbortSignal },
  ): Promise<TransactionView>;
  /**
   * `NOT_SIGNED_YET`, `SIGNING_FAILED`, `LIFETIME_OVER`, `RESULT_DELIVERED` (to a store), `TRANSACTION_NOT_FOUND`,
   * `DOCUMENT_NOT_FOUND`.
   */
  result(tcn: string, documentId: string): Promise<ResultFile>;
  /** Transactions that wait for the user: approval or PIN, oldest first. */
  waiting(): Promise<readonly TransactionView[]>;
  /** Approves or refuses; refused documents become ERROR with `APPROVAL_REFUSED`. `APPROVAL_NOT_WAITING`. */
  decide(tcn: string, decision: Decision): Promise<TransactionView>;
  /**
   * Holds back what is not being signed yet, or lets it go on. A pause is in memory only: it ends with the process.
   * `TRANSACTION_NOT_FOUND`.
   */
  pause(tcn: string, paused: boolean): Promise<TransactionView>;
  /**
   * Gives up what is not being signed yet: it becomes ERROR with `APPROVAL_REFUSED`. What is signed stays.
   * `TRANSACTION_NOT_FOUND`, and `APPROVAL_NOT_WAITING` while the batch still takes documents.
   */
  cancel(tcn: string): Promise<void>;
  /** Newest first. */
  recent(limit: number): Promise<readonly TransactionView[]>;
  /** Counts of documents. */
  countByStatus(): Promise<Record<DocumentStatus, number>>;
  /** Tells of every change; returns the way to stop listening. */
  onChange(listener: (tcn: string) => void): () => void;
  /** Tries again those that wait for a PIN (a token was unlocked or inserted). */
  keysChanged(): void;
  /** Continues what an earlier process left WAITING and removes what it left half written. Called once, at start. */
  resume(): Promise<void>;
  /** Stops taking work, lets running signatures finish, and resolves. */
  close(): Promise<void>;
}
