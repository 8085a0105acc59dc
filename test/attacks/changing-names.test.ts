/** Names of a hostile DNS server: each look-up answers something else, or something odd. */
import type { LookupFunction } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpClient, type ClosableHttpClient, type HttpClientOptions } from '../../src/network/index.ts';
import type { HttpRequest } from '../../src/signing/index.ts';
import { startLoopbackServer, type LoopbackServer } from '../network/loopback-server.ts';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** A service of the private network, which nobody outside may reach. */
async function insider(
  answer: Parameters<typeof startLoopbackServer>[0] = (_request, response) => response.end('secret'),
): Promise<LoopbackServer> {
  // prettier-ignore
  const server = await startLoopbackServer(answer);
  cleanUps.push(() => server.close());
  return server;
}

function client(options: HttpClientOptions): ClosableHttpClient {
  const made = createHttpClient({ connectTimeout: 300, ...options });
  cleanUps.push(() => made.close());
  return made;
}

/** A resolver with one list of addresses after the other; the last for ever. */
function answers(...lists: readonly (readonly string[])[]): LookupFunction {
  let call = 0;
  return (_name, { all }, callback) => {
    const list = lists[Math.min(call, lists.length - 1)] ?? [];
    call += 1;
    const found = list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (all === true) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };
}

const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  timeout: 2000,
  maxBytes: 1000,
  ...more,
});

const codeOf = async (sent: Promise<unknown>): Promise<unknown> =>
  sent.then(
    () => 'answered',
    (error: unknown) => (error as { readonly code?: unknown }).code,
  );

describe('a name of a hostile server', () => {
  it.each([
    ['as an IPv4 address in IPv6', '::ffff:127.0.0.1'],
    ['as the same in hexadecimal', '::ffff:7f00:1'],
    ['behind NAT64', '64:ff9b::7f00:1'],
    ['behind the local prefix of NAT64', '64:ff9b:1::7f00:1'],
    ['in a tunnel of 6to4', '2002:7f00:1::1'],
    ['in a tunnel of Teredo', '2001:0:7f00:1::1'],
    ['as the unspecified address', '0.0.0.0'],
    ['as the unspecified address of IPv6', '::'],
    ['on its own link', 'fe80::1'],
    ['on its own link, with a zone', 'fe80::1%lo'],
    ['on its own site', 'fec0::1'],
    ['in a network of its own', 'fd00::1'],
    ['as a broadcast', '255.255.255.255'],
    ['as a group', '224.0.0.1'],
    ['as a group of IPv6', 'ff02::1'],
    ['in shared address space', '100.64.0.1'],
    ['in a test network', '198.18.0.1'],
    ['at the data of a cloud machine', '169.254.169.254'],
    ['at the same data by IPv6', 'fd00:ec2::254'],
  ])('reaches nothing here %s', async (_how, address) => {
    const inside = await insider();
    const request = get(`http://evil.example:${inside.port}/`);
    expect(await codeOf(client({ lookup: answers([address]) }).send(request))).toBe('NETWORK_REFUSED');
    expect(inside.arrived).toEqual([]);
  });

  it.each([
    ['a private address behind a permitted one', ['127.0.0.2', '127.0.0.1']],
    ['a private address in front of a permitted one', ['127.0.0.1', '127.0.0.2']],
  ])('is connected to none of its private answers: %s', async (_which, list) => {
    const inside = await insider();
    const guarded = client({ lookup: answers(list), allow: ['127.0.0.2'] });
    const request = get(`http://evil.example:${inside.port}/`);
    expect(['NETWORK_REFUSED', 'NETWORK_UNREACHABLE']).toContain(await codeOf(guarded.send(request)));
    expect(inside.arrived).toEqual([]);
  });

  it('is judged anew for each request, whatever was permitted before', async () => {
    const inside = await insider();
    const guarded = client({ lookup: answers(['127.0.0.2'], ['127.0.0.1'], ['::1'], ['127.0.0.1']), allow: ['127.0.0.2'] }); // prettier-ignore
    const request = get(`http://evil.example:${inside.port}/`);
    const codes: unknown[] = [];
    for (let round = 0; round < 4; round += 1) codes.push(await codeOf(guarded.send(request)));
    expect(codes).toEqual(['NETWORK_UNREACHABLE', 'NETWORK_REFUSED', 'NETWORK_REFUSED', 'NETWORK_REFUSED']);
    expect(inside.arrived).toEqual([]);
  });

  it('leads nowhere by a redirect to another name', async () => {
    const inside = await insider();
    const outside = await insider((_request, response) =>
      response.writeHead(302, { location: `http://other.example:${inside.port}/` }).end(),
    );
    const guarded = client({ lookup: answers(['127.0.0.1']), allow: [`first.example:${outside.port}`] });
    expect(await codeOf(guarded.send(get(`http://first.example:${outside.port}/`)))).toBe('NETWORK_REFUSED');
    expect([outside.arrived.length, inside.arrived.length]).toEqual([1, 0]);
  });

  it('leads nowhere by a redirect to its own name at another port', async () => {
    const inside = await insider();
    const outside = await insider((_request, response) =>
      response.writeHead(302, { location: `http://first.example:${inside.port}/` }).end(),
    );
    const guarded = client({ lookup: answers(['127.0.0.1']), allow: [`first.example:${outside.port}`] });
    expect(await codeOf(guarded.send(get(`http://first.example:${outside.port}/`)))).toBe('NETWORK_REFUSED');
    expect(inside.arrived).toEqual([]);
  });

  it.each(['sub.first.example', 'first.example.evil.example', 'xfirst.example', 'first.example\u3002evil.example'])(
    'is not the permitted one: %s',
    async (name) => {
      const inside = await insider();
      const guarded = client({ lookup: answers(['127.0.0.1']), allow: [`first.example:${inside.port}`] });
      expect(await codeOf(guarded.send(get(`http://${name}:${inside.port}/`)))).toBe('NETWORK_REFUSED');
      expect(inside.arrived).toEqual([]);
    },
  );

  it.each([
    ['no address', []],
    ['a name in place of an address', ['localhost']],
    ['an empty text', ['']],
    ['an address in another base', ['0x7f.1']],
    ['an address with a port', ['127.0.0.1:80']],
  ])('is not reached by an answer with %s', async (_what, list) => {
    const inside = await insider();
    const request = get(`http://evil.example:${inside.port}/`);
    expect(await codeOf(client({ lookup: answers(list) }).send(request))).not.toBe('answered');
    expect(inside.arrived).toEqual([]);
  });
});
