import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Maximum number of requests of a connection that wait for their answers. HTTP/1.1 answers them in order (RFC 9112
 * §9.3.2).
 */
export const MOST_UNANSWERED = 100;

/**
 * Closes a connection with too many unanswered requests. Node reads any number of requests, so a single connection with
 * many long polls would fill the memory.
 */
export function limitPipelining(handle: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    const count = (unanswered.get(socket) ?? 0) + 1;
    // Requests in the chunk that was read before the connection was closed still arrive.
    if (count > MOST_UNANSWERED || socket.destroyed) {
      socket.destroy();
      return;
    }
    unanswered.set(socket, count);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    handle(request, response);
  };
}
