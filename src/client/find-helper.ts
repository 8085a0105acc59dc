/** Finds the helper on this computer, or the reason why it cannot be found. */
import {
  browserName,
  isLocalName,
  isLocalPage,
  isPage,
  readPermission,
  readPlace,
  type Permission,
} from './browser-facts.ts';
import { requestBasics } from './direct-way.ts';
import { SineteError } from './sinete-error.ts';

/**
 * Possible ports of the helper: the helper uses the first free port.
 *
 * @internal
 */
export const PORTS: readonly number[] = [17171, 27171, 37171, 47171, 57171];

/** Milliseconds for a port to answer after the browser permits the request. */
const PATIENCE = 2000;
/** Milliseconds in which the user may answer the browser's own question. */
const QUESTION = 120_000;
/** Milliseconds below which no person has answered a question. */
const AT_ONCE = 500;
/** A port without a service: IANA reserves the number 49151 (RFC 6335 §6). */
const DEAD_PORT = 49_151;

/** Options for finding the helper. */
export interface FindOptions {
  /** Default: the helper's ports. */
  readonly ports?: readonly number[];
  readonly signal?: AbortSignal;
  /**
   * `direct`: by requests of the page. `bridge`: through a window of Sinete, which has to be opened from a click.
   * `auto` (default): by requests, and where those cannot work (plain http, Safari, a frame without permission) through
   * the window, if the call comes from a click. Where the user's browser blocked the requests, the page offers a button
   * that calls `find({ way: 'bridge' })`: `offersBridge` of the error says so.
   */
  readonly way?: 'auto' | 'direct' | 'bridge';
  /** Address of the page's own help, with the sections of `sinete-help.html`. Default: that file, beside this module. */
  readonly help?: string;
}

/**
 * A helper with an answer.
 *
 * @internal
 */
export interface FoundHelper {
  /** `http://127.0.0.1:17171` */
  readonly address: string;
  readonly version: string;
  /** Random id of this run of the helper. */
  readonly instance: string;
}

/**
 * The error of a page whose requests can never reach the helper, without waiting: plain http, a frame without the
 * permission policy, Safari. Undefined for other pages.
 *
 * @internal
 */
export function whyNeverDirect(help?: string): SineteError | undefined {
  // Node and other runtimes without pages have no secure contexts, and do not restrict access to this computer.
  if (!isPage()) return undefined;
  if (!globalThis.isSecureContext) {
    const message = 'Serve this page over https: browsers keep others from the computer.';
    return new SineteError('INSECURE_PAGE', message, { help, offersBridge: true });
  }
  if (readPlace() === 'without') return frameError(help);
  return undefined;
}

/** @internal */
export const isSafari = (): boolean => browserName() === 'safari' && !isLocalPage();

/**
 * Asks each port for `/.well-known/sinete`. In a page, call it from a click: browsers then may ask their user whether
 * this page may reach programs on the computer.
 *
 * @internal
 */
export async function findHelper({ ports = PORTS, signal, help }: FindOptions = {}): Promise<FoundHelper> {
  const never = whyNeverDirect(help);
  if (never !== undefined) throw never;
  if (signal !== undefined) return new DirectSearch(signal, help).run(ports);
  const name = ports.join();
  if (running?.name === name) return running.found;
  const search = { name, found: new DirectSearch(undefined, help).run(ports) };
  running = search;
  try {
    return await search.found;
  } finally {
    if (running === search) running = undefined;
  }
}

/**
 * The running search without a signal. A second click joins this search: a second request would end the browser's
 * question about the first, and look like a port without an answer.
 */
let running: { readonly name: string; readonly found: Promise<FoundHelper> } | undefined;

/** A search by requests of the page. */
class DirectSearch {
  readonly #signal: AbortSignal | undefined;
  readonly #help: string | undefined;
  /** Milliseconds of probes of dead ports, which waited for no answer of the user. */
  readonly #unanswered: number[] = [];

  constructor(signal: AbortSignal | undefined, help: string | undefined) {
    this.#signal = signal;
    this.#help = help;
  }

  async run(ports: readonly number[]): Promise<FoundHelper> {
    let permission = await readPermission();
    if (permission === 'denied') throw this.#denied();
    for (const port of ports) {
      const began = performance.now();
      const found = await this.#probe(port, permission === 'prompt' ? QUESTION : PATIENCE);
      if (found !== undefined) return found;
      if (permission !== 'prompt') continue;
      permission = await this.#permissionAfter(performance.now() - began);
    }
    throw this.#explainSilence(permission);
  }

