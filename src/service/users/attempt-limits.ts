import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { ServiceError } from '../errors/index.ts';
import type { AttemptRecord, AttemptStore } from './accounts.ts';

/** Free failures, and the pause after each further failure; times are seconds. */
interface PauseRule {
  readonly free: number;
  /** The pause after the first counted failure; each further failure doubles the pause. */
  readonly firstPause: number;
  readonly longestPause: number;
}

/** Failures per day; older ones are forgotten one by one. */
interface DailyRule {
  readonly perDay: number;
}

/**
 * A guess of six digits with one step of drift succeeds with probability 3 in 1,000,000. A pair of a person (or an
 * application) and an address pauses alone, so that nobody is kept out by guesses from elsewhere. All unknown addresses
 * together have 100 guesses at a person, and 100 more each day, however many addresses there are.
 */
const rules = {
  pair: { free: 5, firstPause: 30, longestPause: 3600 },
  /** Sixteen /64 networks in the /56 of one customer count as one more address. */
  widePair: { free: 16 * 5, firstPause: 30, longestPause: 3600 },
  /** One address that tries many people, or many names that no application has. */
  address: { free: 50, firstPause: 30, longestPause: 1800 },
  administrator: { free: 10, firstPause: 30, longestPause: 1800 },
  person: { perDay: 100 },
} as const satisfies Record<string, PauseRule | DailyRule>;

type Scope = keyof typeof rules;

const day = 86_400_000;
/** Failures of a daily rule are stored in thousandths, because they are forgotten part by part. */
const PARTS = 1000;
/** An address counts as a person's own for 90 days after a success. */
const knownFor = 90 * day;

/** An attempt that is counted as a failure until it succeeds. */
export interface CountedAttempt {
  /** Subtracts the count of a successful attempt, resets the pair's count, and remembers the address of a person. */
  succeeded(): Promise<void>;
}

/** A pause after failed attempts. Addresses are stored as hashes, so no pause names its address. */
export interface Pause {
  /** `address`: attempts from one address at names that nobody has, or at many people. */
  readonly kind: 'person' | 'application' | 'administrator' | 'address';
  /** The username of a person or the id of an application; null for others, and for one that is not known here. */
  readonly name: string | null;
  /** Who must wait: one address (or its network), or all without an earlier success of the person. */
  readonly reach: 'address' | 'unknown-addresses';
  readonly until: Date;
}

/** The owner of the tried secret, and the place of the attempt: an address, a web site, the window, or programs. */
export type AttemptOf =
  | { readonly subject: string; readonly origin: string }
  /** An application's secret has 256 bits, so that the pair's limit is enough. */
  | { readonly clientId: string; readonly origin: string }
  /** A client id that no application has counts for the address alone. */
  | { readonly unknownClientFrom: string }
  /** An administrator's token, by the address of the attempt, so that no account can be locked from elsewhere. */
  | { readonly administratorFrom: string };

