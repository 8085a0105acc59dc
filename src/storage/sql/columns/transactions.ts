import { pickOptions } from '../../../request/derive.ts';
import { requestOptions, type SignatureRequest } from '../../../request/signature-request.ts';
import type { NotificationCallback } from '../../../service/notifications/index.ts';
import type { TransactionRecord, TransactionState } from '../../../service/transactions/index.ts';
import {
  bytes,
  date,
  flag,
  integer,
  json,
  nullable,
  optional,
  partColumns,
  recordColumns,
  text,
  type RowOfAll,
} from './columns.ts';

/** Options of the request that have a column; the others are together in `options`. */
type OptionInColumn = 'type' | 'digest' | 'policy';
const optionsInColumns: readonly string[] = ['type', 'digest', 'policy'] satisfies readonly OptionInColumn[];

/** The options of the request without a column, and the span of the create request. */
type StoredOptions = Omit<SignatureRequest, OptionInColumn> &
  Pick<TransactionRecord, 'traceParent' | 'byBridge' | 'door'>;

/** The client to notify. */
export const callbackColumn = json<'callback', NotificationCallback>('callback');

const transactionColumns = recordColumns<Omit<TransactionRecord, keyof StoredOptions | keyof TransactionState>>()({
  tcn: text('tcn'),
  type: text('type'),
  digest: text('digest'),
  policy: text('policy'),
  documentsSource: text('documents_source'),
  destination: text('destination'),
  mode: text('mode'),
  autoFixDocument: flag('auto_fix_document'),
  returnSignature: flag('return_signature'),
  settings: json('settings'),
  certificateAlias: text('certificate_alias'),
  certificateFingerprint: text('certificate_fingerprint'),
  keySource: text('key_source'),
  approval: text('approval'),
  approvedBy: optional(text('approved_by')),
  // The list of the transaction: `application <client id>`, `person <number>`, `site <origin>`, `programs`.
  caller: optional(text('caller')),
  createdAt: date('created_at'),
  // DER or PEM.
  existingSignature: optional(bytes('existing_signature')),
  documentLimit: optional(integer('document_limit')),
  callback: optional(callbackColumn),
  // The data folder whose computer has the files of the transaction; NULL: any node signs.
  homeNode: optional(text('home_node')),
});

/** No column of the state is JSON, so a state costs much less than a record. */
const progressColumns = recordColumns<Omit<TransactionState, 'requester' | 'turn'>>()({
  uploadOpen: flag('upload_open'),
  waitingFor: nullable(text('waiting_for')),
  finishedAt: nullable(date('finished_at')),
});

const requesterColumns = recordColumns<TransactionState['requester']>()({
  kind: text('requester_kind'),
  name: text('requester_name'),
});

/** The transaction's queue by its credentials, under names without personal data. */
const turnColumns = partColumns<{ readonly owner: string; readonly token: string }>()({
  owner: text('turn_owner'),
  token: text('turn_token'),
});

export type StateRow = RowOfAll<[typeof progressColumns, typeof requesterColumns, typeof turnColumns]>;

/** The columns of `TransactionState`. */
export const stateColumnNames = [...progressColumns.names, ...requesterColumns.names, ...turnColumns.names] as const;

/** The columns that a record holds. */
export const transactionColumnNames = [...transactionColumns.names, ...stateColumnNames, 'options'] as const;

/** The row of a new transaction. */
export type NewTransactionRow = RowOfAll<[typeof transactionColumns]> & StateRow & { options: string };

export type TransactionRow = NewTransactionRow & {
  /** End of the upload; null if a waiting transaction has waited since its creation. */
  waiting_since: number | null;
  /** The node that works on the transaction (`nodes`), and the number of its claim, which only increases. */
  claimed_by: string | null;
  claim_number: number | null;
  /** `paused` or `cancelled` by the owner, for every node. */
  hold: string | null;
  /**
   * The number of the transaction in `history_entries`. Null: the transaction is not in the index of History yet.
   * Negative: a part of its documents is.
   */
  history_number: number | null;
  /** Not null: documents of the transaction are still being stored, and nobody sees the transaction. */
  incomplete: number | null;
};

export function toTransactionRow(record: TransactionRecord): NewTransactionRow {
  const { requester, turn } = record;
  return {
    ...transactionColumns.toRow(record),
    ...progressColumns.toRow(record),
    ...requesterColumns.toRow(requester),
    ...turnColumns.toRow(turn && { owner: turn[0], token: turn[1] }),
    options: JSON.stringify(storedOptions(record)),
  };
}

function storedOptions(record: TransactionRecord): object {
  const options = Object.entries(pickOptions(requestOptions, record));
  const others = options.filter(([name]) => !optionsInColumns.includes(name));
  return {
    ...Object.fromEntries(others),
    traceParent: record.traceParent,
    byBridge: record.byBridge,
    door: record.door,
  };
}

export function fromTransactionRow(row: NewTransactionRow): TransactionRecord {
  return {
    ...transactionColumns.fromRow(row),
    ...(JSON.parse(row.options) as StoredOptions),
    ...fromStateRow(row),
  };
}

export function fromStateRow(row: StateRow): TransactionState {
  const turn = turnColumns.fromRow(row);
  return {
    ...progressColumns.fromRow(row),
    requester: requesterColumns.fromRow(row),
    ...(turn && { turn: [turn.owner, turn.token] }),
  };
}
