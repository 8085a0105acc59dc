import { ServiceError } from '../errors.ts';

/** Seconds after which a refused caller may try again. */
const RETRY_AFTER = 5;

/** Runs so many actions at a time and refuses more with `BUSY`, so that memory stays bounded whatever is asked. */
export class AtMost {
  readonly #most: number;
  #running = 0;

  constructor(most: number) {
    this.#most = most;
  }

  async run<Value>(action: () => Promise<Value>): Promise<Value> {
    if (this.#running >= this.#most) {
      throw new ServiceError('BUSY', `At most ${this.#most} of these run at once: try again in a moment.`, {
        retryAfter: RETRY_AFTER,
      });
    }
    this.#running++;
    try {
      return await action();
    } finally {
      this.#running--;
    }
  }
}
