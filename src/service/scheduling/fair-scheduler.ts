import { performance } from 'node:perf_hooks';
import { ServiceError } from '../errors/index.ts';

/** Milliseconds for which a queue counts as active after its last task. */
const OF_LATE = 1000;
/** Seconds until a refused caller may try again. */
const RETRY_AFTER = 5;

/** Limits of running and waiting tasks. */
export interface SchedulerBounds {
  /** Largest sum of running weights; a heavier task runs alone. */
  readonly overall: number;
  /**
   * Largest sum of running weights of a queue, by its level from outermost to innermost, so that the other queues
   * always have a share. Deeper levels have the limits of the outer queues. Default: none.
   */
  readonly perQueue?: readonly number[];
  /**
   * The limit of an outermost queue while another one has tasks, or had one within the last second, so that a long
   * queue leaves the processor to short ones. Default: as `perQueue`.
   */
  readonly perQueueBesideOthers?: number;
  /** Maximum number of waiting tasks of all queues. Default: no limit. */
  readonly waiting?: number;
  /**
   * Maximum number of waiting tasks of an outermost queue, so that no queue takes the places of the others. Default: no
   * limit.
   */
  readonly waitingPerQueue?: number;
}

/** Options of a task. */
export interface TaskOptions {
  /** Share of the bounds. Default: 1. */
  readonly weight?: number;
  /** Ends the wait; a running task goes on. */
  readonly signal?: AbortSignal;
}

interface Entry {
  /** The queues from the outermost to the task's own. */
  readonly path: readonly TaskQueue[];
  readonly weight: number;
  isWaiting: boolean;
  /** Starts the task; its end calls `leave`. */
  readonly start: (leave: () => void) => void;
}

/** A queue that contains queues; the innermost contain tasks. */
class TaskQueue {
  readonly name: string;
  /** In the order in which they are served next. */
  readonly inner = new Map<string, TaskQueue>();
  readonly entries: Entry[] = [];
  /** Numbers of tasks, here and in the inner queues. */
  waiting = 0;
  running = 0;
  /** Sum of the running weights. */
  weight = 0;

  constructor(name: string) {
    this.name = name;
  }

  get held(): number {
    return this.waiting + this.running;
  }
}

/**
 * Runs tasks up to a total weight, so that memory and disks are never overloaded. Queues are nested: documents of a
 * transaction, transactions of a token, tokens of an application. At each level queues are served in turn. A batch of a
 * thousand documents delays no other batch, and a thousand transactions of an application delay no other application.
 * Within a queue tasks start in order.
 */
export class FairScheduler {
  readonly #bounds: SchedulerBounds;
  readonly #root = new TaskQueue('');
  readonly #activity: QueueActivity;

  /** @param clock monotonic milliseconds; default: Node's clock */
  constructor(bounds: SchedulerBounds, clock: () => number = () => performance.now()) {
    this.#bounds = bounds;
    this.#activity = new QueueActivity(clock);
  }

  /** Announces a task of this outermost queue, so that other queues keep to their lower limit. */
  expect(name: string): void {
    this.#activity.note(name);
  }

  /**
   * Resolves when the task may start, with a function that ends the task and may be called more than once. `names` are
   * the names of its queues, outermost first. Rejects with `BUSY` and a time for a retry if there is no place to wait,
   * or with the reason of an aborted `signal`.
   */
  enter(names: readonly string[], options: TaskOptions = {}): Promise<() => void> {
    return new Promise((resolve, reject) => {
      options.signal?.throwIfAborted();
      this.#add(names, options, resolve, reject);
    });
  }

  /** Runs a task on its turn and settles like it. Rejects as `enter` does. */
  run<Value>(names: readonly string[], task: () => Promise<Value>, options: TaskOptions = {}): Promise<Value> {
    return new Promise((resolve, reject) => {
      options.signal?.throwIfAborted();
      const start = (leave: () => void): void => void task().then(resolve, reject).finally(leave);
      this.#add(names, options, start, reject);
    });
  }

  /** Number of waiting and running tasks in the outermost queue of this name, or in all queues. */
  held(name?: string): number {
    return name === undefined ? this.#root.held : (this.#root.inner.get(name)?.held ?? 0);
  }

  /** Number of queues in memory, at all levels: each has a waiting or a running task. */
  get size(): number {
    return countInside(this.#root);
  }

  #add(
    names: readonly string[],
    { weight = 1, signal }: TaskOptions,
    start: (leave: () => void) => void,
    reject: (reason: unknown) => void,
  ): void {
    const giveUp = (): void => {
      this.#withdraw(entry);
      reject(signal?.reason);
      this.#startNext();
    };
    const entry: Entry = {
      path: this.#pathTo(names),
      weight,
      isWaiting: true,
      start: (leave) => {
        entry.isWaiting = false;
        signal?.removeEventListener('abort', giveUp);
        start(leave);
      },
    };
    this.#append(entry);
    this.#startNext();
    if (!entry.isWaiting) return;
    if (this.#isCrowded(entry)) {
      this.#withdraw(entry);
      reject(busy());
      return;
    }
    signal?.addEventListener('abort', giveUp, { once: true });
  }

