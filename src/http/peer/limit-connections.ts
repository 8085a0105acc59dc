import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import { ServiceError } from '../../service/errors/index.ts';
import type { Peer } from '../local-guard.ts';
import type { PeerUser } from './peer-user.ts';

/** Maximum number of open connections, by what is known about the peer. */
export interface ConnectionLimits {
  readonly all: number;
  /** Connections whose peer is not known yet. */
  readonly unidentified: number;
  /** Connections whose peer nobody has asked about. */
  readonly unasked: number;
  /** Connections of other users and of peers that the system does not identify. These may only call discovery. */
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
  unasked: 1000,
  strangers: 16,
  strangersPerSecond: 50,
  refused: 64,
};

/**
 * File descriptors that an instance needs for other purposes: the database, logs, threads, and documents being signed.
 */
const OTHER_FILES = 64;

/**
 * Limits for a process that may open `descriptors` files, so that connections never use the descriptors that a
 * signature needs. Connections get half of the remaining descriptors, because handling a connection may open a file
 * too.
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

/**
 * Number of files that this process may have open; Infinity if the system does not report a limit (proc_pid_limits(5)).
 */
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
/** Connections accepted while more than half of all places were taken. */
const crowded = new WeakSet<Socket>();
/** Connections of other users, and of peers that the system does not identify. */
const strangers = new WeakSet<Socket>();

/** True if the system has reported that the peer is another user, or could not identify the peer. */
export function isStranger(socket: Socket): boolean {
  return strangers.has(socket);
}

/** Milliseconds for the request of a refused connection. */
const PATIENCE = 2000;

/**
 * Answers the requests of connections beyond the limit with 503, before any other handler. A connection that was
 * accepted while more than half of all places were taken is closed after its first answer, so that idle connections do
 * not block others.
 */
export const refuseBeyondLimit: RequestHandler = ({ socket }, response, next) => {
  if (crowded.has(socket) || beyondLimit.has(socket)) response.set('Connection', 'close');
  if (beyondLimit.has(socket)) {
    throw new ServiceError('BUSY', 'Too many connections are open: try again.', { retryAfter: 1 });
  }
  next();
};

/**
 * Identifies each connection before its first request is handled, and closes connections beyond the limits: another
 * user of the computer can fill only the few places of strangers, and the owner's places stay free. Answers the present
 * counts.
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
  const settle = (socket: Socket, peer: Peer): void => {
    open.unidentified.delete(socket);
    if ((peer !== 'other-user' && peer !== 'not-identified') || socket.destroyed) return;
    strangers.add(socket);
    if (open.strangers.size < limits.strangers && budget.take()) open.strangers.add(socket);
    else socket.destroy();
  };
  const identify = (socket: Socket): void => {
    if (!unasked.delete(socket)) return;
    const told = peerUser.identifyAtOnce?.(socket);
    if (told !== undefined) settle(socket, told);
    else void peerUser.identify(socket).then((peer) => settle(socket, peer));
  };
  const unasked = new UnaskedConnections(limits.unasked, identify);
  server.on('connection', (socket: Socket) => {
    socket.once('close', () => {
      unasked.delete(socket);
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
    unasked.add(socket);
  });
  return () => ({
    all: open.all.size,
    unidentified: open.unidentified.size,
    strangers: open.strangers.size,
    refused: open.refused.size,
  });
}

/** How often connections without a request are asked about, and how many at a time: a small share of the time. */
const ASKING = { interval: 4, atOnce: 8 } as const;

/** How to identify the peer of a connection that nobody has asked about. */
const askers = new WeakMap<Socket, (socket: Socket) => void>();

/**
 * Asks for the peer of a connection now, and closes the connection of a stranger beyond the limits. Called before
 * anything is done for a request.
 */
export function identifyPeer(socket: Socket): void {
  askers.get(socket)?.(socket);
}

/**
 * Connections whose peer nobody has asked about, the oldest first. Asking takes as long as accepting, so that callers
 * behind a hundred new connections would wait twice as long: a connection is asked about at its first request, or
 * soon afterwards without a request. Beyond the limit the oldest is asked about for each new connection.
 */
class UnaskedConnections {
  readonly #most: number;
  readonly #identify: (socket: Socket) => void;
  readonly #sockets = new Set<Socket>();
  #timer: NodeJS.Timeout | undefined;

  constructor(most: number, identify: (socket: Socket) => void) {
    this.#most = most;
    this.#identify = identify;
  }

  add(socket: Socket): void {
    this.#sockets.add(socket);
    askers.set(socket, this.#identify);
    if (this.#sockets.size > this.#most) this.#identifyOldest(1);
    this.#timer ??= setTimeout(() => this.#identifySome(), ASKING.interval).unref();
  }

  /** True when nobody had asked about the connection. */
  delete(socket: Socket): boolean {
    return this.#sockets.delete(socket);
  }

  #identifySome(): void {
    this.#timer = undefined;
    this.#identifyOldest(ASKING.atOnce);
    if (this.#sockets.size > 0) this.#timer = setTimeout(() => this.#identifySome(), ASKING.interval).unref();
  }

  #identifyOldest(count: number): void {
    let left = count;
    for (const socket of this.#sockets) {
      if (left === 0) return;
      left -= 1;
      this.#identify(socket);
    }
  }
}

/** A token bucket, refilled evenly; it holds at most two seconds' worth of tokens. */
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
