import { isIPv4, isIPv6 } from 'node:net';
import type { Peer } from '../local-guard.ts';

/** The parts of a socket that identify its connection. */
export interface ConnectionEnds {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

/** The ends of a socket as Node reports them: undefined for a connection that has ended. */
export type SocketEnds = { readonly [Part in keyof ConnectionEnds]?: ConnectionEnds[Part] | undefined };

/**
 * The owner of a peer's socket. `not-identified`: the system does not list the connection as established. `not-told`:
 * this system reports no users. `not-asked`: the system could not be asked at this moment.
 */
export type Owner = Extract<Peer, 'same-user' | 'other-user' | 'not-identified' | 'not-told' | 'not-asked'>;

/** Finds the owners of peers. */
export interface FindOwners {
  /** Answers the owners of the peers of these connections, in the same order. */
  (connections: readonly ConnectionEnds[]): Promise<readonly Owner[]>;
  /** The owner of the peer of one connection, where the system answers at once; undefined: ask for several together. */
  readonly atOnce?: (ends: ConnectionEnds) => Owner | undefined;
}

/** The ends of a connection; undefined for a connection that has ended. */
export function endsOf({ remoteAddress, remotePort, localAddress, localPort }: SocketEnds): ConnectionEnds | undefined {
  if (remoteAddress === undefined || remotePort === undefined) return undefined;
  if (localAddress === undefined || localPort === undefined) return undefined;
  return { remoteAddress, remotePort, localAddress, localPort };
}

/** True for 127.0.0.0/8, ::1 and the IPv4 range in IPv6 notation. */
export function isLoopback(address: string): boolean {
  const plain = plainAddress(address);
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}

/** An address without the prefix of IPv4-mapped IPv6 (RFC 4291 §2.5.5.2). */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Cached bytes of 127.0.0.1, because each new connection needs them several times. Must not be changed. */
const usualLoopback = Buffer.from([127, 0, 0, 1]);

/** A loopback address as bytes in network order: 4 for IPv4, also inside IPv6 notation, and 16 for `::1`. */
export function addressBytes(address: string): Buffer {
  if (address === '127.0.0.1') return usualLoopback;
  const plain = plainAddress(address);
  if (!isIPv6(plain)) return Buffer.from(plain.split('.').map(Number));
  return Buffer.from([...new Array<number>(15).fill(0), 1]);
}

/** IPv4 in 16 bytes, as IPv6 sockets write it (RFC 4291 §2.5.5.2). */
export function mappedBytes(address: Buffer): Buffer {
  return Buffer.concat([Buffer.alloc(10), Buffer.from([0xff, 0xff]), address]);
}

/** The user id of each peer as an owner; undefined for a peer without a user id. */
export function ownerOf(user: number | undefined, owner: number): Owner {
  if (user === undefined) return 'not-identified';
  return user === owner ? 'same-user' : 'other-user';
}
