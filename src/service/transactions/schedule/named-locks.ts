/** Runs actions of the same name in order; actions of different names do not wait for each other. */
export class NamedLocks {
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
