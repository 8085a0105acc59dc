import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { NodeSignals } from '../../service/transactions/index.ts';
import { limitKeyOf, plainAddress, type RemoteListener } from './listener.ts';

/** Maximum number of open connections of a listener for other computers. */
interface RemoteLimits {
  readonly all: number;
  readonly perAddress: number;
}

const usualRemoteLimits: RemoteLimits = { all: 4000, perAddress: 200 };

/**
 * Closes connections beyond the limits before their first byte is read. With trusted proxies, connections from any
 * other address are closed too, because their content crossed the network unencrypted. A proxy has no limit per
 * address, only the limit of all connections.
 */
export function limitClients(
  server: Server,
  { trustedProxies, isSocketOfProxy }: RemoteListener,
  limits: RemoteLimits = usualRemoteLimits,
): void {
  const open = new Map<string, number>();
  let all = 0;
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    const isProxy = isSocketOfProxy === true || trustedProxies?.has(address) === true;
    const key = limitKeyOf(address);
    const ofAddress = open.get(key) ?? 0;
    const isDirect = trustedProxies === undefined && isSocketOfProxy !== true;
    const isRefused = isDirect ? ofAddress >= limits.perAddress : !isProxy;
    if (all >= limits.all || isRefused) {
      socket.destroy();
      return;
    }
    all += 1;
    open.set(key, ofAddress + 1);
    socket.once('close', () => {
      all -= 1;
      const left = (open.get(key) ?? 1) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    });
  });
}

/** Requests of a client address on average and at once. */
interface ClientRate {
  readonly perMinute: number;
  readonly atOnce: number;
}

/**
 * Maximum number of remembered addresses. Beyond this number, the address without requests for the longest time is
 * forgotten.
 */
const REMEMBERED = 10_000;

/** A token bucket for each client address, for routes that ask for no credentials. */
export class ClientBudget {
  readonly #rate: ClientRate;
  readonly #now: () => number;
  readonly #left = new Map<string, { readonly tokens: number; readonly at: number }>();
  #tell: (key: string) => void = () => undefined;

  constructor(rate: ClientRate, now: () => number = Date.now) {
    this.#rate = rate;
    this.#now = now;
  }

  /**
   * Shares one budget with all nodes: each node counts the requests of the others too. Requests that reach two nodes
   * before the message are all answered, and delay the next ones.
   */
  share(signals: Pick<NodeSignals, 'tell' | 'listen'>): void {
    this.#tell = (key) => signals.tell({ spent: [[key, 1]] });
    signals.listen(({ spent = [] }) => {
      for (const [key, requests] of spent) this.#keep(key, this.#present(key) - requests);
    });
  }

  /** Answers the seconds to wait; 0 if the request is accepted and counted. */
  take(address: string): number {
    const key = limitKeyOf(address);
    const tokens = this.#present(key);
    const isAllowed = tokens >= 1;
    this.#keep(key, isAllowed ? tokens - 1 : tokens);
    if (isAllowed) this.#tell(key);
    return isAllowed ? 0 : Math.ceil(((1 - tokens) * 60) / this.#rate.perMinute);
  }

  #present(key: string): number {
    const { perMinute, atOnce } = this.#rate;
    const known = this.#left.get(key);
    if (known === undefined) return atOnce;
    return Math.min(atOnce, known.tokens + (Math.max(0, this.#now() - known.at) * perMinute) / 60_000);
  }

  #keep(key: string, tokens: number): void {
    this.#left.delete(key);
    this.#left.set(key, { tokens, at: this.#now() });
    const [oldest] = this.#left.keys();
    if (this.#left.size > REMEMBERED && oldest !== undefined) this.#left.delete(oldest);
  }
}
