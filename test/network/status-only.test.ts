import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpClient, type ClosableHttpClient } from '../../src/network/index.ts';
import { until } from '../setup/waits.ts';
import { startLoopbackServer, type LoopbackServer } from './loopback-server.ts';

let client: ClosableHttpClient;
let server: LoopbackServer | undefined;
beforeEach(() => {
  client = createHttpClient({ allowLoopback: true });
});
afterEach(async () => {
  await client.close();
  await server?.close();
  server = undefined;
});

const statusOnly = { method: 'POST', discardBody: true, timeout: 60_000, maxBytes: 1000 } as const;

describe('an exchange of which only the status is wanted', () => {
  it('carries headers of its own, and leaves a connection for further use', async () => {
    const ports = new Set<number | undefined>();
    const values: unknown[] = [];
    const { origin } = (server = await startLoopbackServer((request, response) => {
      ports.add(request.socket.remotePort);
      values.push(request.headers['webhook-id']);
      request.resume().once('end', () => response.end('thank you'));
    }));
    const isUsedAgain = async (): Promise<boolean> => {
      const id = `message ${values.length}`;
      const answer = await client.send({ ...statusOnly, url: origin, headers: { 'webhook-id': id } });
      expect(answer).toMatchObject({ status: 200, body: Buffer.alloc(0) });
      return ports.size < values.length;
    };
    // The connection is free again a moment after the answer.
    await until(isUsedAgain, 'a connection that is used again');
    expect(values).toEqual(values.map((_, index) => `message ${index}`));
  });

  it('answers the status of an endless body, and ends the connection', async () => {
    const closings: boolean[] = [];
    server = await startLoopbackServer((_request, response) => {
      const timer = setInterval(() => response.write('x'.repeat(4096)), 1);
      response.once('close', () => {
        closings.push(true);
        clearInterval(timer);
      });
    });
    expect((await client.send({ ...statusOnly, url: server.origin })).status).toBe(200);
    await until(() => closings.length > 0, 'the end of the connection');
    expect(closings).toEqual([true]);
  });

  it('answers the status of a stalled body, when the time is over', async () => {
    server = await startLoopbackServer((_request, response) => {
      response.writeHead(503, { 'Content-Length': '100' }).write('begun');
    });
    expect((await client.send({ ...statusOnly, timeout: 1000, url: server.origin })).status).toBe(503);
  });

  it('follows no redirect', async () => {
    server = await startLoopbackServer((_request, response) => {
      response.writeHead(307, { Location: '/elsewhere' }).end();
    });
    expect((await client.send({ ...statusOnly, url: server.origin })).status).toBe(307);
    expect(server.arrived).toEqual(['POST /']);
  });
});

describe('what can be told of an address without asking for its name', () => {
  it.each([
    'http://10.0.0.1/',
    'http://localhost/',
    'http://[::1]/',
    'http://0177.0.0.1/',
    'http://a.localhost/',
    'ftp://x/',
    'nonsense',
    'http://user:password@example.com/',
  ])('is that %s is never contacted', async (url) => {
    const strict = createHttpClient();
    expect(strict.refusalOf(url)).toMatchObject({ code: 'NETWORK_REFUSED' });
    await strict.close();
  });

  it.each(['https://example.com/', 'http://8.8.8.8/', 'http://127.0.0.1:9/', 'http://localhost:9/'])(
    'is nothing against %s where loopback is allowed',
    (url) => {
      expect(client.refusalOf(url)).toBeUndefined();
    },
  );
});