/**
 * Limits attempts on one-time passwords and on the secrets of applications and administrators. An attempt is counted in
 * advance, so that simultaneous attempts cannot outrun the count. Counts are stored and survive a restart.
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
    const { known, counts } = countsOf(attempt);
    const now = this.#now();
    const keys = [known ?? '', ...counts.map(({ key }) => key)];
    const { wait, counted } = await this.#store.update(keys, ([ofKnown, ...kept]) => {
      const isKnown = ofKnown !== undefined && ofKnown.lastAt > now;
      const records = kept.map((record) => record && inPast(record, now));
      const applied = counts.map(({ skipsKnown }) => !(isKnown && skipsKnown === true));
      const longest = Math.max(0, ...records.map((record, index) => (applied[index] ? pauseLeft(record, now) : 0)));
      const after = counts.map(({ scope }, index) =>
        longest === 0 && applied[index] ? afterFailure(scope, records[index], now) : records[index],
      );
      const answer = { wait: longest, counted: counts.filter((_, index) => applied[index]) };
      return { records: [ofKnown, ...after], answer };
    });
    if (wait > 0) throw tooManyAttempts(wait);
    await this.#store.forgetBefore(new Date(now.getTime() - day));
    return { succeeded: async () => this.#takeBack(counted, known) };
  }

  /** Rejects with `TOO_MANY_ATTEMPTS` and `retryAfter` while such attempts are paused; counts nothing. */
  async expectNoPause(attempt: AttemptOf): Promise<void> {
    const now = this.#now();
    const keys = countsOf(attempt).counts.map(({ key }) => key);
    const wait = await this.#store.update(keys, (records) => ({
      records,
      answer: Math.max(0, ...records.map((record) => pauseLeft(record && inPast(record, now), now))),
    }));
    if (wait > 0) throw tooManyAttempts(wait);
  }

  /**
   * The present pauses, the longest first. Subjects are stored as hashes, so `known` has the names to be recognised:
   * usernames of people, and ids of applications.
   */
  async paused(known: {
    readonly people: readonly string[];
    readonly applications: readonly string[];
  }): Promise<readonly Pause[]> {
    // prettier-ignore
    const names = new Map<string, string>([
      ...known.people.map((name): [string, string] => [`account:${digest(name)}`, name]),
      ...known.applications.map((name): [string, string] => [`application:${digest(name)}`, name]),
    ]);
    return (await this.#store.pausedAt(this.#now())).flatMap(({ key, blockedUntil: until }): readonly Pause[] => {
      if (until === null) return [];
      const [scope = '', subject = '', place] = key.split(':');
      if (scope !== 'account' && scope !== 'application') {
        return [{ kind: scope === 'administrator' ? 'administrator' : 'address', name: null, reach: 'address', until }];
      }
      const kind = scope === 'account' ? 'person' : 'application';
      const name = names.get(`${scope}:${subject}`) ?? null;
      return [{ kind, name, reach: place === undefined ? 'unknown-addresses' : 'address', until }];
    });
  }

  async #takeBack(counts: readonly Count[], known: string | undefined): Promise<void> {
    // The record of a known address has the end of its time, so that it is kept as long.
    const until = { failures: 0, lastAt: new Date(this.#now().getTime() + knownFor), blockedUntil: null };
    await this.#store.update([known ?? '', ...counts.map(({ key }) => key)], ([, ...records]) => ({
      records: [
        known === undefined ? undefined : until,
        ...counts.map(({ scope }, index) => (scope === 'pair' ? undefined : oneLess(scope, records[index]))),
      ],
      answer: undefined,
    }));
  }
}

/** A count of failures under a key. */
interface Count {
  readonly scope: Scope;
  readonly key: string;
  /** True if attempts from an address with an earlier success of the person do not count. */
  readonly skipsKnown?: true;
}

/** The counts of an attempt; `known`: the key of the person's earlier success at this address. */
function countsOf(attempt: AttemptOf): { readonly known?: string; readonly counts: readonly Count[] } {
  if ('administratorFrom' in attempt) {
    const key = `administrator:${digest(attempt.administratorFrom)}`;
    return { counts: [{ scope: 'administrator', key }] };
  }
  if ('unknownClientFrom' in attempt) {
    const { wide, near } = networksOf(attempt.unknownClientFrom);
    return { counts: [near, ...wide].map((network) => ({ scope: 'address', key: `client:${digest(network)}` })) };
  }
  const { near, wide } = networksOf(attempt.origin);
  const who = 'clientId' in attempt ? `application:${digest(attempt.clientId)}` : `account:${digest(attempt.subject)}`;
  const pairs: readonly Count[] = [
    { scope: 'pair', key: `${who}:${digest(near)}` },
    ...wide.map((network): Count => ({ scope: 'widePair', key: `${who}:${digest(network)}`, skipsKnown: true })),
  ];
  if ('clientId' in attempt) return { counts: pairs };
  return {
    known: `known:${who}:${digest(near)}`,
    counts: [
      ...pairs,
      { scope: 'person', key: who, skipsKnown: true },
      { scope: 'address', key: `origin:${digest(near)}`, skipsKnown: true },
    ],
  };
}

