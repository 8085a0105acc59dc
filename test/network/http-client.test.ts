import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { syncBuiltinESMExports } from 'node:module';
import os, { type NetworkInterfaceInfo } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AddressGuard } from '../../src/network/host-pattern.ts';
import { createHttpClient, type ClosableHttpClient, type HttpClientOptions } from '../../src/network/index.ts';
import { SigningError, type HttpRequest } from '../../src/signing/index.ts';
import { startLoopbackServer, type LoopbackServer } from './loopback-server.ts';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function server(...parameters: Parameters<typeof startLoopbackServer>): Promise<LoopbackServer> {
  const started = await startLoopbackServer(...parameters);
  cleanUps.push(() => started.close());
  return started;
}

function client(options: HttpClientOptions = {}): ClosableHttpClient {
  const made = createHttpClient(options);
  cleanUps.push(() => made.close());
  return made;
}

const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  timeout: 120_000,
  maxBytes: 100_000,
  ...more,
});

/** The error of a failed request; fails without an error. */
async function failureOf(sent: Promise<unknown>): Promise<SigningError> {
  const error: unknown = await sent.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SigningError);
  return error as SigningError;
}

/** A resolver answering each call with the next list of addresses, the last for ever. */
function scriptedLookup(...answers: readonly (readonly string[])[]): LookupFunction {
  let call = 0;
  return (_hostname, options, callback) => {
    const addresses = (answers[Math.min(call++, answers.length - 1)] ?? []).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    if (options.all === true) callback(null, addresses);
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
  };
}

const hello = (_request: unknown, response: { end: (text: string) => void }): void => response.end('hello');

describe('an HTTP client without exceptions', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f.1:PORT/',
    'http://0x7f000001:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://127.0.0.1.:PORT/',
    'http://１２７.0.0.1:PORT/',
    'http://127%2e0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://LOCALHOST.:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://[0:0:0:0:0:ffff:7f00:0001]:PORT/',
    'http://[::127.0.0.1]:PORT/',
    'http://[64:ff9b::7f00:1]:PORT/',
    'http://[2002:7f00:1::]:PORT/',
    'http://0.0.0.0:PORT/',
    'http://0:PORT/',
    'http://[::]:PORT/',
    'http://10.0.0.1:PORT/',
    'http://172.16.0.1:PORT/',
    'http://192.168.0.1:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fe80::1]:PORT/',
    'http://[fd00::1]:PORT/',
    'http://[fec0::1]:PORT/',
    'http://100.64.0.1:PORT/',
    'http://224.0.0.1:PORT/',
    'http://255.255.255.255:PORT/',
    'https://127.0.0.1:PORT/',
    'file:///etc/hostname',
    'ldap://127.0.0.1:PORT/cn=crl',
    'data:text/plain,hello',
    'http://user:secret@127.0.0.1:PORT/',
    'not a url',
  ])('refuses %s without connecting', async (url) => {
    const inside = await server(hello);
    const error = await failureOf(client().send(get(url.replace('PORT', String(inside.port)))));
    expect(error.code).toBe('NETWORK_REFUSED');
    expect(error.message).not.toContain('secret');
    expect(inside.arrived).toEqual([]);
  });

  it.each([
    ['only a private address', ['10.1.2.3']],
    ['a private address beside a public one', ['93.184.215.14', '127.0.0.1']],
    ['a mapped private address', ['::ffff:192.168.1.1']],
    ['the address of a cloud’s metadata', ['169.254.169.254']],
    ['the wire server of Azure', ['168.63.129.16']],
  ])('refuses a name resolving to %s', async (_what, addresses) => {
    const inside = await server(hello);
    const options = { lookup: scriptedLookup(addresses) };
    const error = await failureOf(client(options).send(get(`http://acme.example:${inside.port}/?cpf=52998224725`)));
    expect(error.code).toBe('NETWORK_REFUSED');
    expect(error.message).toContain('acme.example');
    expect(error.message).not.toMatch(/cpf|5299/);
    expect(inside.arrived).toEqual([]);
  });

  it('refuses public addresses of this computer: of its interfaces and of its public name', () => {
    const ofCard = { address: '203.0.114.9', family: 'IPv4' } as NetworkInterfaceInfo;
    vi.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0: [ofCard] });
    syncBuiltinESMExports();
    const guard = new AddressGuard({ allow: [], allowLoopback: false, own: () => ['2001:470:1::7'] });
    const target = { hostname: 'acme.example', port: 443 };
    const answers = ['203.0.114.9', '::ffff:203.0.114.9', '2001:470:1:0::7', '203.0.114.10', '2001:470:1::8'];
    expect(answers.map((address) => guard.allows(target, address))).toEqual([false, false, false, true, true]);
    const named = new AddressGuard({ allow: ['203.0.114.9'], allowLoopback: false });
    expect(named.allows({ hostname: '203.0.114.9', port: 443 }, '203.0.114.9')).toBe(true);
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  it("connects to the resolver's answer: a second answer cannot be slipped in", async () => {
    const inside = await server(hello);
    let calls = 0;
    const rebinding: LookupFunction = (hostname, options, callback) => {
      calls++;
      scriptedLookup(calls === 1 ? ['127.0.0.2'] : ['127.0.0.1'])(hostname, options, callback);
    };
    const guarded = client({ lookup: rebinding, allow: ['127.0.0.2'], connectTimeout: 200 });
    const request = get(`http://rebinding.example:${inside.port}/`, { timeout: 400 });
    expect((await failureOf(guarded.send(request))).code).toBe('NETWORK_UNREACHABLE');
    expect((await failureOf(guarded.send(request))).code).toBe('NETWORK_REFUSED');
    expect(inside.arrived).toEqual([]);
  });
});

