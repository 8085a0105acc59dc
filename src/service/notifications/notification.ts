/** The events of a transaction that are sent to applications. Names never change their meaning. */
export const WEBHOOK_EVENTS = [
  'transaction.waiting',
  'transaction.signed',
  'transaction.extended',
  'transaction.failed',
  'transaction.expired',
  'transaction.cancelled',
] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** WAITING → DELIVERED | GIVEN_UP. Only a person's request makes a final notification wait again. */
export type NotificationStatus = 'WAITING' | 'DELIVERED' | 'GIVEN_UP';

/** A client's address for the notification of its finished transaction, with facts about the client. */
export interface NotificationCallback {
  /** `http:` or `https:`, as in the request. The query may be a secret and is never shown or logged. */
  readonly url: string;
  /** The client's address of this instance, without a trailing slash: addresses of results begin with it. */
  readonly baseUrl: string;
  /** The application whose secret signs; null: unsigned. */
  readonly clientId: string | null;
  /** The client itself was on this computer: loopback addresses are allowed. */
  readonly fromLoopback: boolean;
}

/** The progress of a notification, in the form of the query. */
export interface NotificationState {
  readonly status: NotificationStatus;
  /** Attempts since the transaction was finished, or since a person requested another delivery. */
  readonly attempts: number;
  /**
   * The last attempt's failure, a sentence that contains no more of the address than the host. Null without a failure.
   */
  readonly lastError: string | null;
}

/** A notification of a transaction: a row of the outbox. */
export interface Notification extends NotificationState {
  /** `webhook-id`: the same in every attempt, so that a receiver recognises repetitions. */
  readonly id: string;
  readonly tcn: string;
  readonly callback: NotificationCallback;
  /** The endpoint of an application and its event; null: the callback of the transaction itself. */
  readonly webhook: { readonly endpointId: string; readonly event: WebhookEvent } | null;
  readonly createdAt: Date;
  /** The time of the next attempt; null for a final notification. */
  readonly nextAttemptAt: Date | null;
  /** The time of delivery or of the end of attempts; null for a waiting notification. */
  readonly finishedAt: Date | null;
}

/** The notifications of this instance. */
export interface Notifications {
  /** Newest first. */
  list(limit: number): Promise<readonly Notification[]>;
  /**
   * Starts a notification again from any state, by its id or its TCN; an attempt under way is not interrupted. Rejects
   * with `NOT_FOUND`.
   */
  redeliver(idOrTcn: string): Promise<Notification>;
  /**
   * Ends the attempts of a waiting notification; a running attempt may still succeed. A final notification stays
   * unchanged. Rejects with `NOT_FOUND`.
   */
  giveUp(id: string): Promise<Notification>;
  /** Looks for due notifications soon, because a transaction may have been finished. */
  wake(): void;
  /** Continues the deliveries of an earlier process, and delivers from then on. Called once. */
  start(): Promise<void>;
  /** Interrupts running deliveries, which the next start repeats, and resolves. */
  close(): Promise<void>;
}

/** A waiting notification claimed for an attempt; `attempts` includes this attempt. */
export interface ClaimedNotification extends Notification {
  /** Host and port of the callback. */
  readonly host: string;
}

/** Limits of a claim, and the running attempts. */
export interface ClaimLimits {
  readonly now: Date;
  /** End of the lease of the claimed notifications; afterwards anybody may claim again. */
  readonly leaseUntil: Date;
  readonly most: number;
  readonly mostPerHost: number;
  /** Hosts of running attempts, by id. */
  readonly running: ReadonlyMap<string, string>;
}

/** The outcome of an attempt. */
export type AttemptOutcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'failed'; readonly error: string; readonly retryAt: Date | null }
  /** Interrupted from here, and not counted. */
  | { readonly kind: 'interrupted' };

/**
 * The outbox. The transaction store writes its rows in the commit that finishes the transaction; from then on this
 * store keeps the rows. Rejects with `STORAGE_UNAVAILABLE` or `STORAGE_FULL` without any change.
 */
export interface NotificationStore {
  /** True if any notification waits, now or for later. Called often, so it must be cheap. */
  hasWaiting(): Promise<boolean>;
  /**
   * Claims due notifications, from each host in turn, so that a host with many does not delay the others. A
   * notification whose next attempt seems too far ahead is due as well: the clock was set back, and the true wait is
   * unknown.
   */
  claim(limits: ClaimLimits): Promise<readonly ClaimedNotification[]>;
  settle(id: string, outcome: AttemptOutcome, now: Date): Promise<void>;
  /** The earliest due time or end of a lease after `now`; undefined: none. */
  nextTime(now: Date): Promise<Date | undefined>;
  /** Newest first. */
  list(limit: number): Promise<readonly Notification[]>;
  /** By id or TCN. */
  find(idOrTcn: string): Promise<Notification | undefined>;
  /** Makes a notification due at once, with no attempt counted. */
  renew(id: string, now: Date): Promise<void>;
  /** Makes a waiting notification final. */
  giveUp(id: string, now: Date): Promise<void>;
  /** Ends the leases of an earlier process; its attempts may have succeeded or not. */
  releaseLeases(): Promise<number>;
}

/** Host and port of a callback, for the outbox. */
export function hostOfCallback({ url }: Pick<NotificationCallback, 'url'>): string {
  return URL.parse(url)?.host ?? '';
}

/** Times are milliseconds, sizes bytes. */
export interface NotificationLimits {
  /** Pauses after the first, second, … failed attempt; the attempt after the last pause is the last. */
  readonly retryDelays: readonly number[];
  /** Random variation of a pause, in both directions, so that many notifications are not repeated at the same time. */
  readonly jitter: number;
  /** Limit for a whole attempt, from the connection to the last byte of the answer. */
  readonly timeout: number;
  /** Maximum number of bytes of the answer's body, which is dropped. */
  readonly answerSize: number;
  readonly atOnce: number;
  readonly atOncePerHost: number;
  /** Time for which changes of transactions are collected. */
  readonly gatherTime: number;
  /** Longest time between two looks at the clock: the clock may have been set, or the computer may have slept. */
  readonly longestSleep: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export const defaultNotificationLimits: NotificationLimits = {
  retryDelays: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR],
  jitter: 0.1,
  timeout: 15 * SECOND,
  answerSize: 64 * 1024,
  atOnce: 8,
  atOncePerHost: 2,
  gatherTime: 25,
  longestSleep: 30 * SECOND,
};

/** The pause after the given number of failed attempts; undefined after the last attempt. `random` is in [0, 1). */
export function retryDelay(
  attempts: number,
  { retryDelays, jitter }: Pick<NotificationLimits, 'retryDelays' | 'jitter'>,
  random: number,
): number | undefined {
  const delay = retryDelays[attempts - 1];
  return delay === undefined ? undefined : Math.round(delay * (1 + jitter * (2 * random - 1)));
}
