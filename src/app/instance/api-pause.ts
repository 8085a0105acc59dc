/** Whether the interface answers programs and sites. The owner pauses and resumes it; a restart resumes it too. */
export class ApiPause {
  #paused = false;
  readonly #listeners = new Set<() => void>();

  get paused(): boolean {
    return this.#paused;
  }

  set(paused: boolean): void {
    if (paused === this.#paused) return;
    this.#paused = paused;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Calls `listener` after each change; returns the function that stops listening. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
