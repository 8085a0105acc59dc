import type { PdfKeys, Signer, StandardWarning } from '../../signing/index.ts';
import type { SignatureRequest, SignatureSetting } from '../../request/signature-request.ts';
import type { DocumentRecord, TransactionRecord } from './records.ts';
import type { DocumentHash } from './transaction.ts';

/** The options of a transaction's signatures. */
export interface SignatureChoice extends SignatureRequest {
  /** The existing CMS signature to add the signer to. */
  readonly existingSignature?: Buffer;
  readonly now: () => Date;
}

/** A document to sign, with the open key of its transaction. */
export interface DocumentJob {
  readonly transaction: TransactionRecord;
  readonly document: DocumentRecord;
  readonly signer: DocumentSigner;
  /** Shared by the transaction's documents: after a missing PIN, documents not yet begun stay WAITING. */
  readonly stop: { pin: boolean };
  /** When the document was put into its queue, in milliseconds of `performance.now()`. */
  readonly queuedAt: number;
}

/** A document to sign, read from one file and written to a new one. */
export interface SignDocumentFile extends PdfKeys {
  readonly inputPath: string;
  /** Created exclusively, flushed and closed; removed on failure. */
  readonly outputPath: string;
  readonly setting: SignatureSetting;
  readonly signingTime: Date;
  /** If set, the answer also contains a CMS of at most this many bytes. */
  readonly returnUpTo?: number;
  /** The path for the repaired copy of a damaged PDF; absent: a damaged PDF is refused. Removed afterwards. */
  readonly repairPath?: string;
}

export interface SignedDocumentFile {
  /** Bytes of the output. */
  readonly size: number;
  /** Lower-case hex SHA-256 of the signed content, if stated by the signature itself. */
  readonly contentChecksum?: string;
  readonly signature?: Buffer;
  /** A sentence for each repair; absent: none. */
  readonly repairs?: readonly string[];
  /** A sentence for each stamp that was moved into its page; absent: none. */
  readonly adjustments?: readonly string[];
  /** Why the level waits for newer revocation data; absent if the level was reached. The output has its time stamp. */
  readonly postponed?: string;
  /** Effects of the signature on the standards that a PDF claims; absent: none. */
  readonly warnings?: readonly StandardWarning[];
}

/** A document to sign in memory. */
export interface SignInMemory {
  /** Lower-case hex SHA-256 of the document, measured on receipt. */
  readonly sha256: string;
  /** Reads the document, if its hash is not enough. */
  readonly read: () => Promise<Buffer>;
  readonly signingTime: Date;
}

/** A document to sign by its hash. */
export interface SignHash extends DocumentHash {
  readonly signingTime: Date;
}

export interface SignedHash {
  readonly signature: Buffer;
  /** As in `SignedDocumentFile`. */
  readonly postponed?: string;
}

/**
 * Signs documents of the same type with the same key. Calls may overlap. Rejects with `SigningError` or the system's
 * errors.
 */
export interface DocumentSigner {
  sign(request: SignDocumentFile): Promise<SignedDocumentFile>;
  /** Warnings about the key, for each of its signatures; absent: none. */
  readonly warnings?: readonly StandardWarning[];
  /** Answers the result. Absent if signing needs files. */
  signInMemory?(request: SignInMemory): Promise<Buffer>;
  /** Signs a document that is not here. Absent if the signature needs the document. */
  signHash?(request: SignHash): Promise<SignedHash>;
}

/** The warnings about the key and about the signed document; undefined without any. */
export function allWarnings(
  { warnings: ofKey = [] }: Pick<DocumentSigner, 'warnings'>,
  ofDocument: readonly StandardWarning[] = [],
): readonly StandardWarning[] | undefined {
  const all = [...ofKey, ...ofDocument];
  return all.length === 0 ? undefined : all;
}

/** Makes a transaction's document signer from an opened key. */
export type PrepareDocumentSigner = (signer: Signer, choice: SignatureChoice) => Promise<DocumentSigner>;
