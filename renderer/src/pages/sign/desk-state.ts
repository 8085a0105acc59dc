import type { CallError, UiDocument, UiTransaction } from '../../../../src/ui-contract/ui-contract.ts';

/** The progress of a file while it is sent to the core; afterwards its transaction has the progress. */
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
  /** True for a signature file (CMS). */
  readonly isSignature: boolean;
  readonly transfer: Transfer;
  readonly tcn: string | null;
  /** Its id among the transaction's documents; null before it was sent. */
  readonly documentId: string | null;
}

export interface DeskState {
  readonly items: readonly DeskItem[];
  /** False while files are chosen, true after the start; a batch is finished when nothing waits any more. */
  readonly started: boolean;
  /** True while files are being sent to the core. */
  readonly sending: boolean;
  /** True if the owner has paused the batch. */
  readonly paused: boolean;
  /** True if the owner has cancelled the remaining files. */
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

/** Finds a document without searching through all documents for each file of a batch. */
function documentOf(transaction: UiTransaction, id: string): UiDocument | undefined {
  let documents = documentsOf.get(transaction);
  if (documents === undefined) {
    documents = new Map(transaction.documents.map((document) => [document.id, document]));
    documentsOf.set(transaction, documents);
  }
  return documents.get(id);
}

/** The state of a file: first its transfer to the core, then its document in the transaction. */
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

/** The core has a single code for a refusal by the owner, so a cancelled batch is distinguished here. */
function errorOf({ error }: UiDocument, cancelled: boolean): CallError {
  if (error === null) return { code: 'SIGNING_FAILED', message: '' };
  const code = cancelled && error.code === 'APPROVAL_REFUSED' ? 'CANCELLED' : error.code;
  return { code, message: error.detail };
}

/** True if each file of a started batch is signed or failed. */
export function isFinished(state: DeskState): boolean {
  return state.items.every(
    (item) => item.file.size === 0 || ['signed', 'failed'].includes(outcomeOf(item, state).kind),
  );
}
