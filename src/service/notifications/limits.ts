/** Times are milliseconds, sizes octets. */
export interface NotificationLimits {
  /** Pauses after the first, second, … failed attempt; the attempt after the last pause is the last. */
  readonly retryDelays: readonly number[];
  /** The random part of a pause, longer or shorter, so that many notifications do not come back at once. */
  readonly jitter: number;
  /** From the connection to the last octet of the answer. */
  readonly timeout: number;
  /** Most bytes of the answer's body, which is dropped. */
  readonly answerSize: number;
  readonly atOnce: number;
  readonly atOncePerHost: number;
  /** Time to gather changes of transactions. */
  readonly gatherTime: number;
  /** Longest time without a look at the clock: the clock may have been set, or the computer may have slept. */
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
