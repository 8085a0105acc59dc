import type { DocumentSigner } from './document-signer.ts';
import type { DocumentRecord, StoredTransaction } from '../records.ts';

/** A document to sign, with the open key of its transaction. */
export interface DocumentJob extends Pick<StoredTransaction, 'transaction'> {
  readonly document: DocumentRecord;
  readonly signer: DocumentSigner;
  /** Shared by the transaction's documents: after a missing PIN, documents not yet begun stay WAITING. */
  readonly stop: { pin: boolean };
}
