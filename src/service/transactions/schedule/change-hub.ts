/** Announces changes of transactions, and lets callers wait for the next change. */
export class ChangeHub {
  readonly #listeners = new Set<(tcn: string) => void>();

  /** Returns the way to stop listening. */
  listen(listener: (tcn: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  announce(tcn: string): void {
    for (const listener of [...this.#listeners]) listener(tcn);
  }

  /** Starts to watch at once; `changed` resolves at the next change, when the time is over or the caller has gone. */
  watch(tcn: string, milliseconds: number, signal?: AbortSignal): { changed: Promise<void>; stop: () => void } {
    let stop: () => void = () => undefined;
    const changed = new Promise<void>((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        stopListening();
        signal?.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, milliseconds);
      const stopListening = this.listen((changedTcn) => {
        if (changedTcn === tcn) finish();
      });
      signal?.addEventListener('abort', finish);
      if (signal?.aborted === true) finish();
      stop = finish;
    });
    return { changed, stop };
  }
}
