import { setImmediate } from 'node:timers/promises';
import type { Peer } from '../local-guard.ts';
import {
  endsOf,
  isLoopback,
  type ConnectionEnds,
  type FindOwners,
  type Owner,
  type SocketEnds,
} from './connection-ends.ts';
import { linuxOwners } from './linux-peers.ts';
import { windowsOwners } from './windows-peers.ts';

/** Finds the user of the program at the other end of a connection. */
export interface PeerUser {
  identify(socket: SocketEnds): Promise<Peer>;
  /** The peer where the system tells it at once; undefined: ask `identify`. */
  identifyAtOnce?(socket: SocketEnds): Peer | undefined;
}

/**
 * Chooses how peers are identified on this system. Linux reports the owner of a connection, and Windows does if koffi
 * is installed; on other systems every loopback connection is `not-told`.
 */
export function openPeerUser(platform: NodeJS.Platform = process.platform): PeerUser {
  if (platform === 'linux') return oncePerConnection(new SharedLookup(linuxOwners(ownUserId())));
  if (platform === 'win32') return oncePerConnection(new SharedLookup(windowsOwners()));
  return oncePerConnection({
    identify: async (socket) => Promise.resolve(isLoopback(socket.remoteAddress ?? '') ? 'not-told' : 'not-loopback'),
  });
}

/**
 * Answers all waiting connections by one lookup. A lookup serves every connection that was accepted before it began,
 * and only one lookup runs at a time. 300 connections opened at once cost one or two reads of the system's tables, and
 * the memory of one read.
 */
export class SharedLookup implements PeerUser {
  readonly #findOwners: FindOwners;
  #waiting: { readonly ends: ConnectionEnds; readonly answer: (owner: Owner) => void }[] = [];
  #isRunning = false;

  constructor(findOwners: FindOwners) {
    this.#findOwners = findOwners;
  }

  async identify(socket: SocketEnds): Promise<Peer> {
    const ends = loopbackEndsOf(socket);
    if (typeof ends === 'string') return Promise.resolve(ends);
    return new Promise((answer) => {
      this.#waiting.push({ ends, answer });
      if (!this.#isRunning) void this.#run();
    });
  }

  identifyAtOnce(socket: SocketEnds): Peer | undefined {
    const ends = loopbackEndsOf(socket);
    return typeof ends === 'string' ? ends : this.#findOwners.atOnce?.(ends);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Wait, so that the lookup also serves connections accepted in this turn of the event loop.
    await setImmediate();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      const owners = await this.#findOwners(batch.map(({ ends }) => ends)).catch(() => undefined);
      for (const [index, { answer }] of batch.entries()) answer(owners?.[index] ?? 'not-asked');
    }
    this.#isRunning = false;
  }
}

/** The ends of a loopback connection, or why there are none. */
function loopbackEndsOf(socket: SocketEnds): ConnectionEnds | Extract<Peer, 'not-identified' | 'not-loopback'> {
  const ends = endsOf(socket);
  // A closed connection has no addresses any more.
  if (ends === undefined) return 'not-identified';
  return isLoopback(ends.remoteAddress) ? ends : 'not-loopback';
}

/** Caches the answer of each connection; a failed lookup is repeated for the next request. */
export function oncePerConnection(asked: PeerUser): PeerUser {
  const known = new WeakMap<SocketEnds, Peer | Promise<Peer>>();
  return {
    async identify(socket) {
      const present = known.get(socket);
      if (present !== undefined) return present;
      const answer = asked.identify(socket);
      known.set(socket, answer);
      void answer.then((peer) => {
        if (peer === 'not-asked') known.delete(socket);
      });
      return answer;
    },
    identifyAtOnce(socket) {
      const present = known.get(socket);
      if (present !== undefined) return typeof present === 'string' ? present : undefined;
      const peer = asked.identifyAtOnce?.(socket);
      if (peer !== undefined) known.set(socket, peer);
      return peer;
    },
  };
}

function ownUserId(): number {
  return process.geteuid?.() ?? -1;
}