  #pathTo(names: readonly string[]): readonly TaskQueue[] {
    const path = [this.#root];
    let queue = this.#root;
    for (const name of names) {
      const inner = queue.inner.get(name) ?? new TaskQueue(name);
      queue.inner.set(name, inner);
      path.push(inner);
      queue = inner;
    }
    return path;
  }

  /** A queue whose first task begins to wait is served last. */
  #append(entry: Entry): void {
    const { path } = entry;
    const [, outermost] = path;
    if (outermost !== undefined) this.#activity.note(outermost.name);
    for (const [level, queue] of path.entries()) {
      if (queue.waiting++ === 0) moveToEnd(path[level - 1], queue);
    }
    path.at(-1)?.entries.push(entry);
  }

  #withdraw(entry: Entry): void {
    const entries = entry.path.at(-1)?.entries ?? [];
    entries.splice(entries.indexOf(entry), 1);
    for (const queue of entry.path) queue.waiting--;
    removeEmpty(entry.path);
  }

  #isCrowded({ path: [root, outermost] }: Entry): boolean {
    const { waiting = Infinity, waitingPerQueue = Infinity } = this.#bounds;
    return (root?.waiting ?? 0) > waiting || (outermost?.waiting ?? 0) > waitingPerQueue;
  }

  /** A lighter task must not pass a heavy task that is next, because the heavy task would starve. */
  #startNext(): void {
    for (;;) {
      const next = this.#nextOf(this.#root, 0);
      if (next === undefined || !hasPlace(this.#root, next.weight, this.#bounds.overall)) return;
      this.#start(next);
    }
  }

  /** Serves queues in strict order at each level; only a task blocked by the limit of an outer queue may be passed. */
  #nextOf(queue: TaskQueue, level: number): Entry | undefined {
    const [first] = queue.entries;
    if (first !== undefined) return first;
    for (const inner of queue.inner.values()) {
      if (inner.waiting === 0) continue;
      const next = this.#nextOf(inner, level + 1);
      if (next !== undefined && hasPlace(inner, next.weight, this.#limitOf(inner, level))) return next;
    }
    return undefined;
  }

  #limitOf({ name, held }: TaskQueue, level: number): number | undefined {
    const { perQueue, perQueueBesideOthers } = this.#bounds;
    const limit = perQueue?.[level];
    if (level > 0 || perQueueBesideOthers === undefined) return limit;
    const isAlone = held === this.#root.held && !this.#activity.isBesideOthers(name);
    return isAlone ? limit : Math.min(perQueueBesideOthers, limit ?? Infinity);
  }

  /** The served queue goes to the end at each level. */
  #start({ path, weight, start }: Entry): void {
    path.at(-1)?.entries.shift();
    for (const [level, queue] of path.entries()) {
      queue.waiting--;
      queue.running++;
      queue.weight += weight;
      moveToEnd(path[level - 1], queue);
    }
    let isRunning = true;
    start(() => {
      if (!isRunning) return;
      isRunning = false;
      for (const queue of path) {
        queue.running--;
        queue.weight -= weight;
      }
      removeEmpty(path);
      this.#startNext();
    });
  }
}

/** Remembers which outermost queues recently had tasks. */
class QueueActivity {
  readonly #clock: () => number;
  /** The queue of the last task, with its time. */
  #last = { name: '', at: -Infinity };
  /** The last task of any other queue. */
  #otherAt = -Infinity;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  note(name: string): void {
    if (name !== this.#last.name) this.#otherAt = this.#last.at;
    this.#last = { name, at: this.#clock() };
  }

  /** True when another queue than `name` has had a task within the last second. */
  isBesideOthers(name: string): boolean {
    const at = name === this.#last.name ? this.#otherAt : this.#last.at;
    return this.#clock() - at < OF_LATE;
  }
}

function moveToEnd(parent: TaskQueue | undefined, queue: TaskQueue): void {
  if (parent === undefined) return;
  parent.inner.delete(queue.name);
  parent.inner.set(queue.name, queue);
}

function hasPlace(queue: TaskQueue, weight: number, limit = Infinity): boolean {
  return queue.weight === 0 || queue.weight + weight <= limit;
}

/** Removing the outermost empty queue also removes the queues inside it. */
function removeEmpty(path: readonly TaskQueue[]): void {
  const level = path.findIndex((queue, at) => at > 0 && queue.held === 0);
  const empty = path[level];
  if (empty !== undefined) path[level - 1]?.inner.delete(empty.name);
}

function countInside({ inner }: TaskQueue): number {
  return [...inner.values()].reduce((count, queue) => count + 1 + countInside(queue), 0);
}

function busy(): ServiceError {
  const detail = 'Too many requests are being served, and too many wait: try again in a moment.';
  return new ServiceError('BUSY', detail, { retryAfter: RETRY_AFTER });
}
