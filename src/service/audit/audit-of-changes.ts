/** The rows of the audit log: their hashes and subjects, and the rows of transactions. */
import { createHash } from 'node:crypto';
import type { DocumentRecord, StoredTransaction, TransactionChange } from '../transactions/index.ts';
import type { AuditEvent, AuditRow, AuditValue } from './audit.ts';
import { maskEveryNumber } from '../../text/taxpayer-number.ts';

/** The first row's `previous`. */
export const GENESIS = '0'.repeat(64);

/**
 * Lower-case hex SHA-256 over the UTF-8 bytes of the JSON array `[sequence, at, kind, subject, detail, previous]`,
 * without white space, as `JSON.stringify` writes (RFC 8785 for these types). `detail` is itself JSON text.
 */
export function hashAuditRow({ sequence, at, kind, subject, detail, previous }: Omit<AuditRow, 'hash'>): string {
  return createHash('sha256')
    .update(JSON.stringify([sequence, at, kind, subject, detail, previous]))
    .digest('hex');
}

/**
 * A transaction's name in the log: the first 16 hex digits of the TCN's SHA-256. A holder of a TCN finds its rows; the
 * rows do not reveal a TCN, because a TCN has 130 random bits.
 */
export function transactionSubject(tcn: string): string {
  return `transaction:${createHash('sha256').update(tcn).digest('hex').slice(0, 16)}`;
}

/** A change with its transaction. */
export interface AppliedChange {
  readonly tcn: string;
  readonly change: TransactionChange;
}

/**
 * The audit row of a new transaction, with the number of its first documents. Uploaded documents get rows of their own.
 */
export function auditOfCreation({ transaction, documents }: StoredTransaction): AuditEvent {
  const { tcn, requester, certificateFingerprint, type, digest, approval, documentsSource, destination } = transaction;
  const { approvedBy, byBridge, door } = transaction;
  return {
    kind: 'transaction-created',
    subject: transactionSubject(tcn),
    detail: {
      requesterKind: requester.kind,
      requester: maskEveryNumber(requester.name),
      certificate: certificateFingerprint,
      type,
      digest,
      approval,
      source: documentsSource,
      destination,
      approvedBy,
      byBridge,
      door,
      documents: documents.length,
    },
  };
}

/**
 * The audit rows of a commit: one row for each kind and transaction, for any number of documents, because a batch
 * changes hundreds at once. Intermediate steps (the start of a delivery, a wait) have no row.
 */
export function auditOfChanges(applied: readonly AppliedChange[]): readonly AuditEvent[] {
  const events = new Map<string, { event: AuditEvent; documents: AuditValue[] }>();
  for (const { tcn, change } of applied) {
    const told = describeChange(change);
    if (told === undefined) continue;
    const name = `${told.kind} ${tcn}`;
    const present = events.get(name);
    if (present !== undefined) {
      present.documents.push(...told.documents);
      continue;
    }
    const documents = [...told.documents];
    const detail = { ...told.detail, ...(documents.length === 0 ? {} : { documents }) };
    events.set(name, { event: { kind: told.kind, subject: transactionSubject(tcn), detail }, documents });
  }
  return [...events.values()].map(({ event }) => event);
}

interface Told {
  readonly kind: AuditEvent['kind'];
  readonly documents: readonly AuditValue[];
  readonly detail?: AuditEvent['detail'];
}

/** Names documents by their internal keys; received and created files also by their SHA-256. */
function describeChange(change: TransactionChange): Told | undefined {
  switch (change.kind) {
    case 'document-added':
    case 'document-arrived':
      return change.document.content === null ? undefined : received(change.document);
    case 'upload-ended':
      return { kind: 'upload-ended', documents: [] };
    case 'approved':
      return {
        kind: 'transaction-approved',
        documents: [],
        detail: change.by === undefined ? undefined : { approvedBy: change.by },
      };
    case 'document-signed':
      return { kind: 'documents-signed', documents: [[change.key, change.result.checksum]] };
    case 'document-failed': {
      const isRefused = ['APPROVAL_REFUSED', 'APPROVAL_EXPIRED', 'CANCELLED'].includes(change.error.code);
      const kind = isRefused ? 'transaction-refused' : 'documents-failed';
      return { kind, documents: [[change.key, change.error.code]] };
    }
    case 'result-erased':
      return { kind: 'results-erased', documents: [[change.key]] };
    case 'result-extended':
      return { kind: 'results-extended', documents: [[change.key, change.result.checksum]] };
    case 'evidence-failed':
      return { kind: 'results-not-extended', documents: [[change.key, change.error.code]] };
    case 'waiting-for':
    case 'document-postponed':
    case 'evidence-awaited':
    case 'document-delivering':
      return undefined;
  }
}

function received({ key, checksum }: DocumentRecord): Told {
  return { kind: 'documents-received', documents: [[key, checksum]] };
}
