import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type RequestOptions, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MachineSettings } from './machine-settings.ts';
import { openProxy, openRegistry } from './network-gate.ts';

let folder: string;
let upstream: Server;
let origin: string;
const authorizations: (string | undefined)[] = [];

/** A registry with a single package; its archive lies on another path. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-gate-'));
  upstream = createServer(({ url, headers }, response) => {
    authorizations.push(headers.authorization);
    if (url === '/npm/small') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ name: 'small', dist: { tarball: `${origin}/files/small-1.0.0.tgz` } }));
    } else if (url === '/files/small-1.0.0.tgz') response.end('archive');
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
});
afterAll(async () => {
  upstream.closeAllConnections();
  await new Promise((resolve) => upstream.close(resolve));
  await rm(folder, { recursive: true });
});

const settings = (environment: Readonly<Record<string, string>> = {}): MachineSettings => ({
  environment,
  npmrc: `//${new URL(origin).host}/npm/:_authToken=secret\n`,
  registry: `${origin}/npm`,
  apt: '',
  certificates: '',
  files: [],
});

async function ask(options: RequestOptions): Promise<{ status: number | undefined; body: string }> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(options, resolve).once('error', reject).end();
  });
  let body = '';
  for await (const chunk of answer) body += String(chunk);
  return { status: answer.statusCode, body };
}

describe('the proxy for a root apart from the network', () => {
  it('leads a tunnel to the host asked for, counts the tunnel, and takes no other request', async () => {
    const socketPath = join(folder, 'proxy.sock');
    const gate = await openProxy(socketPath, settings());
    const tunnel = await new Promise<Duplex>((resolve, reject) => {
      const asked = request({ socketPath, method: 'CONNECT', path: new URL(origin).host });
      asked
        .once('connect', (_answer, socket) => resolve(socket))
        .once('error', reject)
        .end();
    });
    const { body } = await ask({
      createConnection: () => tunnel,
      path: '/npm/small',
      headers: { connection: 'close' },
    });
    expect(JSON.parse(body)).toMatchObject({ name: 'small' });
    expect(gate.served()).toBe(1);
    expect((await ask({ socketPath, path: `${origin}/npm/small` })).status).toBe(405);
    await gate.close();
  });
});

describe('the private registry for a root apart from the network', () => {
  it('names itself as the place of archives, and fetches only archives named by the registry', async () => {
    const socketPath = join(folder, 'registry.sock');
    const gate = await openRegistry(socketPath, 'http://127.0.0.1:4873/', settings());
    const archive = encodeURIComponent(`${origin}/files/small-1.0.0.tgz`);
    const path = `/-/archive/${archive}/small-1.0.0.tgz`;
    expect((await ask({ socketPath, path })).status).toBe(404);
    const described = JSON.parse((await ask({ socketPath, path: '/small' })).body) as unknown;
    expect(described).toEqual({ name: 'small', dist: { tarball: `http://127.0.0.1:4873${path}` } });
    expect(await ask({ socketPath, path })).toEqual({ status: 200, body: 'archive' });
    expect((await ask({ socketPath, path: '/missing' })).status).toBe(404);
    expect(gate.served()).toBe(3);
    expect(authorizations).toContain('Bearer secret');
    await gate.close();
  });

  it("goes through the proxy of the machine, with the name and the password of the proxy's address", async () => {
    const asked: (string | undefined)[] = [];
    const proxy = createServer().on('connect', ({ url, headers }: IncomingMessage, client: Duplex) => {
      asked.push(url, headers['proxy-authorization']);
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      const { hostname, port } = new URL(origin);
      const outside = connect(Number(port), hostname);
      outside.pipe(client).pipe(outside);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const address = `http://maria:p%40ss@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const socketPath = join(folder, 'behind.sock');
    const gate = await openRegistry(socketPath, 'http://127.0.0.1:4873/', settings({ https_proxy: address }));
    expect((await ask({ socketPath, path: '/small' })).status).toBe(200);
    expect(asked).toEqual([new URL(origin).host, `Basic ${Buffer.from('maria:p@ss').toString('base64')}`]);
    await gate.close();
    await new Promise((resolve) => proxy.close(resolve));
  });
});
