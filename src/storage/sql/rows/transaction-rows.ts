import { pickOptions } from '../../../request/derive.ts';
import { requestOptions, type SignatureRequest } from '../../../request/signature-request.ts';
import type { NotificationState } from '../../../service/notifications/index.ts';
import type {
  DocumentRecord,
  LaterEvidence,
  PendingEvidence,
  SigningFindings,
  StoredTransaction,
  TransactionRecord,
  TransactionState,
} from '../../../service/transactions/index.ts';
import type { DocumentRow, TransactionRow } from '../database-schema.ts';
import { parseCallback } from './notification-rows.ts';
import { dropUndefined } from '../../../values/drop-undefined.ts';

/**
 * Converts rows to records and back. Closed sets are stored as text: only this application writes the values, and the
 * migrations of a later version have to convert old values.
 */
export function toTransactionRow(record: TransactionRecord): TransactionRow {
  return {
    tcn: record.tcn,
    type: record.type,
    digest: record.digest,
    policy: record.policy,
    documents_source: record.documentsSource,
    destination: record.destination,
    mode: record.mode,
    auto_fix_document: Number(record.autoFixDocument),
    return_signature: Number(record.returnSignature),
    settings: JSON.stringify(record.settings),
    requester_kind: record.requester.kind,
    requester_name: record.requester.name,
    certificate_alias: record.certificateAlias,
    certificate_fingerprint: record.certificateFingerprint,
    key_source: record.keySource,
    approval: record.approval,
    waiting_since: null,
    approved_by: record.approvedBy ?? null,
    caller: record.caller ?? null,
    upload_open: Number(record.uploadOpen),
    waiting_for: record.waitingFor,
    created_at: record.createdAt.getTime(),
    finished_at: record.finishedAt?.getTime() ?? null,
    options: storedOptions(record),
    existing_signature: record.existingSignature ?? null,
    document_limit: record.documentLimit ?? null,
    callback: record.callback === undefined ? null : JSON.stringify(record.callback),
    turn_owner: record.turn?.[0] ?? null,
    turn_token: record.turn?.[1] ?? null,
    claimed_by: null,
    claim_number: null,
    hold: null,
    home_node: record.homeNode ?? null,
    history_number: null,
    incomplete: null,
  };
}

type StoredOptions = Omit<SignatureRequest, 'type' | 'digest' | 'policy'> & Pick<TransactionRecord, 'traceParent'>;

const optionsInColumns: readonly string[] = ['type', 'digest', 'policy'];

/** The options of the request without a column of their own, and the span of the request, as JSON. */
function storedOptions(record: TransactionRecord): string {
  const options = Object.entries(pickOptions(requestOptions, record));
  const kept = Object.fromEntries(options.filter(([name]) => !optionsInColumns.includes(name)));
  return JSON.stringify({ ...kept, ...dropUndefined({ traceParent: record.traceParent }) });
}

export function fromTransactionRow(row: TransactionRow): TransactionRecord {
  return {
    tcn: row.tcn,
    type: row.type as TransactionRecord['type'],
    digest: row.digest as TransactionRecord['digest'],
    policy: row.policy as TransactionRecord['policy'],
    documentsSource: row.documents_source as TransactionRecord['documentsSource'],
    destination: row.destination as TransactionRecord['destination'],
    mode: row.mode as TransactionRecord['mode'],
    autoFixDocument: row.auto_fix_document === 1,
    returnSignature: row.return_signature === 1,
    ...(JSON.parse(row.options) as StoredOptions),
    settings: JSON.parse(row.settings) as TransactionRecord['settings'],
    certificateAlias: row.certificate_alias,
    certificateFingerprint: row.certificate_fingerprint,
    keySource: row.key_source as TransactionRecord['keySource'],
    approval: row.approval as TransactionRecord['approval'],
    createdAt: new Date(row.created_at),
    ...fromStateColumns(row),
    ...optionalFields(row),
  };
}

/** The columns of `TransactionState`. */
export const stateColumns = [
  'requester_kind',
  'requester_name',
  'upload_open',
  'waiting_for',
  'finished_at',
  'turn_owner',
  'turn_token',
] as const;

