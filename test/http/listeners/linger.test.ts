import { connect, type AddressInfo, type Socket } from 'node:net';
import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { lingerAfterEarlyAnswers, type LingerLimits } from '../../../src/http/listeners/linger.ts';
import { until } from '../../setup/waits.ts';
import { startTestServer } from '../start-test-server.ts';

const LONG = 16 * 2 ** 20;
const limits: LingerLimits = { bytes: 2 * LONG, milliseconds: 120_000, connections: 8 };

const closers: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A server refusing each request before reading the body, and closing the connection. */
async function refuseAll(changes: Partial<LingerLimits> = {}): Promise<Server> {
  const server = createServer((_request, response) => {
    response.writeHead(413, { Connection: 'close' }).end('Too large.');
  });
  lingerAfterEarlyAnswers(server, { ...limits, ...changes });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Connects without closing the connection after the server's half-close. */
async function connectTo(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  closers.push(() => void socket.destroy());
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket;
}

const headOf = (length: number, headers = '', port = 0): string =>
  `POST /signature-service HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n${headers}Content-Length: ${length}\r\n\r\n`;

/**
 * Writes the whole request before reading anything; answers everything sent by the server until the close of its side.
 */
async function writeThenRead(socket: Socket, head: string, length: number): Promise<string> {
  socket.pause();
  await new Promise((resolve) => socket.write(Buffer.concat([Buffer.from(head), Buffer.alloc(length)]), resolve));
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  socket.resume();
  await new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  return answer;
}

const openConnections = async (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });

describe('an answer before the end of the body', () => {
  it('reaches a client writing its whole body first', async () => {
    const socket = await connectTo(portOf(await refuseAll()));
    expect(await writeThenRead(socket, headOf(LONG), LONG)).toMatch(/^HTTP\/1\.1 413 .*Too large\./s);
  });

  it.each([
    ['that keeps the connection open no longer', 'Connection: close\r\n', 'REQUEST_TOO_LARGE'],
    ['whose expectation cannot be met', 'Connection: close\r\nExpect: something\r\n', 'EXPECTATION_FAILED'],
  ])('reaches a client of the product %s', async (_which, headers, code) => {
    const server = await startTestServer();
    closers.push(async () => server.stop());
    const head = headOf(LONG, headers, server.port);
    expect(await writeThenRead(await connectTo(server.port), head, LONG)).toContain(code);
  });

  it('reaches a client sending no HTTP', async () => {
    const server = await startTestServer();
    closers.push(async () => server.stop());
    const socket = await connectTo(server.port);
    expect(await writeThenRead(socket, '\u0016\u0003\u0001\r\n', LONG)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('closes the connection as soon as the client does', async () => {
    const server = await refuseAll();
    const socket = await connectTo(portOf(server));
    await writeThenRead(socket, headOf(2 * LONG), LONG);
    expect(await openConnections(server)).toBe(1);
    socket.end();
    await until(async () => (await openConnections(server)) === 0, 'the connection is closed');
  });

  it('is the last: no request behind the refused request is handled', async () => {
    const server = await refuseAll();
    let count = 0;
    server.on('request', () => (count += 1));
    const socket = await connectTo(portOf(server));
    await writeThenRead(socket, headOf(2), 0);
    socket.end(`{}${headOf(0)}${headOf(0)}`);
    await until(async () => (await openConnections(server)) === 0, 'the connection is closed');
    expect(count).toBe(1);
  });

  it('lets a connection staying open read on, and so lets the client get to the answer', async () => {
    const server = await startTestServer();
    closers.push(async () => server.stop());
    const socket = await connectTo(server.port);
    let answer = '';
    socket.pause();
    const head = headOf(0, '', server.port).replace('Content-Length: 0', 'Transfer-Encoding: chunked');
    const body = Buffer.concat([Buffer.from(`${head}${LONG.toString(16)}\r\n`), Buffer.alloc(LONG)]);
    await new Promise((resolve) => socket.write(body, resolve));
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.resume();
    await until(() => answer.includes('REQUEST_TOO_LARGE'), 'the answer has come');
  });
});

describe('a client not closing its connection after an early answer', () => {
  it('is cut off at the limit of discarded bytes', async () => {
    const server = await refuseAll({ bytes: 100_000 });
    const socket = await connectTo(portOf(server));
    await writeThenRead(socket, headOf(2 * LONG), 10_000);
    expect(await openConnections(server)).toBe(1);
    socket.write(Buffer.alloc(LONG));
    await until(async () => (await openConnections(server)) === 0, 'the connection is closed');
  });

  it('is cut off after the longest time', async () => {
    const server = await refuseAll({ milliseconds: 1 });
    await writeThenRead(await connectTo(portOf(server)), headOf(LONG), 10);
    await until(async () => (await openConnections(server)) === 0, 'the connection is closed');
  });

  it('is cut off at once when too many do so', async () => {
    const server = await refuseAll({ connections: 2 });
    for (let index = 0; index < 4; index += 1) {
      await writeThenRead(await connectTo(portOf(server)), headOf(LONG), 10);
    }
    await until(async () => (await openConnections(server)) === 2, 'two connections are left');
  });
});