describe('the list of allowed hosts', () => {
  it.each([
    ['an address', ['127.0.0.1']],
    ['an address with its port', ['127.0.0.1:PORT']],
    ['a range', ['127.0.0.0/8']],
    ['a range among others', ['10.0.0.0/8', 'fd00::/8', ' 127.0.0.0/30 ']],
    ['everything', ['*']],
  ])('opens %s', async (_what, allow) => {
    const inside = await server(hello);
    const entries = allow.map((entry) => entry.replace('PORT', String(inside.port)));
    const answer = await client({ allow: entries }).send(get(`${inside.origin}/`));
    expect(answer).toMatchObject({ status: 200, body: Buffer.from('hello') });
  });

  it.each([
    ['another port', ['127.0.0.1:1']],
    ['another range', ['127.0.0.2/32']],
    ['a name that is not this one', ['localhost']],
    ['a name below it only', ['inside.example']],
  ])('keeps everything outside closed: %s', async (_what, allow) => {
    const inside = await server(hello);
    const guarded = client({ allow, lookup: scriptedLookup(['127.0.0.1']) });
    expect((await failureOf(guarded.send(get(`${inside.origin}/`)))).code).toBe('NETWORK_REFUSED');
    const other = get(`http://a.inside.example:${inside.port}/`);
    expect((await failureOf(guarded.send(other))).code).toBe('NETWORK_REFUSED');
  });

  it('opens a name, resolving to any address', async () => {
    const inside = await server(hello);
    const guarded = client({ allow: ['TSA.Intranet.example'], lookup: scriptedLookup(['127.0.0.1']) });
    const answer = await guarded.send(get(`http://tsa.intranet.example:${inside.port}/`));
    expect(answer.body.toString()).toBe('hello');
  });

  it('opens the loopback addresses as a whole when told to', async () => {
    const inside = await server(hello);
    const open = client({ allowLoopback: true });
    expect((await open.send(get(`http://localhost:${inside.port}/`))).status).toBe(200);
    expect((await failureOf(open.send(get('http://10.0.0.1/')))).code).toBe('NETWORK_REFUSED');
  });

  it.each(['10.0.0.0/40', 'a b', 'http://tsa.example', ''])('calls “%s” no entry', (entry) => {
    expect(() => createHttpClient({ allow: [entry] })).toThrow(SigningError);
  });
});

