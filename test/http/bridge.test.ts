import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GrantScope } from '../../src/service/consent/index.ts';
import { BridgeKeys } from '../../src/http/bridge/bridge-keys.ts';
import { recordingAssistant } from '../browser/recording-assistant.ts';
import { plainRequest, startTestServer, type PlainAnswer, type TestServer } from './start-test-server.ts';

const portal = 'https://portal.example';
const navigation = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
const ownFetch = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' };

let server: TestServer;
let time = Date.UTC(2026, 0, 2);
const keys = new BridgeKeys(() => new Date(time));
const grants = new Map<string, readonly GrantScope[]>();
const visits: string[] = [];
const creators = new Map<string, string>();

beforeAll(async () => {
  server = await startTestServer({
    bridgeKeys: keys,
    assistant: recordingAssistant([]),
    noteVisit: (origin, _agent, outcome) => visits.push(`${origin} ${outcome}`),
    siteOfTransaction: async (tcn) => Promise.resolve(creators.get(tcn)),
    consent: {
      scopesOf: (origin) => grants.get(origin),
      grantOf: async () => Promise.resolve(undefined),
      request: async () => Promise.resolve('refused'),
      fileGrants: () => [],
      countFileUse: async () => Promise.resolve(),
    },
  });
  await mkdir(join(server.spoolFolder, 'client'));
  await writeFile(join(server.spoolFolder, 'client/bridge.js'), 'export {};');
});
afterAll(async () => server.stop());
beforeEach(() => {
  grants.clear();
  visits.length = 0;
});

/** Opens the window, and answers the key of its document. */
async function openWindow(headers: Readonly<Record<string, string>> = navigation): Promise<string> {
  const { body } = await plainRequest(server, { path: '/bridge', headers });
  return /name="bridge-key" content="([^"]*)"/.exec(body)?.[1] ?? '';
}

/** A request of the window for an unknown transaction: beyond the guard the answer is 404. */
async function forward(
  key: string,
  origin: string,
  others: {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<PlainAnswer & { readonly code: unknown }> {
  const { method = 'GET', path = '/signature-service/T9', headers = {} } = others;
  const answer = await plainRequest(server, {
    method,
    path,
    headers: { ...ownFetch, 'X-Sinete-Bridge': key, 'X-Sinete-Bridge-Origin': origin, ...headers },
  });
  const isProblem = String(answer.headers['content-type']).includes('problem+json');
  const { code } = isProblem ? (JSON.parse(answer.body) as { readonly code?: unknown }) : {};
  return { ...answer, code };
}

describe('GET /bridge', () => {
  it('is a page under the strict policy, with its opener, in no frame and in no store', async () => {
    const { status, headers } = await plainRequest(server, { path: '/bridge', headers: navigation });
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'cross-origin-opener-policy': 'unsafe-none', 'cache-control': 'no-store' });
    const policy = String(headers['content-security-policy']);
    for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'none'"]) {
      expect(policy).toContain(rule);
    }
    expect(policy).not.toMatch(/unsafe/);
  });

  it('has a key of 256 bits for each document', async () => {
    const [one, other] = [await openWindow(), await openWindow()];
    expect(one).toMatch(/^[\w-]{43}$/);
    expect(other).not.toBe(one);
  });

  it('speaks Portuguese where the browser does', async () => {
    const headers = { ...navigation, 'Accept-Language': 'pt-BR' };
    const { body } = await plainRequest(server, { path: '/bridge', headers });
    expect(body).toContain('<html lang="pt-BR">');
    expect(body).toContain('Esta janela trabalha para');
  });

  it.each([
    ['a frame', { ...navigation, 'Sec-Fetch-Dest': 'iframe' }],
    ['a fetch of our own page', ownFetch],
    ['a fetch of another page', { ...ownFetch, 'Sec-Fetch-Site': 'cross-site', Origin: portal }],
    ['an object', { ...navigation, 'Sec-Fetch-Dest': 'object' }],
  ])('gives no key to %s', async (_name, headers) => {
    expect(await openWindow(headers)).toBe('');
  });

  it('is not there on a listener of other computers', async () => {
    const remote = { publicUrl: 'https://sign.example' };
    const port = await server.listen({ services: new Set(['signing', 'window']), remote });
    const headers = { ...navigation, Host: 'sign.example' };
    const { status } = await plainRequest({ port }, { path: '/bridge', headers });
    expect(status).toBe(403);
  });
});

