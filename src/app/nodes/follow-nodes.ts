import type { NodeSignals } from '../../service/transactions/index.ts';
import type { Log } from '../log/log.ts';

/** Milliseconds until a failed read is tried again. */
const AGAIN_AFTER = 1000;

/** A copy in memory of rows that every node may change. */
export interface CopyInMemory {
  /** Settings and groups of rows that the copy contains, by their names in `NodeMessage.stale`. */
  readonly of: readonly string[];
  read(): Promise<void>;
}

/** The parts of an instance that `followNodes` uses. */
interface FollowParts {
  /** Undefined for a single instance, whose copies are always up to date. */
  readonly storage: { readonly sharedWith: { readonly signals: NodeSignals } | undefined };
  readonly log: Pick<Log, 'service'>;
}

/**
 * Reads a copy in memory again after another node has changed its rows, or when messages may have been lost. One read
 * runs at a time; a change during the read causes another read. A failed read is repeated until it succeeds.
 */
export function followNodes({ storage, log }: FollowParts, copy: CopyInMemory): { close(): Promise<void> } {
  const follower = new Follower(copy, log);
  storage.sharedWith?.signals.listen(({ stale = [], missed = false }) => {
    if (missed || copy.of.some((name) => stale.includes(name))) follower.readAgain();
  });
  return follower;
}

class Follower {
  readonly #copy: CopyInMemory;
  readonly #log: Pick<Log, 'service'>;
  #isStale = false;
  #isClosed = false;
  #reading: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(copy: CopyInMemory, log: Pick<Log, 'service'>) {
    this.#copy = copy;
    this.#log = log;
  }

  readAgain(): void {
    if (this.#isClosed) return;
    this.#isStale = true;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#reading;
  }

  async #read(): Promise<void> {
    while (this.#isStale && !this.#isClosed) {
      this.#isStale = false;
      try {
        await this.#copy.read();
      } catch (error) {
        this.#log.service.warn({ error }, 'a change by another node could not be read; it is read again');
        clearTimeout(this.#retry);
        this.#retry = setTimeout(() => {
          this.readAgain();
        }, AGAIN_AFTER).unref();
        return;
      }
    }
  }
}
