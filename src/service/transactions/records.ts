import type { ServiceErrorCode } from '../errors/index.ts';
import type { NotificationCallback, NotificationState } from '../notifications/index.ts';
import type { DigestAlgorithm } from '../../signing/index.ts';
import type { TurnOwner } from './schedule/turn-names.ts';
import type { SignatureSetting } from './intake/signature-setting.ts';
import type {
  DocumentsDestination,
  DocumentsSource,
  DocumentStatus,
  Requester,
  SignaturePolicy,
  SignatureType,
  SignerCompany,
  WaitingFor,
} from './transaction.ts';

/** A transaction as it rests in the store. */
export interface TransactionRecord {
  readonly tcn: string;
  readonly type: SignatureType;
  readonly digest: DigestAlgorithm;
  readonly policy: SignaturePolicy;
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
  readonly keySource: 'file' | 'token';
  /** Decided when the transaction is created, so that a later start with other settings approves nothing by itself. */
  readonly approval: 'required' | 'given';
  /** Documents may still be uploaded. */
  readonly uploadOpen: boolean;
  readonly waitingFor: WaitingFor;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** Id of the only time stamp server to ask; absent: those configured, in order. */
  readonly timestampServer?: string;
  /** The hash of time stamps' imprints; absent: the server's own. */
  readonly timestampDigest?: DigestAlgorithm;
  readonly signerCompany?: SignerCompany;
  /** DER or PEM of the CMS signature that the signer is added to. */
  readonly existingSignature?: Buffer;
  /** Documents that may be uploaded, where the token allows fewer than this instance. */
  readonly documentLimit?: number;
  /** Whom to notify when it is finished; absent: nobody. */
  readonly callback?: NotificationCallback;
  /** Whose turn it takes; absent: its requester's. */
  readonly turn?: TurnOwner;
}

/** Where the octets of an original are. */
export type DocumentContent =
  /** Kept in the document store under the document's key. */
  | { readonly kind: 'kept' }
  /** Kept in the store of small documents under the document's key; so is its result. */
  | { readonly kind: 'small' }
  /** Nowhere: the record's checksum is all that the signature needs. The result is with the small ones. */
  | { readonly kind: 'digest' }
  /** Left where the user has it; `path` is absolute and free of symbolic links. */
  | { readonly kind: 'path'; readonly path: string };

/** A result on its way to its destination, written down before the destination is touched. */
export interface Delivery {
  readonly size: number;
  /** Lower-case hex SHA-256. */
  readonly checksum: string;
  readonly signedAt: Date;
  /** Base64 of the CMS, where the transaction asked for it. */
  readonly signature: string | null;
  /** What was repaired before the signature, a sentence each; absent: nothing was. */
  readonly repairs?: readonly string[];
}

/** A finished result. */
export interface ResultRecord extends Delivery {
  /** When a result that is kept here is erased; null for one that was delivered elsewhere. */
  readonly expiresAt: Date | null;
  readonly erasedAt: Date | null;
}

/** One document as it rests in the store. */
export interface DocumentRecord {
  /** 32 hex digits, the time and random ones: the name of its octets here. Never told to a client. */
  readonly key: string;
  readonly tcn: string;
  /** Order in the transaction, from 0. */
  readonly position: number;
  /** The id on the wire. */
  readonly id: string;
  readonly status: DocumentStatus;
  readonly originalFileName: string | null;
  readonly mediaType: string | null;
  /** Null while an announced document may still be uploaded under any setting. */
  readonly settingId: string | null;
  /** Null until the document is here. */
  readonly content: DocumentContent | null;
  readonly size: number | null;
  /** Lower-case hex SHA-256 of the original. */
  readonly checksum: string | null;
  /** Absolute path of the result for a FILE_PATH destination. */
  readonly destinationPath: string | null;
  /** `s3://bucket/key` or `gs://bucket/key` of the result for a destination in an object store. */
  readonly destinationUrl: string | null;
  /** As the request named it; in an object store also the name that was chosen for it. */
  readonly destinationFileName: string | null;
  readonly delivery: Delivery | null;
  readonly result: ResultRecord | null;
  readonly error: { readonly code: ServiceErrorCode; readonly detail: string } | null;
}

/** A transaction with its documents in order. */
export interface StoredTransaction {
  readonly transaction: TransactionRecord;
  readonly documents: readonly DocumentRecord[];
  /** Absent: nobody is to be notified, or it is not finished. */
  readonly notification?: NotificationState;
}

/** One step in the life of a transaction. SIGNED and ERROR are final: a change to a final document is refused. */
export type TransactionChange =
  | { readonly kind: 'document-added'; readonly document: DocumentRecord }
  /** The announced document with this id has come; from then on it has the key of its upload. */
  | { readonly kind: 'document-arrived'; readonly document: DocumentRecord }
  /** The batch has ended; unless it is finished by that, it waits for approval where that is required. */
  | { readonly kind: 'upload-ended'; readonly tcn: string }
  | { readonly kind: 'waiting-for'; readonly tcn: string; readonly waitingFor: WaitingFor }
  | { readonly kind: 'approved'; readonly tcn: string }
  /** The result is complete and about to be moved to the user's path or object store. */
  | { readonly kind: 'document-delivering'; readonly key: string; readonly delivery: Delivery }
  | {
      readonly kind: 'document-signed';
      readonly key: string;
      readonly result: ResultRecord;
      /** The result of a small document, which rests beside its row from the same commit on. */
      readonly octets?: Buffer;
    }
  | {
      readonly kind: 'document-failed';
      readonly key: string;
      readonly error: { readonly code: ServiceErrorCode; readonly detail: string };
    }
  /** The lifetime is over: the row stays, its signature goes. */
  | { readonly kind: 'result-erased'; readonly key: string; readonly at: Date };
