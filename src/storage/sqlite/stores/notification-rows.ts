import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import {
  hostOfCallback,
  type Notification,
  type NotificationCallback,
  type NotificationState,
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
  const row: NotificationRow = {
    id: `msg_${randomBytes(16).toString('hex')}`,
    tcn,
    host: hostOfCallback(parseCallback(callback)),
    status: 'WAITING',
    attempts: 0,
    last_error: null,
    created_at: at.getTime(),
    scheduled_at: at.getTime(),
    next_attempt_at: at.getTime(),
    lease_until: null,
    finished_at: null,
  };
  await connection.insertInto('notifications').values(row).execute();
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

/** A row with the callback of its transaction. */
export function fromNotificationRow(row: NotificationRow & { readonly callback: string | null }): Notification {
  const isFinal = row.status !== 'WAITING';
  return {
    id: row.id,
    tcn: row.tcn,
    callback: parseCallback(row.callback ?? '{}'),
    ...stateOf(row),
    createdAt: new Date(row.created_at),
    nextAttemptAt: isFinal || row.next_attempt_at === null ? null : new Date(row.next_attempt_at),
    finishedAt: row.finished_at === null ? null : new Date(row.finished_at),
  };
}