export type StateColumns = Pick<TransactionRow, (typeof stateColumns)[number]>;

/** No column is JSON, so a state costs much less than a record. */
export function fromStateColumns(row: StateColumns): TransactionState {
  return {
    requester: { kind: row.requester_kind as TransactionRecord['requester']['kind'], name: row.requester_name },
    uploadOpen: row.upload_open === 1,
    waitingFor: row.waiting_for as TransactionRecord['waitingFor'],
    finishedAt: date(row.finished_at),
    turn: turnOf(row),
  };
}

function optionalFields(row: TransactionRow): Partial<TransactionRecord> {
  return {
    existingSignature: row.existing_signature ?? undefined,
    approvedBy:
      row.approved_by === null ? undefined : (row.approved_by as NonNullable<TransactionRecord['approvedBy']>),
    caller: row.caller ?? undefined,
    documentLimit: row.document_limit ?? undefined,
    callback: row.callback === null ? undefined : parseCallback(row.callback),
    homeNode: row.home_node ?? undefined,
  };
}

const turnOf = ({
  turn_owner: owner,
  turn_token: token,
}: Pick<TransactionRow, 'turn_owner' | 'turn_token'>): TransactionRecord['turn'] =>
  owner === null || token === null ? undefined : [owner, token];

export function toDocumentRow(record: DocumentRecord): DocumentRow {
  const { content, delivery, result, error } = record;
  const outcome = result ?? delivery;
  return {
    key: record.key,
    tcn: record.tcn,
    position: record.position,
    id: record.id,
    announced_id: Number(record.announcedId),
    announced_name: Number(record.announcedName),
    status: record.status,
    original_file_name: record.originalFileName,
    media_type: record.mediaType,
    setting_id: record.settingId,
    ...contentColumns(content),
    size: record.size,
    checksum: record.checksum,
    destination_path: record.destinationPath,
    destination_url: record.destinationUrl,
    destination_file_name: record.destinationFileName,
    result_size: outcome?.size ?? null,
    result_checksum: outcome?.checksum ?? null,
    result_signed_at: outcome?.signedAt.getTime() ?? null,
    result_signature: outcome?.signature ?? null,
    result_expires_at: result?.expiresAt?.getTime() ?? null,
    result_erased_at: result?.erasedAt?.getTime() ?? null,
    error_code: error?.code ?? null,
    error_detail: error?.detail ?? null,
    ...findingColumns(outcome ?? record.evidence?.pending?.findings),
    ...evidenceColumns(record.evidence),
    attempt: record.attempt ?? null,
  };
}

type EvidenceColumns = PendingColumns & Pick<DocumentRow, 'revision' | 'pending_code' | 'pending_detail'>;

function evidenceColumns(evidence: LaterEvidence | undefined): EvidenceColumns {
  return {
    revision: evidence?.revision ?? null,
    ...pendingColumns(evidence?.pending),
    pending_code: evidence?.error?.code ?? null,
    pending_detail: evidence?.error?.detail ?? null,
  };
}

type PendingColumns = Pick<
  DocumentRow,
  'pending_level' | 'pending_since' | 'pending_next' | 'pending_size' | 'pending_checksum'
>;

/** The columns of a pending level; undefined: none is pending. */
export function pendingColumns(pending: PendingEvidence | undefined): PendingColumns {
  return {
    pending_level: pending?.level ?? null,
    pending_since: pending?.since.getTime() ?? null,
    pending_next: pending?.next.getTime() ?? null,
    pending_size: pending?.replacement?.size ?? null,
    pending_checksum: pending?.replacement?.checksum ?? null,
  };
}

function readEvidence(row: DocumentRow): { readonly evidence?: LaterEvidence } {
  const pending = readPending(row);
  const { pending_code: code, pending_detail: detail } = row;
  const error =
    code === null ? undefined : { code: code as NonNullable<DocumentRecord['error']>['code'], detail: detail ?? '' };
  if (row.revision === null && pending === undefined && error === undefined) return {};
  return {
    evidence: {
      revision: row.revision ?? 0,
      pending,
      error,
    },
  };
}

