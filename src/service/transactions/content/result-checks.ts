import type { DamagedResult } from '../transaction.ts';

/** Outcomes of checks since the start, by document key. */
export class ResultChecks {
  /** The state of each file that passed its check: size and time of change. */
  readonly #good = new Map<string, string>();
  readonly #damaged = new Map<string, DamagedResult>();

  isGood(key: string, state: string): boolean {
    return this.#good.get(key) === state;
  }

  noteGood(key: string, state: string): void {
    this.#good.set(key, state);
    this.#damaged.delete(key);
  }

  noteDamaged(key: string, damage: DamagedResult): void {
    this.#good.delete(key);
    this.#damaged.set(key, damage);
  }

  /** Called when a result has expired. */
  forget(key: string): void {
    this.#good.delete(key);
    this.#damaged.delete(key);
  }

  damaged(): readonly DamagedResult[] {
    return [...this.#damaged.values()];
  }
}
