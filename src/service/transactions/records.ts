import type { Signer } from '../certificates/index.ts';
import type { ApprovalGround } from '../authorization/index.ts';
import type { ServiceErrorCode } from '../errors/index.ts';
import type { NotificationCallback, NotificationState } from '../notifications/index.ts';
import type { SignaturePolicy, SignatureRequest, SignatureSetting } from '../../request/signature-request.ts';
import type { KeySourceKind, StandardWarning } from '../../signing/index.ts';
import type {
  DocumentHash,
  DocumentsDestination,
  DocumentsSource,
  DocumentStatus,
  Door,
  Requester,
  WaitingFor,
} from './transaction.ts';

/**
 * The names of a transaction's queues: the owner (an application, a site, a person or the programs of this computer),
 * and the token inside.
 */
export type TurnOwner = readonly [owner: string, token: string];

/** A stored transaction. */
export interface TransactionRecord extends SignatureRequest {
  readonly tcn: string;
  readonly documentsSource: DocumentsSource;
  readonly destination: DocumentsDestination;
  readonly mode: 'async' | 'sync';
  readonly autoFixDocument: boolean;
  readonly returnSignature: boolean;
  readonly settings: readonly SignatureSetting[];
  readonly requester: Requester;
  readonly certificateAlias: string;
  /** Lower-case hex SHA-256 of the certificate: aliases may be renumbered, this may not. */
  readonly certificateFingerprint: string;
  readonly keySource: KeySourceKind;
  /** Decided at creation, so that a later start with other settings does not approve anything. */
  readonly approval: 'required' | 'given';
  /** The reason for an approval without a question. */
  readonly approvedBy?: ApprovalGround | 'configuration';
  /**
   * The list that the transaction belongs to (`callerName`); absent for transactions of the window and of earlier
   * versions.
   */
  readonly caller?: string;
  /** Documents may still be uploaded. */
  readonly uploadOpen: boolean;
  readonly waitingFor: WaitingFor;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** DER or PEM of the existing CMS signature to add the signer to. */
  readonly existingSignature?: Buffer;
  /** Maximum number of documents of the transaction, when the token allows fewer than this instance. */
  readonly documentLimit?: number;
  /** The address for the notification of the finished transaction; absent: none. */
  readonly callback?: NotificationCallback;
  /** The transaction's queue; absent: the requester's queue. */
  readonly turn?: TurnOwner;
  /** With several nodes, the node whose computer has the files of the transaction; absent: any node signs. */
  readonly homeNode?: string;
  /** The span of the create request as a W3C `traceparent`, for jobs on any node; absent without traces. */
  readonly traceParent?: string;
  /** True if the request of a site came through the bridge window. */
  readonly byBridge?: true;
  /** The interface of another protocol through which the request came; absent: our own. */
  readonly door?: Door;
}

/** The columns that the steps need, and the owner of the transaction's queue. */
export type TransactionState = Pick<
  TransactionRecord,
  'requester' | 'turn' | 'uploadOpen' | 'waitingFor' | 'finishedAt'
>;

/** Where the bytes of an original are. */
export type DocumentContent =
  /** In the document store under the document's key. */
  | { readonly kind: 'kept' }
  /** In the store of small documents under the document's key, like its result. */
  | { readonly kind: 'small' }
  /** Not stored, because the signature needs only the checksum. The result is in the database. */
  | { readonly kind: 'digest' }
  /** Not here: the caller gave its hash. The result is in the database, or in a file like other results. */
  | {
      readonly kind: 'hash';
      readonly hash: DocumentHash;
      readonly result: 'database' | 'file';
    }
  /** In the user's own file; `path` is absolute and free of symbolic links. */
  | { readonly kind: 'path'; readonly path: string };

/** Changes to a document besides its signature. */
export interface SigningFindings {
  /** A sentence for each repair before the signature; absent: none. */
  readonly repairs?: readonly string[];
  /** A sentence for each stamp that was moved into its page; absent: none. */
  readonly adjustments?: readonly string[];
  /** Effects of the signature and its time stamps on the standards that a PDF claims; absent: none. */
  readonly warnings?: readonly StandardWarning[];
}

/** A result that is being delivered, recorded before the destination is touched. */
export interface Delivery extends SigningFindings {
  readonly size: number;
  /** Lower-case hex SHA-256. */
  readonly checksum: string;
  readonly signedAt: Date;
  /** Base64 of the CMS, if the transaction requests it. */
  readonly signature: string | null;
}

/** A finished result. */
export interface ResultRecord extends Delivery {
  /** The time of erasing a stored result; null for a delivered result. */
  readonly expiresAt: Date | null;
  readonly erasedAt: Date | null;
}

/** The evidence of a document's signature that is added after the signature. */
export interface LaterEvidence {
  /** How often the result was replaced by its extended form. */
  readonly revision: number;
  /** The pending level; absent: none. */
  readonly pending?: PendingEvidence;
  /** Why a pending level will not be reached. */
  readonly error?: { readonly code: ServiceErrorCode; readonly detail: string };
}

/** A signature that has its time stamp and waits for newer revocation data. */
export interface PendingEvidence {
  readonly level: SignaturePolicy;
  readonly since: Date;
  /** The time of the next attempt. */
  readonly next: Date;
  /** The extended file, recorded before it replaces the file in the user's folder. */
  readonly replacement?: { readonly size: number; readonly checksum: string };
  /** Findings of a signature whose document is WAITING; a result has its own. */
  readonly findings?: SigningFindings;
}

