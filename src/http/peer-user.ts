import { readFile, stat } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import type { Socket } from 'node:net';
import type { Peer } from './local-guard.ts';

/** Tells the user of the program at the other end of a connection. */
export interface PeerUser {
  identify(socket: Socket): Promise<Peer>;
}

/** The parts of a socket that identify its connection. */
export interface ConnectionEnds {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

/**
 * The way to ask on this system, for the owner of `dataFolder`. On Linux the kernel's connection tables tell; elsewhere
 * there is no table to read without a native module, so only the loopback address is checked and `not-checked` answered.
 */
export async function openPeerUser(dataFolder: string): Promise<PeerUser> {
  if (process.platform !== 'linux') return { identify: async (socket) => Promise.resolve(loopbackOnly(socket)) };
  const { uid } = await stat(dataFolder);
  return oncePerConnection(new LinuxPeerUser(uid));
}

/**
 * Looks up `/proc/net/tcp` and `/proc/net/tcp6` (proc_net_tcp(5)). A connection outside of the tables is not trusted.
 */
export class LinuxPeerUser implements PeerUser {
  readonly #owner: number;

  constructor(owner: number) {
    this.#owner = owner;
  }

  async identify(socket: Socket): Promise<Peer> {
    const ends = endsOf(socket);
    if (ends === undefined || !isLoopback(ends.remoteAddress)) return 'not-loopback';
    for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
      const text = await readFile(table, 'latin1').catch(() => '');
      const user = userInTable(text, ends);
      if (user !== undefined) return user === this.#owner ? 'same-user' : 'other-user';
    }
    return 'other-user';
  }
}

/**
 * The user id of the peer's socket in a kernel table, or undefined for a missing row. Addresses are compared as well as
 * ports: another user may own the same pair of ports on another loopback address.
 */
export function userInTable(table: string, ends: ConnectionEnds): number | undefined {
  const peerEnd = endpointForms(ends.remoteAddress, ends.remotePort);
  const ourEnd = endpointForms(ends.localAddress, ends.localPort);
  for (const line of table.split('\n').slice(1)) {
    const columns = line.trim().split(/\s+/);
    const [, local = '', remote = ''] = columns;
    if (peerEnd.includes(local) && ourEnd.includes(remote)) return Number(columns[7]);
  }
  return undefined;
}

/** True for 127.0.0.0/8, ::1 and the IPv4 range in IPv6 notation. */
export function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '');
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}

/** An endpoint in the tables' notation: IPv4 as a little-endian word, and the same inside an IPv4-mapped address. */
function endpointForms(address: string, port: number): readonly string[] {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const plain = address.replace(/^::ffff:/i, '');
  if (plain === '::1') return [`00000000000000000000000001000000${end}`];
  const octets = plain.split('.').map((octet) => Number(octet).toString(16).toUpperCase().padStart(2, '0'));
  const word = octets.toReversed().join('');
  return [`${word}${end}`, `0000000000000000FFFF0000${word}${end}`];
}

function oncePerConnection(asked: PeerUser): PeerUser {
  const known = new WeakMap<Socket, Promise<Peer>>();
  return {
    async identify(socket) {
      const answer = known.get(socket) ?? asked.identify(socket);
      known.set(socket, answer);
      return answer;
    },
  };
}

function loopbackOnly(socket: Socket): Peer {
  const ends = endsOf(socket);
  return ends !== undefined && isLoopback(ends.remoteAddress) ? 'not-checked' : 'not-loopback';
}

function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): ConnectionEnds | undefined {
  if (remoteAddress === undefined || remotePort === undefined) return undefined;
  if (localAddress === undefined || localPort === undefined) return undefined;
  return { remoteAddress, remotePort, localAddress, localPort };
}
