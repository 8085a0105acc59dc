import { performance } from 'node:perf_hooks';

/** Milliseconds for which a good outcome counts. */
const LIFETIME = 1000;

interface Success {
  /** Start of the trial write: only its outcome is known, and a later write may fail. */
  readonly begin: number;
  readonly value: unknown;
}

/**
 * Shares the trial writes of the health check to disks and keychains. A trial takes several flushes, so simultaneous
 * requests share one, and a success counts for a second. A failure is reported only to the requests that waited for
 * that trial.
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
   * The outcome of a successful trial of this name that began within the last second, or of a new trial. Rejects with
   * the error of a new trial. All trials of a name have the same type of outcome.
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
