/** The only access to the network: `HttpClient` of the signing core with undici and a guard. */
import type { LookupFunction } from 'node:net';
import { request as send } from 'undici';
import { parseAddress, matchesPattern, parseHostPattern, AddressGuard } from './host-pattern.ts';
import { knownAddress, targetOf, type FindProxy, Connections } from './connections.ts';
import { SigningError, type HttpClient, type HttpRequest, type HttpResponse } from '../signing/index.ts';
import { dropBody, readBody } from './read-body.ts';
import { dropUndefined } from '../values/drop-undefined.ts';

/**
 * The proxy for libraries with an HTTP client of their own: the configured proxy, else the answer of `findSystemProxy`;
 * none for this computer and for the hosts of `noProxy`. Throws `NETWORK_REFUSED` for an unreadable entry of `noProxy`.
 */
export function proxyFinder(
  { proxy, noProxy }: { readonly proxy: URL | undefined; readonly noProxy: readonly string[] },
  findSystemProxy?: FindProxy,
): FindProxy {
  const exceptions = noProxy.map(parseHostPattern);
  return async (url) => {
    const target = targetOf(url);
    const isHere = parseAddress(knownAddress(target.hostname) ?? '')?.range() === 'loopback';
    if (isHere || exceptions.some((entry) => matchesPattern(entry, target, undefined, true))) return undefined;
    return proxy ?? findSystemProxy?.(url);
  };
}

/** Options from the configuration. */
export interface HttpClientOptions {
  /** Permitted hosts in private networks: `name`, `name:port`, `10.1.2.3`, `10.0.0.0/8`, `[fd00::1]:port`. */
  readonly allow?: readonly string[];
  /** Also every service of this computer; for tests. `allow` with a port opens a single service only. */
  readonly allowLoopback?: boolean;
  /** Further addresses that lead to this computer, which are not contacted. */
  readonly ownAddresses?: () => readonly string[];
  /** Milliseconds for a connection, TLS included; by default 5,000. */
  readonly connectTimeout?: number;
  /** `http:` or `https:`; its user and password go to the proxy only. */
  readonly proxy?: URL;
  /** Answers the system's proxy for each address, used without `proxy`. */
  readonly findProxy?: FindProxy;
  /** Hosts reached without the proxy: as in `allow`, names below a name included, or `*`. */
  readonly noProxy?: readonly string[];
  /** PEM certificates of authorities for TLS, in addition to Node's. */
  readonly certificateAuthorities?: readonly string[];
  /** By default `Sinete`. */
  readonly userAgent?: string;
  /** Resolves names; by default the system does. */
  readonly lookup?: LookupFunction;
}

/** An `HttpClient` with a method to close its connections. */
export interface ClosableHttpClient extends HttpClient {
  /**
   * The reason why requests to this address are always refused, as far as known without a look-up: not a URL, another
   * protocol, or a forbidden address. Undefined when a request is possible.
   */
  refusalOf(url: string): SigningError | undefined;
  /** Ends all connections; exchanges under way fail. */
  close(): Promise<void>;
}

const DEFAULT_CONNECT_TIMEOUT = 5_000;
const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function parseUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null) throw new SigningError('NETWORK_REFUSED', 'The address is not a URL.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new SigningError('NETWORK_REFUSED', `Addresses that begin with ${url.protocol} are not contacted.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new SigningError('NETWORK_REFUSED', 'An address must not hold a user name or a password.');
  }
  return url;
}

const oneValue = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.[0];

function codeOf(error: unknown): string {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('code' in current && typeof current.code === 'string') return ` (${current.code})`;
    if (current instanceof AggregateError && current.errors.length > 0) return codeOf(current.errors[0]);
  }
  return '';
}

/** A request of an exchange with redirects. Credentials are dropped when a redirect leads to another origin. */
interface Hop {
  readonly url: URL;
  readonly request: Omit<HttpRequest, 'url'>;
}

/** The next request of a redirected GET. */
function nextHop({ url, request }: Hop, location: string): Hop {
  const next = parseUrl(location, url);
  if (next.origin === url.origin) return { url: next, request };
  const { accept, timeout, maxBytes } = request;
  return { url: next, request: { method: 'GET', timeout, maxBytes, accept } };
}

