import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { knownScopes } from '../../../src/http/authorization/check-authorization.ts';
import { PushedRequests, type RefreshGrant } from '../../../src/service/authorization/index.ts';
import { ServiceError } from '../../../src/service/errors/index.ts';
import { MemoryShortLivedStore } from '../../../src/service/short-lived/index.ts';
import {
  ana,
  basic,
  callback,
  challenge,
  formEncoded,
  HandlerWorld,
  homeless,
  page,
  portal,
  secret,
  type HandlerAnswer,
} from './handler-world.ts';

/** Refresh tokens (RFC 6749 §6) and pushed requests (RFC 9126), with services in memory. */

let world: HandlerWorld;
beforeEach(async () => {
  world = await HandlerWorld.open();
});
afterEach(async () => world.close());

const client = { client_id: portal.clientId, client_secret: secret };
const asClient = { Authorization: basic(portal.clientId, formEncoded(secret)) };

describe('POST /oauth with a refresh token', () => {
  const grant = (changes: Partial<RefreshGrant> = {}): RefreshGrant => ({
    clientId: portal.clientId,
    username: ana.username,
    scopes: ['signature_session', 'certificate_info', 'offline_access'],
    // The library compares with the clock of the computer.
    expiresAt: new Date(Date.now() + 600_000),
    ...changes,
  });
  const refresh = (fields: Readonly<Record<string, unknown>> = {}, headers: Readonly<Record<string, string>> = {}) =>
    world.postJson('/oauth', { grant_type: 'refresh_token', refresh_token: 'r1', ...fields }, headers);
  beforeEach(() => world.refreshTokens.set('r1', grant()));

  it('answers new tokens, and takes the refresh token once', async () => {
    const { status, content } = await refresh(client);
    expect(status).toBe(200);
    expect(content).toEqual({
      access_token: 'the-token',
      token_type: 'bearer',
      expires_in: 90,
      scope: 'signature_session certificate_info offline_access',
      authorization: 'Bearer the-token',
      authorized_identification_type: 'CPF',
      authorized_identification: ana.username,
      refresh_token: 'next',
      refresh_token_expires_in: 600,
    });
    expect(world.callsOf('issueForRefresh')).toEqual([
      ['r1', portal.clientId, ['signature_session', 'certificate_info', 'offline_access']],
    ]);
    expect((await refresh(client)).content).toMatchObject({ error: 'invalid_grant' });
  });

  it('answers fewer scopes where fewer are asked for', async () => {
    expect((await refresh({ ...client, scope: 'certificate_info' })).content.scope).toBe('certificate_info');
  });

  it('is for a public application naming itself', async () => {
    world.refreshTokens.set('r1', grant({ clientId: page.clientId }));
    expect((await refresh({ client_id: page.clientId })).status).toBe(200);
    expect(world.callsOf('authenticateClient')).toEqual([]);
  });

  it.each([
    ['more scopes than the permission has', { ...client, scope: 'multi_signature' }, {}, 'invalid_scope'],
    ['an unknown token', { ...client, refresh_token: 'r2' }, {}, 'invalid_grant'],
    ['the token of another application', client, { clientId: page.clientId }, 'invalid_grant'],
    ['a token that is over', client, { expiresAt: new Date(Date.now() - 1000) }, 'invalid_grant'],
  ] as const)('refuses %s', async (_what, fields, changes, error) => {
    world.refreshTokens.set('r1', grant(changes));
    const answer = await refresh(fields);
    expect([answer.status, answer.content.error]).toEqual([400, error]);
    expect(world.callsOf('issueForRefresh')).toEqual([]);
    expect(world.faults).toEqual([]);
  });

  it.each([
    ['without a client', {}],
    ['of a confidential application without its secret', { client_id: portal.clientId }],
    ['with a wrong secret', { ...client, client_secret: 'wrong' }],
  ])('refuses a token %s with 401', async (_what, fields) => {
    const answer = await refresh(fields);
    expect([answer.status, answer.content.error]).toEqual([401, 'invalid_client']);
    expect(world.refreshTokens.has('r1')).toBe(true);
  });

  it('refuses a token spent at the same moment', async () => {
    world.services.authorization.issueForRefresh = async () =>
      Promise.reject(new ServiceError('INVALID_CREDENTIALS', 'The token was spent.'));
    expect((await refresh(client)).content).toEqual({
      error: 'invalid_grant',
      error_description: 'The token was spent.',
    });
  });

  it.each([
    ['its own application', ['no address', 'https://spa.example/back'], 200, undefined],
    ['an application of another origin', [callback], 400, 'invalid_grant'],
    ['an application without addresses', [], 400, 'invalid_grant'],
  ])('renews for a page the token of %s', async (_whose, redirectUris, status, error) => {
    world.applications[1] = { ...page, redirectUris };
    world.refreshTokens.set('r1', grant({ clientId: page.clientId }));
    const answer = await refresh({ client_id: page.clientId }, { 'X-Test-Caller': 'site' });
    expect([answer.status, answer.content.error]).toEqual([status, error]);
    expect(world.refreshTokens.has('r1')).toBe(error !== undefined);
  });

  it('renews for no page the token of an application that is gone', async () => {
    world.refreshTokens.set('r1', grant({ clientId: 'gone' }));
    const answer = await refresh({ client_id: page.clientId }, { 'X-Test-Caller': 'site' });
    expect([answer.status, answer.content.error]).toEqual([400, 'invalid_grant']);
    expect(world.faults).toEqual([]);
  });
});

