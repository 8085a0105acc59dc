type Task = () => Promise<void>;

/** Lanes inside lanes; the innermost hold tasks. */
class Lane {
  /** In the order of their turns. */
  readonly lanes = new Map<string, Lane>();
  readonly tasks: Task[] = [];
  readonly name: string;
  /** Tasks that wait or run, here and in the lanes inside. */
  held = 0;
  running = 0;

  constructor(name: string) {
    this.name = name;
  }
}

/** From the outermost lane to the one that holds a task. */
interface Turn {
  readonly path: readonly Lane[];
  readonly task: Task;
}

/**
 * Runs tasks of many lanes, which lie inside each other: documents of a transaction, transactions of a token, tokens of
 * an application. At each level lanes take turns, so that a batch of a thousand documents keeps no single one waiting,
 * and a thousand transactions of one application keep none of another's; and each level has a bound of its own, so that
 * something is always left for others.
 */
export class FairQueue {
  readonly #overall: number;
  readonly #perLane: readonly number[];
  readonly #root = new Lane('');

  /** `perLane` bounds what runs in one lane, by its level from outside; levels beyond are bound by those around them. */
  constructor(bounds: { readonly overall: number; readonly perLane: readonly number[] }) {
    this.#overall = bounds.overall;
    this.#perLane = bounds.perLane;
  }

  /** Settles as `task` does. `names` are those of its lanes, from outside. */
  run<Value>(names: readonly string[], task: () => Promise<Value>): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      const path = this.#pathTo(names);
      for (const lane of path) lane.held++;
      path.at(-1)?.tasks.push(() => task().then(resolve, reject));
      this.#startWhatMay();
    });
  }

  /** Tasks that wait or run in the lane of this name, or in all. */
  held(name?: string): number {
    return name === undefined ? this.#root.held : (this.#root.lanes.get(name)?.held ?? 0);
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

  /** The lane that has its turn goes to the end, at each level. */
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

  /** With the outermost lane that is empty go those inside. */
  #removeEmpty(path: readonly Lane[]): void {
    const level = path.findIndex((lane, at) => at > 0 && lane.held === 0);
    const empty = path[level];
    if (empty !== undefined) path[level - 1]?.lanes.delete(empty.name);
  }
}
