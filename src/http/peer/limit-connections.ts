import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import { ServiceError } from '../../service/errors/index.ts';
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
  /** Connections beyond `all` whose request is answered with 503; further ones are closed at once. */
  readonly refused: number;
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
  refused: 64,
};

/** File descriptors of an instance that are not connections: the database, logs, threads, and documents being signed. */
const OTHER_FILES = 64;

/**
 * Limits for a process that may have `descriptors` files open: connections never take the descriptors that a signature
 * needs. Half of the others are for connections, because the work of a connection may open a file too.
 */
export function connectionLimits(descriptors: number): ConnectionLimits {
  const { all, refused } = usualConnectionLimits;
  const forConnections = Math.max(8, descriptors - OTHER_FILES) / 2;
  return {
    ...usualConnectionLimits,
    all: Math.min(all, Math.floor(forConnections)),
    refused: Math.min(refused, Math.floor(forConnections)),
  };
}

/** Files that this process may have open at a time; Infinity where the system does not tell (proc_pid_limits(5)). */
export function readDescriptorLimit(): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}

/** Connections at this moment. */
export interface ConnectionCounts {
  readonly all: number;
  readonly unidentified: number;
  readonly strangers: number;
  readonly refused: number;
}

/** Connections beyond the limit, whose requests `refuseBeyondLimit` answers. */
const beyondLimit = new WeakSet<Socket>();
/** Connections that were opened while more than half of all were taken. */
const crowded = new WeakSet<Socket>();
/** Connections of other users, and of peers that the system does not identify. */
const strangers = new WeakSet<Socket>();

/** True once the system has named another user than the owner, or no user at all, for the other end. */
export function isStranger(socket: Socket): boolean {
  return strangers.has(socket);
}

/** Milliseconds for the request of a refused connection. */
const PATIENCE = 2000;

/**
 * Answers the requests of connections beyond the limit with 503, before anything else looks at them. A connection
 * that was opened while more than half of all were taken ends with its first answer, so that idle ones keep nobody out.
 */
export const refuseBeyondLimit: RequestHandler = ({ socket }, response, next) => {
  if (crowded.has(socket) || beyondLimit.has(socket)) response.set('Connection', 'close');
  if (beyondLimit.has(socket)) {
    throw new ServiceError('BUSY', 'Too many connections are open: try again.', { retryAfter: 1 });
  }
  next();
};

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
  const open = {
    all: new Set<Socket>(),
    unidentified: new Set<Socket>(),
    strangers: new Set<Socket>(),
    refused: new Set<Socket>(),
  };
  const budget = new StrangerBudget(limits.strangersPerSecond, now);
  server.on('connection', (socket: Socket) => {
    socket.once('close', () => {
      for (const sockets of Object.values(open)) sockets.delete(socket);
    });
    if (open.all.size >= limits.all && open.refused.size < limits.refused) {
      open.refused.add(socket);
      beyondLimit.add(socket);
      const patience = setTimeout(() => socket.destroy(), PATIENCE).unref();
      socket.once('close', () => clearTimeout(patience));
      return;
    }
    if (open.all.size >= limits.all || open.unidentified.size >= limits.unidentified) {
      socket.destroy();
      return;
    }
    open.all.add(socket);
    if (open.all.size > limits.all / 2) crowded.add(socket);
    open.unidentified.add(socket);
    void peerUser.identify(socket).then((peer) => {
      open.unidentified.delete(socket);
      if ((peer !== 'other-user' && peer !== 'not-identified') || socket.destroyed) return;
      strangers.add(socket);
      if (open.strangers.size < limits.strangers && budget.take()) open.strangers.add(socket);
      else socket.destroy();
    });
  });
  return () => ({
    all: open.all.size,
    unidentified: open.unidentified.size,
    strangers: open.strangers.size,
    refused: open.refused.size,
  });
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
