import type { CallError, UiDocument, UiTransaction } from '../../../../src/ui-contract/ui-contract.ts';

/** The progress of a file on its way to the core; afterwards its transaction tells the progress. */
export type Transfer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'queued' }
  | { readonly kind: 'sending'; readonly sent: number }
  | { readonly kind: 'sent' }
  | { readonly kind: 'failed'; readonly error: CallError };

/** A file on the desk. */
export interface DeskItem {
  readonly id: number;
  readonly file: File;
  readonly isPdf: boolean;
  readonly transfer: Transfer;
  readonly tcn: string | null;
  /** Its id among the transaction's documents; null before its arrival. */
  readonly documentId: string | null;
}

export interface DeskState {
  readonly items: readonly DeskItem[];
  /** False while files are chosen, true after the start; a batch is finished when nothing waits any more. */
  readonly started: boolean;
  /** Files are still on their way to the core. */
  readonly sending: boolean;
  /** The owner holds the batch back. */
  readonly paused: boolean;
  /** The owner cancelled the unsigned rest. */
  readonly cancelled: boolean;
  readonly transactions: ReadonlyMap<string, UiTransaction>;
}

export const emptyDesk: DeskState = {
  items: [],
  started: false,
  sending: false,
  paused: false,
  cancelled: false,
  transactions: new Map(),
};

/** The outcome of a file for the user. */
export type Outcome =
  | { readonly kind: 'ready' | 'queued' | 'sent' | 'approval' | 'pin' | 'evidence' | 'signing' }
  | { readonly kind: 'sending'; readonly sent: number }
  | { readonly kind: 'signed'; readonly tcn: string; readonly document: UiDocument }
  | { readonly kind: 'failed'; readonly error: CallError };

const documentsOf = new WeakMap<UiTransaction, ReadonlyMap<string, UiDocument>>();

/** A document of a transaction, found without a search through all documents for each file of a batch. */
function documentOf(transaction: UiTransaction, id: string): UiDocument | undefined {
  let documents = documentsOf.get(transaction);
  if (documents === undefined) {
    documents = new Map(transaction.documents.map((document) => [document.id, document]));
    documentsOf.set(transaction, documents);
  }
  return documents.get(id);
}

/** Where a file stands: its way to the core first, then its document in the transaction. */
export function outcomeOf(item: DeskItem, state: DeskState): Outcome {
  if (item.transfer.kind !== 'sent') return item.transfer;
  const transaction = item.tcn === null ? undefined : state.transactions.get(item.tcn);
  const document = transaction === undefined ? undefined : documentOf(transaction, item.documentId ?? '');
  if (transaction === undefined || document === undefined) return { kind: 'sent' };
  switch (document.status) {
    case 'SIGNED':
      return { kind: 'signed', tcn: transaction.tcn, document };
    case 'ERROR':
      return { kind: 'failed', error: errorOf(document, state.cancelled) };
    case 'WAITING':
      if (transaction.waitingFor === 'upload') return { kind: 'sent' };
      return { kind: transaction.waitingFor ?? 'signing' };
  }
}

/** The core has a single code for the owner's refusal; cancelling a batch is not a refusal. */
function errorOf({ error }: UiDocument, cancelled: boolean): CallError {
  if (error === null) return { code: 'SIGNING_FAILED', message: '' };
  const code = cancelled && error.code === 'APPROVAL_REFUSED' ? 'CANCELLED' : error.code;
  return { code, message: error.detail };
}

/** Whether each file of a started batch is signed or failed. */
export function isFinished(state: DeskState): boolean {
  return state.items.every(
    (item) => item.file.size === 0 || ['signed', 'failed'].includes(outcomeOf(item, state).kind),
  );
}
