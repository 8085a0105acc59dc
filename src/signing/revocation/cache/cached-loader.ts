import { SigningError } from '../../errors.ts';
import { ProblemError, problemOf } from '../revocation-problem.ts';
import {
  cacheKeyText,
  type RevocationCache,
  type RevocationCacheEntry,
  type RevocationCacheKey,
} from './revocation-cache.ts';

/** Data from a cache or from its producer. */
export type LoadedData = Extract<RevocationCacheEntry, { readonly kind: 'data' }>;

/** A failure is remembered for this multiple of its own duration, within these bounds in milliseconds. */
const FAILURE_SHARE = 6;
const SHORTEST_FAILURE = 5000;
const LONGEST_FAILURE = 60_000;

/**
 * A fast failure may be asked again soon, because the user may have repaired the network. A server that only times out
 * must not delay each document of a batch.
 */
function failureLifetime(tookMs: number): number {
  return Math.min(LONGEST_FAILURE, Math.max(SHORTEST_FAILURE, tookMs * FAILURE_SHARE));
}

function cancelled(cause: unknown): SigningError {
  return new SigningError('CANCELLED', 'The work was cancelled.', { cause });
}

/** The promise, or `CANCELLED` after the signal; the work itself goes on for other callers. */
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

/** Reads through a cache: the same data is fetched once at a time, and failures are remembered for a while. */
export class CachedLoader {
  readonly #cache: RevocationCache | undefined;
  readonly #now: () => Date;
  readonly #flights = new Map<string, Promise<LoadedData>>();

  constructor(cache: RevocationCache | undefined, now: () => Date) {
    this.#cache = cache;
    this.#now = now;
  }

  /** The cache's entry, also a failure; undefined without an entry. */
  async peek(key: RevocationCacheKey): Promise<RevocationCacheEntry | undefined> {
    return this.#cache?.get(key);
  }

  /**
   * The producer's data, stored under the key. Rejects like the producer, with `ProblemError` for a remembered failure,
   * with `CANCELLED`.
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

  async #produce(key: RevocationCacheKey, produce: () => Promise<LoadedData>): Promise<LoadedData> {
    const known = await this.#cache?.get(key);
    if (known?.kind === 'failure') throw new ProblemError({ code: known.code, sentence: known.sentence });
    if (known?.kind === 'data') return known;
    const begun = performance.now();
    const after = (lifetime: number): Date => new Date(this.#now().getTime() + lifetime);
    try {
      const data = await produce();
      // Data already stale on arrival is not requested again at once.
      const freshUntil = new Date(Math.max(data.freshUntil.getTime(), after(LONGEST_FAILURE).getTime()));
      await this.#cache?.put(key, { ...data, freshUntil });
      return data;
    } catch (error) {
      const freshUntil = after(failureLifetime(performance.now() - begun));
      await this.#cache?.put(key, { kind: 'failure', ...problemOf(error), freshUntil });
      throw error;
    }
  }
}
