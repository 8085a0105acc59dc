import type { Notification, NotificationStatus, WebhookEvent } from './notification.ts';

/** An address of an application that is told the events of its transactions. */
export interface WebhookEndpoint {
  /** `whe_` and 32 hex digits. */
  readonly id: string;
  readonly clientId: string;
  /** `http:` or `https:`. The query may be a secret and is never logged. */
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly enabled: boolean;
  /** Until then the earlier secret signs as well; null: there is a single secret. */
  readonly earlierSecretUntil: Date | null;
  /** The registering client's address of us, without a slash at its end: results are named below this address. */
  readonly baseUrl: string;
  /** The registering client was on this computer: loopback addresses are allowed. */
  readonly fromLoopback: boolean;
  readonly createdAt: Date;
}

/** The changeable parts of an endpoint. */
export type WebhookSettings = Pick<WebhookEndpoint, 'url' | 'events' | 'enabled'>;

/** A new endpoint, with facts about the registering client. */
export type NewWebhookEndpoint = WebhookSettings & Pick<WebhookEndpoint, 'clientId' | 'baseUrl' | 'fromLoopback'>;

/** The outcome of a test call. */
export interface WebhookTest {
  readonly delivered: boolean;
  /** Why not: a sentence without secret, path and query. */
  readonly error: string | null;
}

/** Which deliveries a list has. */
export interface DeliveryFilter {
  readonly status?: NotificationStatus;
  /** Id of the last delivery of the page before. */
  readonly after?: string;
  readonly limit: number;
}

/** The endpoints of the applications, and their deliveries. Unknown ids reject with `NOT_FOUND`. */
export interface Webhooks {
  /** `APPLICATION_NOT_FOUND`, `REQUEST_INVALID` for a wrong or forbidden address, and for too many endpoints. */
  add(endpoint: NewWebhookEndpoint): Promise<{ readonly endpoint: WebhookEndpoint; readonly secret: string }>;
  /** Oldest first. */
  list(clientId: string): Promise<readonly WebhookEndpoint[]>;
  find(clientId: string, id: string): Promise<WebhookEndpoint>;
  /** A new address must be one that its `caller` may choose, whoever chose the earlier one. */
  change(
    clientId: string,
    id: string,
    change: Partial<WebhookSettings>,
    caller: Pick<WebhookEndpoint, 'fromLoopback'>,
  ): Promise<WebhookEndpoint>;
  /** A new secret, which is told this once; the earlier secret signs as well for `overlap` seconds. */
  rotate(
    clientId: string,
    id: string,
    overlap: number,
  ): Promise<{ readonly endpoint: WebhookEndpoint; readonly secret: string }>;
  /** With its deliveries. */
  remove(clientId: string, id: string): Promise<void>;
  /** Sends one `webhook.test` now; it is not repeated and not logged. */
  test(clientId: string, id: string): Promise<WebhookTest>;
  /** The delivery log, newest first. `REQUEST_INVALID` for an unknown `after`. */
  deliveries(clientId: string, id: string, filter: DeliveryFilter): Promise<readonly Notification[]>;
  /** Starts a delivery again from any state. */
  redeliver(clientId: string, id: string, deliveryId: string): Promise<Notification>;
  /** The secrets that sign now, the newest first; none for an endpoint that is gone. */
  secretsOf(id: string): Promise<readonly string[]>;
}

/** A stored endpoint with its sealed secrets. */
export interface StoredWebhookEndpoint extends WebhookEndpoint {
  readonly sealedSecret: Buffer;
  readonly sealedEarlierSecret: Buffer | null;
}

/** Where endpoints rest. Rejects with `STORAGE_UNAVAILABLE` or `STORAGE_FULL` without any change. */
export interface WebhookStore {
  insert(endpoint: StoredWebhookEndpoint): Promise<void>;
  /** Oldest first. */
  list(clientId: string): Promise<readonly StoredWebhookEndpoint[]>;
  find(id: string): Promise<StoredWebhookEndpoint | undefined>;
  update(
    id: string,
    change: Partial<
      Pick<
        StoredWebhookEndpoint,
        'url' | 'events' | 'enabled' | 'fromLoopback' | 'sealedSecret' | 'sealedEarlierSecret' | 'earlierSecretUntil'
      >
    >,
  ): Promise<void>;
  remove(id: string): Promise<void>;
  /** Newest first; undefined: `after` is no delivery of this endpoint. */
  deliveries(id: string, filter: DeliveryFilter): Promise<readonly Notification[] | undefined>;
}
