import type { ObjectKey } from '../facts.ts';

/** Proven times of existence (EN 319 102-1 §5.6.2.3): the earliest proven time of each object. */
export class Proofs {
  readonly #earliest = new Map<ObjectKey, Date>();

  /** Every object at hand exists now; without a proof no earlier time is known. */
  existedAt(key: ObjectKey): Date | undefined {
    return this.#earliest.get(key);
  }

  add(key: ObjectKey, at: Date): void {
    const known = this.#earliest.get(key);
    if (known === undefined || at < known) this.#earliest.set(key, at);
  }
}

/** Shared state of one validation's judgement. */
export interface JudgeContext {
  /** The time of validation. */
  readonly at: Date;
  readonly proofs: Proofs;
}