const ADDRESS = 'address ';

/** The place of an attempt, with the /64 network in place of an IPv6 address. */
export const placeOfAttempt = (origin: string): string => networksOf(origin).near;

/** The /64 network of an IPv6 address, which one computer has, and the /56 of its customer; otherwise the place itself. */
function networksOf(origin: string): { readonly near: string; readonly wide: readonly string[] } {
  const address = origin.startsWith(ADDRESS) ? origin.slice(ADDRESS.length) : '';
  if (!isIPv6(address)) return { near: origin, wide: [] };
  const missing = 8 - groupsOf(address).length;
  const groups = groupsOf(address.replace('::', `:${'0:'.repeat(missing)}`)).map((one) => Number.parseInt(one, 16));
  const near = groups.slice(0, 4);
  const wide = [...near.slice(0, 3), (near[3] ?? 0) & 0xff00];
  const nameOf = (network: readonly number[], bits: number): string =>
    `${network.map((one) => one.toString(16)).join(':')}::/${bits}`;
  return { near: nameOf(near, 64), wide: [nameOf(wide, 56)] };
}

/** The groups of an IPv6 address without those that `::` stands for. */
const groupsOf = (address: string): readonly string[] => address.split(':').filter((group) => group !== '');

/** Subjects and origins are hashed, because both are personal data of any length. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** A clock that was ahead for a while must not lock anybody out, so future times are moved to now. */
function inPast(record: AttemptRecord, now: Date): AttemptRecord {
  const ahead = record.lastAt.getTime() - now.getTime();
  // The same record is not written again.
  if (ahead <= 0) return record;
  const blockedUntil = record.blockedUntil && new Date(record.blockedUntil.getTime() - ahead);
  return { ...record, lastAt: now, blockedUntil };
}

function pauseLeft(record: AttemptRecord | undefined, now: Date): number {
  if (record?.blockedUntil == null) return 0;
  return (record.blockedUntil.getTime() - now.getTime()) / 1000;
}

function afterFailure(scope: Scope, record: AttemptRecord | undefined, now: Date): AttemptRecord {
  const rule: PauseRule | DailyRule = rules[scope];
  const { failures: earlier, lastAt } = record ?? { failures: 0, lastAt: now };
  const since = now.getTime() - lastAt.getTime();
  if ('perDay' in rule) {
    const each = day / rule.perDay;
    const level = Math.max(0, earlier / PARTS - since / each) + 1;
    const over = Math.max(0, level + 1 - rule.perDay);
    return {
      failures: Math.round(level * PARTS),
      lastAt: now,
      blockedUntil: new Date(now.getTime() + Math.ceil(over * each)),
    };
  }
  const failures = (since < day ? earlier : 0) + 1;
  const pause = Math.min(rule.longestPause, rule.firstPause * 2 ** Math.max(0, failures - rule.free));
  return { failures, lastAt: now, blockedUntil: failures < rule.free ? null : new Date(now.getTime() + pause * 1000) };
}

function oneLess(scope: Scope, record: AttemptRecord | undefined): AttemptRecord | undefined {
  const one = 'perDay' in rules[scope] ? PARTS : 1;
  if (record === undefined || record.failures <= one) return undefined;
  return { ...record, failures: record.failures - one, blockedUntil: null };
}

function tooManyAttempts(seconds: number): ServiceError {
  const retryAfter = Math.ceil(seconds);
  return new ServiceError('TOO_MANY_ATTEMPTS', `Too many wrong attempts: try again in ${retryAfter} seconds.`, {
    retryAfter,
  });
}
