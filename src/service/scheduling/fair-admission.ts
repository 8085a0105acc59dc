import { ServiceError } from '../errors/index.ts';

/** Seconds until a refused caller may try again. */
const RETRY_AFTER = 5;

/** Limits of admitted and waiting requests. */
export interface AdmissionBounds {
  /** Largest sum of admitted weights; a heavier request is admitted alone. */
  readonly weight: number;
  /** The same for a single queue, so that the other queues always have a share. Default: `weight`. */
  readonly weightPerLane?: number;
  /** Most waiting requests of all queues. */
  readonly waiting: number;
  /** Most waiting requests of a queue, so that no queue takes the places of the others. */
  readonly waitingPerLane: number;
}

interface Waiting {
  readonly weight: number;
  readonly enter: () => void;
}

/**
 * Admits a bounded weight at a time, so that memory stays bounded. Queues (an application, a token, a site) take turns;
 * within a queue requests are served in order. A request without a place to wait is refused with `BUSY` and a time to
 * come back.
 */
export class FairAdmission {
  readonly #bounds: AdmissionBounds;
  /** In the order of their turns; none is empty. */
  readonly #lanes = new Map<string, Waiting[]>();
  /** Weights inside, by lane. */
  readonly #insideOf = new Map<string, number>();
  #inside = 0;
  #waiting = 0;

  constructor(bounds: AdmissionBounds) {
    this.#bounds = bounds;
  }

  /**
   * Resolves on admission with a function that ends the admission, which may be called more than once. Rejects with
   * `BUSY`, or with the reason of an aborted `signal`.
   */
  async enter(laneName: string, weight: number, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const lane = this.#lanes.get(laneName) ?? [];
    if (lane.length === 0 && this.#mayPass(laneName, weight)) return this.#letIn(laneName, weight);
    if (this.#waiting >= this.#bounds.waiting || lane.length >= this.#bounds.waitingPerLane) throw busy();
    this.#lanes.set(laneName, lane);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        lane.splice(lane.indexOf(one), 1);
        this.#waiting--;
        if (lane.length === 0) this.#lanes.delete(laneName);
        reject(signal?.reason as Error);
        this.#letInWhoMay();
      };
      const one: Waiting = {
        weight,
        enter: () => {
          signal?.removeEventListener('abort', leave);
          resolve(this.#letIn(laneName, weight));
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      lane.push(one);
      this.#waiting++;
    });
  }

  /** Runs an action inside. */
  async run<Value>(
    laneName: string,
    weight: number,
    action: () => Promise<Value>,
    signal?: AbortSignal,
  ): Promise<Value> {
    const leave = await this.enter(laneName, weight, signal);
    try {
      return await action();
    } finally {
      leave();
    }
  }

  /** Number of queues in memory: each has a waiting or an admitted request. */
  get size(): number {
    return new Set([...this.#lanes.keys(), ...this.#insideOf.keys()]).size;
  }

  #hasRoom(weight: number): boolean {
    return this.#inside === 0 || this.#inside + weight <= this.#bounds.weight;
  }

  #laneHasRoom(name: string, weight: number): boolean {
    const inside = this.#insideOf.get(name) ?? 0;
    return inside === 0 || inside + weight <= (this.#bounds.weightPerLane ?? this.#bounds.weight);
  }

  /** Strict order across queues; only a request blocked by its own queue's limit may be passed. */
  #mayPass(name: string, weight: number): boolean {
    const [turn] = this.#turns();
    return turn === undefined && this.#laneHasRoom(name, weight) && this.#hasRoom(weight);
  }

  /** Requests that may be admitted, in their order, as far as their own queues permit. */
  *#turns(): Generator<readonly [name: string, lane: Waiting[], next: Waiting]> {
    for (const [name, lane] of this.#lanes) {
      const [next] = lane;
      if (next !== undefined && this.#laneHasRoom(name, next.weight)) yield [name, lane, next];
    }
  }

  #letIn(name: string, weight: number): () => void {
    this.#count(name, weight);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.#count(name, -weight);
      this.#letInWhoMay();
    };
  }

  #count(name: string, weight: number): void {
    this.#inside += weight;
    const ofLane = (this.#insideOf.get(name) ?? 0) + weight;
    if (ofLane === 0) this.#insideOf.delete(name);
    else this.#insideOf.set(name, ofLane);
  }

  /** Smaller requests must not pass a large request at the head, because the large request would starve. */
  #letInWhoMay(): void {
    for (;;) {
      const [turn] = this.#turns();
      if (turn === undefined) return;
      const [name, lane, next] = turn;
      if (!this.#hasRoom(next.weight)) return;
      lane.shift();
      this.#waiting--;
      // The served queue goes to the end.
      this.#lanes.delete(name);
      if (lane.length > 0) this.#lanes.set(name, lane);
      next.enter();
    }
  }
}

function busy(): ServiceError {
  const detail = 'Too many requests are being served, and too many wait: try again in a moment.';
  return new ServiceError('BUSY', detail, { retryAfter: RETRY_AFTER });
}
