interface PacedTask {
  readonly start: () => void;
  readonly signal: AbortSignal | undefined;
  readonly leave: () => void;
}

/** Most tasks that start in a turn of the event loop. */
const MOST_A_TURN = 32;
/** Part of the time that paced tasks may take beside other work. */
const SHARE = 1 / 4;
/** Most milliseconds of tasks that a pause saves up, and most that a long task owes to other work. */
const MOST_SAVED = 2;
const MOST_OWED = 4;
/** Milliseconds of a turn without other work: a turn that accepts a connection takes longer. */
const IDLE = 0.03;

/**
 * Starts tasks that may wait a little, in order, in a small share of the time: however many tasks wait, other work has
 * its turns of the event loop in between. Node accepts one connection in a turn, so that a task in each turn would keep
 * the callers of other work waiting. A turn without other work starts a task whatever the share.
 */
export class TurnPacer {
  readonly #waiting: PacedTask[] = [];
  readonly #now: () => number;
  #isPacing = false;
  /** Milliseconds that tasks may take; below zero, what they took too much. */
  #credit = 0;
  /** The end of the last turn of tasks. */
  #before = -Infinity;

  /** `now` answers milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Runs a task in its turn. Rejects with the signal's reason when the caller has gone by then. */
  async run<Value>(task: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    return new Promise((resolve, reject) => {
      const start = (): void => void task().then(resolve, reject);
      this.#waiting.push({ start, signal, leave: () => reject(signal?.reason as Error) });
      if (this.#isPacing) return;
      this.#isPacing = true;
      this.#save();
      this.#credit = Math.min(this.#credit, MOST_SAVED);
      this.#pace();
    });
  }

  /** Adds the share of the time since the last turn of tasks; answers whether that time had no other work. */
  #save(): boolean {
    const now = this.#now();
    const passed = now - this.#before;
    this.#credit += passed * SHARE;
    this.#before = now;
    return passed < IDLE;
  }

  /** Plans the tasks of the next turn. */
  #pace(): void {
    // Promises settle between the callbacks of a turn, so that each callback sees the time that the task before took.
    for (let place = 1; place <= MOST_A_TURN; place += 1) {
      setImmediate(() => {
        const isIdle = place === 1 && this.#save();
        const now = this.#now();
        this.#credit = Math.max(this.#credit - (now - this.#before), -MOST_OWED);
        this.#before = now;
        if (isIdle || this.#credit > 0) this.#startNext();
        if (place < MOST_A_TURN) return;
        this.#isPacing = this.#waiting.length > 0;
        if (this.#isPacing) this.#pace();
      });
    }
  }

  #startNext(): void {
    let next = this.#waiting.shift();
    // Callers that have gone cost no turn.
    for (; next?.signal?.aborted === true; next = this.#waiting.shift()) next.leave();
    next?.start();
  }
}
