import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsentOutcome, GrantScope } from '../../src/service/consent/index.ts';
import { buildOpenApi } from '../../src/http/openapi.ts';
import { recordingAssistant } from '../browser/recording-assistant.ts';
import { plainRequest, startTestServer, type PlainAnswer, type TestServer } from './start-test-server.ts';

const portal = 'https://portal.example';
const site = { Origin: portal, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' };
let server: TestServer;
let scopes: readonly GrantScope[] | undefined;
let outcome: ConsentOutcome = 'refused';
let uses = 0;
const asked: string[] = [];
const effects: string[] = [];

beforeAll(async () => {
  server = await startTestServer({
    assistant: recordingAssistant(effects),
    consent: {
      scopesOf: (origin) => (origin === portal ? scopes : undefined),
      grantOf: async (_origin, use) => {
        if (use) uses += 1;
        return Promise.resolve(undefined);
      },
      request: async (origin, scope) => {
        asked.push(`${origin} ${scope}`);
        return Promise.resolve(outcome);
      },
      fileGrants: () => [],
      countFileUse: async () => Promise.resolve(),
    },
  });
});
afterAll(async () => server.stop());

async function send(method: string, path: string, headers: Record<string, string> = {}): Promise<PlainAnswer> {
  asked.length = 0;
  effects.length = 0;
  uses = 0;
  return plainRequest(server, { method, path, headers: { ...site, ...headers } });
}

const corsOf = ({ headers }: PlainAnswer): readonly string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

describe('the preflight of a site', () => {
  it.each([
    ['POST', '/user'],
    ['DELETE', '/user/7'],
    ['PUT', '/selected-user'],
    ['POST', '/signature-service'],
    ['GET', '/file-transfer/T/0'],
    ['POST', '/file-transfer/T/eot'],
  ])('for %s %s is answered without asking and without an effect', async (method, path) => {
    scopes = undefined;
    const answer = await send('OPTIONS', path, { 'Access-Control-Request-Method': method });
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': portal,
      'access-control-allow-methods': expect.stringContaining(method) as string,
      'access-control-max-age': '60',
      vary: 'Origin',
    });
    const allowed = String(answer.headers['access-control-allow-headers']).split(', ');
    expect(allowed).toEqual(
      expect.arrayContaining([
        'Authorization',
        'Authentication',
        'Content-Type',
        'Idempotency-Key',
        'Last-Event-ID',
        'X-Request-Id',
        'X-Session-Options',
      ]),
    );
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
    expect([asked, effects]).toEqual([[], []]);
  });

  it.each([
    ['POST', '/ui/rpc'],
    ['GET', '/dashboard'],
    ['GET', '/nothing/here/at-all'],
  ])('for %s %s is refused: no site is let in there', async (method, path) => {
    const answer = await send('OPTIONS', path, { 'Access-Control-Request-Method': method });
    expect([answer.status, corsOf(answer)]).toEqual([403, []]);
  });

  it('of plain http is refused', async () => {
    const headers = { Origin: 'http://portal.example', 'Access-Control-Request-Method': 'POST' };
    const answer = await send('OPTIONS', '/user', headers);
    expect([answer.status, corsOf(answer)]).toEqual([403, []]);
  });
});

describe('a request of a site', () => {
  it('with its scope passes, is counted, and may be read by this one origin without credentials', async () => {
    scopes = ['user:read'];
    const answer = await send('GET', '/user');
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': portal,
      'access-control-expose-headers': expect.stringMatching(
        /Content-Disposition.*Digest.*ETag.*Location.*Retry-After.*X-Session-Token/,
      ) as string,
      vary: 'Origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
    expect([asked, effects, uses]).toEqual([[], ['users read'], 1]);
  });

  it('lets its script read every header named by the OpenAPI document', async () => {
    scopes = ['user:read'];
    const { headers } = await send('GET', '/user');
    const exposed = String(headers['access-control-expose-headers']).toLowerCase().split(', ');
    const named = Object.values(buildOpenApi('0').paths ?? {}).flatMap((path) =>
      Object.values(path as Record<string, { responses?: Record<string, { headers?: object }> }>).flatMap(
        ({ responses }) => Object.values(responses ?? {}).flatMap((answer) => Object.keys(answer.headers ?? {})),
      ),
    );
    expect(named.length).toBeGreaterThan(100);
    expect([...new Set(named)].filter((name) => !exposed.includes(name.toLowerCase()))).toEqual([]);
  });

  it('goes on when let in by the user', async () => {
    scopes = undefined;
    outcome = 'granted';
    const answer = await send('GET', '/user');
    expect([answer.status, asked, effects]).toEqual([200, [`${portal} user:read`], ['users read']]);
  });

  it.each([
    ['refused', 403, 'CONSENT_REFUSED'],
    ['forgotten', 403, 'CONSENT_TIMEOUT'],
    ['nobody-to-ask', 403, 'CONSENT_UNAVAILABLE'],
    ['too-many', 429, 'TOO_MANY_HELD_REQUESTS'],
  ] as const)('is answered %s with %i %s, readable by the site', async (result, status, code) => {
    scopes = undefined;
    outcome = result;
    const answer = await send('GET', '/signature-service/T');
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([status, { code }]);
    expect(answer.headers['access-control-allow-origin']).toBe(portal);
    expect(asked).toEqual([`${portal} sign`]);
    if (status === 429) expect(answer.headers['retry-after']).toBe('10');
  });

  it("for the computer's secret is refused without asking, and names the missing permission", async () => {
    scopes = ['user:read', 'user:write', 'certificates:read', 'sign'];
    const answer = await send('GET', '/application');
    expect([answer.status, asked, effects]).toEqual([403, [], []]);
    expect(JSON.parse(answer.body)).toMatchObject({ detail: { code: 1058, status: 'NOT_ALLOWED' } });
    expect(answer.headers['access-control-allow-origin']).toBe(portal);
  });

  it('without a grant may not read the reason of its refusal where no site is let in', async () => {
    scopes = undefined;
    const answer = await send('GET', '/dashboard');
    expect([answer.status, corsOf(answer)]).toEqual([403, []]);
  });
});
