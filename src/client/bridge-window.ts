/**
 * The script of the bridge window (`GET /bridge`): takes the messages of the page that opened the window, forwards the
 * requests of this client to Sinete, and answers. It keeps nothing, and ends with the page, or after ten minutes
 * without a request.
 */
import {
  BRIDGE_VERSION,
  bridgeHeaders,
  bridgePaths,
  isBridgeMessage,
  type BridgeAnswer,
  type BridgeClosing,
  type BridgeEnd,
  type BridgeHello,
  type BridgeRequest,
} from './bridge-messages.ts';
import { sendTelling } from './direct-way.ts';
import { SineteError } from './sinete-error.ts';

/** Milliseconds without a request until the window ends. */
const IDLE = 600_000;
/** Milliseconds between two looks at the page that opened the window. */
const LOOK = 500;
/** Most requests at a time: this client sends one after the other, and pages of a broken site wait. */
const MOST = 20;

const metaOf = (name: string): string => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';

/** Serves one page until the end of either. */
class BridgeWindow {
  readonly #opener: Window;
  readonly #key = metaOf('bridge-key');
  readonly #running = new Map<number, AbortController>();
  /** The origin of the first message; no other origin is served. */
  #origin: string | undefined;
  #lastUsed = Date.now();
  #isOver = false;

  constructor(opener: Window) {
    this.#opener = opener;
  }

  start(): void {
    addEventListener('message', (message: MessageEvent<unknown>) => {
      this.#take(message);
    });
    addEventListener('pagehide', () => {
      this.#end();
    });
    setInterval(() => {
      const isIdle = this.#running.size === 0 && Date.now() - this.#lastUsed > IDLE;
      if (this.#opener.closed || isIdle) this.#finish();
    }, LOOK);
    const hello: BridgeHello = {
      sinete: BRIDGE_VERSION,
      hello: { version: metaOf('sinete-version'), instance: metaOf('sinete-instance') },
    };
    // The greeting says nothing that `/.well-known/sinete` does not say, and the origin of the page is not known yet.
    this.#opener.postMessage(hello, '*');
  }

  #take({ source, origin, data }: MessageEvent<unknown>): void {
    if (this.#isOver || source !== this.#opener || !isBridgeMessage(data)) return;
    // Pages without an origin of their own (sandboxed frames, files) cannot be told apart.
    if (origin === 'null' || origin === '') return;
    this.#origin ??= origin;
    if (origin !== this.#origin) return;
    showSite(origin);
    const { abort, end } = data as BridgeEnd;
    if (end === true) this.#finish();
    else if (typeof abort === 'number') this.#running.get(abort)?.abort();
    else void this.#serve(data as unknown as BridgeRequest);
  }

  async #serve(request: BridgeRequest): Promise<void> {
    const { id } = request;
    if (typeof id !== 'number' || this.#running.has(id)) return;
    if (!isForwarded(request) || this.#running.size >= MOST) {
      this.#post({ sinete: BRIDGE_VERSION, id, failure: 'refused' });
      return;
    }
    const ending = new AbortController();
    this.#running.set(id, ending);
    showState('busy');
    try {
      const answer = await this.#forward(request, ending.signal);
      this.#post({ sinete: BRIDGE_VERSION, id, answer });
    } catch (error) {
      const isCancelled = ending.signal.aborted || (error instanceof SineteError && error.code === 'CANCELLED');
      this.#post({ sinete: BRIDGE_VERSION, id, failure: isCancelled ? 'cancelled' : 'broken' });
    } finally {
      this.#running.delete(id);
      this.#lastUsed = Date.now();
      if (this.#running.size === 0 && !this.#isOver) showState('idle');
    }
  }

  async #forward(
    { id, method, path, headers, body }: BridgeRequest,
    signal: AbortSignal,
  ): Promise<NonNullable<BridgeAnswer['answer']>> {
    const sent = {
      ...Object.fromEntries(Object.entries(headers).filter(([name]) => bridgeHeaders.includes(name.toLowerCase()))),
      'X-Sinete-Bridge': this.#key,
      'X-Sinete-Bridge-Origin': this.#origin ?? '',
    };
    const form = body === undefined || typeof body === 'string' ? body : formOf(body);
    const answer =
      form instanceof FormData
        ? await sendTelling(path, { method, headers: sent, body: form, signal }, (bytes) => {
            this.#post({ sinete: BRIDGE_VERSION, id, sent: bytes });
          })
        : await fetch(path, {
            method,
            headers: sent,
            body: form ?? null,
            signal,
            cache: 'no-store',
            redirect: 'error',
          });
    return { status: answer.status, headers: [...answer.headers], body: await answer.blob() };
  }

  #post(message: BridgeAnswer | BridgeClosing): void {
    if (this.#origin !== undefined) this.#opener.postMessage(message, this.#origin);
  }

  /** Ends the work and closes the window. */
  #finish(): void {
    this.#end();
    showState('over');
    window.close();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const ending of this.#running.values()) ending.abort();
    this.#post({ sinete: BRIDGE_VERSION, closing: true });
    const headers = { 'X-Sinete-Bridge': this.#key, 'X-Sinete-Bridge-Origin': this.#origin ?? 'null' };
    void fetch('/bridge', { method: 'DELETE', headers, keepalive: true }).catch(() => undefined);
  }
}

/** True for a request that this client makes; anything else is not forwarded. */
function isForwarded({ method, path, headers, body }: BridgeRequest): boolean {
  const isKnown = bridgePaths.some(([one, form]) => one === method && typeof path === 'string' && form.test(path));
  const hasBody = body === undefined || typeof body === 'string' || Array.isArray(body);
  return isKnown && hasBody && headers instanceof Object;
}

function formOf(fields: readonly (readonly [string, string | File])[]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

function showState(state: 'cut' | 'idle' | 'busy' | 'over'): void {
  document.body.dataset['state'] = state;
}

function showSite(origin: string): void {
  const site = document.getElementById('site');
  if (site === null || site.textContent === origin) return;
  site.textContent = origin;
  const { protocol, hostname } = new URL(origin);
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$|\.localhost$/.test(hostname);
  if (protocol === 'http:' && !isLocal) document.body.dataset['plain'] = '';
  showState('idle');
}

const opener = window.opener as Window | null;
if (opener === null) showState('cut');
else new BridgeWindow(opener).start();
