/** Milliseconds between two tellings: twenty a second look like more than anyone can follow. */
const pace = 50;

/** Tells of changes at once when it has been quiet, and of many in quick succession together. */
export class PacedListeners {
  readonly #listeners = new Set<() => void>();
  #last = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  add(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(): void {
    if (this.#timer !== null) return;
    const wait = this.#last + pace - performance.now();
    if (wait <= 0) this.#tellNow();
    else this.#timer = setTimeout(() => this.#tellNow(), wait);
  }

  #tellNow(): void {
    this.#timer = null;
    this.#last = performance.now();
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Reads something again whenever it changed, one reading at a time, at most a few a second. */
export class PacedReader {
  readonly #read: (key: string) => Promise<void>;
  readonly #asked = new Map<string, boolean>();

  constructor(read: (key: string) => Promise<void>) {
    this.#read = read;
  }

  async ask(key: string): Promise<void> {
    if (this.#asked.has(key)) {
      this.#asked.set(key, true);
      return;
    }
    do {
      this.#asked.set(key, false);
      await this.#read(key);
      if (this.#asked.get(key) === true) await new Promise((resolve) => setTimeout(resolve, 4 * pace));
    } while (this.#asked.get(key) === true);
    this.#asked.delete(key);
  }
}
