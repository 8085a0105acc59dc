import { randomBytes } from 'node:crypto';

/** The header with the key of a window's document. */
export const BRIDGE_KEY_HEADER = 'x-sinete-bridge';
/** The header with the origin of the page behind the window. */
export const BRIDGE_ORIGIN_HEADER = 'x-sinete-bridge-origin';

/** Milliseconds after the last request of a window until its key ends. */
const IDLE = 600_000;
/** Most keys at a time: pages can open windows, and a key costs memory. */
const MOST = 200;

/** A key in use. */
interface BridgeKey {
  /** The origin of the first request; undefined before the first request. */
  origin: string | undefined;
  lastUsed: number;
  /** Requests without their whole answer: an upload may take longer than `IDLE`. */
  running: number;
}

/**
 * The key's verdict on a request: `good` for its origin, `bound` to another origin, or `unknown`: never made, ended, or
 * without a request for ten minutes.
 */
export type BridgeKeyState = 'good' | 'bound' | 'unknown';

/**
 * The keys of the bridge windows: each answer of `GET /bridge` has a key of its own. In memory only: a key ends with
 * this run.
 */
export class BridgeKeys {
  readonly #now: () => Date;
  readonly #keys = new Map<string, BridgeKey>();

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** A fresh key of 256 bits, in base64url. */
  issue(): string {
    this.#forgetIdle();
    if (this.#keys.size >= MOST) this.#forgetOne();
    const key = randomBytes(32).toString('base64url');
    this.#keys.set(key, { origin: undefined, lastUsed: this.#now().getTime(), running: 0 });
    return key;
  }

  /** Judges a request of a window, and binds a fresh key to its origin. */
  use(key: string, origin: string): BridgeKeyState {
    this.#forgetIdle();
    const known = this.#keys.get(key);
    if (known === undefined) return 'unknown';
    known.origin ??= origin;
    if (known.origin !== origin) return 'bound';
    known.lastUsed = this.#now().getTime();
    return 'good';
  }

  /** Keeps a key while a request runs; answers the function that ends the request. */
  hold(key: string): () => void {
    const known = this.#keys.get(key);
    if (known === undefined) return () => undefined;
    known.running += 1;
    return () => {
      known.running -= 1;
      known.lastUsed = this.#now().getTime();
    };
  }

  /** Ends a key. An unknown key is no error. */
  end(key: string): void {
    this.#keys.delete(key);
  }

  get size(): number {
    return this.#keys.size;
  }

  #forgetIdle(): void {
    const since = this.#now().getTime() - IDLE;
    for (const [key, { lastUsed, running }] of this.#keys) {
      if (running === 0 && lastUsed <= since) this.#keys.delete(key);
    }
  }

  /** Unused windows go first, so that a page with many windows does not end the work of another site. */
  #forgetOne(): void {
    const all = [...this.#keys];
    const [oldest] = all.find(([, { origin }]) => origin === undefined) ?? all[0] ?? [];
    if (oldest !== undefined) this.#keys.delete(oldest);
  }
}
