import type { Locks, NodeSignals, RunOutcome } from '../nodes.ts';

/** `isElsewhere`: another node has changed the transaction. */
export type ChangeListener = (tcn: string, isElsewhere: boolean) => void;

/** Announces changes of transactions, and lets callers wait for the next change. */
export class ChangeHub {
  readonly #listeners = new Set<ChangeListener>();
  readonly #missedListeners = new Set<() => void>();
  /** Called for each change on this node. */
  #tellNodes: (tcn: string) => void = () => undefined;
  /** By TCN, so that a change costs only the callers that wait for it. */
  readonly #waits = new Map<string, Set<() => void>>();
  #hasEnded = false;

  /** Returns the function that stops listening. */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls `listener` when changes of other nodes may have been missed. Returns the function that stops listening. */
  onMissed(listener: () => void): () => void {
    this.#missedListeners.add(listener);
    return () => this.#missedListeners.delete(listener);
  }

  announce(tcn: string): void {
    this.#tell(tcn, false);
    this.#tellNodes(tcn);
  }

  /** Exchanges changes with the other nodes. */
  join(signals: NodeSignals): void {
    this.#tellNodes = (tcn) => signals.tell({ changed: [tcn] });
    signals.listen(({ changed = [], missed = false }) => {
      for (const tcn of changed) this.#tell(tcn, true);
      if (!missed) return;
      this.#finishAll();
      for (const listener of [...this.#missedListeners]) listener();
    });
  }

  #tell(tcn: string, isElsewhere: boolean): void {
    for (const listener of [...this.#listeners]) listener(tcn, isElsewhere);
    for (const finish of [...(this.#waits.get(tcn) ?? [])]) finish();
  }

  #finishAll(): void {
    for (const finish of [...this.#waits.values()].flatMap((waits) => [...waits])) finish();
  }

  /** True once the instance ends, so that waiting is pointless. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Resolves every wait, and later ones at once. */
  end(): void {
    this.#hasEnded = true;
    this.#finishAll();
  }

  /** Starts watching at once; `changed` resolves at the next change, at the time limit, or when the caller hangs up. */
  watch(tcn: string, milliseconds: number, signal?: AbortSignal): { changed: Promise<void>; stop: () => void } {
    const waits = this.#waits.get(tcn) ?? new Set();
    this.#waits.set(tcn, waits);
    let stop: () => void = () => undefined;
    const changed = new Promise<void>((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', finish);
        waits.delete(finish);
        if (waits.size === 0 && this.#waits.get(tcn) === waits) this.#waits.delete(tcn);
        resolve();
      };
      const timer = setTimeout(finish, milliseconds);
      signal?.addEventListener('abort', finish);
      waits.add(finish);
      if (signal?.aborted === true || this.#hasEnded) finish();
      stop = finish;
    });
    return { changed, stop };
  }
}

/** Runs actions of the same name in order; actions of different names do not wait for each other. */
export class NamedLocks implements Locks {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<Value>(name: string, action: () => Promise<Value>): Promise<Value> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const mine = before.then(action, action);
    this.#last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    }
  }
}

const LONGEST_PAUSE = 60_000;

/**
 * Runs a job for each transaction, never two at once for the same transaction. A job that is requested during its run
 * runs once more afterwards.
 */
export class JobRunner {
  readonly #job: (tcn: string) => Promise<RunOutcome>;
  readonly #firstPause: number;
  readonly #running = new Map<string, Promise<void>>();
  readonly #askedAgain = new Set<string>();
  readonly #pauses = new Map<string, { timer: NodeJS.Timeout; length: number }>();
  #closed = false;

  constructor(job: (tcn: string) => Promise<RunOutcome>, firstPause: number) {
    this.#job = job;
    this.#firstPause = firstPause;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** True for a transaction whose job runs, or waits to be tried again. */
  has(tcn: string): boolean {
    return this.#running.has(tcn) || this.#pauses.has(tcn);
  }

  /** Transactions whose job runs, or waits to be tried again. */
  get names(): readonly string[] {
    return [...new Set([...this.#running.keys(), ...this.#pauses.keys()])];
  }

  start(tcn: string): void {
    if (this.#closed) return;
    if (this.#running.has(tcn)) {
      this.#askedAgain.add(tcn);
      return;
    }
    clearTimeout(this.#pauses.get(tcn)?.timer);
    this.#running.set(tcn, this.#run(tcn));
  }

  /** Starts no further job and waits for running jobs. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { timer } of this.#pauses.values()) clearTimeout(timer);
    await Promise.all(this.#running.values());
  }

  async #run(tcn: string): Promise<void> {
    const outcome = await this.#job(tcn);
    this.#running.delete(tcn);
    if (outcome !== 'again') this.#pauses.delete(tcn);
    if (this.#closed) return;
    if (this.#askedAgain.delete(tcn)) this.start(tcn);
    else if (outcome !== 'done') this.#startAfterPause(tcn);
  }

  #startAfterPause(tcn: string): void {
    const length = Math.min((this.#pauses.get(tcn)?.length ?? this.#firstPause / 2) * 2, LONGEST_PAUSE);
    const timer = setTimeout(() => this.start(tcn), length);
    timer.unref();
    this.#pauses.set(tcn, { timer, length });
  }
}