/** A stored document. */
export interface DocumentRecord {
  /** 32 hex digits of time and random bits, which name the document's bytes here. Never sent to a client. */
  readonly key: string;
  readonly tcn: string;
  /** Order in the transaction, from 0. */
  readonly position: number;
  /** The id on the wire. */
  readonly id: string;
  /** True if the create request named the id; false if it was chosen here. */
  readonly announcedId: boolean;
  /** The create request named the document. */
  readonly announcedName: boolean;
  readonly status: DocumentStatus;
  readonly originalFileName: string | null;
  readonly mediaType: string | null;
  /** Null while an announced document may still be uploaded under any setting. */
  readonly settingId: string | null;
  /** Null until the document has been received. */
  readonly content: DocumentContent | null;
  readonly size: number | null;
  /** Lower-case hex SHA-256 of the original. */
  readonly checksum: string | null;
  /** Absolute path of the result for a FILE_PATH destination. */
  readonly destinationPath: string | null;
  /** `s3://bucket/key` or `gs://bucket/key` of the result for a destination in an object store. */
  readonly destinationUrl: string | null;
  /** The request's name; in an object store also the chosen name. */
  readonly destinationFileName: string | null;
  readonly delivery: Delivery | null;
  readonly result: ResultRecord | null;
  readonly error: { readonly code: ServiceErrorCode; readonly detail: string } | null;
  /** Absent if the signature needs no later evidence. */
  readonly evidence?: LaterEvidence;
  /** With several nodes, the number of the claim under which the files were written, as part of their names. */
  readonly attempt?: number;
}

/** A transaction with its documents in order. */
export interface StoredTransaction {
  readonly transaction: TransactionRecord;
  readonly documents: readonly DocumentRecord[];
  /** Numbers of all documents by status; absent where `documents` is the whole list. */
  readonly counts?: Readonly<Record<DocumentStatus, number>>;
  /** The person or company of the certificate, for a new transaction; absent in stored ones. */
  readonly signer?: Signer;
  /** Absent: no notification is wanted, or the transaction is not finished. */
  readonly notification?: NotificationState;
}

/** A step in the life of a transaction. SIGNED and ERROR are final: a change to a final document is refused. */
export type TransactionChange =
  | { readonly kind: 'document-added'; readonly document: DocumentRecord }
  /** The announced document with this id was received; from now on the document has the key of its upload. */
  | { readonly kind: 'document-arrived'; readonly document: DocumentRecord }
  /**
   * The batch has ended; an unfinished transaction now waits for approval, if required. `reason`: why the batch ended
   * without a request of its caller.
   */
  | {
      readonly kind: 'upload-ended';
      readonly tcn: string;
      readonly at: Date;
      readonly reason?: 'UPLOAD_EXPIRED' | 'CANCELLED';
    }
  | { readonly kind: 'waiting-for'; readonly tcn: string; readonly waitingFor: WaitingFor }
  /** `by`: the reason for an approval without a question. */
  | { readonly kind: 'approved'; readonly tcn: string; readonly by?: ApprovalGround }
  /** The result is complete and about to be moved to the user's path or object store. */
  | {
      readonly kind: 'document-delivering';
      readonly key: string;
      readonly delivery: Delivery;
      /** Another name beside the source, because the chosen name was taken in the meantime. */
      readonly destinationPath?: string;
      /** The pending level, if any. */
      readonly pending?: PendingEvidence;
    }
  | {
      readonly kind: 'document-signed';
      readonly key: string;
      readonly result: ResultRecord;
      /** The result of a small document, stored beside its row in the same commit. */
      readonly bytes?: Buffer;
      /** SHA-256 of each MiB of a stored file, 32 bytes each; absent for a result of one block. */
      readonly blocks?: Buffer;
      /** The pending level, if any. */
      readonly pending?: PendingEvidence;
      readonly attempt?: number;
    }
  /** The signature is stored, and the document stays WAITING for newer revocation data. */
  | {
      readonly kind: 'document-postponed';
      readonly key: string;
      readonly pending: PendingEvidence;
      readonly attempt?: number;
    }
  /** Another attempt, or an extended file that is about to replace the user's file, with all its warnings. */
  | {
      readonly kind: 'evidence-awaited';
      readonly key: string;
      readonly pending: PendingEvidence;
      readonly warnings?: readonly StandardWarning[];
    }
  /** The extended result has replaced the earlier one as the next revision. */
  | {
      readonly kind: 'result-extended';
      readonly key: string;
      readonly result: Pick<ResultRecord, 'size' | 'checksum' | 'signature' | 'expiresAt' | 'warnings'>;
      readonly blocks?: Buffer;
      readonly attempt?: number;
    }
  /** The result stays at its level. */
  | {
      readonly kind: 'evidence-failed';
      readonly key: string;
      readonly error: { readonly code: ServiceErrorCode; readonly detail: string };
      /** The end of the result's lifetime, not shortened by the wait; null for a delivered result. */
      readonly expiresAt: Date | null;
    }
  | {
      readonly kind: 'document-failed';
      readonly key: string;
      readonly error: { readonly code: ServiceErrorCode; readonly detail: string };
    }
  /** The result has expired: the row stays, its signature is removed. */
  | { readonly kind: 'result-erased'; readonly key: string; readonly at: Date };
