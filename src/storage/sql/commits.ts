import type { TransactionChange } from '../../service/transactions/index.ts';

/** Numbers that a commit adds. */
export interface CommittedNumbers {
  readonly transactions: number;
  readonly documents: number;
  readonly signed: number;
}

/** Notes each commit of the audit log outside the database, before the answer to the caller. */
export interface CommitListener {
  note(change?: CommittedNumbers): Promise<void>;
}

/** The numbers that changes add. */
export function countChanges(changes: readonly TransactionChange[]): CommittedNumbers {
  const count = (kind: TransactionChange['kind']): number => changes.filter((one) => one.kind === kind).length;
  return { transactions: 0, documents: count('document-added'), signed: count('document-signed') };
}
