/** The table of the outbox. Times are milliseconds since 1970, UTC. */

export interface NotificationRow {
  id: string;
  tcn: string;
  /** Host and port of the callback. */
  host: string;
  status: string;
  attempts: number;
  last_error: string | null;
  created_at: number;
  /**
   * The time of deciding `next_attempt_at`, or the begin of the present attempt: a clock before this time was set back.
   */
  scheduled_at: number;
  next_attempt_at: number | null;
  /** End of the present process's lease. */
  lease_until: number | null;
  finished_at: number | null;
}

export interface NotificationTables {
  notifications: NotificationRow;
}
