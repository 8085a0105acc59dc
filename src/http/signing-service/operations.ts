import type { Operation } from '../operation.ts';
import {
  listTransactions,
  readStatuses,
  streamOwnTransactions,
  streamTransaction,
  type ListParts,
} from './list-operations.ts';
import {
  authorizeTransaction,
  cancelTransaction,
  createTransaction,
  queryTransaction,
  type TransactionParts,
} from './transaction-operations.ts';
import { downloadDocument, uploadDocuments, type TransferParts } from './transfer-operations.ts';

/** Services of the signing service. */
export type SigningParts = TransactionParts & ListParts & TransferParts;

/** Endpoints 1 to 4 and their companions. */
export const signingOperations: readonly Operation<SigningParts>[] = [
  createTransaction,
  listTransactions,
  readStatuses,
  // Before the query, whose path would match this word as a TCN.
  streamOwnTransactions,
  streamTransaction,
  queryTransaction,
  cancelTransaction,
  authorizeTransaction,
  uploadDocuments,
  downloadDocument,
];
