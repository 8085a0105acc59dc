import { setTimeout as pause } from 'node:timers/promises';
import type { TransactionMemory, TransactionStores } from '../dependencies.ts';
import { scrubResult } from '../answers/result.ts';

/** Results read from the database at once. */
const PAGE = 50;
/** Milliseconds between two pages, in addition to the time of their bytes at the configured rate. */
const BREATH = 50;

/**
 * Reads every stored result again in the background, so that damage is found before a person needs the result.
 * Deliberately slow, because signatures and downloads come first.
 */
export class Scrub {
  readonly #context: TransactionStores & TransactionMemory;
  readonly #end = new AbortController();

  constructor(context: TransactionStores & TransactionMemory) {
    this.#context = context;
  }

  /** Begins the first round after a pause, and repeats it. */
  start(): void {
    const { log, limits } = this.#context;
    const { signal } = this.#end;
    const repeat = async (): Promise<void> => {
      await pause(limits.scrubDelay, undefined, { signal, ref: false });
      while (!signal.aborted) {
        await this.round().catch((error: unknown) => log.error({ error }, 'stored results could not be checked'));
        await pause(limits.scrubInterval, undefined, { signal, ref: false });
      }
    };
    // Rejects only when the instance ends.
    repeat().catch(() => undefined);
  }

  /** Checks each stored result once. */
  async round(): Promise<void> {
    const { transactions, limits } = this.#context;
    for (let after = ''; !this.#hasEnded();) {
      const page = await transactions.keptResults(after, PAGE);
      for (const document of page) {
        if (this.#hasEnded()) return;
        await scrubResult(this.#context, document);
        await this.#wait(((document.result?.size ?? 0) / limits.scrubRate) * 1000);
      }
      const last = page.at(-1);
      if (last === undefined) return;
      after = last.key;
      await this.#wait(BREATH);
    }
  }

  close(): void {
    this.#end.abort();
  }

  #hasEnded(): boolean {
    return this.#end.signal.aborted;
  }

  async #wait(milliseconds: number): Promise<void> {
    if (milliseconds < 1) return;
    await pause(milliseconds, undefined, { signal: this.#end.signal, ref: false }).catch(() => undefined);
  }
}
