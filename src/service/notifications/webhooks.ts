import type { Notification, NotificationStatus, WebhookEvent } from './notification.ts';

/** An address of an application that receives the events of its transactions. */
export interface WebhookEndpoint {
  /** `whe_` and 32 hex digits. */
  readonly id: string;
  readonly clientId: string;
  /** `http:` or `https:`. The query may be a secret and is never logged. */
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly enabled: boolean;
  /** Until this time the earlier secret signs as well; null: there is a single secret. */
  readonly earlierSecretUntil: Date | null;
  /**
   * The address that the registering client uses for this instance, without a trailing slash: addresses of results
   * begin with it.
   */
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
  /** The failure: a sentence without secret, path and query. */
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
  /** A new address must be allowed for this `caller`, whoever chose the earlier one. */
  change(
    clientId: string,
    id: string,
    change: Partial<WebhookSettings>,
    caller: Pick<WebhookEndpoint, 'fromLoopback'>,
  ): Promise<WebhookEndpoint>;
  /** Makes a new secret, which only this answer contains; the earlier secret signs as well for `overlap` seconds. */
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
  /** The secrets that sign now, the newest first; none for a removed endpoint. */
  secretsOf(id: string): Promise<readonly string[]>;
}

/** A stored endpoint with its sealed secrets. */
export interface StoredWebhookEndpoint extends WebhookEndpoint {
  readonly sealedSecret: Buffer;
  readonly sealedEarlierSecret: Buffer | null;
}

/** Stores endpoints. Rejects with `STORAGE_UNAVAILABLE` or `STORAGE_FULL` without any change. */
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
  /** Newest first; undefined if `after` is not a delivery of this endpoint. */
  deliveries(id: string, filter: DeliveryFilter): Promise<readonly Notification[] | undefined>;
}
