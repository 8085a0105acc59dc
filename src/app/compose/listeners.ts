import type { UiEvent } from '../../ui-contract/ui-contract.ts';
import type { EventListeners } from './open-consent.ts';

/** The listeners of events. */
export class Listeners implements EventListeners {
  readonly #all = new Set<(event: UiEvent) => void>();

  get anyone(): boolean {
    return this.#all.size > 0;
  }

  add(listener: (event: UiEvent) => void): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  tell(event: UiEvent): void {
    for (const listener of this.#all) listener(event);
  }
}
