/** A row of the audit log, as defined by the service. */
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

/** The single row, of id 1, with the end of the log. */
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
