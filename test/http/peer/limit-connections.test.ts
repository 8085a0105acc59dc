import { createServer, type Server } from 'node:http';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { connect, Socket, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Peer } from '../../../src/http/local-guard.ts';
import {
  connectionLimits,
  identifyPeer,
  limitConnections,
  refuseBeyondLimit,
  usualConnectionLimits,
  type ConnectionCounts,
} from '../../../src/http/peer/limit-connections.ts';
import type { PeerUser } from '../../../src/http/peer/peer-user.ts';
import { until } from '../../setup/waits.ts';

const limits = { all: 6, unidentified: 4, unasked: 3, strangers: 2, strangersPerSecond: 4, refused: 2 };
const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

interface LimitedServer {
  readonly counts: () => ConnectionCounts;
  /** Opens a connection; true when the server keeps the connection until the answer to a request. */
  readonly call: () => Promise<boolean>;
  /** Opens a connection and leaves the connection open. */
  readonly hold: () => Promise<Socket>;
  /** The whole answer to a request with the wish to keep the connection; empty for a closed connection. */
  readonly ask: () => Promise<string>;
}

const answerBusy: ErrorRequestHandler = (error: { readonly code: string }, _request, response, next) => {
  if (response.headersSent) next(error);
  else response.status(503).end(error.code);
};

/** A system telling peers at once, by `tell`, and no others. */
const telling = (tell: () => Peer): PeerUser => ({
  identify: async () => new Promise(() => undefined),
  identifyAtOnce: tell,
});

async function serve(peerUser: PeerUser, now: () => number = () => 0): Promise<LimitedServer> {
  const answer: RequestHandler = (_request, response) => void response.end('here');
  const app = express().use(refuseBeyondLimit, answer, answerBusy);
  const server: Server = createServer((request, response) => {
    identifyPeer(request.socket);
    if (!request.socket.destroyed) app(request, response);
  });
  const counts = limitConnections(server, peerUser, limits, now);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    closers.push(() => socket.destroy());
    await new Promise((resolve) => socket.once('connect', resolve));
    return socket;
  };
  const ask = async (connection = 'keep-alive'): Promise<string> => {
    const socket = await open();
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('Connection: keep-alive')) socket.destroy();
    });
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n\r\n`);
    await new Promise((resolve) => socket.once('close', resolve));
    return text;
  };
  return { counts, call: async () => (await ask('close')).includes('here'), hold: open, ask };
}

describe('connections to the listener', () => {
  it('of other users fill their own few places only, and the owner is still answered', async () => {
    const peers: Peer[] = ['other-user', 'not-identified'];
    const { counts, call, hold } = await serve(telling(() => peers.shift() ?? 'other-user'));
    await hold();
    await hold();
    await until(() => counts().strangers === limits.strangers, 'two strangers');
    expect(await call()).toBe(false);
    peers.push('same-user');
    expect(await call()).toBe(true);
    expect(counts().strangers).toBe(limits.strangers);
  });

  it('of other users are answered only so often in a second', async () => {
    let now = 0;
    const { call } = await serve(
      telling(() => 'other-user'),
      () => now,
    );
    const answers = [];
    for (let tries = 0; tries < 9; tries += 1) answers.push(await call());
    expect(answers).toEqual([...new Array<boolean>(8).fill(true), false]);
    now += 250;
    expect([await call(), await call()]).toEqual([true, false]);
  });

  it('during the look-up of their peers are limited', async () => {
    const { counts, call, hold } = await serve({ identify: async () => new Promise(() => undefined) });
    for (let held = 0; held < limits.unidentified; held += 1) await hold();
    await until(() => counts().unidentified === limits.unidentified, 'all places taken');
    expect(await call()).toBe(false);
    expect(counts()).toMatchObject({ all: limits.unidentified, unidentified: limits.unidentified });
  });

  it('without a request are asked about soon, and strangers among them closed', async () => {
    const { counts, hold } = await serve(telling(() => 'other-user'));
    await Promise.all([hold(), hold(), hold()]);
    await until(() => counts().all === limits.strangers, 'one of three is closed');
    expect(counts()).toMatchObject({ all: limits.strangers, strangers: limits.strangers, unidentified: 0 });
  });

  it('are asked about singly, the oldest first, when many have sent nothing', () => {
    const asked: unknown[] = [];
    const server = createServer();
    const identifyAtOnce = (socket: unknown): Peer => {
      asked.push(socket);
      return 'same-user';
    };
    const counts = limitConnections(server, { ...telling(() => 'same-user'), identifyAtOnce }, limits);
    const sockets = Array.from({ length: limits.unasked + 2 }, () => new Socket());
    for (const socket of sockets) server.emit('connection', socket);
    expect(asked).toEqual(sockets.slice(0, 2));
    for (const socket of sockets.slice(1, 3)) identifyPeer(socket);
    expect(asked).toEqual(sockets.slice(0, 3));
    expect(counts().unidentified).toBe(limits.unasked - 1);
  });

  it('beyond the limit are told to try again, as long as there is a place for this answer', async () => {
    const { counts, ask, hold } = await serve({ identify: async () => Promise.resolve('same-user') });
    const held: Socket[] = [];
    while (held.length < limits.all) held.push(await hold());
    await until(() => counts().all === limits.all, 'all places taken');
    expect(await ask()).toMatch(/^HTTP\/1\.1 503 [^]*Connection: close[^]*BUSY$/);
    await until(() => counts().refused === 0, 'the refused connection is closed');
    for (let refused = 0; refused < limits.refused; refused++) held.push(await hold());
    await until(() => counts().refused === limits.refused, 'no place for a refusal');
    expect(await ask()).toBe('');
  });

  it('end with their answer while more than half of the places are taken', async () => {
    const { counts, ask, hold } = await serve({ identify: async () => Promise.resolve('same-user') });
    expect(await ask()).toContain('Connection: keep-alive');
    for (let held = 0; held < limits.all / 2; held++) await hold();
    await until(() => counts().all === limits.all / 2, 'half of the places taken');
    expect(await ask()).toContain('Connection: close');
  });

  it('leave the descriptors needed by signatures', () => {
    expect([64, 96, 1024, Infinity].map((descriptors) => connectionLimits(descriptors).all)).toEqual([
      4,
      16,
      480,
      usualConnectionLimits.all,
    ]);
  });

  it('are limited in all, and a closed connection frees its place', async () => {
    const { counts, call, hold } = await serve({ identify: async () => Promise.resolve('same-user') });
    const held: Socket[] = [];
    while (held.length < limits.all) held.push(await hold());
    await until(() => counts().all === limits.all && counts().unidentified === 0, 'all identified');
    expect(await call()).toBe(false);
    held[0]?.destroy();
    await until(() => counts().all < limits.all, 'a free place');
    expect(await call()).toBe(true);
  });
});
