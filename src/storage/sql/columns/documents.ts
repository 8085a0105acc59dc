import { digests } from '../../../request/signature-request.ts';
import type {
  Delivery,
  DocumentRecord,
  LaterEvidence,
  PendingEvidence,
  SigningFindings,
} from '../../../service/transactions/index.ts';
import {
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

type Part = 'content' | 'delivery' | 'result' | 'error' | 'evidence';

/** The columns of a document itself. */
export const ownColumns = recordColumns<Omit<DocumentRecord, Part>>()({
  key: text('key'),
  tcn: text('tcn'),
  position: integer('position'),
  id: text('id'),
  announcedId: flag('announced_id'),
  announcedName: flag('announced_name'),
  status: text('status'),
  originalFileName: nullable(text('original_file_name')),
  mediaType: nullable(text('media_type')),
  settingId: nullable(text('setting_id')),
  size: nullable(integer('size')),
  checksum: nullable(text('checksum')),
  destinationPath: nullable(text('destination_path')),
  destinationUrl: nullable(text('destination_url')),
  destinationFileName: nullable(text('destination_file_name')),
  attempt: optional(integer('attempt')),
});

/** `kind` of a hash tells where its result is: `hash` in the database, `hash-file` in a file. */
const contentColumns = partColumns<{
  readonly kind: string;
  readonly path: string | null;
  readonly hashDigest: string | null;
  readonly hashValue: string | null;
}>()({
  kind: text('content_kind'),
  path: nullable(text('content_path')),
  hashDigest: nullable(text('hash_digest')),
  hashValue: nullable(text('hash_value')),
});

/** Of the pending delivery while the document is WAITING, of the result once it is SIGNED. */
export const deliveryColumns = partColumns<Omit<Delivery, keyof SigningFindings>>()({
  size: integer('result_size'),
  checksum: text('result_checksum'),
  signedAt: date('result_signed_at'),
  signature: nullable(text('result_signature')),
});

export const lifetimeColumns = recordColumns<Pick<NonNullable<DocumentRecord['result']>, 'expiresAt' | 'erasedAt'>>()({
  expiresAt: nullable(date('result_expires_at')),
  erasedAt: nullable(date('result_erased_at')),
});

export const findingColumns = recordColumns<SigningFindings>()({
  repairs: optional(json('repairs')),
  adjustments: optional(json('adjustments')),
  warnings: optional(json('warnings')),
});

export const errorColumns = partColumns<NonNullable<DocumentRecord['error']>>()({
  code: text('error_code'),
  detail: text('error_detail'),
});

/** How often the result was replaced by its extended form; NULL: never. */
const revisionColumns = recordColumns<{ readonly revision: number | null }>()({
  revision: nullable(integer('revision')),
});

/** Why a pending level will not be reached. */
export const evidenceErrorColumns = partColumns<NonNullable<LaterEvidence['error']>>()({
  code: text('pending_code'),
  detail: text('pending_detail'),
});

/** The level that is still to come, since when, and the next attempt. */
const pendingLevelColumns = partColumns<Omit<PendingEvidence, 'replacement' | 'findings'>>()({
  level: text('pending_level'),
  since: date('pending_since'),
  next: date('pending_next'),
});

/** The extended file that is about to replace the user's file. */
const replacementColumns = partColumns<NonNullable<PendingEvidence['replacement']>>()({
  size: integer('pending_size'),
  checksum: text('pending_checksum'),
});

const parts = [
  ownColumns,
  contentColumns,
  deliveryColumns,
  lifetimeColumns,
  findingColumns,
  errorColumns,
  revisionColumns,
  evidenceErrorColumns,
  pendingLevelColumns,
  replacementColumns,
] as const;

type PendingRow = RowOfAll<[typeof pendingLevelColumns, typeof replacementColumns]>;
type ResultRow = RowOfAll<[typeof deliveryColumns, typeof findingColumns]>;
export type DocumentRow = RowOfAll<typeof parts>;

export const documentColumnNames = parts.flatMap(({ names }): readonly (keyof DocumentRow)[] => names);

export function toDocumentRow(record: DocumentRecord): DocumentRow {
  const { content, delivery, result, error, evidence } = record;
  const outcome = result ?? delivery;
  return {
    ...ownColumns.toRow(record),
    ...contentColumns.toRow(content && writeContent(content)),
    ...deliveryColumns.toRow(outcome),
    ...lifetimeColumns.toRow(result ?? { expiresAt: null, erasedAt: null }),
    ...findingColumns.toRow(outcome ?? evidence?.pending?.findings ?? {}),
    ...errorColumns.toRow(error),
    ...revisionColumns.toRow({ revision: evidence?.revision ?? null }),
    ...evidenceErrorColumns.toRow(evidence?.error),
    ...toPendingRow(evidence?.pending),
  };
}

/** The columns of a pending level; undefined: none is pending. */
export function toPendingRow(pending: PendingEvidence | undefined): PendingRow {
  return { ...pendingLevelColumns.toRow(pending), ...replacementColumns.toRow(pending?.replacement) };
}

/** The columns of a result; `null`: there is no result. */
export function toResultRow(delivery: Delivery | null): ResultRow {
  return { ...deliveryColumns.toRow(delivery), ...findingColumns.toRow(delivery ?? {}) };
}

export function fromDocumentRow(row: DocumentRow): DocumentRecord {
  const delivery = readDelivery(row);
  const signed = row.status === 'SIGNED' && delivery !== null;
  const evidence = readEvidence(row);
  return {
    ...ownColumns.fromRow(row),
    content: readContent(row),
    delivery: signed ? null : delivery,
    result: signed ? { ...delivery, ...lifetimeColumns.fromRow(row) } : null,
    error: errorColumns.fromRow(row) ?? null,
    ...(evidence && { evidence }),
  };
}

function writeContent(content: NonNullable<DocumentRecord['content']>) {
  const none = { path: null, hashDigest: null, hashValue: null };
  switch (content.kind) {
    case 'path':
      return { ...none, kind: content.kind, path: content.path };
    case 'hash': {
      const { digest, value } = content.hash;
      return {
        ...none,
        kind: content.result === 'database' ? 'hash' : 'hash-file',
        hashDigest: digest,
        hashValue: value,
      };
    }
    case 'kept':
    case 'small':
    case 'digest':
      return { ...none, kind: content.kind };
  }
}

function readContent(row: DocumentRow): DocumentRecord['content'] {
  const content = contentColumns.fromRow(row);
  if (content === undefined) return null;
  const { kind, path, hashDigest, hashValue } = content;
  if (path !== null) return { kind: 'path', path };
  if (hashValue !== null) {
    const digest = digests.find((one) => one === hashDigest) ?? 'sha256';
    return { kind: 'hash', hash: { digest, value: hashValue }, result: kind === 'hash' ? 'database' : 'file' };
  }
  return { kind: kind === 'small' || kind === 'digest' ? kind : 'kept' };
}

function readDelivery(row: DocumentRow): DocumentRecord['delivery'] {
  const delivery = deliveryColumns.fromRow(row);
  return delivery === undefined ? null : { ...delivery, ...findingColumns.fromRow(row) };
}

function readEvidence(row: DocumentRow): LaterEvidence | undefined {
  const pending = readPending(row);
  const error = evidenceErrorColumns.fromRow(row);
  const { revision } = revisionColumns.fromRow(row);
  if (revision === null && pending === undefined && error === undefined) return undefined;
  return { revision: revision ?? 0, ...(pending && { pending }), ...(error && { error }) };
}

function readPending(row: DocumentRow): PendingEvidence | undefined {
  const level = pendingLevelColumns.fromRow(row);
  if (level === undefined) return undefined;
  const replacement = replacementColumns.fromRow(row);
  const findings = row.result_size === null ? findingColumns.fromRow(row) : undefined;
  return { ...level, ...(replacement && { replacement }), ...(findings && { findings }) };
}
