/** A notified server of this computer, behaving as badly as a test wants. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../../setup/waits.ts';

/** The answer to one request: a status, or a failure. */
export type Behaviour =
  | number
  /** No answer at all. */
  | 'hang'
  | 'reset'
  /** Bytes that are not HTTP. */
  | 'garbage'
  /** 302 to `/elsewhere` of the same server. */
  | 'redirect'
  /** 200 with a body that never ends. */
  | 'endless'
  /** 200 with a body stopping in the middle. */
  | 'broken-body';

/** A request as it arrived. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly origin: string;
  readonly arrivals: readonly Arrival[];
  /** The most requests that were open at the same time, by the first segment of their path. */
  readonly mostOpen: ReadonlyMap<string, number>;
  /** Answers to the next requests, in order. The last answer is repeated for all further requests. At first: 200. */
  behave(...behaviours: readonly [Behaviour, ...Behaviour[]]): void;
  /** Resolves when so many requests have arrived; rejects after 45 seconds. */
  arrived(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function startReceiver(port = 0): Promise<Receiver> {
  const arrivals: Arrival[] = [];
  const open = new Map<string, number>();
  const mostOpen = new Map<string, number>();
  let plan: readonly Behaviour[] = [200];
  const server = createServer((request, response) => {
    const group = request.url?.split('/')[1] ?? '';
    const count = (open.get(group) ?? 0) + 1;
    open.set(group, count);
    mostOpen.set(group, Math.max(mostOpen.get(group) ?? 0, count));
    response.once('close', () => open.set(group, (open.get(group) ?? 1) - 1));
    void receive(request, response);
  });
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    arrivals.push({ method, path: url, headers, body: Buffer.concat(chunks).toString() });
    const [next = 200, ...rest] = plan;
    if (rest.length > 0) plan = rest;
    answer(request, response, next);
  };
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    mostOpen,
    behave: (...behaviours) => {
      plan = behaviours;
    },
    arrived: async (count) => until(() => arrivals.length >= count, `${count} requests`),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(request: IncomingMessage, response: ServerResponse, behaviour: Behaviour): void {
  switch (behaviour) {
    case 'hang':
      return;
    case 'reset':
      request.socket.resetAndDestroy();
      return;
    case 'garbage':
      request.socket.end('\u0000\u0001not HTTP at all\r\n\r\n');
      return;
    case 'redirect':
      response.writeHead(302, { Location: '/elsewhere' }).end();
      return;
    case 'endless': {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'.repeat(16_384)), 1);
      response.once('close', () => clearInterval(timer));
      return;
    }
    case 'broken-body':
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('only this');
      setTimeout(() => request.socket.destroy(), 20);
      return;
    default:
      response.writeHead(behaviour).end('thank you');
  }
}
