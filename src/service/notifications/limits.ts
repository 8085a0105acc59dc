/** Times are milliseconds, sizes octets. */
export interface NotificationLimits {
  /** Pauses after the first, second, … failed attempt; after one more attempt than there are pauses it is given up. */
  readonly retryDelays: readonly number[];
  /** The part by which a pause is made longer or shorter at random, so that many do not come back at once. */
  readonly jitter: number;
  /** From the connection to the last octet of the answer. */
  readonly timeout: number;
  /** Of the answer's body, which is dropped. */
  readonly answerSize: number;
  readonly atOnce: number;
  readonly atOncePerHost: number;
  /** Within which changes of transactions are looked at together. */
  readonly gatherTime: number;
  /** The longest time without looking at the clock: it may have been set, or the computer may have slept. */
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

/** The pause after the given number of failed attempts; undefined: that was the last one. `random` is in [0, 1). */
export function retryDelay(
  attempts: number,
  { retryDelays, jitter }: Pick<NotificationLimits, 'retryDelays' | 'jitter'>,
  random: number,
): number | undefined {
  const delay = retryDelays[attempts - 1];
  return delay === undefined ? undefined : Math.round(delay * (1 + jitter * (2 * random - 1)));
}
