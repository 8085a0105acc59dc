/** Milliseconds between two notifications: nobody can follow more than twenty a second. */
const pace = 50;

/** Events and drawing may use a fourth of the page's time, so that a slow computer stays usable. */
const share = 4;

/** Reports changes at once after a quiet time, and joins changes in quick succession. */
export class PacedListeners {
  readonly #listeners = new Set<() => void>();
  #next = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  add(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(): void {
    if (this.#timer !== null) return;
    const wait = this.#next - performance.now();
    if (wait <= 0) this.#tellNow();
    else this.#timer = setTimeout(() => this.#tellNow(), wait);
  }

  #tellNow(): void {
    this.#timer = null;
    const start = performance.now();
    this.#next = start + pace;
    for (const listener of [...this.#listeners]) listener();
    // Runs after the changes are drawn.
    setTimeout(() => {
      const now = performance.now();
      this.#next = Math.max(this.#next, now + (share - 1) * (now - start));
    });
  }
}

/** Reads a value again after each change: one read at a time, at most a few per second. */
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
