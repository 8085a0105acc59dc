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
  /** When `next_attempt_at` was decided, or the attempt under way begun: a clock that says less was put back. */
  scheduled_at: number;
  next_attempt_at: number | null;
  /** Until when the process that took it may go on. */
  lease_until: number | null;
  finished_at: number | null;
}

export interface NotificationTables {
  notifications: NotificationRow;
}