describe('a request of the bridge window', () => {
  it('is judged as the site behind the window, and only the window reads the answer', async () => {
    grants.set(portal, ['sign']);
    const answer = await forward(await openWindow(), portal);
    expect(answer.status).toBe(404);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(visits).toEqual([`${portal} passed`]);
  });

  it('of a site without a grant has the refusal of the site', async () => {
    expect((await forward(await openWindow(), portal)).code).toBe('CONSENT_REFUSED');
    expect(visits).toEqual([`${portal} asked`, `${portal} CONSENT_REFUSED`]);
  });

  it('works for the first origin of the key alone', async () => {
    for (const origin of [portal, 'https://other.example']) grants.set(origin, ['sign']);
    const key = await openWindow();
    expect((await forward(key, portal)).status).toBe(404);
    expect((await forward(key, 'https://other.example')).code).toBe('BRIDGE_BOUND');
    expect((await forward(key, portal)).status).toBe(404);
  });

  it('is refused after the window has ended its key', async () => {
    grants.set(portal, ['sign']);
    const key = await openWindow();
    expect((await forward(key, portal, { method: 'DELETE', path: '/bridge' })).status).toBe(204);
    expect((await forward(key, portal)).code).toBe('BRIDGE_KEY_UNKNOWN');
  });

  it('is refused ten minutes after the last request', async () => {
    grants.set(portal, ['sign']);
    const key = await openWindow();
    await forward(key, portal);
    time += 599_000;
    expect((await forward(key, portal)).status).toBe(404);
    time += 600_000;
    expect((await forward(key, portal)).code).toBe('BRIDGE_KEY_UNKNOWN');
  });

  it.each(['', 'x', 'A'.repeat(43)])('with the forged key "%s" is refused', async (key) => {
    grants.set(portal, ['sign']);
    expect((await forward(key, portal)).code).toBe('BRIDGE_KEY_UNKNOWN');
  });
});

describe('the keys of bridge windows', () => {
  it('live while an upload of more than ten minutes runs', () => {
    let now = 0;
    const some = new BridgeKeys(() => new Date(now));
    const key = some.issue();
    some.use(key, portal);
    const release = some.hold(key);
    now += 3_600_000;
    expect(some.use(key, portal)).toBe('good');
    release();
    now += 600_000;
    expect(some.use(key, portal)).toBe('unknown');
  });

  it('of windows in use outlive the keys of a page with many windows', () => {
    const some = new BridgeKeys(() => new Date(0));
    const key = some.issue();
    some.use(key, portal);
    for (let count = 0; count < 1000; count += 1) some.issue();
    expect([some.use(key, portal), some.size]).toEqual(['good', 200]);
  });
});

describe('the background of a browser extension, without an origin', () => {
  const extension = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop';
  const background = { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' };

  it('finds the helper', async () => {
    expect((await plainRequest(server, { path: '/.well-known/sinete', headers: background })).status).toBe(200);
  });

  it.each([
    ['its own transaction, once the owner has named it', extension, extension, 404],
    ['its own transaction without a grant', extension, undefined, 403],
    ['a transaction of a web site', portal, portal, 403],
    ['a transaction of a program', undefined, extension, 403],
  ])('reads %s: %s', async (_name, creator, granted, status) => {
    creators.clear();
    if (creator !== undefined) creators.set('T1', creator);
    if (granted !== undefined) grants.set(granted, ['sign']);
    for (const path of ['/signature-service/T1', '/signature-service/T1/events', '/file-transfer/T1/0']) {
      expect((await plainRequest(server, { path, headers: background })).status).toBe(status);
    }
  });

  it('reads no list, and creates nothing without its origin', async () => {
    grants.set(extension, ['sign']);
    for (const [method, path] of [
      ['GET', '/signature-service'],
      ['GET', '/selected-user'],
      ['POST', '/signature-service'],
    ] as const) {
      expect((await plainRequest(server, { method, path, headers: background })).status).toBe(403);
    }
  });
});
