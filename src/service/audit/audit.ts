/**
 * The kinds of audit events. Each is a change of state, a use of a key, or a change of trust; the names are written
 * into logs and never change their meaning.
 */
export const AUDIT_KINDS = [
  'transaction-created',
  'documents-received',
  'upload-ended',
  'transaction-approved',
  'transaction-refused',
  'documents-signed',
  'documents-failed',
  'results-extended',
  'results-not-extended',
  'results-erased',
  'file-renewed',
  'certificate-added',
  'certificate-removed',
  'key-unlocked',
  'key-locked',
  'consent-given',
  'consent-refused',
  'consent-revoked',
  'signatures-allowed',
  'signatures-allowance-ended',
  'person-enrolled',
  'person-changed',
  'person-removed',
  'user-added',
  'user-selected',
  'user-removed',
  'certificate-linked',
  'certificate-unlinked',
  'application-registered',
  'application-changed',
  'application-rotated',
  'application-removed',
  'token-issued',
  'token-revoked',
  'person-searched',
  'administrator-added',
  'administrator-acted',
  'administrator-revoked',
  'trust-changed',
  'timestamp-servers-changed',
  'modules-changed',
  'stores-changed',
  'backup-made',
  'backup-restored',
  'database-recovered',
  'clock-accepted',
  'master-key-moved',
] as const;

export type AuditKind = (typeof AUDIT_KINDS)[number];

/** A value of a detail: values with a single JSON notation only. */
export type AuditValue = string | number | boolean | null | readonly AuditValue[];

/** An event to record. Contains no secret, no whole TCN and no whole taxpayer number. */
export interface AuditEvent {
  readonly kind: AuditKind;
  /** The event's subject: `transaction:…`, `site:…`, `application:…`; null when the kind is enough. */
  readonly subject: string | null;
  /** Entries that are undefined are left out of the row. */
  readonly detail: Readonly<Record<string, AuditValue | undefined>>;
}

/** A row of the log. Rows are numbered from 1 without gaps. */
export interface AuditRow {
  readonly sequence: number;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly kind: string;
  readonly subject: string | null;
  /** JSON text, as hashed. */
  readonly detail: string;
  /** Lower-case hex SHA-256 of the row before, or `GENESIS`. */
  readonly previous: string;
  /** Lower-case hex SHA-256: see `hashAuditRow`. */
  readonly hash: string;
}

/** A row's place in the chain. */
export interface AuditMark {
  readonly sequence: number;
  readonly hash: string;
}

/** Which rows to read; both ends are exclusive. Oldest first with `after`, else newest first. */
export interface AuditPage {
  readonly after?: number;
  readonly before?: number;
  readonly subject?: string;
  readonly limit: number;
}

/** The store of audit rows: rows are added, and never changed. Rejects with `ServiceError`. */
export interface AuditStore {
  /** Adds rows in their order, in a single commit. */
  append(events: readonly AuditEvent[], at: Date): Promise<void>;
  page(page: AuditPage): Promise<readonly AuditRow[]>;
  /** The last row according to the log's own head; sequence 0 and `GENESIS` for an empty log. */
  head(): Promise<AuditMark>;
}
