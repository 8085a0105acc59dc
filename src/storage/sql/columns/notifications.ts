/** The tables of the outbox. */
import type { Notification, StoredWebhookEndpoint, WebhookEvent } from '../../../service/notifications/index.ts';
import {
  bytes,
  date,
  flag,
  integer,
  json,
  nullable,
  partColumns,
  recordColumns,
  text,
  type RowOfAll,
} from './columns.ts';

export const notificationStateColumns = recordColumns<Pick<Notification, 'status' | 'attempts' | 'lastError'>>()({
  status: text('status'),
  attempts: integer('attempts'),
  lastError: nullable(text('last_error')),
});

interface StoredNotification extends Pick<Notification, 'id' | 'tcn' | 'createdAt' | 'nextAttemptAt' | 'finishedAt'> {
  readonly host: string;
  readonly scheduledAt: Date;
}

export const notificationColumns = recordColumns<StoredNotification>()({
  id: text('id'),
  tcn: text('tcn'),
  // Host and port of the callback.
  host: text('host'),
  createdAt: date('created_at'),
  // The time of deciding `next_attempt_at`, or the begin of the present attempt: a clock before this time was set back.
  scheduledAt: date('scheduled_at'),
  nextAttemptAt: nullable(date('next_attempt_at')),
  finishedAt: nullable(date('finished_at')),
});

/** The endpoint of an application and the event for it; NULL: the callback of the transaction. */
export const webhookColumns = partColumns<{ readonly endpointId: string; readonly event: WebhookEvent }>()({
  endpointId: text('endpoint_id'),
  event: text('event'),
});

export type NotificationRow = RowOfAll<
  [typeof notificationStateColumns, typeof notificationColumns, typeof webhookColumns]
> & {
  /** End of the present process's lease. */
  lease_until: number | null;
};

type Destination = Pick<StoredWebhookEndpoint, 'url' | 'baseUrl' | 'clientId' | 'fromLoopback'>;

/** The columns of an endpoint that are needed to send to it. */
export const destinationColumns = recordColumns<Destination>()({
  url: text('url'),
  baseUrl: text('base_url'),
  clientId: text('client_id'),
  fromLoopback: flag('from_loopback'),
});

export const webhookEndpointColumns = recordColumns<Omit<StoredWebhookEndpoint, keyof Destination>>()({
  id: text('id'),
  events: json('events'),
  enabled: flag('enabled'),
  sealedSecret: bytes('sealed_secret'),
  sealedEarlierSecret: nullable(bytes('sealed_earlier_secret')),
  earlierSecretUntil: nullable(date('earlier_secret_until')),
  createdAt: date('created_at'),
});

export type WebhookEndpointRow = RowOfAll<[typeof destinationColumns, typeof webhookEndpointColumns]>;

export interface NotificationTables {
  webhook_endpoints: WebhookEndpointRow;
  notifications: NotificationRow;
}
