/**
 * HTTP exchanges of libraries with a client of their own: every request through Node's `http` obeys the guard, time
 * limits and a signal. Node announces each request (diagnostics channel `http.client.request.created`), and
 * asynchronous context names the action.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { ClientRequest } from 'node:http';
import { lookup as systemLookup } from 'node:dns';
import type { Socket } from 'node:net';
import { SigningError } from '../signing/index.ts';
import { AddressGuard, refused, parseAddress, type HostTarget } from './host-pattern.ts';

/** Limits of an action on the network. Times are milliseconds. */
export interface HeldExchangeLimits {
  /** Permitted hosts in private networks, as in the network's configuration. */
  readonly allow: readonly string[];
  /**
   * Connections lead to a proxy, whose address is not checked. Target names are checked if this computer can resolve
   * them.
   */
  readonly throughProxy?: boolean;
  /** The longest time without a single byte in either direction while a request is under way. */
  readonly idleTimeout: number;
  /** The longest time for the whole action. */
  readonly totalTimeout: number;
  readonly signal?: AbortSignal;
}

const held = new AsyncLocalStorage<Exchanges>();
let isListening = false;

function listen(): void {
  if (isListening) return;
  isListening = true;
  subscribe('http.client.request.created', (message) => {
    const request = (message as { readonly request?: unknown }).request;
    if (request instanceof ClientRequest) held.getStore()?.hold(request);
  });
}

/**
 * Runs `action`. Rejects with its error; with `NETWORK_REFUSED` for a forbidden address, `NETWORK_UNREACHABLE` after a
 * time limit, `CANCELLED` after the signal. Then its connections are cut, without waiting for the action.
 */
export async function holdExchanges<Result>(
  limits: HeldExchangeLimits,
  action: () => Promise<Result>,
): Promise<Result> {
  listen();
  const exchanges = new Exchanges(limits);
  try {
    const running = held.run(exchanges, action);
    // After a failure the call rejects at once, and the later rejection of `running` is ignored.
    running.catch(() => undefined);
    return await Promise.race([running, exchanges.failed]);
  } catch (error) {
    throw exchanges.failure ?? error;
  } finally {
    exchanges.end();
  }
}

class Exchanges {
  readonly failed: Promise<never>;
  readonly #guard: AddressGuard;
  readonly #limits: HeldExchangeLimits;
  readonly #requests = new Set<ClientRequest>();
  readonly #sockets = new Map<ClientRequest, Socket>();
  readonly #watch: NodeJS.Timeout;
  readonly #end: NodeJS.Timeout;
  readonly #cancel = (): void => this.#fail(new SigningError('CANCELLED', 'The exchange was cancelled.'));
  #reject: (error: SigningError) => void = () => undefined;
  #failure: SigningError | undefined;
  #bytes = 0;
  #lastProgress = Date.now();

  constructor(limits: HeldExchangeLimits) {
    this.#limits = limits;
    this.#guard = new AddressGuard({ allow: limits.allow, allowLoopback: false });
    this.failed = new Promise((_resolve, reject) => {
      this.#reject = reject;
    });
    this.failed.catch(() => undefined);
    this.#watch = setInterval(() => this.#expectProgress(), Math.max(50, limits.idleTimeout / 4));
    this.#end = setTimeout(() => this.#fail(late(limits.totalTimeout)), limits.totalTimeout);
    limits.signal?.addEventListener('abort', this.#cancel);
    if (limits.signal?.aborted === true) this.#cancel();
  }

  /** The reason for ending the exchanges early, if any. */
  get failure(): SigningError | undefined {
    return this.#failure;
  }

  hold(request: ClientRequest): void {
    if (this.#failure !== undefined) {
      request.destroy(this.#failure);
      return;
    }
    const target = targetOf(request);
    const address = parseAddress(target.hostname);
    if (address !== undefined && !this.#guard.allows(target, target.hostname)) {
      // A request destroyed before its creator listens for errors would end the process.
      setImmediate(() => this.#fail(refused(target)));
      request.on('error', () => undefined);
      request.destroy(refused(target));
      return;
    }
    this.#requests.add(request);
    this.#lastProgress = Date.now();
    request.once('close', () => {
      this.#requests.delete(request);
      this.#sockets.delete(request);
    });
    if (this.#limits.throughProxy === true) this.#judgeName(target);
    request.once('socket', (socket) => this.#follow(request, socket, target));
  }

  end(): void {
    clearInterval(this.#watch);
    clearTimeout(this.#end);
    this.#limits.signal?.removeEventListener('abort', this.#cancel);
  }

  /**
   * Rejects a target name that resolves to a forbidden address. The proxy resolves names itself, so a name unknown here
   * is left to the proxy's rules.
   */
  #judgeName(target: HostTarget): void {
    if (parseAddress(target.hostname) !== undefined) return;
    const lookup = this.#guard.guardLookup(target, systemLookup);
    lookup(target.hostname, { all: true }, (error) => {
      if (error instanceof SigningError) this.#fail(error);
    });
  }

  #follow(request: ClientRequest, socket: Socket, target: HostTarget): void {
    this.#sockets.set(request, socket);
    if (this.#limits.throughProxy === true) return;
    const judge = (address: string | undefined): void => {
      if (address !== undefined && !this.#guard.allows(target, address)) this.#fail(refused(target));
    };
    const onLookup = (_error: Error | null, address: string): void => judge(address);
    const onConnect = (): void => judge(socket.remoteAddress);
    // `lookup` is emitted before the connection, so nothing is sent to a refused address.
    socket.on('lookup', onLookup);
    socket.once('connect', onConnect);
    if (!socket.connecting) onConnect();
    request.once('close', () => {
      socket.off('lookup', onLookup);
      socket.off('connect', onConnect);
    });
  }

  #expectProgress(): void {
    let bytes = 0;
    for (const { bytesRead, bytesWritten } of this.#sockets.values()) bytes += bytesRead + bytesWritten;
    if (bytes !== this.#bytes || this.#requests.size === 0) {
      this.#bytes = bytes;
      this.#lastProgress = Date.now();
    } else if (Date.now() - this.#lastProgress > this.#limits.idleTimeout) {
      this.#fail(late(this.#limits.idleTimeout));
    }
  }

  #fail(error: SigningError): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.end();
    for (const request of this.#requests) request.destroy(error);
    this.#reject(error);
  }
}

function late(timeout: number): SigningError {
  return new SigningError('NETWORK_UNREACHABLE', `The server did not answer within ${timeout} ms.`);
}

function targetOf(request: ClientRequest): HostTarget {
  const hostname = request.host.replace(/^\[|\]$/g, '').toLowerCase();
  const named = URL.parse(`${request.protocol}//${String(request.getHeader('host') ?? request.host)}`);
  const usual = request.protocol === 'https:' ? 443 : 80;
  return { hostname, port: named?.port === undefined || named.port === '' ? usual : Number(named.port) };
}
