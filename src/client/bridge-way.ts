/** The way through a window of Sinete: a page opens the window, and speaks with the window by messages. */
import {
  BRIDGE_VERSION,
  isBridgeMessage,
  type BridgeAnswer,
  type BridgeHello,
  type BridgeRequest,
  type FormField,
} from './bridge-messages.ts';
import { isPage } from './browser-facts.ts';
import type { Way, WayRequest } from './direct-way.ts';
import { PORTS, type FindOptions, type FoundHelper } from './find-helper.ts';
import { SineteError } from './sinete-error.ts';

/** Milliseconds for the window to greet from a port. */
const GREETING = 3000;
/** Milliseconds between two looks whether the window is still open: browsers tell no event. */
const LOOK = 250;

/** A request without its answer. */
interface Pending {
  readonly resolve: (answer: Response) => void;
  readonly reject: (error: SineteError) => void;
  readonly onSent: ((bytes: number) => void) | undefined;
}

/**
 * Opens the window at once, because browsers open windows only during a click, and lets it try the ports in order.
 * Rejects with `BLOCKED_BY_BROWSER` (no window), `UNREACHABLE`, `BRIDGE_CLOSED`, `BRIDGE_CUT`, `CANCELLED`.
 *
 * @internal
 */
export async function openBridge({ ports = PORTS, signal, help }: FindOptions): Promise<[FoundHelper, BridgeWay]> {
  const [first = 0] = ports;
  const opened = isPage() ? window.open(`${addressOf(first)}/bridge`, '', 'popup,width=520,height=440') : null;
  if (opened === null) {
    const message = 'The browser opened no window: call find from a click, in a page that may open windows.';
    throw new SineteError('BLOCKED_BY_BROWSER', message, { reason: 'popup', help, offersBridge: true });
  }
  try {
    for (const port of ports) {
      if (port !== first) opened.location.href = `${addressOf(port)}/bridge`;
      const address = addressOf(port);
      const hello = await waitForHello(opened, address, signal, help);
      if (hello !== undefined) return [{ ...hello, address }, new BridgeWay(opened, address)];
    }
    const message = 'The window of Sinete did not open: Sinete does not run on this computer, or has another port.';
    throw new SineteError('UNREACHABLE', message, { help });
  } catch (error) {
    opened.close();
    throw error;
  }
}

const addressOf = (port: number): string => `http://127.0.0.1:${port}`;

/** Waits for the greeting of the window from an address; undefined after `GREETING`. */
async function waitForHello(
  opened: Window,
  address: string,
  signal: AbortSignal | undefined,
  help: string | undefined,
): Promise<BridgeHello['hello'] | undefined> {
  const listening = new AbortController();
  try {
    return await new Promise((resolve, reject) => {
      const cancel = (): void => {
        reject(new SineteError('CANCELLED', 'The page cancelled the search.'));
      };
      const options = { signal: listening.signal };
      const take = ({ source, origin, data }: MessageEvent<unknown>): void => {
        if (source !== opened || origin !== address || !isBridgeMessage(data) || !('hello' in data)) return;
        resolve(data.hello as BridgeHello['hello']);
      };
      globalThis.addEventListener('message', take, options);
      signal?.addEventListener('abort', cancel, options);
      if (signal?.aborted === true) cancel();
      const end = Date.now() + GREETING;
      const timer = setInterval(() => {
        if (opened.closed) reject(new SineteError('BRIDGE_CLOSED', 'The bridge window was closed.', { help }));
        else if (Date.now() > end) resolve(undefined);
      }, LOOK);
      listening.signal.addEventListener('abort', () => {
        clearInterval(timer);
      });
    });
  } catch (error) {
    throw error instanceof SineteError && error.code === 'BRIDGE_CLOSED' && (await isCutOff())
      ? new SineteError(
          'BRIDGE_CUT',
          'This page has Cross-Origin-Opener-Policy: same-origin, which cuts it off from the bridge window. Serve it with Cross-Origin-Opener-Policy: same-origin-allow-popups.',
          { help },
        )
      : error;
  } finally {
    listening.abort();
  }
}