describe('a token that no person has allowed on the authorize page', () => {
  it('is never renewable', async () => {
    const fields = { grant_type: 'client_credentials', scope: 'signature_session offline_access', ...client };
    expect((await world.postJson('/oauth', fields)).content.scope).toBe('signature_session');
    expect(world.callsOf('issueToken')).toMatchObject([[{ scopes: ['signature_session'] }]]);
  });
});

describe('POST /oauth/par', () => {
  const asked = { response_type: 'code', redirect_uri: callback, state: 'st&te' };
  const push = (fields: Readonly<Record<string, unknown>>, headers: Readonly<Record<string, string>> = {}) =>
    world.postJson('/oauth/par', fields, headers);
  const show = (parameters: Readonly<Record<string, string>>): Promise<HandlerAnswer> =>
    world.get(`/oauth/authorize?${new URLSearchParams(parameters).toString()}`);

  it.each([
    ['in the body', client, {}],
    ['in Basic credentials', {}, asClient],
  ])('takes a request from an application whose secret stands %s', async (_where, fields, headers) => {
    const answer = await push({ ...asked, ...fields }, headers);
    expect([answer.status, answer.headers.get('pragma')]).toEqual([201, 'no-cache']);
    expect(answer.content).toEqual({ request_uri: expect.stringMatching(/^urn:/) as string, expires_in: 90 });
    const kept = await world.services.pushed.find(String(answer.content.request_uri), portal.clientId);
    expect(kept).toEqual({ ...asked, client_id: portal.clientId });
  });

  it('takes the request of a public application naming itself', async () => {
    const fields = { ...asked, client_id: page.clientId, code_challenge: challenge, code_challenge_method: 'S256' };
    expect((await push(fields)).status).toBe(201);
  });

  it.each([
    ['without an id', {}, 'Send the client id of the application.'],
    ['of a confidential application without its secret', { client_id: portal.clientId }, 'Send client id and client secret of the application.'], // prettier-ignore
    ['of an unknown application', { client_id: 'nobody' }, 'Send client id and client secret of the application.'],
    ['with a wrong secret', { ...client, client_secret: 'wrong' }, 'Client id or secret is wrong.'],
  ])('refuses a request %s with 401', async (_what, fields, description) => {
    const answer = await push({ ...asked, ...fields });
    expect([answer.status, answer.content]).toEqual([401, { error: 'invalid_client', error_description: description }]);
  });

  it.each([
    ['a reference in a reference', { request_uri: 'urn:x' }, 'invalid_request', 'request_uri has no place in a pushed request.'], // prettier-ignore
    ['an address that is not registered', { redirect_uri: 'https://x.example/' }, 'invalid_request', 'redirect_uri is not registered for this application.'], // prettier-ignore
    ['what the authorize page would refuse', { response_type: 'token' }, 'unsupported_response_type', 'response_type is not supported: send response_type=code.'], // prettier-ignore
  ])('refuses %s', async (_what, fields, error, description) => {
    const answer = await push({ ...asked, ...client, ...fields });
    expect([answer.status, answer.content]).toEqual([400, { error, error_description: description }]);
  });

  it('refuses an application without any address', async () => {
    const answer = await push({ response_type: 'code', client_id: homeless.clientId, client_secret: secret });
    expect([answer.status, answer.content.error]).toEqual([400, 'invalid_request']);
  });

  it('answers 429 to guessed secrets', async () => {
    world.failures = { authenticateClient: new ServiceError('TOO_MANY_ATTEMPTS', 'Wait.', { retryAfter: 9 }) };
    const answer = await push({ ...asked, ...client });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '9']);
    expect(world.faults).toEqual([]);
  });

  it('tells faults of ours as server_error, and tells them to the log', async () => {
    const fault = new Error('disk full of secrets');
    world.failures = { authenticateClient: fault };
    const answer = await push({ ...asked, ...client });
    expect([answer.status, answer.content.error, world.faults]).toEqual([500, 'server_error', [fault]]);
    expect(answer.body).not.toContain('secrets');
  });

  describe('and the page', () => {
    const pushed = async (): Promise<string> => String((await push({ ...asked, ...client })).content.request_uri);

    it('shows the request behind a reference, and nothing of the address', async () => {
      const uri = await pushed();
      const shown = await show({
        request_uri: uri,
        client_id: portal.clientId,
        state: 'other',
        response_type: 'token',
      });
      expect(shown.status).toBe(200);
      const id = /name="request" value="([^"]+)"/.exec(shown.body)?.[1] ?? '';
      expect(await world.requests.find(id)).toMatchObject({
        state: 'st&te',
        redirectUri: callback,
        redirectUriGiven: true,
      });
    });

    it.each([
      ['that is unknown', async () => Promise.resolve({ request_uri: 'urn:x', client_id: portal.clientId })],
      ['of another application', async () => ({ request_uri: await pushed(), client_id: page.clientId })],
      ['without an application', async () => ({ request_uri: await pushed() })],
    ] as const)('shows a reference %s to the person and redirects nowhere', async (_what, parameters) => {
      const shown = await show(await parameters());
      expect([shown.status, shown.headers.get('location')]).toEqual([400, null]);
      expect(shown.body).not.toContain('<form');
    });

    it('takes no repeated reference, whatever else the address says', async () => {
      const uri = encodeURIComponent(await pushed());
      const rest = new URLSearchParams({ response_type: 'code', client_id: portal.clientId }).toString();
      const shown = await world.get(`/oauth/authorize?${rest}&request_uri=${uri}&request_uri=${uri}`);
      expect([shown.status, shown.headers.get('location')]).toEqual([400, null]);
      expect(shown.body).not.toContain('<form');
    });
  });

  it('are limited for the address of requests without a secret, and for the application with its secret', async () => {
    const requests = new PushedRequests(new MemoryShortLivedStore(), () => world.now);
    const busy = { code: 'BUSY' };
    for (let count = 0; count < 20; count += 1) await requests.push('app', asked, `address 2001:db8::${count}`);
    await expect(requests.push('app', asked, 'address 2001:db8::ffff')).rejects.toMatchObject(busy);
    expect(await requests.find(await requests.push('app', asked, 'address 192.0.2.1'), 'app')).toEqual(asked);
    for (let count = 0; count < 100; count += 1) await requests.push('portal', asked);
    await expect(requests.push('portal', asked)).rejects.toMatchObject(busy);
  });

  it('keeps no reference beyond its lifetime', async () => {
    let now = world.now;
    const requests = new PushedRequests(new MemoryShortLivedStore(), () => now);
    const uri = await requests.push('portal', asked);
    now = new Date(now.getTime() + 89_999);
    expect(await requests.find(uri, 'portal')).toEqual(asked);
    now = new Date(now.getTime() + 1);
    expect(await requests.find(uri, 'portal')).toBeUndefined();
  });
});

describe('the requested scopes', () => {
  it.each([
    [undefined, ['signature_session']],
    [[''], ['signature_session']],
    [
      ['', 'offline_access', ''],
      ['signature_session', 'offline_access'],
    ],
    [['certificate_info', '', 'certificate_info'], ['certificate_info']],
    [['certificate_info', 'everything'], undefined],
  ])('%j are read as %j', (names, scopes) => {
    expect(knownScopes(names)).toEqual(scopes);
  });
});
