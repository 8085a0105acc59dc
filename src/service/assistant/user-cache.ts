import type { CachedUser } from './assistant.ts';
import type { AssistantStore } from './assistant-store.ts';

/** A cache of the store's users, which nobody else writes, because pages ask for the selected user again and again. */
export class UserCache {
  readonly #store: Pick<AssistantStore, 'users'>;
  #users: Promise<readonly CachedUser[]> | undefined;

  constructor(store: Pick<AssistantStore, 'users'>) {
    this.#store = store;
  }

  /** In the order of addition. */
  async users(): Promise<readonly CachedUser[]> {
    const reading = this.#users ?? this.#store.users();
    this.#users = reading;
    try {
      return await reading;
    } catch (error) {
      if (this.#users === reading) this.#users = undefined;
      throw error;
    }
  }

  async selected(): Promise<CachedUser | undefined> {
    return (await this.users()).find(({ selected }) => selected);
  }

  /** To be called after every write. */
  forget(): void {
    this.#users = undefined;
  }
}
