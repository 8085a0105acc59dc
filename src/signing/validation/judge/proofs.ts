import type { ObjectKey } from '../facts.ts';

/** Since when things certainly existed (EN 319 102-1 §5.6.2.3): the earliest time of which there is proof. */
export class Proofs {
  readonly #earliest = new Map<ObjectKey, Date>();

  /** What is before everybody's eyes exists now; without more it is not known to be older. */
  existedAt(key: ObjectKey): Date | undefined {
    return this.#earliest.get(key);
  }

  add(key: ObjectKey, at: Date): void {
    const known = this.#earliest.get(key);
    if (known === undefined || at < known) this.#earliest.set(key, at);
  }
}

/** What all judging of one validation works with. */
export interface JudgeContext {
  /** The time of validation. */
  readonly at: Date;
  readonly proofs: Proofs;
}
