type Task = () => Promise<void>;

/** Lanes inside lanes; the innermost hold tasks. */
class Lane {
  /** In the order of their turns. */
  readonly lanes = new Map<string, Lane>();
  readonly tasks: Task[] = [];
  readonly name: string;
  /** Waiting and running tasks, here and in the inner queues. */
  held = 0;
  running = 0;

  constructor(name: string) {
    this.name = name;
  }
}

/** From the outermost queue to the queue with a task. */
interface Turn {
  readonly path: readonly Lane[];
  readonly task: Task;
}

/**
 * Runs tasks of many nested queues: documents of a transaction, transactions of a token, tokens of an application. At
 * each level queues take turns, so that a batch of a thousand documents delays no other batch, and a thousand
 * transactions of an application delay no other application. Each level has its own limit, so that capacity is always
 * left for others.
 */
export class FairQueue {
  readonly #overall: number;
  readonly #perLane: readonly number[];
  readonly #root = new Lane('');

  /**
   * `perLane` limits the running tasks of a queue, by its level from outside; deeper levels have the limits of the
   * queues around.
   */
  constructor(bounds: { readonly overall: number; readonly perLane: readonly number[] }) {
    this.#overall = bounds.overall;
    this.#perLane = bounds.perLane;
  }

  /** Settles like `task`. `names` are the names of its queues, from outside. */
  run<Value>(names: readonly string[], task: () => Promise<Value>): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      const path = this.#pathTo(names);
      for (const lane of path) lane.held++;
      path.at(-1)?.tasks.push(() => task().then(resolve, reject));
      this.#startWhatMay();
    });
  }

  /** Number of waiting and running tasks in the queue of this name, or in all queues. */
  held(name?: string): number {
    return name === undefined ? this.#root.held : (this.#root.lanes.get(name)?.held ?? 0);
  }

  /** Number of queues in memory, at all levels: each has a waiting or a running task. */
  get size(): number {
    return countInside(this.#root);
  }

  #pathTo(names: readonly string[]): readonly Lane[] {
    const path = [this.#root];
    let lane = this.#root;
    for (const name of names) {
      const inner = lane.lanes.get(name) ?? new Lane(name);
      lane.lanes.set(name, inner);
      path.push(inner);
      lane = inner;
    }
    return path;
  }

  #startWhatMay(): void {
    while (this.#root.running < this.#overall) {
      const turn = this.#nextTurn(this.#root, 0);
      if (turn === undefined) return;
      this.#start(turn);
    }
  }

  /** At each level the served queue goes to the end. */
  #nextTurn(lane: Lane, level: number): Turn | undefined {
    const task = lane.tasks.shift();
    if (task !== undefined) return { path: [lane], task };
    for (const [name, inner] of lane.lanes) {
      if (inner.held === inner.running || inner.running >= (this.#perLane[level] ?? Infinity)) continue;
      const turn = this.#nextTurn(inner, level + 1);
      if (turn === undefined) continue;
      lane.lanes.delete(name);
      lane.lanes.set(name, inner);
      return { path: [lane, ...turn.path], task: turn.task };
    }
    return undefined;
  }

  #start({ path, task }: Turn): void {
    for (const lane of path) lane.running++;
    void task().finally(() => {
      for (const lane of path) {
        lane.running--;
        lane.held--;
      }
      this.#removeEmpty(path);
      this.#startWhatMay();
    });
  }

  /** Removing the outermost empty queue also removes the queues inside. */
  #removeEmpty(path: readonly Lane[]): void {
    const level = path.findIndex((lane, at) => at > 0 && lane.held === 0);
    const empty = path[level];
    if (empty !== undefined) path[level - 1]?.lanes.delete(empty.name);
  }
}

function countInside({ lanes }: Lane): number {
  return [...lanes.values()].reduce((count, lane) => count + 1 + countInside(lane), 0);
}
