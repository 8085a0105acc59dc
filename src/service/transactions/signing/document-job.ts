import type { DocumentSigner } from './document-signer.ts';
import type { DocumentRecord, StoredTransaction } from '../records.ts';

/** One document to be signed, with the key that is open for its transaction. */
export interface DocumentJob extends Pick<StoredTransaction, 'transaction'> {
  readonly document: DocumentRecord;
  readonly signer: DocumentSigner;
  /** Shared by the transaction's documents: once the PIN is missing, those not yet begun stay WAITING. */
  readonly stop: { pin: boolean };
}
