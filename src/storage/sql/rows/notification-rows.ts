import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { hostOfCallback, type Notification, type NotificationState } from '../../../service/notifications/index.ts';
import { PartColumns, type RowOf } from '../columns/columns.ts';
import {
  destinationColumns,
  notificationColumns,
  notificationStateColumns,
  webhookColumns,
  type NotificationRow,
} from '../columns/notifications.ts';
import { callbackColumn } from '../columns/transactions.ts';
import type { Database, Tables } from '../database-schema.ts';

/** Writes a transaction's row of the outbox; call this function in the commit that finishes the transaction. */
export async function addNotification(
  connection: Transaction<Tables>,
  tcn: string,
  callback: string,
  at: Date,
): Promise<void> {
  const host = hostOfCallback(callbackColumn.read(callback));
  const row = newNotificationRow({ tcn, host, webhook: null }, at);
  await connection.insertInto('notifications').values(row).execute();
}

/** A new row of the outbox, due at once. */
export function newNotificationRow(
  { tcn, host, webhook }: Pick<Notification, 'tcn' | 'webhook'> & { readonly host: string },
  at: Date,
): Omit<NotificationRow, 'lease_until'> {
  const id = `msg_${randomBytes(16).toString('hex')}`;
  const times = { createdAt: at, scheduledAt: at, nextAttemptAt: at, finishedAt: null };
  return {
    ...notificationColumns.toRow({ id, tcn, host, ...times }),
    ...notificationStateColumns.toRow({ status: 'WAITING', attempts: 0, lastError: null }),
    ...webhookColumns.toRow(webhook),
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
    .select(['tcn', ...notificationStateColumns.names])
    .where('tcn', 'in', tcns)
    .where('endpoint_id', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.tcn, notificationStateColumns.fromRow(row)]));
}

const destination = new PartColumns(destinationColumns);

/** A row with the callback of its transaction, or with its endpoint. */
type DeliveryRow = NotificationRow & RowOf<typeof destination> & { readonly callback: string | null };

/** The rows of the outbox, each with its destination. */
export function selectNotifications(database: Database) {
  return database
    .selectFrom('notifications')
    .innerJoin('transactions', 'transactions.tcn', 'notifications.tcn')
    .leftJoin('webhook_endpoints', 'webhook_endpoints.id', 'notifications.endpoint_id')
    .selectAll('notifications')
    .select(['transactions.callback', ...destination.names.map((name) => `webhook_endpoints.${name}` as const)]);
}

export function fromNotificationRow(row: DeliveryRow): Notification {
  const { id, tcn, createdAt, nextAttemptAt, finishedAt } = notificationColumns.fromRow(row);
  const state = notificationStateColumns.fromRow(row);
  return {
    id,
    tcn,
    callback: destination.fromRow(row) ?? callbackColumn.read(row.callback ?? '{}'),
    webhook: webhookColumns.fromRow(row) ?? null,
    ...state,
    createdAt,
    nextAttemptAt: state.status === 'WAITING' ? nextAttemptAt : null,
    finishedAt,
  };
}
