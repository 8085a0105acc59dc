import type { CallError, CallInput, CallName, CallOutput, CallResult } from '../../../src/ui-contract/ui-contract.ts';
import type { Bridge, BridgeEvent } from '../bridge/bridge.ts';

/** The cached state of a query. After a failure, `value` is the last good answer, if any. */
export interface QueryState<Value> {
  readonly value: Value | null;
  readonly error: CallError | null;
}

/** Calls without side effects, which may be repeated after any change. */
export type ReadingCall = Extract<
  CallName,
  | 'home.read'
  | 'transactions.read'
  | 'transactions.list'
  | 'certificates.list'
  | 'certificates.describe'
  | 'certificates.inspect'
  | 'tsa.list'
  | 'trust.list'
  | 'stamps.list'
  | 'stores.list'
  | 'settings.read'
  | 'notifications.list'
  | 'audit.list'
  | 'backup.read'
  | 'doctor.read'
  | 'doctor.visits'
  | 'archive.read'
  | 'renewals.list'
  | 'history.list'
  | 'history.documents'
  | 'history.presence'
  | 'history.summary'
  | 'tokens.list'
  | 'modules.list'
  | 'modules.suggest'
  | 'sites.list'
  | 'sites.files'
  | 'consent.questions'
  | 'assistant.users'
  | 'users.list'
  | 'users.paused'
  | 'applications.list'
  | 'authorizations.waiting'
>;

interface Entry {
  readonly name: ReadingCall;
  readonly ask: () => Promise<CallResult<unknown>>;
  readonly listeners: Set<() => void>;
  state: QueryState<unknown>;
  asking: boolean;
  /** True if something changed during the query, or while no page showed the answer. */
  stale: boolean;
}

/** Queries whose answers change without an event of the core, because other programs move or change a file. */
const changingOutside: ReadonlySet<ReadingCall> = new Set(['history.presence']);

/** Maximum number of cached answers; a page that filters a list has one query for each filter. */
const MOST_ENTRIES = 100;

const unanswered: QueryState<never> = { value: null, error: null };

/** Caches the last answer of each query of a page, and repeats queries after each change event of the core. */
export class QueryCache {
  readonly #bridge: Bridge;
  readonly #entries = new Map<string, Entry>();

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
    bridge.onEvent((event) => this.#onEvent(event));
  }

  /** The present state; the same object until its next change. */
  state<Name extends ReadingCall>(name: Name, input: CallInput<Name>): QueryState<CallOutput<Name>> {
    return (this.#entries.get(keyOf(name, input))?.state ?? unanswered) as QueryState<CallOutput<Name>>;
  }

  /**
   * Runs the query unless a fresh answer is cached, and calls `listener` at each change until the returned function is
   * called.
   */
  subscribe<Name extends ReadingCall>(name: Name, input: CallInput<Name>, listener: () => void): () => void {
    const entry = this.#entry(name, input);
    if (entry.listeners.size === 0 && changingOutside.has(name)) entry.stale = true;
    entry.listeners.add(listener);
    if (entry.stale) void this.#ask(entry);
    return () => entry.listeners.delete(listener);
  }

  /** Repeats the visible queries; hidden queries are repeated when they become visible. Without names, all queries. */
  refresh(...names: readonly ReadingCall[]): void {
    for (const entry of this.#entries.values()) {
      if (names.length > 0 && !names.includes(entry.name)) continue;
      entry.stale = true;
      if (entry.listeners.size > 0) void this.#ask(entry);
    }
  }

  #entry<Name extends ReadingCall>(name: Name, input: CallInput<Name>): Entry {
    const key = keyOf(name, input);
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const made: Entry = {
      name,
      ask: () => this.#bridge.call(name, input),
      listeners: new Set(),
      state: unanswered,
      asking: false,
      stale: true,
    };
    this.#entries.set(key, made);
    this.#forgetHidden();
    return made;
  }

  /** Removes the oldest answers that no page shows; the newest answer may not have a listener yet. */
  #forgetHidden(): void {
    for (const [key, { listeners }] of [...this.#entries].slice(0, -1)) {
      if (this.#entries.size <= MOST_ENTRIES) return;
      if (listeners.size === 0) this.#entries.delete(key);
    }
  }

  async #ask(entry: Entry): Promise<void> {
    if (entry.asking) return;
    entry.asking = true;
    while (entry.stale) {
      entry.stale = false;
      const result = await entry.ask();
      entry.state = result.ok
        ? { value: result.value, error: null }
        : { value: entry.state.value, error: result.error };
      for (const listener of [...entry.listeners]) listener();
    }
    entry.asking = false;
  }

  #onEvent(event: BridgeEvent): void {
    switch (event.name) {
      case 'ping':
        return;
      case 'transaction-changed':
        this.refresh(
          'home.read',
          'transactions.read',
          'transactions.list',
          'history.documents',
          'history.presence',
          'history.list',
          'history.summary',
        );
        this.refresh('notifications.list');
        return;
      case 'consent-changed':
        this.refresh('sites.list', 'sites.files', 'consent.questions');
        return;
      case 'users-changed':
        this.refresh('assistant.users', 'users.list', 'users.paused', 'applications.list');
        return;
      case 'authorizations-changed':
        this.refresh('authorizations.waiting');
        return;
      case 'renewals-changed':
        this.refresh('renewals.list');
        return;
      case 'keys-changed':
        this.refresh(
          'home.read',
          'doctor.read',
          'certificates.list',
          'certificates.describe',
          'certificates.inspect',
          'tokens.list',
          'modules.list',
          'modules.suggest',
        );
        return;
      case 'stream-restored':
        this.refresh();
    }
  }
}

function keyOf(name: CallName, input: unknown): string {
  return `${name} ${JSON.stringify(input)}`;
}
