/** Milliseconds between two tellings: twenty a second look like more than anyone can follow. */
const pace = 50;

/** Of the time of the page, what telling and drawing may take: on a slow computer the rest is for its user. */
const share = 4;

/** Tells of changes at once when it has been quiet, and of many in quick succession together. */
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
    // What was told is drawn before this comes.
    setTimeout(() => {
      const now = performance.now();
      this.#next = Math.max(this.#next, now + (share - 1) * (now - start));
    });
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
