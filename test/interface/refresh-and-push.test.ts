import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  locationOf,
  OAuthWorld,
  redirectUri,
  requestIdOf,
  type JsonAnswer,
} from '../http/authorization/oauth-world.ts';

/** Refresh tokens (RFC 6749 §6, RFC 9700 §4.14) and pushed authorization requests (RFC 9126), with the real services. */

let world: OAuthWorld;
beforeEach(async () => {
  world = await OAuthWorld.open();
});
afterEach(async () => world.close());

const offline = { scope: 'signature_session offline_access', lifetime: '86400' };

async function first(parameters: Readonly<Record<string, string>> = offline): Promise<JsonAnswer> {
  const code = await world.code(parameters);
  const answer = await world.token({ grant_type: 'authorization_code', code });
  expect(answer.status).toBe(200);
  return answer;
}

const refresh = async (token: unknown, changes: Readonly<Record<string, unknown>> = {}): Promise<JsonAnswer> =>
  world.token({ grant_type: 'refresh_token', refresh_token: token, ...changes });

const isAlive = async (token: unknown): Promise<boolean> =>
  (await world.identity.authorization.readToken(String(token))) !== undefined;

describe('a refresh token', () => {
  it('is given where the person allowed it, beside an access token living an hour', async () => {
    const { content } = await first();
    expect(content).toMatchObject({ expires_in: 3600, refresh_token_expires_in: 86400 });
    expect(content.scope).toBe('signature_session offline_access');
    const without = await first({ scope: 'signature_session', lifetime: '86400' });
    expect(without.content).not.toHaveProperty('refresh_token');
    expect(without.content.expires_in).toBe(86400);
  });

  it('renews the token, and is replaced by another with the same end', async () => {
    const { content } = await first();
    world.identity.pass(1000);
    const next = await refresh(content.refresh_token);
    expect(next.status).toBe(200);
    expect(next.content).toMatchObject({ expires_in: 3600, refresh_token_expires_in: 85400 });
    expect(next.content.refresh_token).not.toBe(content.refresh_token);
    expect(await world.identity.authorization.readToken(String(next.content.access_token))).toMatchObject({
      username: world.ana.username,
      clientId: world.client.id,
      consented: true,
    });
    expect((await refresh(next.content.refresh_token)).status).toBe(200);
  });

  it('sent a second time ends every token of its permission', async () => {
    const { content } = await first();
    const other = await first();
    const next = (await refresh(content.refresh_token)).content;
    const again = await refresh(content.refresh_token);
    expect([again.status, again.content.error]).toEqual([400, 'invalid_grant']);
    expect(await isAlive(content.access_token)).toBe(false);
    expect(await isAlive(next.access_token)).toBe(false);
    expect((await refresh(next.refresh_token)).status).toBe(400);
    expect(await isAlive(other.content.access_token)).toBe(true);
  });

  it('gives one answer to many simultaneous requests, and then nothing is left', async () => {
    const { content } = await first();
    const all = await Promise.all(Array.from({ length: 6 }, async () => refresh(content.refresh_token)));
    expect(all.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const one of all) expect(await isAlive(one.content.access_token ?? content.access_token)).toBe(false);
  });

  it('ends with the permission seen by the person', async () => {
    const { content } = await first({ ...offline, lifetime: '5400' });
    world.identity.pass(3000);
    const next = (await refresh(content.refresh_token)).content;
    expect(next).toMatchObject({ expires_in: 2400, refresh_token_expires_in: 2400 });
    world.identity.pass(2400);
    expect((await refresh(next.refresh_token)).content.error).toBe('invalid_grant');
    expect(await isAlive(next.access_token)).toBe(false);
  });

  it('belongs to its application, on proof', async () => {
    const { content } = await first();
    const { application, clientSecret } = await world.identity.applications.register({
      name: 'Other',
      comments: '',
      email: '',
      redirectUris: [redirectUri],
    });
    const stolen = { client_id: application.clientId, client_secret: clientSecret };
    expect((await refresh(content.refresh_token, stolen)).content.error).toBe('invalid_grant');
    expect((await refresh(content.refresh_token, { client_secret: 'wrong wrong wrong' })).status).toBe(401);
    expect((await refresh(content.refresh_token, { client_secret: undefined })).status).toBe(401);
    expect((await refresh(content.refresh_token)).status).toBe(200);
  });

  it('may ask for fewer scopes, and for no others', async () => {
    const { content } = await first({ ...offline, scope: 'signature_session certificate_info offline_access' });
    const wider = await refresh(content.refresh_token, { scope: 'authentication_session' });
    expect(wider.content.error).toBe('invalid_scope');
    const { content: another } = await first({
      ...offline,
      scope: 'signature_session certificate_info offline_access',
    });
    const narrow = await refresh(another.refresh_token, { scope: 'certificate_info' });
    expect(narrow.content.scope).toBe('certificate_info');
  });

  it('is renewed by a page of its own application only', async () => {
    const { content } = await first();
    const page = (origin: string) => ({ Origin: origin, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' });
    const ask = async (origin: string): Promise<JsonAnswer> =>
      world.post(
        '/oauth',
        {
          grant_type: 'refresh_token',
          refresh_token: content.refresh_token,
          client_id: world.client.id,
          client_secret: world.client.secret,
        },
        { headers: page(origin) },
      );
    expect((await ask('https://thief.example')).content.error).toBe('invalid_grant');
    expect((await ask('https://portal.example')).status).toBe(200);
  });

  it('is never given for a signature of a single use, nor without the authorize page', async () => {
    const answer = await world.show({ scope: 'single_signature offline_access' });
    expect(new URL(locationOf(answer)).searchParams.get('error')).toBe('invalid_scope');
    const own = await world.token({ grant_type: 'client_credentials', scope: 'signature_session offline_access' });
    expect(own.content.scope).toBe('signature_session');
    expect(own.content).not.toHaveProperty('refresh_token');
  });

  it('ends with its permission at /oauth/revoke, and when the code is shown again', async () => {
    const { content } = await first();
    const client = { client_id: world.client.id, client_secret: world.client.secret };
    expect((await world.post('/oauth/revoke', { ...client, token: content.refresh_token })).status).toBe(200);
    expect(await isAlive(content.access_token)).toBe(false);
    expect((await refresh(content.refresh_token)).content.error).toBe('invalid_grant');
    const code = await world.code(offline);
    const { content: second } = await world.token({ grant_type: 'authorization_code', code });
    await world.token({ grant_type: 'authorization_code', code });
    expect((await refresh(second.refresh_token)).content.error).toBe('invalid_grant');
  });
});

describe('POST /oauth/par', () => {
  const asked = { response_type: 'code', redirect_uri: redirectUri, scope: 'certificate_info', state: 's1' };
  const push = async (changes: Readonly<Record<string, unknown>> = {}): Promise<JsonAnswer> =>
    world.post('/oauth/par', { client_id: world.client.id, client_secret: world.client.secret, ...asked, ...changes });

  it('answers a reference for the page to show the pushed request, against the words of the address', async () => {
    const { status, content } = await push();
    expect([status, content.expires_in]).toEqual([201, 90]);
    const request_uri = String(content.request_uri);
    expect(request_uri).toMatch(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/);
    const page = await world.show({ request_uri, scope: 'signature_session', redirect_uri: 'https://thief.example/' });
    expect(page.body).toContain('read your certificate');
    expect(page.body).not.toContain('without asking again');
    world.identity.pass(30);
    const answer = await world.answer({
      request: requestIdOf(page),
      username: world.ana.username,
      password: world.ana.code(),
      decision: 'allow',
    });
    const back = new URL(locationOf(answer));
    expect([back.origin, back.searchParams.get('state')]).toEqual(['https://portal.example', 's1']);
    const code = back.searchParams.get('code');
    const token = await world.token({ grant_type: 'authorization_code', code, redirect_uri: redirectUri });
    expect(token.content.scope).toBe('certificate_info');
  });

  it('shows nothing for a reference unknown, over, or of another application', async () => {
    const { content } = await push();
    const request_uri = String(content.request_uri);
    const wrong: readonly Readonly<Record<string, string>>[] = [
      { request_uri: `${request_uri}x` },
      { request_uri, client_id: world.publicClient },
    ];
    for (const parameters of wrong) {
      const page = await world.show(parameters);
      expect(page.body).toContain('The request of the application is over');
      expect(requestIdOf(page)).toBe('the page has no form');
    }
    world.identity.pass(90);
    expect(requestIdOf(await world.show({ request_uri }))).toBe('the page has no form');
  });

  it.each([
    ['a wrong secret', { client_secret: 'wrong wrong wrong' }, 401, 'invalid_client'],
    ['no secret', { client_secret: undefined }, 401, 'invalid_client'],
    ['no client', { client_id: undefined, client_secret: undefined }, 401, 'invalid_client'],
    ['another address', { redirect_uri: 'https://thief.example/' }, 400, 'invalid_request'],
    ['an unknown scope', { scope: 'everything' }, 400, 'invalid_scope'],
    ['another response type', { response_type: 'token' }, 400, 'unsupported_response_type'],
    ['a reference to another request', { request_uri: 'urn:x' }, 400, 'invalid_request'],
  ])('refuses %s', async (_what, changes, status, error) => {
    const answer = await push(changes);
    expect([answer.status, answer.content.error]).toEqual([status, error]);
  });

  it('takes a public application by its id, with a code challenge', async () => {
    const publicClient = { client_id: world.publicClient, client_secret: undefined };
    expect((await push(publicClient)).content.error).toBe('invalid_request');
    const code_challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
    expect((await push({ ...publicClient, code_challenge, code_challenge_method: 'S256' })).status).toBe(201);
  });

  it('is named by the metadata, with the grant of refresh tokens', async () => {
    const answer = await fetch(`${world.server.url}/.well-known/oauth-authorization-server`);
    const metadata = (await answer.json()) as Record<string, unknown>;
    expect(metadata.pushed_authorization_request_endpoint).toBe(`${world.server.url}/oauth/par`);
    expect(metadata.grant_types_supported).toContain('refresh_token');
    expect(metadata.scopes_supported).toContain('offline_access');
  });
});