  /** Rejects with `CANCELLED`. */
  async #probe(port: number, patience: number): Promise<FoundHelper | undefined> {
    const found = await askAddress(`http://127.0.0.1:${port}`, patience, this.#signal);
    if (this.#signal?.aborted === true) throw new SineteError('CANCELLED', 'The page cancelled the search.');
    return found;
  }

  /**
   * The permission after a probe without an answer, which took `took` milliseconds. Rejects when the browser asked its
   * user, who refused or closed the question: the next port would bring a second question.
   */
  async #permissionAfter(took: number): Promise<Permission> {
    const permission = await readPermission();
    if (permission === 'denied') throw this.#denied();
    if (permission !== 'prompt') return permission;
    if (await this.#wasQuestion(took)) {
      const message = 'The question of the browser was closed, or left without an answer: ask again from a click.';
      throw this.#blocked('dismissed', message);
    }
    this.#unanswered.push(took);
    return permission;
  }

  /**
   * True if a probe waited for the user's answer to the browser's question. A probe of a dead port waits for nobody:
   * Firefox asks only where something listens, and Chromium shows its question after the probe has failed. Slow
   * computers and Windows need a while to find a port dead, so the time of a dead port is the measure.
   */
  async #wasQuestion(took: number): Promise<boolean> {
    if (took < AT_ONCE) return false;
    if (this.#unanswered.length === 0) {
      const began = performance.now();
      await this.#probe(DEAD_PORT, took);
      this.#unanswered.push(performance.now() - began);
    }
    const usual = Math.min(...this.#unanswered);
    return took > usual + Math.min(Math.max(2 * usual, AT_ONCE), 3 * AT_ONCE);
  }

  #explainSilence(permission: Permission): SineteError {
    const browser = browserName();
    const isKnown = permission === 'granted' || (permission === 'prompt' && browser !== 'brave');
    if (isKnown) {
      const message = 'Sinete does not run on this computer: install it, or start it.';
      return new SineteError('NOT_INSTALLED', message, { help: this.#help });
    }
    const known: Partial<Record<typeof browser, string>> = {
      safari: 'Safari blocks requests of pages to programs on the computer, and tells nobody: use the bridge window.',
      brave:
        'Sinete does not run on this computer, or Brave blocks this site without a question: the bridge window works.',
    };
    const message =
      known[browser] ??
      'Sinete does not run on this computer, or the browser keeps this site from it: this browser does not say which.';
    return new SineteError('UNREACHABLE', message, { help: this.#help, offersBridge: true });
  }

  #denied(): SineteError {
    // Firefox does not tell a frame whether its outer page or the user denies.
    if (readPlace() === 'unknown') return frameError(this.#help);
    return this.#blocked('denied', 'The browser was told to keep this site from programs on the computer.');
  }

  #blocked(reason: 'dismissed' | 'denied', message: string): SineteError {
    return new SineteError('BLOCKED_BY_BROWSER', message, { reason, help: this.#help, offersBridge: true });
  }
}

function frameError(help: string | undefined): SineteError {
  const message =
    'This frame may not reach programs on the computer. The outer page has to write <iframe allow="loopback-network" …>.';
  return new SineteError('FRAME_NOT_ALLOWED', message, { help, offersBridge: true });
}

async function askAddress(address: string, patience: number, signal?: AbortSignal): Promise<FoundHelper | undefined> {
  const ending = new AbortController();
  const end = (): void => {
    ending.abort();
  };
  const timer = setTimeout(end, patience);
  signal?.addEventListener('abort', end);
  if (signal?.aborted === true) end();
  try {
    const answer = await fetch(`${address}/.well-known/sinete`, { ...requestBasics, signal: ending.signal });
    const { name, version, instance } = (await answer.json()) as Partial<Record<string, unknown>>;
    if (name !== 'Sinete' || typeof version !== 'string' || typeof instance !== 'string') return undefined;
    return { address, version, instance };
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/**
 * The helper at an address. Rejects with `UNREACHABLE`, `CANCELLED`, and `INPUT_INVALID` for an address that is not safe.
 *
 * @internal
 */
export async function askHelper(address: string, signal?: AbortSignal): Promise<FoundHelper> {
  const { protocol, hostname, username, password } = new URL(address);
  if (username !== '' || password !== '') throw new SineteError('INPUT_INVALID', 'The address has no credentials.');
  if (protocol !== 'https:' && !isLocalName(hostname)) {
    throw new SineteError('INPUT_INVALID', 'Use https: documents are not sent to another computer without TLS.');
  }
  const base = address.replace(/\/+$/, '');
  const found = await askAddress(base, QUESTION, signal);
  if (signal?.aborted === true) throw new SineteError('CANCELLED', 'The caller cancelled the search.');
  if (found === undefined)
    throw new SineteError('UNREACHABLE', `Sinete does not answer at ${base}: check the address.`);
  return found;
}
