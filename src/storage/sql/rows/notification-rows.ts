import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import {
  hostOfCallback,
  type Notification,
  type NotificationCallback,
  type NotificationState,
  type WebhookEvent,
} from '../../../service/notifications/index.ts';
import type { Database, Tables } from '../database-schema.ts';
import type { NotificationRow } from '../notification-schema.ts';

/** A callback from the row of its transaction. */
export function parseCallback(json: string): NotificationCallback {
  return JSON.parse(json) as NotificationCallback;
}

/** Writes a transaction's row of the outbox; call this function in the commit that finishes the transaction. */
export async function addNotification(
  connection: Transaction<Tables>,
  tcn: string,
  callback: string,
  at: Date,
): Promise<void> {
  const host = hostOfCallback(parseCallback(callback));
  const row = newNotificationRow({ tcn, host, endpointId: null, event: null }, at);
  await connection.insertInto('notifications').values(row).execute();
}

/** A new row of the outbox, due at once. */
export function newNotificationRow(
  parts: {
    readonly tcn: string;
    readonly host: string;
    readonly endpointId: string | null;
    readonly event: WebhookEvent | null;
  },
  at: Date,
): NotificationRow {
  return {
    id: `msg_${randomBytes(16).toString('hex')}`,
    tcn: parts.tcn,
    host: parts.host,
    endpoint_id: parts.endpointId,
    event: parts.event,
    status: 'WAITING',
    attempts: 0,
    last_error: null,
    created_at: at.getTime(),
    scheduled_at: at.getTime(),
    next_attempt_at: at.getTime(),
    lease_until: null,
    finished_at: null,
  };
}

/** How far the notifications of these transactions have come, by TCN. */
export async function readNotificationStates(
  database: Database,
  tcns: readonly string[],
): Promise<ReadonlyMap<string, NotificationState>> {
  if (tcns.length === 0) return new Map();
  const rows = await database
    .selectFrom('notifications')
    .select(['tcn', 'status', 'attempts', 'last_error'])
    .where('tcn', 'in', tcns)
    .where('endpoint_id', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.tcn, stateOf(row)]));
}

function stateOf(row: Pick<NotificationRow, 'status' | 'attempts' | 'last_error'>): NotificationState {
  return {
    status: row.status as NotificationState['status'],
    attempts: row.attempts,
    lastError: row.last_error,
  };
}

/** A row with the callback of its transaction, or with its endpoint. */
type DeliveryRow = NotificationRow & {
  readonly callback: string | null;
  readonly url: string | null;
  readonly client_id: string | null;
  readonly base_url: string | null;
  readonly from_loopback: number | null;
};

/** The rows of the outbox, each with its destination. */
export function selectNotifications(database: Database) {
  return database
    .selectFrom('notifications')
    .innerJoin('transactions', 'transactions.tcn', 'notifications.tcn')
    .leftJoin('webhook_endpoints', 'webhook_endpoints.id', 'notifications.endpoint_id')
    .selectAll('notifications')
    .select([
      'transactions.callback',
      'webhook_endpoints.url',
      'webhook_endpoints.client_id',
      'webhook_endpoints.base_url',
      'webhook_endpoints.from_loopback',
    ]);
}

function callbackOf(row: DeliveryRow): NotificationCallback {
  if (row.endpoint_id === null) return parseCallback(row.callback ?? '{}');
  return {
    url: row.url ?? '',
    baseUrl: row.base_url ?? '',
    clientId: row.client_id,
    fromLoopback: row.from_loopback === 1,
  };
}

export function fromNotificationRow(row: DeliveryRow): Notification {
  const isFinal = row.status !== 'WAITING';
  return {
    id: row.id,
    tcn: row.tcn,
    callback: callbackOf(row),
    webhook: row.endpoint_id === null ? null : { endpointId: row.endpoint_id, event: row.event as WebhookEvent },
    ...stateOf(row),
    createdAt: new Date(row.created_at),
    nextAttemptAt: isFinal || row.next_attempt_at === null ? null : new Date(row.next_attempt_at),
    finishedAt: row.finished_at === null ? null : new Date(row.finished_at),
  };
}
