import { performance } from 'node:perf_hooks';

/** Milliseconds for which a good outcome counts. */
const LIFETIME = 1000;

interface Success {
  /** When the try began: a later write may fail. */
  readonly begin: number;
  readonly value: unknown;
}

/**
 * Tries of the health check that ask disks and keychains. Most take several flushes, so that requests at the same
 * time share a try, and a good outcome counts for a second. A bad outcome counts for the requests that waited for it,
 * and for no other.
 */
export class RecentTries {
  readonly #clock: () => number;
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #good = new Map<string, Success>();

  /** @param clock monotonic milliseconds; default: Node's clock */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /**
   * The outcome of a try of this name that began within the last second and was good, or of a new try. Rejects with the
   * error of a new try. A name always has the same kind of outcome.
   */
  async run<Outcome>(
    name: string,
    attempt: () => Promise<Outcome>,
    isGood: (outcome: Outcome) => boolean = () => true,
  ): Promise<Outcome> {
    const begin = this.#clock();
    const good = this.#good.get(name);
    if (good !== undefined && begin - good.begin < LIFETIME) return good.value as Outcome;
    const running = this.#running.get(name);
    if (running !== undefined) return running as Promise<Outcome>;
    const trying = (async () => {
      try {
        const value = await attempt();
        if (isGood(value)) this.#good.set(name, { begin, value });
        return value;
      } finally {
        this.#running.delete(name);
      }
    })();
    this.#running.set(name, trying);
    return trying;
  }
}
