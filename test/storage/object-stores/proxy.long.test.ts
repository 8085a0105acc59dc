import { createServer, request as httpRequest, type Server } from 'node:http';
import { randomBytes } from 'node:crypto';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { proxyFinder } from '../../../src/network/index.ts';
import type { ObjectAddress } from '../../../src/service/stores/index.ts';
import { startGcs, startS3, type ObjectServer } from './object-servers.ts';
import { failure, gcsStoreAt, proxiedStoresOf, readAll, s3StoreAt, useFiles } from './store-tools.ts';

/**
 * Only the proxy knows where these are: a name nobody can resolve (RFC 6761 §6.2), and an address nobody has (RFC
 * 5737), because the server for S3 takes names for bucket names.
 */
const HOSTS = { s3: '192.0.2.1:8080', gcs: 'store.test:8080' } as const;

let s3: ObjectServer;
let gcs: ObjectServer;
let proxy: Server;
let proxyUrl: URL;
/** Behind the proxy. */
let origin: string;
const asked: string[] = [];

beforeAll(async () => {
  s3 = await startS3(['papers']);
  gcs = await startGcs();
  proxy = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? '');
    asked.push(`${incoming.method ?? ''} ${url.host}`);
    const { method, headers } = incoming;
    const to = new URL(url.pathname + url.search, origin);
    const outgoing = httpRequest(to, { method: method ?? 'GET', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.once('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  proxy.on('connect', (incoming, socket) => {
    asked.push(`CONNECT ${incoming.url ?? ''}`);
    if (incoming.url?.endsWith(':443') !== false) {
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    const tunnel = connect(Number(new URL(origin).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      tunnel.pipe(socket).pipe(tunnel);
    });
    tunnel.once('error', () => socket.destroy());
    socket.once('error', () => tunnel.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  proxyUrl = new URL(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
});
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await s3.stop();
  await gcs.stop();
});
beforeEach(() => {
  asked.length = 0;
});

const fileOf = useFiles();
const find = (...noProxy: string[]) => proxyFinder({ proxy: proxyUrl, noProxy });

describe.each([
  ['s3', s3StoreAt, 'papers', 'in/', (): string => s3.url],
  ['gcs', gcsStoreAt, 'letters', '', (): string => gcs.url],
] as const)('a store of kind %s', (kind, storeAt, bucket, prefix, server) => {
  const at = (name: string): ObjectAddress => ({ kind, bucket, key: `${prefix}${name}` });

  it('is reached through the proxy, alone in knowing its name', async () => {
    origin = server();
    const stores = proxiedStoresOf(find(), storeAt(`http://${HOSTS[kind]}`));
    const content = randomBytes(5000);
    await stores.write(at('through.bin'), await fileOf(content, 'through'));
    expect(await readAll(stores, at('through.bin'))).toEqual(content);
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.every((one) => one.endsWith(` ${HOSTS[kind]}`))).toBe(true);
  });

  it('is sent files in parts through the proxy as well', async () => {
    origin = server();
    const stores = proxiedStoresOf(find(), storeAt(`http://${HOSTS[kind]}`));
    const content = randomBytes(17 * 2 ** 20);
    await stores.write(at('parts.bin'), await fileOf(content, 'parts'));
    expect((await readAll(stores, at('parts.bin'))).equals(content)).toBe(true);
    expect(asked.every((one) => one.endsWith(` ${HOSTS[kind]}`))).toBe(true);
  });

  it('is asked of the proxy by CONNECT where the store speaks TLS', async () => {
    const stores = proxiedStoresOf(find(), storeAt('https://store.test'));
    expect((await failure(readAll(stores, at('x')))).code).toBe('STORE_UNAVAILABLE');
    expect(new Set(asked)).toEqual(new Set(['CONNECT store.test:443']));
  });

  it.each([
    ['on this computer', [], () => server()],
    ['among those to be reached without it', ['store.test'], () => 'http://store.test:8080'],
  ])('is reached without the proxy: %s', async (_where, noProxy, endpoint) => {
    const stores = proxiedStoresOf(find(...noProxy), storeAt(endpoint()));
    await readAll(stores, at('nothing')).catch(() => undefined);
    expect(asked).toEqual([]);
  });

  it('may be in a private network, because its owner has named the address', async () => {
    origin = server();
    const stores = proxiedStoresOf(find(), storeAt('http://10.1.2.3:9000'));
    await readAll(stores, at('nothing')).catch(() => undefined);
    expect(asked.length).toBeGreaterThan(0);
  });
});
