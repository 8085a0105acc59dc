import { type RevocationProblemCode, ProblemError, problemOf } from '../revocation-result.ts';
import { isBudgetExceeded } from '../../budget/budget.ts';
import { SigningError } from '../../errors.ts';

/** The subject of a stored answer. The issuer's key is part of the key, because names do not identify issuers. */
export interface RevocationCacheKey {
  /** Lower-case hex SHA-256 of the issuer's SubjectPublicKeyInfo. */
  readonly issuerKey: string;
  readonly kind: 'ocsp' | 'crl' | 'issuer';
  /** For OCSP the hex serial number; for CRLs and issuers' certificates the address. */
  readonly locator: string;
}

/** A stored entry. CRLs and OCSP responses were verified with the issuer's key before. */
export type RevocationCacheEntry =
  | {
      readonly kind: 'data';
      /** DER of a CertificateList or a BasicOCSPResponse; for issuers, the fetched file unchanged. */
      readonly der: Buffer;
      /** For a CRL: its serialised index (`CrlIndex.serialize`). */
      readonly index?: Buffer;
      readonly freshUntil: Date;
    }
  | {
      /**
       * Data could not be fetched. The failure is kept for about a minute, so that an unavailable authority is not
       * asked repeatedly.
       */
      readonly kind: 'failure';
      readonly code: RevocationProblemCode;
      readonly sentence: string;
      readonly freshUntil: Date;
    };

/**
 * Keeps revocation data until the data is stale. A cache may forget anything at any time, but must not answer with an
 * entry of another key, or after `freshUntil`.
 */
export interface RevocationCache {
  get(key: RevocationCacheKey): Promise<RevocationCacheEntry | undefined>;
  put(key: RevocationCacheKey, entry: RevocationCacheEntry): Promise<void>;
}

/** The key as a string. */
export const cacheKeyText = ({ issuerKey, kind, locator }: RevocationCacheKey): string =>
  `${issuerKey} ${kind} ${locator}`;

/** How a cache in memory behaves. */
export interface MemoryRevocationCacheOptions {
  /** Bytes of revocation data kept at most; by default 128 MiB. */
  readonly maxBytes?: number;
  readonly now?: () => Date;
}

const DEFAULT_BYTES = 128 * 2 ** 20;
/** Bytes of an entry besides its data. */
const ENTRY_OVERHEAD = 512;

const weightOf = (entry: RevocationCacheEntry): number =>
  ENTRY_OVERHEAD + (entry.kind === 'data' ? entry.der.length + (entry.index?.length ?? 0) : entry.sentence.length);

/** A cache for the lifetime of the process. */
export function createMemoryRevocationCache(options: MemoryRevocationCacheOptions = {}): RevocationCache {
  const { maxBytes = DEFAULT_BYTES, now = () => new Date() } = options;
  const table = new SizedTable<RevocationCacheEntry>(maxBytes);
  return {
    get(key) {
      const text = cacheKeyText(key);
      const entry = table.get(text);
      if (entry === undefined || entry.freshUntil > now()) return Promise.resolve(entry);
      table.delete(text);
      return Promise.resolve(undefined);
    },
    put(key, entry) {
      table.set(cacheKeyText(key), entry, weightOf(entry));
      return Promise.resolve();
    },
  };
}

