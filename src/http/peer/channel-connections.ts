import type { Peer } from '../local-guard.ts';
import type { SocketEnds } from './connection-ends.ts';

/** A connection through the local channel. */
export interface ChannelConnection {
  /** Path of the Unix socket, or name of the pipe. */
  readonly path: string;
  readonly peer: Promise<Peer>;
}

const connections = new WeakMap<SocketEnds, ChannelConnection>();

/** Notes a connection that the local channel has accepted. */
export function noteChannelConnection(socket: SocketEnds, connection: ChannelConnection): void {
  connections.set(socket, connection);
}

/** The channel of a connection; undefined for a TCP connection. */
export function channelOf(socket: SocketEnds): ChannelConnection | undefined {
  return connections.get(socket);
}
