import { request as forward, createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type LookupFunction } from 'node:net';
import { TLSSocket } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createHttpClient, type ClosableHttpClient, type HttpClientOptions } from '../../src/network/index.ts';
import type { HttpRequest } from '../../src/signing/index.ts';
import type { TestIdentity } from '../../src/test-authority/index.ts';
import { icpBrasilPki, type PkiBranch } from '../pki/icp-brasil-pki.ts';
import { pem } from '../pki/openssl.ts';
import { startLoopbackServer, type LoopbackServer } from './loopback-server.ts';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

let branch: PkiBranch;
beforeAll(async () => {
  branch = (await icpBrasilPki()).v5;
});

function client(options: HttpClientOptions = {}): ClosableHttpClient {
  const made = createHttpClient({ allowLoopback: true, ...options });
  cleanUps.push(() => made.close());
  return made;
}

const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  timeout: 5_000,
  maxBytes: 100_000,
  ...more,
});

const certificatesOf = ({ certificate, chain }: TestIdentity): string =>
  [certificate, ...chain.slice(0, -1)].map((der) => pem('CERTIFICATE', der)).join('');
const keyOf = ({ privateKey }: TestIdentity): string => pem('PRIVATE KEY', privateKey);
const rootOf = ({ authority }: PkiBranch): string => pem('CERTIFICATE', authority.root.certificate);

/** An HTTPS server with the branch's certificate telling its client. */
async function secureServer(requestCert = false): Promise<LoopbackServer> {
  const tls = {
    cert: certificatesOf(branch.server),
    key: keyOf(branch.server),
    ca: rootOf(branch),
    requestCert,
    rejectUnauthorized: requestCert,
  };
  const server = await startLoopbackServer((request, response) => {
    const name = request.socket instanceof TLSSocket ? request.socket.getPeerCertificate().subject : undefined;
    response.end(`client: ${name?.CN?.toString() ?? 'nobody'}`);
  }, tls);
  cleanUps.push(() => server.close());
  return server;
}

/** A forward proxy; its requests are recorded, and every host is this computer. */
async function startProxy(credentials?: string): Promise<{ readonly url: URL; readonly asked: string[] }> {
  const asked: string[] = [];
  const isAllowed = (header: string | undefined): boolean =>
    credentials === undefined || header === `Basic ${Buffer.from(credentials).toString('base64')}`;
  const proxy: Server = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    if (!isAllowed(request.headers['proxy-authorization'])) return void response.writeHead(407).end();
    const { port, pathname } = new URL(request.url ?? '');
    const options = { host: '127.0.0.1', port, path: pathname, method: request.method, headers: request.headers };
    request.pipe(
      forward(options, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  proxy.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url ?? ''}`);
    if (!isAllowed(request.headers['proxy-authorization'])) return void socket.end('HTTP/1.1 407 No\r\n\r\n');
    const inner = connect(Number((request.url ?? '').split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      inner.pipe(socket).pipe(inner);
    });
    inner.on('error', () => socket.destroy());
    socket.on('error', () => inner.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  cleanUps.push(
    () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  );
  return { url: new URL(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`), asked };
}

const failing: LookupFunction = (_hostname, _options, callback) =>
  callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), '', 0);
const answering =
  (address: string): LookupFunction =>
  (_hostname, options, callback) =>
    options.all === true ? callback(null, [{ address, family: 4 }]) : callback(null, address, 4);

describe('TLS', () => {
  it('trusts an authority of our own when told to, and only then', async () => {
    const server = await secureServer();
    const trusting = client({ certificateAuthorities: [rootOf(branch)] });
    expect((await trusting.send(get(server.origin))).body.toString()).toBe('client: nobody');
    await expect(client().send(get(server.origin))).rejects.toMatchObject({ code: 'NETWORK_UNREACHABLE' });
    expect(server.arrived).toHaveLength(1);
  });

  it('refuses a server with another name', async () => {
    const server = await secureServer();
    const trusting = client({ certificateAuthorities: [rootOf(branch)], lookup: answering('127.0.0.1') });
    const sent = trusting.send(get(`https://tsa.example:${server.port}/`));
    await expect(sent).rejects.toMatchObject({
      code: 'NETWORK_UNREACHABLE',
      message: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID') as string,
    });
  });

  it('shows the client certificate of each request, and no other', async () => {
    const server = await secureServer(true);
    const trusting = client({ certificateAuthorities: [rootOf(branch)] });
    const as = (identity: TestIdentity): Promise<string> => {
      const clientCertificate = { certificate: certificatesOf(identity), privateKey: keyOf(identity) };
      return trusting.send(get(server.origin, { clientCertificate })).then(({ body }) => body.toString());
    };
    expect(await as(branch.person)).toContain('MARIA DE TESTE');
    expect(await as(branch.company)).toContain('EMPRESA DE TESTE');
    expect(await as(branch.person)).toContain('MARIA DE TESTE');
    await expect(trusting.send(get(server.origin))).rejects.toMatchObject({ code: 'NETWORK_UNREACHABLE' });
  });

  it('says nothing of an unreadable key', async () => {
    const server = await secureServer(true);
    const clientCertificate = { certificate: 'no certificate', privateKey: 'a secret' };
    const error: unknown = await client()
      .send(get(server.origin, { clientCertificate }))
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'NETWORK_UNREACHABLE' });
    expect(String(error)).not.toContain('secret');
  });
});

