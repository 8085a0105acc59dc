/** The table of the outbox. Times are milliseconds since 1970, UTC. */

export interface NotificationRow {
  id: string;
  tcn: string;
  /** The endpoint of an application and the event for it; null: the callback of the transaction. */
  endpoint_id: string | null;
  event: string | null;
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

/** An endpoint of an application. */
export interface WebhookEndpointRow {
  id: string;
  client_id: string;
  url: string;
  /** JSON: a list of events. */
  events: string;
  /** 0 or 1. */
  enabled: number;
  base_url: string;
  /** 0 or 1. */
  from_loopback: number;
  sealed_secret: Buffer;
  sealed_earlier_secret: Buffer | null;
  earlier_secret_until: number | null;
  created_at: number;
}

export interface NotificationTables {
  webhook_endpoints: WebhookEndpointRow;
  notifications: NotificationRow;
}