describe('redirects', () => {
  it('are followed for GET, five times and not a sixth time', async () => {
    const hops = await server((request, response) => {
      const left = Number((request.url ?? '').slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(302, { location: `/${left - 1}` }).end('moved');
    });
    const open = client({ allowLoopback: true });
    expect((await open.send(get(`${hops.origin}/5`))).body.toString()).toBe('there');
    expect((await failureOf(open.send(get(`${hops.origin}/6`)))).code).toBe('NETWORK_UNREACHABLE');
  });

  it('are the answer for POST', async () => {
    const moved = await server((_request, response) => response.writeHead(307, { location: '/other' }).end());
    const sent = get(`${moved.origin}/tsa`, { method: 'POST', body: Buffer.from('query') });
    expect(await client({ allowLoopback: true }).send(sent)).toMatchObject({ status: 307 });
    expect(moved.arrived).toEqual(['POST /tsa']);
  });

  it.each([
    'http://localhost:PORT/',
    'http://0x7f.1:PORT/',
    '//[::1]:PORT/',
    'file:///etc/hostname',
    'http://a:b@127.0.0.1:OPEN/',
  ])('to %s are refused', async (location) => {
    const inside = await server(hello);
    const open = await server((_request, response) => {
      const target = location.replace('PORT', String(inside.port)).replace('OPEN', String(open.port));
      response.writeHead(301, { location: target }).end();
    });
    const guarded = client({ allow: [`127.0.0.1:${open.port}`] });
    expect((await failureOf(guarded.send(get(`${open.origin}/`)))).code).toBe('NETWORK_REFUSED');
    expect(inside.arrived).toEqual([]);
  });

  it('take no credentials to another origin', async () => {
    const seen: (string | undefined)[] = [];
    const other = await server((request, response) => {
      seen.push(request.headers.authorization);
      response.end();
    });
    const first = await server((request, response) => {
      seen.push(request.headers.authorization);
      const location = request.url === '/same' ? '/then' : `${other.origin}/`;
      response.writeHead(302, { location }).end();
    });
    await client({ allowLoopback: true }).send(get(`${first.origin}/same`, { authorization: 'Bearer secret' }));
    expect(seen).toEqual(['Bearer secret', 'Bearer secret', undefined]);
  });
});

describe('limits', () => {
  it.each([
    ['announces its length', { 'content-length': '1000000000' }],
    ['does not announce its length', {}],
  ])('stop a huge body: %s', async (_what, headers) => {
    let sent = 0;
    const huge = await server((_request, response) => {
      response.writeHead(200, headers);
      const chunk = Buffer.alloc(10_000);
      const write = (): void => {
        if (response.destroyed) return;
        sent += chunk.length;
        if (response.write(chunk)) setImmediate(write);
        else response.once('drain', write);
      };
      write();
    });
    const error = await failureOf(client({ allowLoopback: true }).send(get(`${huge.origin}/`)));
    expect(error.code).toBe('NETWORK_ANSWER_TOO_LARGE');
    expect(sent).toBeLessThan(20_000_000);
  });

  it('hold for the content of compression not asked for', async () => {
    let asked: string | undefined;
    const bomb = await server((request, response) => {
      asked = request.headers['accept-encoding'];
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000)));
    });
    const error = await failureOf(client({ allowLoopback: true }).send(get(`${bomb.origin}/`)));
    expect(error.code).toBe('NETWORK_ANSWER_TOO_LARGE');
    expect(asked).toBe('identity');
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('let a small answer in %s through, uncompressed', async (encoding, compress) => {
    const small = await server((_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(compress(Buffer.from('hello'))),
    );
    const answer = await client({ allowLoopback: true }).send(get(`${small.origin}/`));
    expect(answer.body.toString()).toBe('hello');
  });

  it('end, by their own limit of time, a dripping body, a missing answer, and a broken answer', async () => {
    const slow = await server((request, response) => {
      if (request.url === '/never') return;
      response.writeHead(200);
      response.write('a');
      if (request.url === '/breaks') setTimeout(() => response.destroy(), 20);
      else {
        const timer = setInterval(() => response.write('a'), 20);
        response.on('close', () => clearInterval(timer));
      }
    });
    const open = client({ allowLoopback: true });
    for (const path of ['/drips', '/never', '/breaks']) {
      const error = await failureOf(open.send(get(`${slow.origin}${path}?token=secret`, { timeout: 300 })));
      expect(error.code).toBe('NETWORK_UNREACHABLE');
      expect(error.message).not.toContain('secret');
    }
  });

  it('tell a cancelled exchange from an overlong exchange', async () => {
    const never = await server(() => undefined);
    const open = client({ allowLoopback: true });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const cancelled = open.send(get(`${never.origin}/`, { signal: controller.signal }));
    expect((await failureOf(cancelled)).code).toBe('CANCELLED');
    const before = open.send(get(`${never.origin}/`, { signal: AbortSignal.abort() }));
    expect((await failureOf(before)).code).toBe('CANCELLED');
  });
});

describe('answers', () => {
  it('are given with any status, and their type without parameters', async () => {
    const odd = await server((_request, response) =>
      response.writeHead(503, { 'content-type': 'Text/HTML; charset=utf-8' }).end('closed'),
    );
    const answer = await client({ allowLoopback: true }).send(get(`${odd.origin}/`));
    expect(answer).toEqual({
      status: 503,
      contentType: 'text/html',
      body: Buffer.from('closed'),
      date: expect.any(Date) as Date,
    });
  });

  it('come to the posted request', async () => {
    const echo = await server((request, response) => {
      const { authorization, accept } = request.headers;
      response.setHeader('content-type', request.headers['content-type'] ?? '');
      response.write(`${authorization ?? ''} ${accept ?? ''} `);
      request.pipe(response);
    });
    const sent = get(`${echo.origin}/tsa`, {
      method: 'POST',
      contentType: 'application/timestamp-query',
      accept: 'application/timestamp-reply',
      authorization: 'Basic eA==',
      body: Buffer.from('query'),
    });
    const answer = await client({ allowLoopback: true }).send(sent);
    expect(answer.contentType).toBe('application/timestamp-query');
    expect(answer.body.toString()).toBe('Basic eA== application/timestamp-reply query');
  });

  it('do not come from a port without a listener, nor from a missing name', async () => {
    const gone = await startLoopbackServer(hello);
    await gone.close();
    const open = client({ allowLoopback: true });
    const error = await failureOf(open.send(get(`${gone.origin}/`)));
    expect(error.code).toBe('NETWORK_UNREACHABLE');
    expect(error.message).toContain('ECONNREFUSED');
    const missing: LookupFunction = (_hostname, _options, callback) =>
      callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), '', 0);
    const nameless = await failureOf(client({ lookup: missing }).send(get('http://nowhere.example/')));
    expect(nameless).toMatchObject({ code: 'NETWORK_UNREACHABLE' });
    expect(nameless.message).toContain('ENOTFOUND');
  });

  it('come also by the resolver of the system', async () => {
    const inside = await server(hello);
    const open = client({ allowLoopback: true, lookup: systemLookup });
    expect((await open.send(get(`http://localhost:${inside.port}/`))).body.toString()).toBe('hello');
  });
});
