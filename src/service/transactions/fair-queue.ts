interface Lane {
  readonly waiting: (() => Promise<void>)[];
  running: number;
}

/**
 * Runs tasks of many lanes with a bound for each lane and one for all. Lanes take turns, so that a batch of a thousand
 * documents does not keep a single one waiting.
 */
export class FairQueue {
  readonly #overall: number;
  readonly #perLane: number;
  /** In the order of their turns. */
  readonly #lanes = new Map<string, Lane>();
  #running = 0;

  constructor(bounds: { readonly overall: number; readonly perLane: number }) {
    this.#overall = bounds.overall;
    this.#perLane = bounds.perLane;
  }

  /** Settles as `task` does. */
  run<Value>(laneName: string, task: () => Promise<Value>): Promise<Value> {
    const lane = this.#lanes.get(laneName) ?? { waiting: [], running: 0 };
    this.#lanes.set(laneName, lane);
    return new Promise<Value>((resolve, reject) => {
      lane.waiting.push(() => task().then(resolve, reject));
      this.#startWhatMay();
    });
  }

  #startWhatMay(): void {
    while (this.#running < this.#overall) {
      const turn = this.#nextTurn();
      if (turn === undefined) return;
      this.#start(...turn);
    }
  }

  #nextTurn(): [name: string, lane: Lane, task: () => Promise<void>] | undefined {
    for (const [name, lane] of this.#lanes) {
      if (lane.running >= this.#perLane) continue;
      const task = lane.waiting.shift();
      if (task !== undefined) return [name, lane, task];
    }
    return undefined;
  }

  #start(name: string, lane: Lane, task: () => Promise<void>): void {
    // The lane that had its turn goes to the end.
    this.#lanes.delete(name);
    this.#lanes.set(name, lane);
    lane.running++;
    this.#running++;
    void task().finally(() => {
      lane.running--;
      this.#running--;
      if (lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(name);
      this.#startWhatMay();
    });
  }
}
