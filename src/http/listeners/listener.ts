import type { Server } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';

/** The services that a listener can serve: the four addresses of the interface, and the window. */
export const LISTENER_SERVICES = ['signing', 'authorization', 'registry', 'assistant', 'window'] as const;

export type ListenerService = (typeof LISTENER_SERVICES)[number];

/** A listener in addition to the usual loopback listener. */
export interface Listener {
  readonly services: ReadonlySet<ListenerService>;
  /** Present for a listener for other computers: a caller there is never the owner. */
  readonly remote?: RemoteListener;
}

/** The rules of a listener that other computers reach, directly or through a proxy. */
export interface RemoteListener {
  /** `https://sign.example`: the origin by which clients know this instance, without a slash at its end. */
  readonly publicUrl: string;
  /** Only these addresses may connect, and their headers name the client. Absent: clients connect directly. */
  readonly trustedProxies?: AddressList;
  /** True for a Unix socket, which only a proxy on this computer may open. */
  readonly isSocketOfProxy?: true;
}

/** Addresses and networks: `10.0.0.5`, `10.0.0.0/8`, `fd00::/8`. */
export class AddressList {
  readonly #list = new BlockList();

  /** Throws for a text that is neither an address nor a network. */
  constructor(texts: readonly string[]) {
    for (const text of texts) {
      const [address = '', prefix] = text.split('/', 2);
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      if (prefix === undefined) this.#list.addAddress(address, family);
      else this.#list.addSubnet(address, Number(prefix), family);
    }
  }

  has(address: string): boolean {
    const plain = plainAddress(address);
    return this.#list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  }
}

/** An IPv4 address that an IPv6 socket reports (RFC 4291 §2.5.5.2) in its usual form. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}

const listeners = new WeakMap<object, Listener>();

/** Remembers the listener of each connection that the server accepts; for TLS, of each finished handshake. */
export function noteListener(server: Server, listener: Listener, isTls: boolean): void {
  server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
    listeners.set(socket, listener);
  });
}

/** The listener of a connection; undefined for the usual loopback listener and the local channel. */
export function listenerOfConnection(socket: object): Listener | undefined {
  return listeners.get(socket);
}

/**
 * The address of the client: the peer's address, or the one that trusted proxies report in `X-Forwarded-For`, read from
 * its end to the first address that is not a trusted proxy. When the header is damaged, the last address that a proxy
 * reported is used.
 */
export function clientAddress(
  remote: RemoteListener,
  connection: string | undefined,
  forwarded: string | undefined,
): string {
  const { trustedProxies, isSocketOfProxy = false } = remote;
  let address = isSocketOfProxy ? SOCKET : plainAddress(connection ?? '');
  const isProxy = (at: string): boolean => (isSocketOfProxy && at === SOCKET) || trustedProxies?.has(at) === true;
  if (!isProxy(address)) return address;
  const named = (forwarded ?? '').split(',').map((part) => plainAddress(part.trim()));
  for (let next = named.pop(); next !== undefined && isProxy(address); next = named.pop()) {
    if (!ADDRESS.test(next)) return address;
    address = next;
  }
  return address;
}

/** Stands for the address of a proxy behind a socket, until its header names the client. */
const SOCKET = 'socket';

const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f:]*:[\da-f:.]*)$/i;

/**
 * The key of an address for limits. For IPv6 the key is the /64 network, because one client owns all addresses of the
 * network.
 */
export function limitKeyOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::', 2);
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array.from({ length: zeros }, () => '0'), ...back];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