describe('a proxy', () => {
  it('forwards HTTP and tunnels HTTPS, by names known to the proxy alone', async () => {
    const plain = await startLoopbackServer((_request, response) => response.end('plain'));
    cleanUps.push(() => plain.close());
    const secure = await secureServer();
    const { url, asked } = await startProxy();
    const proxied = client({ proxy: url, lookup: failing, certificateAuthorities: [rootOf(branch)] });
    expect((await proxied.send(get(`http://tsa.example:${plain.port}/a`))).body.toString()).toBe('plain');
    const named = await proxied.send(get(`https://127.0.0.1:${secure.port}/`));
    expect(named.body.toString()).toBe('client: nobody');
    expect(asked).toEqual([`GET http://tsa.example:${plain.port}/a`, `CONNECT 127.0.0.1:${secure.port}`]);
  });

  it("is the system's for each address where none is configured, and none for exempt hosts", async () => {
    const plain = await startLoopbackServer((_request, response) => response.end('plain'));
    cleanUps.push(() => plain.close());
    const { url, asked } = await startProxy();
    const findProxy = async ({ hostname }: URL): Promise<URL | undefined> =>
      Promise.resolve(hostname.endsWith('.example') ? url : undefined);
    const proxied = client({ findProxy, lookup: failing, noProxy: ['direct.example'] });
    await proxied.send(get(`http://tsa.example:${plain.port}/a`));
    await proxied.send(get(`http://127.0.0.1:${plain.port}/b`));
    await expect(proxied.send(get(`http://direct.example:${plain.port}/c`))).rejects.toMatchObject({
      code: 'NETWORK_UNREACHABLE',
    });
    expect(asked).toEqual([`GET http://tsa.example:${plain.port}/a`]);
  });

  it('gets its own credentials, absent from all errors', async () => {
    const plain = await startLoopbackServer((_request, response) => response.end('plain'));
    cleanUps.push(() => plain.close());
    const { url } = await startProxy('maria:se:cret');
    const right = new URL(url);
    right.username = 'maria';
    right.password = 'se:cret';
    const answer = await client({ proxy: right, lookup: failing }).send(get(`http://tsa.example:${plain.port}/`));
    expect(answer.body.toString()).toBe('plain');
    const wrong = new URL(right);
    wrong.password = 'other-secret';
    for (const target of [`http://tsa.example:${plain.port}/`, `https://tsa.example:${plain.port}/`]) {
      const error: unknown = await client({ proxy: wrong, lookup: failing })
        .send(get(target))
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'NETWORK_UNREACHABLE' });
      expect(String(error)).not.toMatch(/secret|maria/);
    }
  });

  it.each([
    ['an address', 'http://10.0.0.1/', failing],
    ['a spelling of an address', 'https://0x7f.1/', failing],
    ['this computer by its name', 'http://localhost/', failing],
    ['a name that is private here', 'http://inside.example/', answering('192.168.1.1')],
  ])('does not open forbidden addresses: %s', async (_what, target, lookup) => {
    const { url, asked } = await startProxy();
    const guarded = client({ proxy: url, lookup, allowLoopback: false });
    await expect(guarded.send(get(target))).rejects.toMatchObject({ code: 'NETWORK_REFUSED' });
    expect(asked).toEqual([]);
  });

  it.each([['tsa.example'], ['.example'], ['127.0.0.1, tsa.example'], ['*']])(
    'is passed by for hosts in its list of exceptions: %s',
    async (list) => {
      const plain = await startLoopbackServer((_request, response) => response.end('direct'));
      cleanUps.push(() => plain.close());
      const { url, asked } = await startProxy();
      const options = { proxy: url, noProxy: list.split(','), lookup: answering('127.0.0.1') };
      const answer = await client(options).send(get(`http://tsa.example:${plain.port}/`));
      expect(answer.body.toString()).toBe('direct');
      expect(asked).toEqual([]);
    },
  );
});