function readPending(row: DocumentRow): PendingEvidence | undefined {
  const { pending_level: level, pending_since: since, pending_next: next, pending_size: size } = row;
  if (level === null || since === null || next === null) return undefined;
  return {
    level: level as PendingEvidence['level'],
    since: new Date(since),
    next: new Date(next),
    ...(size === null ? {} : { replacement: { size, checksum: row.pending_checksum ?? '' } }),
    ...(row.result_size === null ? { findings: readFindings(row) } : {}),
  };
}

/** The columns of findings; undefined: there are none. */
export function findingColumns(
  findings: SigningFindings | undefined,
): Pick<DocumentRow, 'repairs' | 'adjustments' | 'warnings'> {
  return {
    repairs: jsonList(findings?.repairs),
    adjustments: jsonList(findings?.adjustments),
    warnings: jsonList(findings?.warnings),
  };
}

function readFindings({ repairs, adjustments, warnings }: DocumentRow): SigningFindings {
  return {
    repairs: repairs === null ? undefined : (JSON.parse(repairs) as readonly string[]),
    adjustments: adjustments === null ? undefined : (JSON.parse(adjustments) as readonly string[]),
    warnings: warnings === null ? undefined : (JSON.parse(warnings) as NonNullable<SigningFindings['warnings']>),
  };
}

/** A list as JSON text; null for none. */
export const jsonList = (list: readonly unknown[] | undefined): string | null =>
  list === undefined ? null : JSON.stringify(list);

function contentColumns(content: DocumentRecord['content']): Pick<DocumentRow, 'content_kind' | 'content_path'> {
  return {
    content_kind: content?.kind ?? null,
    content_path: content?.kind === 'path' ? content.path : null,
  };
}

export function fromDocumentRow(row: DocumentRow): DocumentRecord {
  const delivery = readDelivery(row);
  const signed = row.status === 'SIGNED' && delivery !== null;
  return {
    key: row.key,
    tcn: row.tcn,
    position: row.position,
    id: row.id,
    announcedId: row.announced_id === 1,
    announcedName: row.announced_name === 1,
    status: row.status as DocumentRecord['status'],
    originalFileName: row.original_file_name,
    mediaType: row.media_type,
    settingId: row.setting_id,
    content: readContent(row),
    size: row.size,
    checksum: row.checksum,
    destinationPath: row.destination_path,
    destinationUrl: row.destination_url,
    destinationFileName: row.destination_file_name,
    delivery: signed ? null : delivery,
    result: signed
      ? { ...delivery, expiresAt: date(row.result_expires_at), erasedAt: date(row.result_erased_at) }
      : null,
    error: readError(row),
    ...readEvidence(row),
    ...(row.attempt === null ? {} : { attempt: row.attempt }),
  };
}

const date = (instant: number | null): Date | null => (instant === null ? null : new Date(instant));

function readContent({ content_kind: kind, content_path: path }: DocumentRow): DocumentRecord['content'] {
  if (kind === null) return null;
  if (path !== null) return { kind: 'path', path };
  return { kind: kind === 'small' || kind === 'digest' ? kind : 'kept' };
}

function readDelivery(row: DocumentRow): DocumentRecord['delivery'] {
  const { result_size: size, result_checksum: checksum, result_signed_at: signedAt, result_signature: signature } = row;
  if (size === null || checksum === null || signedAt === null) return null;
  return {
    size,
    checksum,
    signedAt: new Date(signedAt),
    signature,
    ...readFindings(row),
  };
}

function readError({ error_code: code, error_detail: detail }: DocumentRow): DocumentRecord['error'] {
  if (code === null) return null;
  return { code: code as NonNullable<DocumentRecord['error']>['code'], detail: detail ?? '' };
}

/** Documents and notifications to their transactions, in the order of `transactions`; all lists are complete. */
export function joinRows(
  transactions: readonly TransactionRow[],
  documents: readonly DocumentRecord[],
  notifications: ReadonlyMap<string, NotificationState>,
): readonly StoredTransaction[] {
  const byTcn = Map.groupBy(documents, ({ tcn }) => tcn);
  return transactions.map((row) => {
    const notification = notifications.get(row.tcn);
    return {
      transaction: fromTransactionRow(row),
      documents: byTcn.get(row.tcn) ?? [],
      notification,
    };
  });
}
