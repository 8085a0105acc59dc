/** Readiness of the instance for work. Its owner, its shutdown and its database change the readiness. */
import type { Readiness } from '../../http/life.ts';
import type { Core } from '../compose/open-core.ts';

/** The pause of the interface for programs and sites. The owner begins and ends the pause; a restart ends it too. */
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

/** The two steps of shutting an instance down: first no new work, then no more event streams. */
export class Drain {
  readonly #listeners = new Set<() => void>();
  #state: 'before' | 'begun' | 'streams-ended' = 'before';

  get hasBegun(): boolean {
    return this.#state !== 'before';
  }

  /** From now on new work is refused. */
  begin(): void {
    if (this.#state === 'before') this.#state = 'begun';
  }

  /** Ends the event streams; their clients connect to another node, or try again. */
  endStreams(): void {
    this.#state = 'streams-ended';
    for (const listener of [...this.#listeners]) listener();
    this.#listeners.clear();
  }

  /**
   * Calls the listener when streams must end, or at once if they must have ended already. Returns the function that
   * stops listening.
   */
  onEnd(listener: () => void): () => void {
    if (this.#state === 'streams-ended') listener();
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** The readiness told to probes and requests: a shutdown comes first, then lost rows, then the owner's pause. */
export function readinessOf(
  { storage }: Pick<Core, 'storage'>,
  { pause, drain }: { readonly pause: ApiPause; readonly drain: Drain },
): () => Readiness {
  return () => {
    if (drain.hasBegun) return 'DRAINING';
    if (storage.mark.problem !== undefined) return 'READ_ONLY';
    return pause.paused ? 'PAUSED' : 'READY';
  };
}