/** Ends an exchange at its time limit, or when its caller cancels. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #caller: AbortSignal | undefined;
  readonly #timeout: number;
  readonly #abort = (): void => this.#controller.abort();

  constructor(timeout: number, caller: AbortSignal | undefined) {
    this.#timeout = timeout;
    this.#caller = caller;
    this.#timer = setTimeout(this.#abort, timeout);
    caller?.addEventListener('abort', this.#abort);
    if (caller?.aborted === true) this.#abort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Converts `error`, the end of the exchange with this host, to a `SigningError`. */
  explain(error: unknown, host: string): SigningError {
    if (this.#caller?.aborted === true) return new SigningError('CANCELLED', 'The exchange was cancelled.');
    if (this.signal.aborted) {
      const message = `${host} did not answer completely within ${this.#timeout} ms.`;
      return new SigningError('NETWORK_UNREACHABLE', message, { cause: error });
    }
    if (error instanceof SigningError) return error;
    return new SigningError('NETWORK_UNREACHABLE', `${host} could not be reached${codeOf(error)}.`, { cause: error });
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#abort);
  }
}

/** The result of a hop: the answer, or the next address. */
type HopResult = { readonly response: HttpResponse } | { readonly location: string };

class UndiciHttpClient implements ClosableHttpClient {
  readonly #connections: Connections;
  readonly #userAgent: string;

  constructor(connections: Connections, userAgent: string) {
    this.#connections = connections;
    this.#userAgent = userAgent;
  }

  async send({ url, ...request }: HttpRequest): Promise<HttpResponse> {
    let hop: Hop = { url: parseUrl(url), request };
    const deadline = new Deadline(request.timeout, request.signal);
    try {
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
        const result = await this.#exchange(hop, deadline.signal);
        if ('response' in result) return result.response;
        hop = nextHop(hop, result.location);
      }
      const message = `${hop.url.host} redirects more than ${MAX_REDIRECTS} times.`;
      throw new SigningError('NETWORK_UNREACHABLE', message);
    } catch (error) {
      throw deadline.explain(error, hop.url.host);
    } finally {
      deadline.end();
    }
  }

  refusalOf(url: string): SigningError | undefined {
    try {
      this.#connections.checkKnown(parseUrl(url));
      return undefined;
    } catch (error) {
      if (error instanceof SigningError) return error;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  #headers({ contentType, accept, authorization, headers }: Hop['request']): Record<string, string> {
    return {
      ...headers,
      'accept-encoding': 'identity',
      'user-agent': this.#userAgent,
      ...dropUndefined({ 'content-type': contentType, accept, authorization }),
    };
  }

  async #exchange({ url, request }: Hop, signal: AbortSignal): Promise<HopResult> {
    const dispatcher = await this.#connections.open(url, request.clientCertificate);
    const { statusCode, headers, body } = await send(url, {
      method: request.method,
      headers: this.#headers(request),
      body: request.body,
      dispatcher,
      signal,
    });
    const location = oneValue(headers.location);
    if (request.method === 'GET' && location !== undefined && REDIRECTS.has(statusCode)) {
      body.on('error', () => undefined).destroy();
      return { location };
    }
    const contentType = oneValue(headers['content-type'])?.split(';')[0]?.trim().toLowerCase();
    const about = { status: statusCode, contentType, ...dateOf(oneValue(headers.date)) };
    if (request.discardBody === true) {
      await dropBody(body, request.maxBytes);
      return { response: { ...about, body: Buffer.alloc(0) } };
    }
    const length = oneValue(headers['content-length']);
    const description = {
      contentEncoding: oneValue(headers['content-encoding'])?.trim().toLowerCase() ?? '',
      contentLength: length === undefined ? undefined : Number(length),
    };
    return {
      response: { ...about, body: await readBody(body, description, request.maxBytes) },
    };
  }
}

function dateOf(text: string | undefined): { readonly date?: Date } {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? {} : { date };
}

/**
 * Creates the client. Only public addresses, in any spelling and behind any name, and the additions of `allow` and
 * `allowLoopback` are contacted. Throws `NETWORK_REFUSED` for an unreadable entry of a list.
 */
export function createHttpClient(options: HttpClientOptions = {}): ClosableHttpClient {
  const guard = new AddressGuard({
    allow: options.allow ?? [],
    allowLoopback: options.allowLoopback ?? false,
    own: options.ownAddresses,
  });
  const connections = new Connections({
    guard,
    connectTimeout: options.connectTimeout ?? DEFAULT_CONNECT_TIMEOUT,
    proxy: options.proxy,
    findProxy: options.findProxy,
    noProxy: options.noProxy ?? [],
    certificateAuthorities: options.certificateAuthorities ?? [],
    lookup: options.lookup,
  });
  return new UndiciHttpClient(connections, options.userAgent ?? 'Sinete');
}
