import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { PeerUser } from './peer-user.ts';

/** Most connections at a time, by what is known of the peer. */
export interface ConnectionLimits {
  readonly all: number;
  /** Connections whose peer is being looked up. */
  readonly unidentified: number;
  /** Connections of other users and of peers that the system does not identify. They may only call discovery. */
  readonly strangers: number;
  /** New connections of strangers per second, on average; twice as many at once. */
  readonly strangersPerSecond: number;
}

/**
 * A connection costs at most about 30 kB before its first request is complete, so that 2,000 unidentified connections
 * stay below 60 MB.
 */
export const usualConnectionLimits: ConnectionLimits = {
  all: 6000,
  unidentified: 2000,
  strangers: 16,
  strangersPerSecond: 50,
};

/** Connections at this moment. */
export interface ConnectionCounts {
  readonly all: number;
  readonly unidentified: number;
  readonly strangers: number;
}

/**
 * Identifies each connection as soon as it is accepted, and closes connections beyond the limits: another user of the
 * computer can fill only the few places of strangers, and the owner's places stay free. Answers the present counts.
 */
export function limitConnections(
  server: Server,
  peerUser: PeerUser,
  limits: ConnectionLimits = usualConnectionLimits,
  now: () => number = Date.now,
): () => ConnectionCounts {
  const open = { all: new Set<Socket>(), unidentified: new Set<Socket>(), strangers: new Set<Socket>() };
  const budget = new StrangerBudget(limits.strangersPerSecond, now);
  server.on('connection', (socket: Socket) => {
    if (open.all.size >= limits.all || open.unidentified.size >= limits.unidentified) {
      socket.destroy();
      return;
    }
    open.all.add(socket);
    open.unidentified.add(socket);
    socket.once('close', () => {
      for (const sockets of Object.values(open)) sockets.delete(socket);
    });
    void peerUser.identify(socket).then((peer) => {
      open.unidentified.delete(socket);
      if ((peer !== 'other-user' && peer !== 'not-identified') || socket.destroyed) return;
      if (open.strangers.size < limits.strangers && budget.take()) open.strangers.add(socket);
      else socket.destroy();
    });
  });
  return () => ({ all: open.all.size, unidentified: open.unidentified.size, strangers: open.strangers.size });
}

/** A token bucket: refilled evenly, and at most twice the amount of a second. */
class StrangerBudget {
  readonly #perSecond: number;
  readonly #now: () => number;
  #left: number;
  #since: number;

  constructor(perSecond: number, now: () => number) {
    this.#perSecond = perSecond;
    this.#now = now;
    this.#left = 2 * perSecond;
    this.#since = now();
  }

  take(): boolean {
    const now = this.#now();
    const earned = Math.max(0, now - this.#since) * (this.#perSecond / 1000);
    this.#left = Math.min(2 * this.#perSecond, this.#left + earned);
    this.#since = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
