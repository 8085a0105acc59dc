/** The two ways to the helper have one form; this file has the direct way, by requests of the page or the program. */
import { errorOfAnswer, errorOfFailure, SineteError } from './sinete-error.ts';

/**
 * A request to the helper.
 *
 * @internal
 */
export interface WayRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
  readonly signal?: AbortSignal;
  /** Told the bytes of the body that were sent so far. */
  readonly onSent?: (bytes: number) => void;
}

/**
 * A way to the helper. `send` answers any status, and rejects with `SineteError` when there is no answer.
 *
 * @internal
 */
export interface Way {
  send(path: string, request: WayRequest): Promise<Response>;
  /** Ends the way: the bridge window is closed. */
  close(): void;
}

/**
 * Common options of all requests: no cookies, no cache, and the declaration that the address is on this computer.
 * @internal
 */
export const requestBasics: RequestInit = {
  mode: 'cors',
  credentials: 'omit',
  cache: 'no-store',
  // Chromium's name for an address of the computer itself; unknown to the types, and to other browsers.
  ...({ targetAddressSpace: 'loopback' } as object),
};

/** @internal */
export class DirectWay implements Way {
  readonly #address: string;

  constructor(address: string) {
    this.#address = address;
  }

  async send(path: string, { onSent, ...request }: WayRequest): Promise<Response> {
    // `fetch` does not report how much was sent.
    if (onSent !== undefined && typeof XMLHttpRequest !== 'undefined') {
      return sendTelling(this.#address + path, request, onSent);
    }
    const { method = 'GET', headers, body, signal } = request;
    try {
      return await fetch(this.#address + path, {
        ...requestBasics,
        method,
        headers: { ...headers },
        body: body ?? null,
        signal: signal ?? null,
      });
    } catch (failure) {
      throw errorOfFailure(failure);
    }
  }

  close(): void {
    // A direct way holds nothing open.
  }
}

/**
 * Sends by XMLHttpRequest, and tells how much was sent.
 *
 * @internal
 */
export async function sendTelling(
  address: string,
  { method = 'POST', headers = {}, body, signal }: Omit<WayRequest, 'onSent'>,
  onSent: (bytes: number) => void,
): Promise<Response> {
  const request = new XMLHttpRequest();
  request.open(method, address);
  request.responseType = 'blob';
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded }) => {
    onSent(loaded);
  };
  const abort = (): void => {
    request.abort();
  };
  try {
    await new Promise<void>((resolve, reject) => {
      const cancel = (): void => {
        reject(new SineteError('CANCELLED', 'The page cancelled the request.'));
      };
      request.onload = () => {
        resolve();
      };
      request.onerror = () => {
        reject(new SineteError('UNREACHABLE', 'The upload broke off: Sinete was closed, or refused this site.'));
      };
      request.onabort = cancel;
      signal?.addEventListener('abort', abort);
      if (signal?.aborted === true) cancel();
      else request.send(body ?? null);
    });
  } finally {
    signal?.removeEventListener('abort', abort);
  }
  const status = request.status === 0 ? 500 : request.status;
  return new Response(status === 204 ? null : (request.response as Blob), {
    status,
    headers: readHeaders(request.getAllResponseHeaders()),
  });
}

function readHeaders(text: string): Headers {
  const headers = new Headers();
  for (const line of text.split('\r\n')) {
    const [name = '', ...value] = line.split(': ');
    if (name !== '') headers.append(name, value.join(': '));
  }
  return headers;
}

/**
 * Sends a request, and rejects with the error of an answer that is no success.
 *
 * @internal
 */
export async function sendOk(way: Way, path: string, request: WayRequest): Promise<Response> {
  const answer = await way.send(path, request);
  if (!answer.ok) throw await errorOfAnswer(answer);
  return answer;
}
