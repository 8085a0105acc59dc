import type { Notification, NotificationCallback } from './notification.ts';

/** A waiting notification that was taken for an attempt; `attempts` counts this one already. */
export interface ClaimedNotification extends Notification {
  /** Host and port that the callback leads to. */
  readonly host: string;
}

/** How many may be taken, and what is under way. */
export interface ClaimLimits {
  readonly now: Date;
  /** Until when the taken ones belong to the taker; afterwards anybody may take them again. */
  readonly leaseUntil: Date;
  readonly most: number;
  readonly mostPerHost: number;
  /** Hosts of those under way, by id. */
  readonly running: ReadonlyMap<string, string>;
}

/** What became of an attempt. */
export type AttemptOutcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'failed'; readonly error: string; readonly retryAt: Date | null }
  /** It was broken off from here and does not count. */
  | { readonly kind: 'interrupted' };

/**
 * The outbox. Its rows are written by the transaction store, in the commit that finishes the transaction; from then on
 * they are kept here. Rejects with `STORAGE_UNAVAILABLE` or `STORAGE_FULL`; nothing has changed then.
 */
export interface NotificationStore {
  /** Whether any waits, for now or for later: asked often, so that it costs little. */
  hasWaiting(): Promise<boolean>;
  /**
   * Takes what is due, the hosts in turn: one with many never keeps the others waiting. A row whose time was set in the
   * future of `now` is due as well: the clock was put back, and nobody knows how long it has waited.
   */
  claim(limits: ClaimLimits): Promise<readonly ClaimedNotification[]>;
  settle(id: string, outcome: AttemptOutcome, now: Date): Promise<void>;
  /** The earliest time after `now` at which one is due or a lease ends; undefined: nothing waits for a later time. */
  nextTime(now: Date): Promise<Date | undefined>;
  /** Newest first. */
  list(limit: number): Promise<readonly Notification[]>;
  /** By id or TCN. */
  find(idOrTcn: string): Promise<Notification | undefined>;
  /** Makes it wait, due at once, with no attempt counted. */
  renew(id: string, now: Date): Promise<void>;
  /** Makes a waiting one final. */
  giveUp(id: string, now: Date): Promise<void>;
  /** Frees what an earlier process had taken; its attempts may have come through or not. */
  releaseLeases(): Promise<number>;
}

/** Host and port of a callback, for the outbox. */
export function hostOfCallback({ url }: Pick<NotificationCallback, 'url'>): string {
  return URL.parse(url)?.host ?? '';
}
