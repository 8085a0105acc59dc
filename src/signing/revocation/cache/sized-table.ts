/** A table with an upper bound on the total weight of its values; the least recently used value is removed first. */
export class SizedTable<Value> {
  readonly #values = new Map<string, { readonly value: Value; readonly weight: number }>();
  readonly #limit: number;
  #weight = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): Value | undefined {
    const found = this.#values.get(key);
    if (found === undefined) return undefined;
    // Map keeps the order of insertion: the most recently used stands last.
    this.#values.delete(key);
    this.#values.set(key, found);
    return found.value;
  }

  /** Keeps the value, unless it alone is heavier than the limit. */
  set(key: string, value: Value, weight: number): void {
    this.delete(key);
    if (weight > this.#limit) return;
    this.#values.set(key, { value, weight });
    this.#weight += weight;
    for (const [oldest] of this.#values) {
      if (this.#weight <= this.#limit) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#weight -= this.#values.get(key)?.weight ?? 0;
    this.#values.delete(key);
  }
}
