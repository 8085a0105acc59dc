import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Peer } from '../../src/http/local-guard.ts';
import { paceLongPolls } from '../../src/http/peer/pace-long-polls.ts';
import { limitConnections, usualConnectionLimits } from '../../src/http/peer/limit-connections.ts';

interface Asked {
  readonly destroyed?: boolean;
  readonly method?: string;
  readonly socket?: Socket;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request handed over by Node. */
function ask(
  url: string,
  { destroyed = false, method = 'GET', socket = new Socket(), headers = {} }: Asked = {},
): IncomingMessage {
  const request = new IncomingMessage(socket);
  if (destroyed) request.socket.destroy();
  return Object.assign(request, { url, method, headers });
}

const answer = new ServerResponse(ask('/'));
const poll = (name: string | number): string => `/signature-service/${name}?documents_limit=0&wait=30`;

/** The addresses of the taken requests, in order. */
function record(): { readonly taken: (string | undefined)[]; readonly take: (request: IncomingMessage) => void } {
  const taken: (string | undefined)[] = [];
  const handle = paceLongPolls(({ url }) => taken.push(url));
  return { taken, take: (request) => handle(request, answer) };
}

describe('simultaneous long polls', () => {
  it('are taken behind every request without a wait, and none is lost', async () => {
    const { taken, take } = record();
    const polls = Array.from({ length: 100 }, (_, index) => poll(index));
    for (const url of polls) take(ask(url));
    take(ask('/health-check?full=true'));
    take(ask('/signature-service/TCN'));
    expect(taken).toEqual(['/health-check?full=true', '/signature-service/TCN']);
    await expect.poll(() => taken.slice(2)).toEqual(polls);
  });

  it('of a single connection let the polls of each other connection pass at their turn', async () => {
    const { taken, take } = record();
    const many = new Socket();
    for (let index = 0; index < 500; index += 1) take(ask(poll('many'), { socket: many }));
    take(ask(poll('second')));
    take(ask(poll('third')));
    await expect.poll(() => taken.length).toBe(502);
    expect(taken.indexOf(poll('second'))).toBeLessThanOrEqual(2);
    expect(taken.indexOf(poll('third'))).toBeLessThanOrEqual(4);
  });

  it('of a single site on many connections delay the polls of a program by a single poll each', async () => {
    const { taken, take } = record();
    const headers = { origin: 'https://portal.example' };
    for (let index = 0; index < 200; index += 1) take(ask(poll('site'), { headers }));
    take(ask(poll('program')));
    take(ask(poll('program')));
    await expect.poll(() => taken.length).toBe(202);
    expect(taken.lastIndexOf(poll('program'))).toBeLessThanOrEqual(4);
  });

  it.each([
    ['GET', '/health-check?wait=1'],
    ['POST', '/signature-service?wait=1'],
    ['DELETE', '/signature-service/TCN?wait=1'],
    ['GET', '/signature-service/TCN?await=1'],
  ])('do not hold up %s %s', (method, url) => {
    const { taken, take } = record();
    take(ask(url, { method }));
    expect(taken).toEqual([url]);
  });

  it('are forgotten when their callers have gone before', async () => {
    const { taken, take } = record();
    take(ask(poll('gone'), { destroyed: true }));
    take(ask(poll('there')));
    await expect.poll(() => taken).toEqual([poll('there')]);
  });
});

describe('a request of a stranger without a right to a connection', () => {
  it.each(['/health-check', poll('TCN')])('to %s is dropped unhandled', async (url) => {
    const { taken, take } = record();
    const server = createServer();
    const limits = { ...usualConnectionLimits, strangers: 0 };
    const identifyAtOnce = (): Peer => 'other-user';
    limitConnections(server, { identify: async () => Promise.resolve('other-user'), identifyAtOnce }, limits);
    const socket = new Socket();
    server.emit('connection', socket);
    take(ask(url, { socket }));
    take(ask(poll('behind')));
    await expect.poll(() => taken).toEqual([poll('behind')]);
    expect(socket.destroyed).toBe(true);
  });
});
