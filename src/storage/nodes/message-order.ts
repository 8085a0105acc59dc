/** Milliseconds by which the clocks of two nodes may differ, with the way of a message. */
const TOLERANCE = 60_000;

/**
 * Recognizes messages that are sent again. Every user of the database server may listen, so that a stranger could keep
 * a sealed message and send it later: a batch would go on although its owner has paused it. The messages of a node have
 * rising numbers, which are never below the node's clock in milliseconds.
 */
export class MessageOrder {
  readonly #now: () => number;
  #own = 0;
  readonly #last = new Map<string, number>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The number of the next message of this node. */
  next(): number {
    this.#own = Math.max(this.#own + 1, this.#now());
    return this.#own;
  }

  /** Notes a message; false for a message that is old, was received before, or was overtaken. */
  isNew(from: string, number: unknown): boolean {
    if (typeof number !== 'number' || !(Math.abs(number - this.#now()) <= TOLERANCE)) return false;
    if (number <= (this.#last.get(from) ?? 0)) return false;
    this.#last.delete(from);
    this.#last.set(from, number);
    this.#forgetOld();
    return true;
  }

  /** A message below the tolerance is refused anyhow, so that the map stays small. */
  #forgetOld(): void {
    for (const [from, number] of this.#last) {
      if (number >= this.#now() - TOLERANCE) return;
      this.#last.delete(from);
    }
  }
}