/** A table with an upper bound on the total weight of its values; the least recently used value is removed first. */
export class SizedTable<Value> {
  readonly #values = new Map<string, { readonly value: Value; readonly weight: number }>();
  readonly #limit: number;
  #weight = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): Value | undefined {
    const found = this.#values.get(key);
    if (found === undefined) return undefined;
    // A `Map` keeps the order of insertion, so the most recently used value comes last.
    this.#values.delete(key);
    this.#values.set(key, found);
    return found.value;
  }

  /** Keeps the value, unless its own weight exceeds the limit. */
  set(key: string, value: Value, weight: number): void {
    this.delete(key);
    if (weight > this.#limit) return;
    this.#values.set(key, { value, weight });
    this.#weight += weight;
    for (const [oldest] of this.#values) {
      if (this.#weight <= this.#limit) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#weight -= this.#values.get(key)?.weight ?? 0;
    this.#values.delete(key);
  }
}

/** Data from a cache or from its producer. */
export type LoadedData = Extract<RevocationCacheEntry, { readonly kind: 'data' }>;

/** A failure is remembered for this multiple of its own duration, within these bounds in milliseconds. */
const FAILURE_SHARE = 6;
const SHORTEST_FAILURE = 5000;
const LONGEST_FAILURE = 60_000;

/**
 * A fast failure may be retried soon, because the user may have repaired the network. A server that only times out must
 * not delay each document of a batch.
 */
function failureLifetime(tookMs: number): number {
  return Math.min(LONGEST_FAILURE, Math.max(SHORTEST_FAILURE, tookMs * FAILURE_SHARE));
}

function cancelled(cause: unknown): SigningError {
  return new SigningError('CANCELLED', 'The work was cancelled.', { cause });
}

/** The promise, or `CANCELLED` after the signal; the work itself continues for other callers. */
async function untilCancelled<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  if (signal.aborted) throw cancelled(signal.reason);
  const { promise: end, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(cancelled(signal.reason));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, end]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

const REMEMBERED_REFRESHES = 10_000;

/** Conditions for requesting newer data. */
export interface RefreshTerms {
  /** The time of the question: data from before this time is requested again at once. Absent: only the pause counts. */
  readonly newerThan?: Date;
  /** Milliseconds between two requests for the same data. */
  readonly pause: number;
}

/** Reads through a cache: the same data is fetched once at a time, and failures are remembered for a while. */
export class CachedLoader {
  readonly #cache: RevocationCache | undefined;
  readonly #now: () => Date;
  readonly #flights = new Map<string, Promise<LoadedData>>();
  /** Times of the last requests for newer data, in milliseconds. */
  readonly #refreshed = new SizedTable<number>(REMEMBERED_REFRESHES);

  constructor(cache: RevocationCache | undefined, now: () => Date) {
    this.#cache = cache;
    this.#now = now;
  }

  /** The cache's entry, also a failure; undefined without an entry. */
  async peek(key: RevocationCacheKey): Promise<RevocationCacheEntry | undefined> {
    return this.#cache?.get(key);
  }

  /**
   * Fetches data with `produce` unless stored, and stores the result under the key. A failure at a limit of the present
   * input is not stored. Rejects like `produce`, with `ProblemError` for a remembered failure, and with `CANCELLED`.
   */
  async load(key: RevocationCacheKey, produce: () => Promise<LoadedData>, signal?: AbortSignal): Promise<LoadedData> {
    const text = cacheKeyText(key);
    let flight = this.#flights.get(text);
    if (flight === undefined) {
      flight = this.#produce(key, produce).finally(() => this.#flights.delete(text));
      this.#flights.set(text, flight);
      // Waiting callers see the failure; without a waiting caller the rejection must not count as unhandled.
      flight.catch(() => undefined);
    }
    return untilCancelled(flight, signal);
  }

  /**
   * Fetches data again with `produce`, because the stored data is older than the question. Data is fetched once for
   * each question, and again after a pause; in between, the stored data is returned. A failure keeps the stored data.
   * Rejects like `produce`, and with `CANCELLED`.
   */
  async refresh(
    key: RevocationCacheKey,
    produce: () => Promise<LoadedData>,
    { newerThan, pause }: RefreshTerms,
    signal?: AbortSignal,
  ): Promise<LoadedData> {
    const text = cacheKeyText(key);
    const [now, asked] = [this.#now().getTime(), this.#refreshed.get(text)];
    const isNewQuestion = newerThan !== undefined && asked !== undefined && asked < newerThan.getTime();
    if (asked !== undefined && !isNewQuestion && now < asked + pause) return this.load(key, produce, signal);
    const name = `refresh ${text}`;
    const flight = this.#flights.get(name) ?? this.#refresh(key, produce).finally(() => this.#flights.delete(name));
    this.#flights.set(name, flight);
    flight.catch(() => undefined);
    this.#refreshed.set(text, now, 1);
    return untilCancelled(flight, signal);
  }

  async #refresh(key: RevocationCacheKey, produce: () => Promise<LoadedData>): Promise<LoadedData> {
    const data = await produce();
    await this.#put(key, data);
    return data;
  }

  /** Data already stale on arrival is not requested again at once. */
  async #put(key: RevocationCacheKey, data: LoadedData): Promise<void> {
    const soonest = this.#now().getTime() + LONGEST_FAILURE;
    const freshUntil = new Date(Math.max(data.freshUntil.getTime(), soonest));
    await this.#cache?.put(key, { ...data, freshUntil });
  }

  /**
   * False for a failure remembered while the clock was ahead, because the failure would last until the clock reaches
   * this time again.
   */
  #isOfNow(freshUntil: Date): boolean {
    return freshUntil.getTime() <= this.#now().getTime() + LONGEST_FAILURE;
  }

  async #produce(key: RevocationCacheKey, produce: () => Promise<LoadedData>): Promise<LoadedData> {
    const known = await this.#cache?.get(key);
    if (known?.kind === 'failure' && this.#isOfNow(known.freshUntil)) {
      throw new ProblemError({ code: known.code, sentence: known.sentence });
    }
    if (known?.kind === 'data') return known;
    const begun = performance.now();
    const after = (lifetime: number): Date => new Date(this.#now().getTime() + lifetime);
    try {
      const data = await produce();
      await this.#put(key, data);
      return data;
    } catch (error) {
      // The next input asks again: its own budget may suffice for the same data.
      if (isBudgetExceeded()) throw error;
      const freshUntil = after(failureLifetime(performance.now() - begun));
      await this.#cache?.put(key, { kind: 'failure', ...problemOf(error), freshUntil });
      throw error;
    }
  }
}
