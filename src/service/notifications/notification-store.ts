import type { Notification, NotificationCallback } from './notification.ts';

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
  /** Whether any notification waits, for now or for later: asked often, therefore cheap. */
  hasWaiting(): Promise<boolean>;
  /**
   * Claims due notifications, the hosts in turn, so that a host with many never delays the others. A row scheduled in
   * the future of `now` is due as well: the clock was set back, and the true wait is unknown.
   */
  claim(limits: ClaimLimits): Promise<readonly ClaimedNotification[]>;
  settle(id: string, outcome: AttemptOutcome, now: Date): Promise<void>;
  /** The earliest due time or end of a lease after `now`; undefined: none. */
  nextTime(now: Date): Promise<Date | undefined>;
  /** Newest first. */
  list(limit: number): Promise<readonly Notification[]>;
  /** By id or TCN. */
  find(idOrTcn: string): Promise<Notification | undefined>;
  /** Makes a notification waiting and due at once, with no attempt counted. */
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
