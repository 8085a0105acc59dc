import type { DocumentRecord, StoredTransaction, TransactionRecord } from '../service/index.ts';
import type { DocumentRow, TransactionRow } from './database-schema.ts';

/**
 * Rows to records and back. Closed sets rest as text: this application alone writes them, and the migrations of a
 * later version have to carry them over.
 */
export function toTransactionRow({ settings, requester, ...record }: TransactionRecord): TransactionRow {
  return {
    ...record,
    settings: JSON.stringify(settings),
    requesterKind: requester.kind,
    requesterName: requester.name,
    autoFixDocument: Number(record.autoFixDocument),
    returnSignature: Number(record.returnSignature),
    uploadOpen: Number(record.uploadOpen),
    createdAt: record.createdAt.getTime(),
    finishedAt: record.finishedAt?.getTime() ?? null,
  };
}

export function fromTransactionRow(row: TransactionRow): TransactionRecord {
  return {
    tcn: row.tcn,
    type: row.type as TransactionRecord['type'],
    digest: row.digest as TransactionRecord['digest'],
    policy: row.policy as TransactionRecord['policy'],
    documentsSource: row.documentsSource as TransactionRecord['documentsSource'],
    destination: row.destination as TransactionRecord['destination'],
    mode: row.mode as TransactionRecord['mode'],
    autoFixDocument: row.autoFixDocument === 1,
    returnSignature: row.returnSignature === 1,
    settings: JSON.parse(row.settings) as TransactionRecord['settings'],
    requester: { kind: row.requesterKind as TransactionRecord['requester']['kind'], name: row.requesterName },
    certificateAlias: row.certificateAlias,
    certificateFingerprint: row.certificateFingerprint,
    keySource: row.keySource as TransactionRecord['keySource'],
    approval: row.approval as TransactionRecord['approval'],
    uploadOpen: row.uploadOpen === 1,
    waitingFor: row.waitingFor as TransactionRecord['waitingFor'],
    createdAt: new Date(row.createdAt),
    finishedAt: row.finishedAt === null ? null : new Date(row.finishedAt),
  };
}

export function toDocumentRow(record: DocumentRecord): DocumentRow {
  const { content, delivery, result, error, ...plain } = record;
  const outcome = result ?? delivery;
  return {
    ...plain,
    ...contentColumns(content),
    resultSize: outcome?.size ?? null,
    resultChecksum: outcome?.checksum ?? null,
    resultSignedAt: outcome?.signedAt.getTime() ?? null,
    resultSignature: outcome?.signature ?? null,
    resultExpiresAt: result?.expiresAt?.getTime() ?? null,
    resultErasedAt: result?.erasedAt?.getTime() ?? null,
    errorCode: error?.code ?? null,
    errorDetail: error?.detail ?? null,
  };
}

export function contentColumns(content: DocumentRecord['content']): Pick<DocumentRow, 'contentKind' | 'contentPath'> {
  return {
    contentKind: content?.kind ?? null,
    contentPath: content?.kind === 'path' ? content.path : null,
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
    status: row.status as DocumentRecord['status'],
    originalFileName: row.originalFileName,
    mediaType: row.mediaType,
    settingId: row.settingId,
    content: readContent(row),
    size: row.size,
    checksum: row.checksum,
    destinationPath: row.destinationPath,
    destinationFileName: row.destinationFileName,
    delivery: signed ? null : delivery,
    result: signed ? { ...delivery, expiresAt: date(row.resultExpiresAt), erasedAt: date(row.resultErasedAt) } : null,
    error: readError(row),
  };
}

const date = (instant: number | null): Date | null => (instant === null ? null : new Date(instant));

function readContent({ contentKind, contentPath }: DocumentRow): DocumentRecord['content'] {
  if (contentKind === null) return null;
  return contentPath === null ? { kind: 'kept' } : { kind: 'path', path: contentPath };
}

function readDelivery(row: DocumentRow): DocumentRecord['delivery'] {
  const { resultSize: size, resultChecksum: checksum, resultSignedAt, resultSignature: signature } = row;
  if (size === null || checksum === null || resultSignedAt === null) return null;
  return { size, checksum, signedAt: new Date(resultSignedAt), signature };
}

function readError({ errorCode, errorDetail }: DocumentRow): DocumentRecord['error'] {
  if (errorCode === null) return null;
  return { code: errorCode as NonNullable<DocumentRecord['error']>['code'], detail: errorDetail ?? '' };
}

/** Documents to their transactions, in the order of `transactions`; both lists are complete. */
export function joinRows(
  transactions: readonly TransactionRow[],
  documents: readonly DocumentRow[],
): readonly StoredTransaction[] {
  const byTcn = Map.groupBy(documents, ({ tcn }) => tcn);
  return transactions.map((row) => ({
    transaction: fromTransactionRow(row),
    documents: (byTcn.get(row.tcn) ?? []).map(fromDocumentRow),
  }));
}
