import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Bounds of the connections that are read after their last answer. */
export interface LingerLimits {
  /** Maximum number of bytes that are read and discarded on a connection. */
  readonly bytes: number;
  /** Milliseconds from the answer until the connection is closed. */
  readonly milliseconds: number;
  /** Maximum number of such connections of a server at a time; further connections are closed at once. */
  readonly connections: number;
}

/** 64 MiB pass a local connection in less than a second. */
export const usualLingerLimits: LingerLimits = { bytes: 64 * 2 ** 20, milliseconds: 5000, connections: 64 };

/** The last request of each connection. */
const latest = new WeakMap<Duplex, IncomingMessage>();
/** How to close each connection after its last answer. */
const lingers = new WeakMap<Duplex, () => void>();

/**
 * Lets clients read an answer that was sent before the body of their request was read to its end. A server that closes
 * a connection with unread bytes makes the system reset the connection, and on Windows the client then loses the
 * answer. Instead, the server half-closes the connection, discards what the client still sends, and closes the
 * connection when the client does (RFC 9112 §9.6) or a limit is reached. A connection that stays open for further
 * requests is read on, so that a client that writes its whole body first gets to the answer.
 */
export function lingerAfterEarlyAnswers(
  server: Server,
  limits: LingerLimits = usualLingerLimits,
  connectionEvent: 'connection' | 'secureConnection' = 'connection',
): void {
  const lingering = new Set<Socket>();
  server.on(connectionEvent as 'connection', (socket: Socket) => {
    const close = socket.destroySoon.bind(socket);
    const linger = (): void => {
      if (lingering.size < limits.connections) discard(socket, limits, lingering);
      else close();
    };
    lingers.set(socket, linger);
    // Node calls `destroySoon` after the last answer of a connection.
    socket.destroySoon = () => {
      if (latest.get(socket)?.complete === false && !lingering.has(socket)) linger();
      else close();
    };
  });
  server.on('request', watchBody);
}

/** Notes a request, for requests that a server announces with another event than `request`. */
export function watchBody(request: IncomingMessage, response: ServerResponse): void {
  latest.set(request.socket, request);
  response.once('finish', () => {
    if (!request.complete) request.resume();
  });
}

/** Closes a connection after its last answer, and reads on until the client has the answer. */
export function closeAfterReading(socket: Duplex): void {
  const linger = lingers.get(socket);
  if (linger === undefined) socket.end();
  else linger();
}

function discard(socket: Socket, { bytes, milliseconds }: LingerLimits, lingering: Set<Socket>): void {
  if (socket.destroyed) return;
  lingering.add(socket);
  const timer = setTimeout(() => socket.destroy(), milliseconds).unref();
  socket.once('close', () => {
    clearTimeout(timer);
    lingering.delete(socket);
  });
  let left = bytes;
  // The parser gets no further bytes, so that no request behind the answered one is handled.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  });
  socket.once('end', () => socket.destroySoon());
  socket.end();
  socket.resume();
}