/** True if the page's own policy cuts the page off from windows of other origins (HTML standard §7.1.3). */
async function isCutOff(): Promise<boolean> {
  if (globalThis.crossOriginIsolated) return true;
  try {
    const answer = await fetch(location.href, { method: 'HEAD', credentials: 'same-origin' });
    const [policy = ''] = (answer.headers.get('Cross-Origin-Opener-Policy') ?? '').split(';');
    return ['same-origin', 'noopener-allow-popups'].includes(policy.trim());
  } catch {
    return false;
  }
}

/** @internal */
export class BridgeWay implements Way {
  readonly #window: Window;
  readonly #address: string;
  readonly #pending = new Map<number, Pending>();
  readonly #timer: ReturnType<typeof setInterval>;
  #lastId = 0;
  #isOver = false;

  constructor(opened: Window, address: string) {
    this.#window = opened;
    this.#address = address;
    globalThis.addEventListener('message', this.#take);
    this.#timer = setInterval(() => {
      if (opened.closed) this.#end();
    }, LOOK);
  }

  async send(path: string, request: WayRequest): Promise<Response> {
    const { method = 'GET', headers = {}, body, signal, onSent } = request;
    if (this.#isOver || this.#window.closed) throw closed();
    const id = ++this.#lastId;
    const message: BridgeRequest = {
      sinete: BRIDGE_VERSION,
      id,
      method,
      path,
      headers,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : ([...body] as FormField[]) }),
    };
    const abort = (): void => {
      this.#post({ sinete: BRIDGE_VERSION, abort: id });
      this.#settle(id)?.reject(new SineteError('CANCELLED', 'The page cancelled the request.'));
    };
    try {
      return await new Promise<Response>((resolve, reject) => {
        this.#pending.set(id, { resolve, reject, onSent });
        signal?.addEventListener('abort', abort);
        if (signal?.aborted === true) abort();
        else this.#post(message);
      });
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  close(): void {
    if (this.#isOver) return;
    this.#post({ sinete: BRIDGE_VERSION, end: true });
    this.#end();
  }

  #post(message: object): void {
    this.#window.postMessage(message, this.#address);
  }

  readonly #take = ({ source, origin, data }: MessageEvent<unknown>): void => {
    if (source !== this.#window || origin !== this.#address || !isBridgeMessage(data)) return;
    if ('closing' in data || 'hello' in data) {
      // A second greeting comes from a window that was loaded again, and has forgotten its requests.
      this.#end();
      return;
    }
    const { id, sent, answer, failure } = data as unknown as BridgeAnswer;
    if (sent !== undefined) this.#pending.get(id)?.onSent?.(sent);
    if (answer !== undefined) this.#settle(id)?.resolve(readAnswer(answer));
    if (failure !== undefined) this.#settle(id)?.reject(errorOf(failure));
  };

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#timer);
    globalThis.removeEventListener('message', this.#take);
    for (const { reject } of this.#pending.values()) reject(closed());
    this.#pending.clear();
  }
}

const closed = (): SineteError => new SineteError('BRIDGE_CLOSED', 'The bridge window was closed: open it again.');

function readAnswer({ status, headers, body }: NonNullable<BridgeAnswer['answer']>): Response {
  const hasBody = status !== 204 && status !== 304;
  return new Response(hasBody ? body : null, { status, headers: Object.fromEntries(headers) });
}

function errorOf(failure: NonNullable<BridgeAnswer['failure']>): SineteError {
  switch (failure) {
    case 'refused':
      return new SineteError('INPUT_INVALID', 'The bridge window does not forward this request.');
    case 'broken':
      return new SineteError('UNREACHABLE', 'Sinete does not answer any more: it was closed.');
    case 'cancelled':
      return new SineteError('CANCELLED', 'The page cancelled the request.');
  }
}
