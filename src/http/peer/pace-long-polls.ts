import type { RequestListener } from 'node:http';
import { TurnPacer } from '../../service/scheduling/index.ts';
import { identifyPeer } from './limit-connections.ts';
import { pollQueues } from './poll-queues.ts';

/** The address of a long poll. Other requests with a `wait` parameter are handled in their usual order. */
const LONG_POLL = /^\/signature-service\/[^/?]+\?(?:[^#]*&)?wait=/;

/**
 * Takes long polls in a small share of the event loop, before anything else is done for them: hundreds of them that come
 * together hold up no request whose caller does not wait. Callers take turns, then the connections of each. Each peer is
 * identified before its request is handled, and the request of a closed connection is dropped.
 */
export function paceLongPolls(handle: RequestListener): RequestListener {
  const pacer = new TurnPacer();
  const handleIdentified: RequestListener = (request, response) => {
    if (!request.socket.destroyed) identifyPeer(request.socket);
    if (!request.socket.destroyed) handle(request, response);
  };
  return (request, response) => {
    if (request.method !== 'GET' || !LONG_POLL.test(request.url ?? '')) {
      handleIdentified(request, response);
      return;
    }
    const take = async (): Promise<void> => {
      handleIdentified(request, response);
      return Promise.resolve();
    };
    void pacer.run(take, { queues: pollQueues(request) });
  };
}
