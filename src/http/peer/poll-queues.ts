import type { IncomingMessage } from 'node:http';
import { clientAddress, limitKeyOf, listenerOfConnection } from '../listeners/listener.ts';
import { isStranger } from './limit-connections.ts';

let connections = 0;
const names = new WeakMap<object, string>();

/**
 * The queues of a long poll, from outside: the computer or the user of the caller, the web site, and the connection.
 * They are known before the guard has asked anything. A claim, such as a site, divides only the queue around it. A user
 * who is not identified yet counts as the owner until the turn of the poll.
 */
export function pollQueues({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): readonly string[] {
  let name = names.get(socket);
  if (name === undefined) {
    connections += 1;
    name = String(connections);
    names.set(socket, name);
  }
  return [callerOf(socket, headers['x-forwarded-for']), headers.origin ?? '', name];
}

function callerOf(socket: IncomingMessage['socket'], forwarded: string | string[] | undefined): string {
  const { remote } = listenerOfConnection(socket) ?? {};
  if (remote === undefined) return isStranger(socket) ? 'another user' : 'this computer';
  return limitKeyOf(clientAddress(remote, socket.remoteAddress, forwarded?.toString()));
}
