import type { CallError, TestServicesView } from '../../../../src/ui-contract/ui-contract.ts';
import type { Bridge } from '../../bridge/bridge.ts';

/** Whether the test services run for this window, and the reason for a failure. */
export interface TestServicesState {
  readonly wanted: boolean;
  readonly view: TestServicesView | null;
  readonly error: CallError | null;
}

/** Milliseconds between two calls: without a call the core stops the services within half a minute. */
const pace = 10_000;

/** Keeps the test services of the core running while this window is open, on any page. */
export class TestServicesKeeper {
  readonly #bridge: Bridge;
  readonly #listeners = new Set<() => void>();
  #state: TestServicesState = { wanted: false, view: null, error: null };
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  /** The present state; the same object until its next change. */
  readonly state = (): TestServicesState => this.#state;

  /** Calls `listener` at each change until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Resolves when the services run, or after a failure. */
  async start(): Promise<void> {
    this.#set({ wanted: true, view: null, error: null });
    clearInterval(this.#timer);
    this.#timer = setInterval(() => void this.#prolong(), pace);
    await this.#prolong();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#set({ wanted: false, view: null, error: null });
    const result = await this.#bridge.call('testServices.stop', {});
    if (!result.ok) this.#set({ ...this.#state, error: result.error });
  }

  async #prolong(): Promise<void> {
    const result = await this.#bridge.call('testServices.run', {});
    if (!this.#state.wanted) return;
    if (result.ok) {
      if (this.#state.view?.origin !== result.value.origin)
        this.#set({ wanted: true, view: result.value, error: null });
      return;
    }
    clearInterval(this.#timer);
    this.#set({ wanted: false, view: null, error: result.error });
  }

  #set(state: TestServicesState): void {
    this.#state = state;
    for (const listener of [...this.#listeners]) listener();
  }
}

const keepers = new WeakMap<Bridge, TestServicesKeeper>();

/** The keeper of a window, made on first use. */
export function keeperOf(bridge: Bridge): TestServicesKeeper {
  const known = keepers.get(bridge);
  if (known !== undefined) return known;
  const made = new TestServicesKeeper(bridge);
  keepers.set(bridge, made);
  return made;
}
