import { performance } from 'node:perf_hooks';
import { FairScheduler } from './fair-scheduler.ts';

/** Options of a paced task. */
export interface PaceOptions {
  /** Names of the task's queues, from outside; queues of the same queue take turns. Default: a queue for all others. */
  readonly queues?: readonly string[];
  /** Ends the wait; a started task goes on. */
  readonly signal?: AbortSignal;
}

/** The task whose turn it is. */
interface NextTask {
  readonly start: () => void;
  readonly leave: () => void;
}

/** Maximum number of tasks that start in a turn of the event loop. */
const MOST_A_TURN = 32;
/** Part of the time that paced tasks may take beside other work. */
const SHARE = 1 / 16;
/** Maximum milliseconds of tasks that a pause saves up, and that a long task owes to other work. */
const MOST_SAVED = 2;
const MOST_OWED = 4;
/** Milliseconds, and part of a pause, below which other work does not count: to accept a connection takes longer. */
const NEGLIGIBLE = 0.03;
const QUIET = 1 / 4;
/** Milliseconds of a pause beside other work, in which the event loop may sleep. */
const PAUSE = 1;

/** The event loop, as the pacer sees it. */
export interface LoopClock {
  /** Milliseconds that go on. */
  readonly now: () => number;
  /** Milliseconds for which the event loop has slept. */
  readonly slept: () => number;
  /** Calls back after a pause. */
  readonly pause: (callback: () => void) => void;
}

const ownLoop: LoopClock = {
  now: () => performance.now(),
  slept: () => performance.nodeTiming.idleTime,
  pause: (callback) => void setTimeout(callback, PAUSE),
};

/**
 * Starts tasks that may wait a little. Beside other work they have a small share of the time, and the event loop sleeps
 * in between: Node accepts one connection in a turn, so that tasks in every turn would keep the callers of other work
 * waiting. A turn without other work starts a task whatever the share. The queues of tasks take turns at each level: a
 * thousand tasks of a caller delay a task of another caller by one task.
 */
export class TurnPacer {
  /** Decides which task is next; this class decides when. */
  readonly #order = new FairScheduler({ overall: 1 });
  readonly #loop: LoopClock;
  #next: NextTask | undefined;
  #isPacing = false;
  /** Milliseconds that tasks may take; below zero, what they took too much. */
  #credit = 0;
  /** The end of the last turn of tasks, and how long the event loop had slept by then. */
  #before = -Infinity;
  #sleptBefore = 0;

  constructor(loop: LoopClock = ownLoop) {
    this.#loop = loop;
  }

  /** Runs a task in its turn. Rejects with the signal's reason when the caller has gone by then. */
  async run<Value>(task: () => Promise<Value>, { queues = [''], signal }: PaceOptions = {}): Promise<Value> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        if (signal?.aborted === true) reject(signal.reason as Error);
        else void task().then(resolve, reject);
      };
      const awaitTurn = async (): Promise<void> => new Promise((leave) => (this.#next = { start, leave }));
      this.#order.run(queues, awaitTurn, { signal }).catch(reject);
      if (this.#isPacing) return;
      this.#isPacing = true;
      this.#save();
      this.#credit = Math.min(this.#credit, MOST_SAVED);
      this.#pace(true);
    });
  }

  /** Adds the share of the time since the last turn of tasks; answers whether there was hardly any other work in it. */
  #save(): boolean {
    const [now, slept] = [this.#loop.now(), this.#loop.slept()];
    const passed = now - this.#before;
    const worked = passed - (slept - this.#sleptBefore);
    this.#credit += passed * SHARE;
    this.#before = now;
    this.#sleptBefore = slept;
    return worked < Math.max(NEGLIGIBLE, passed * QUIET);
  }

  /** Plans the next turn of tasks. */
  #pace(isQuiet: boolean): void {
    const turn = (): void => {
      const isQuietNow = this.#save();
      this.#startSome(isQuietNow, isQuietNow ? 1 : 0, MOST_A_TURN);
    };
    if (isQuiet) setImmediate(turn);
    else this.#loop.pause(turn);
  }

  /** Starts tasks while they have credit, but `least` in any case. */
  #startSome(isQuiet: boolean, least: number, most: number): void {
    const next = this.#next;
    if (next === undefined || most === 0 || (least <= 0 && this.#credit <= 0)) {
      this.#isPacing = this.#order.held() > 0;
      if (this.#isPacing) this.#pace(isQuiet);
      return;
    }
    this.#next = undefined;
    next.start();
    next.leave();
    afterPromises(() => {
      const now = this.#loop.now();
      this.#credit = Math.max(this.#credit - (now - this.#before), -MOST_OWED);
      this.#before = now;
      this.#startSome(isQuiet, least - 1, most - 1);
    });
  }
}

/** Calls back in this turn of the event loop, once all promises have settled that can settle in it. */
function afterPromises(callback: () => void): void {
  queueMicrotask(() => process.nextTick(callback));
}
