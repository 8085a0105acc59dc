/** A row of the audit log, as the service defines it. */
interface AuditLogRow {
  sequence: number;
  /** Milliseconds since 1970, UTC. */
  at: number;
  kind: string;
  subject: string | null;
  /** JSON text. */
  detail: string;
  previous: string;
  hash: string;
}

/** The one row, of id 1, that says where the log ends. */
interface AuditHeadRow {
  id: number;
  sequence: number;
  hash: string;
}

/** The tables of the audit log. */
export interface AuditTables {
  audit_log: AuditLogRow;
  audit_head: AuditHeadRow;
}
