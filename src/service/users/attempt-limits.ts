import { createHash } from 'node:crypto';
import { ServiceError } from '../errors/index.ts';
import type { AttemptRecord, AttemptStore } from './accounts.ts';

/** Free failures, and the pause after each further failure; times are seconds. */
interface AttemptRule {
  readonly free: number;
  /** The pause after the first counted failure; each further failure doubles the pause. */
  readonly firstPause: number;
  readonly longestPause: number;
}

/**
 * A guess of six digits with one step of drift succeeds with probability 3 in 1,000,000. After the free attempts, the
 * longest pause leaves 24 attempts a day for an account: a chance below 1 in 10,000 a day.
 */
const rules = {
  account: { free: 5, firstPause: 30, longestPause: 3600 },
  origin: { free: 10, firstPause: 30, longestPause: 1800 },
  overall: { free: 50, firstPause: 10, longestPause: 300 },
} as const satisfies Record<string, AttemptRule>;

type Scope = keyof typeof rules;

/** Seconds until failures are forgotten, without a further failure. */
const memory = 86_400;

/** An attempt that is counted as a failure until it succeeds. */
export interface CountedAttempt {
  /** Subtracts the count of a successful attempt, and resets the account's count. */
  succeeded(): Promise<void>;
}

/**
 * The owner of the tried secret: a person, by username and the attempt's origin, or an application, by its client id.
 * Both are counted separately: an application with an old secret locks no person out. Applications have no origin,
 * because all would share the origin of native programs.
 */
export type AttemptOf =
  | { readonly subject: string; readonly origin: string }
  | { readonly clientId: string }
  /** An administrator's token, by the address of the attempt, so that no account can be locked from elsewhere. */
  | { readonly administratorFrom: string };

/**
 * Limits attempts on one-time passwords and the secrets of applications: for each subject, for each origin, and
 * overall. An attempt is counted in advance, so that simultaneous attempts cannot outrun the count. Counts are stored
 * and survive a restart.
 */
export class AttemptLimits {
  readonly #store: AttemptStore;
  readonly #now: () => Date;

  constructor(store: AttemptStore, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  /** Rejects with `TOO_MANY_ATTEMPTS` and `retryAfter`; the refused attempt is not counted. */
  async begin(attempt: AttemptOf): Promise<CountedAttempt> {
    const keys = keysOf(attempt);
    const now = this.#now();
    const wait = await this.#store.update(
      keys.map(({ key }) => key),
      (kept) => {
        const records = kept.map((record) => record && inPast(record, now));
        const wait = Math.max(0, ...records.map((record) => pauseLeft(record, now)));
        if (wait > 0) return { records, answer: wait };
        const counted = records.map((record, index) =>
          afterFailure(rules[keys[index]?.scope ?? 'overall'], record, now),
        );
        return { records: counted, answer: 0 };
      },
    );
    if (wait > 0) throw tooManyAttempts(wait);
    await this.#store.forgetBefore(new Date(now.getTime() - memory * 1000));
    return { succeeded: async () => this.#takeBack(keys) };
  }

  /** Rejects with `TOO_MANY_ATTEMPTS` and `retryAfter` while such attempts are paused; counts nothing. */
  async expectNoPause(attempt: AttemptOf): Promise<void> {
    const now = this.#now();
    const keys = keysOf(attempt).map(({ key }) => key);
    const wait = await this.#store.update(keys, (records) => ({
      records,
      answer: Math.max(0, ...records.map((record) => pauseLeft(record && inPast(record, now), now))),
    }));
    if (wait > 0) throw tooManyAttempts(wait);
  }

  async #takeBack(keys: readonly KeyOfScope[]): Promise<void> {
    await this.#store.update(
      keys.map(({ key }) => key),
      (records) => ({
        records: records.map((record, index) => (keys[index]?.scope === 'account' ? undefined : oneLess(record))),
        answer: undefined,
      }),
    );
  }
}

interface KeyOfScope {
  readonly scope: Scope;
  readonly key: string;
}

/** Subjects and origins are hashed, because both are personal data of any length. */
function keysOf(attempt: AttemptOf): readonly KeyOfScope[] {
  if ('administratorFrom' in attempt) {
    return [{ scope: 'origin', key: `administrator:${digest(attempt.administratorFrom)}` }];
  }
  if ('clientId' in attempt) {
    return [
      { scope: 'account', key: `application:${digest(attempt.clientId)}` },
      { scope: 'overall', key: 'applications' },
    ];
  }
  return [
    { scope: 'account', key: `account:${digest(attempt.subject)}` },
    { scope: 'origin', key: `origin:${digest(attempt.origin)}` },
    { scope: 'overall', key: 'overall' },
  ];
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** A clock that was ahead for a while must not lock anybody out, so future times are moved to now. */
function inPast(record: AttemptRecord, now: Date): AttemptRecord {
  const ahead = record.lastAt.getTime() - now.getTime();
  if (ahead <= 0) return record;
  const blockedUntil = record.blockedUntil && new Date(record.blockedUntil.getTime() - ahead);
  return { ...record, lastAt: now, blockedUntil };
}

function pauseLeft(record: AttemptRecord | undefined, now: Date): number {
  if (record?.blockedUntil == null) return 0;
  return (record.blockedUntil.getTime() - now.getTime()) / 1000;
}

function afterFailure(rule: AttemptRule, record: AttemptRecord | undefined, now: Date): AttemptRecord {
  const isRecent = record !== undefined && now.getTime() - record.lastAt.getTime() < memory * 1000;
  const failures = (isRecent ? record.failures : 0) + 1;
  const pause = Math.min(rule.longestPause, rule.firstPause * 2 ** Math.max(0, failures - rule.free));
  const blockedUntil = failures < rule.free ? null : new Date(now.getTime() + pause * 1000);
  return { failures, lastAt: now, blockedUntil };
}

function oneLess(record: AttemptRecord | undefined): AttemptRecord | undefined {
  if (record === undefined || record.failures <= 1) return undefined;
  return { ...record, failures: record.failures - 1, blockedUntil: null };
}

function tooManyAttempts(seconds: number): ServiceError {
  const retryAfter = Math.ceil(seconds);
  return new ServiceError('TOO_MANY_ATTEMPTS', `Too many wrong attempts: try again in ${retryAfter} seconds.`, {
    retryAfter,
  });
}
