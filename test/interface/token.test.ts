import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAuthWorld, otherRedirectUri, redirectUri, type JsonAnswer } from '../http/authorization/oauth-world.ts';
import { plainRequest } from '../http/start-test-server.ts';

/** Endpoint 9, and revocation. */

let world: OAuthWorld;

beforeAll(async () => {
  world = await OAuthWorld.open();
});
afterAll(async () => world.close());

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');
const withCode = { grant_type: 'authorization_code' } as const;

const isLive = async (answer: JsonAnswer): Promise<boolean> =>
  (await world.identity.authorization.readToken(String(answer.content.access_token))) !== undefined;

describe('POST /oauth/introspect', () => {
  it('tells an application about its own tokens, and nothing about any other', async () => {
    const client = { client_id: world.client.id, client_secret: world.client.secret };
    const { content } = await world.token({ ...withCode, code: await world.code() });
    const token = String(content.access_token);
    const own = await world.post('/oauth/introspect', { ...client, token }, { form: true });
    expect([own.status, own.content]).toMatchObject([
      200,
      { active: true, client_id: world.client.id, scope: 'signature_session', username: world.ana.username },
    ]);
    expect(Number(own.content.exp)).toBeGreaterThan(world.identity.time.getTime() / 1000);
    const session = await world.identity.authorization.issueSession(world.ana.username, 60);
    for (const other of ['unknown', session.accessToken]) {
      expect((await world.post('/oauth/introspect', { ...client, token: other })).content).toEqual({ active: false });
    }
    await world.identity.authorization.revoke(token);
    expect((await world.post('/oauth/introspect', { ...client, token })).content).toEqual({ active: false });
  });

  it('refuses an unproven caller', async () => {
    const wrong = { client_id: world.client.id, client_secret: 'wrong', token: 'x' };
    expect((await world.post('/oauth/introspect', wrong)).content.error).toBe('invalid_client');
    const anonymous = await world.post('/oauth/introspect', { client_id: world.publicClient, token: 'x' });
    expect([anonymous.status, anonymous.content.error]).toEqual([401, 'invalid_client']);
  });
});

describe('GET /.well-known/oauth-authorization-server', () => {
  it('names existing endpoints, and the issuer of the answers', async () => {
    const { url } = world.server;
    const metadata = (await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json()) as Record<
      string,
      string
    >;
    expect(metadata).toMatchObject({ issuer: url, authorization_response_iss_parameter_supported: true });
    for (const name of ['token_endpoint', 'revocation_endpoint', 'introspection_endpoint']) {
      const answer = await fetch(String(metadata[name]), { method: 'POST', body: new URLSearchParams() });
      expect([400, 401]).toContain(answer.status);
    }
    expect((await world.allow()).get('iss')).toBe(url);
  });

  it('is not the way to a page with a foreign name inside: login_hint is only a text of the form', async () => {
    const page = await world.show({ login_hint: '"><b>111.444.777-35' });
    expect(page.body).toContain('value="&quot;&gt;&lt;b&gt;111.444.777-35"');
  });
});

describe('POST /oauth under the names of existing clients', () => {
  it.each(['/oauth/token', '/v0/oauth/token', '/oauth/pwd_authorize', '/v0/oauth/pwd_authorize'])(
    'answers the token at %s',
    async (path) => {
      const client = { client_id: world.client.id, client_secret: world.client.secret };
      const answer = await world.post(path, { ...client, ...withCode, code: await world.code() });
      expect([answer.status, answer.content.token_type]).toEqual([200, 'bearer']);
    },
  );

  it('takes multipart/form-data', async () => {
    const form = new FormData();
    const fields = { grant_type: 'client_credentials', client_id: world.client.id, client_secret: world.client.secret };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    const answer = await fetch(`${world.server.url}/oauth/pwd_authorize`, { method: 'POST', body: form });
    expect([answer.status, await answer.json()]).toMatchObject([200, { token_type: 'bearer' }]);
  });

  it.each([
    ['a file', (form: FormData) => form.append('code', new Blob(['x']), 'x.txt'), 'text fields only'],
    ['a field twice', (form: FormData) => form.append('grant_type', 'password'), 'grant_type'],
    ['a long field', (form: FormData) => form.append('code', 'x'.repeat(20_000)), 'too long'],
  ])('refuses %s in such a form, and says so', async (_what, change, words) => {
    const form = new FormData();
    form.append('grant_type', 'client_credentials');
    change(form);
    const answer = await fetch(`${world.server.url}/oauth/token`, { method: 'POST', body: form });
    const body = (await answer.json()) as { readonly error: string; readonly error_description: string };
    expect([answer.status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.error_description).toContain(words);
  });
});

describe('POST /oauth with a code', () => {
  it.each([
    ['JSON', false],
    ['a form', true],
  ])('answers the token to %s', async (_form, form) => {
    const answer = await world.token({ ...withCode, code: await world.code() }, { form });
    expect(answer.status).toBe(200);
    const { access_token: token } = answer.content;
    expect(answer.content).toEqual({
      access_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as string,
      token_type: 'bearer',
      expires_in: 3600,
      scope: 'signature_session',
      authorization: `Bearer ${String(token)}`,
      authorized_identification_type: 'CPF',
      authorized_identification: world.ana.username,
      slot_alias: 'slot',
    });
    expect(answer.headers['cache-control']).toBe('no-store');
    const grant = await world.identity.authorization.readToken(String(token));
    expect(grant).toMatchObject({ username: world.ana.username, clientId: world.client.id, consented: true });
  });

  it.each([
    ['77', 77],
    ['604801', 604_800],
  ])('gives a token with the announced life for lifetime=%s', async (lifetime, seconds) => {
    const answer = await world.token({ ...withCode, code: await world.code({ lifetime }) });
    expect(answer.content.expires_in).toBe(seconds);
    world.identity.pass(seconds - 1);
    expect(await isLive(answer)).toBe(true);
    world.identity.pass(1);
    expect(await isLive(answer)).toBe(false);
  });

  it('takes the client from Basic credentials', async () => {
    const basic = Buffer.from(`${world.client.id}:${world.client.secret}`).toString('base64');
    const fields = { ...withCode, code: await world.code(), client_id: undefined, client_secret: undefined };
    const answer = await world.token(fields, { headers: { Authorization: `Basic ${basic}` } });
    expect(answer.status).toBe(200);
  });

  it('refuses a code the second time, and ends the token of the first', async () => {
    const code = await world.code();
    const first = await world.token({ ...withCode, code });
    expect(await isLive(first)).toBe(true);
    const second = await world.token({ ...withCode, code });
    expect([second.status, second.content.error]).toEqual([400, 'invalid_grant']);
    expect(await isLive(first)).toBe(false);
  });

  it('gives one token at most when a code is sent ten times at the same moment', async () => {
    const code = await world.code();
    const answers = await Promise.all(Array.from({ length: 10 }, async () => world.token({ ...withCode, code })));
    const alive = await Promise.all(answers.filter(({ status }) => status === 200).map(isLive));
    expect(alive.filter(Boolean).length).toBeLessThanOrEqual(1);
  });

  it('refuses a code after a minute', async () => {
    const code = await world.code();
    world.identity.pass(60);
    expect((await world.token({ ...withCode, code })).content.error).toBe('invalid_grant');
  });

  it.each([
    ['a verifier that fits', verifier, 200, undefined],
    ['another verifier', randomBytes(32).toString('base64url'), 400, 'invalid_grant'],
    ['a verifier that cannot be one', 'short', 400, 'invalid_request'],
    ['no verifier', undefined, 400, 'invalid_grant'],
  ])('with a challenge and %s answers %i', async (_what, code_verifier, status, error) => {
    const code = await world.code({ code_challenge: challenge, code_challenge_method: 'S256' });
    const answer = await world.token({ ...withCode, code, code_verifier });
    expect([answer.status, answer.content.error]).toEqual([status, error]);
    if (status === 200) return;
    const again = await world.token({ ...withCode, code, code_verifier: verifier });
    expect(again.content.error).toBe('invalid_grant');
  });

  it('refuses a verifier where no challenge was sent: the challenge may have been taken away', async () => {
    const answer = await world.token({ ...withCode, code: await world.code(), code_verifier: verifier });
    expect(answer.content.error).toBe('invalid_grant');
  });

  it('demands a named address again, and no other', async () => {
    const named = { redirect_uri: otherRedirectUri };
    for (const sent of [undefined, redirectUri, `${otherRedirectUri}/`]) {
      const answer = await world.token({ ...withCode, code: await world.code(named), redirect_uri: sent });
      expect(answer.content.error).toBe('invalid_grant');
    }
    const answer = await world.token({ ...withCode, code: await world.code(named), ...named });
    expect(answer.status).toBe(200);
  });

  it('takes the default address, named or not, when none was named before', async () => {
    for (const sent of [undefined, redirectUri]) {
      expect((await world.token({ ...withCode, code: await world.code(), redirect_uri: sent })).status).toBe(200);
    }
    const other = await world.token({ ...withCode, code: await world.code(), redirect_uri: otherRedirectUri });
    expect(other.content.error).toBe('invalid_grant');
  });

  it('gives a public application its token for the verifier alone', async () => {
    const asPublic = { client_id: world.publicClient, client_secret: undefined };
    const code = await world.code({ client_id: world.publicClient, code_challenge: challenge });
    const answer = await world.token({ ...withCode, ...asPublic, code, code_verifier: verifier });
    expect(answer.status).toBe(200);
    const without = await world.code({ client_id: world.publicClient, code_challenge: challenge });
    expect((await world.token({ ...withCode, ...asPublic, code: without })).content.error).toBe('invalid_client');
  });

  it('does not take a verifier for the secret of a confidential application', async () => {
    const code = await world.code({ code_challenge: challenge });
    const answer = await world.token({ ...withCode, client_secret: undefined, code, code_verifier: verifier });
    expect([answer.status, answer.content.error]).toEqual([401, 'invalid_client']);
  });

  it('does not spend the code of another application', async () => {
    const thief = await world.identity.applications.register({
      name: 'Thief',
      comments: '',
      email: '',
      redirectUris: [redirectUri],
    });
    const code = await world.code();
    const stolen = await world.token({
      ...withCode,
      code,
      client_id: thief.application.clientId,
      client_secret: thief.clientSecret,
    });
    expect(stolen.content.error).toBe('invalid_grant');
    expect((await world.token({ ...withCode, code })).status).toBe(200);
  });
});

describe('POST /oauth with other grants', () => {
  it('answers the token and the person to a one-time password, with and without an application', async () => {
    for (const client of [{}, { client_id: undefined, client_secret: undefined }]) {
      world.identity.pass(30);
      const answer = await world.token({
        ...client,
        grant_type: 'password',
        username: '111.444.777-35',
        password: world.ana.code(),
        scope: 'authentication_session',
        lifetime: 60,
      });
      expect(answer.status).toBe(200);
      expect(answer.content).toMatchObject({
        expires_in: 60,
        scope: 'authentication_session',
        user: { name: 'Ana Lima', username: world.ana.username, photo: null },
      });
      const grant = await world.identity.authorization.readToken(String(answer.content.access_token));
      expect(grant).toMatchObject({ username: world.ana.username, consented: false });
    }
  });

  it('answers a token without a person to client credentials', async () => {
    const answer = await world.token({ grant_type: 'client_credentials', scope: 'certificate_info' });
    expect(answer.status).toBe(200);
    expect(answer.content).not.toHaveProperty('user');
    const grant = await world.identity.authorization.readToken(String(answer.content.access_token));
    expect(grant).toMatchObject({ username: null, clientId: world.client.id, consented: false });
  });

  it('answers 429 to guesses, with the time to wait, and lets nobody in before', async () => {
    const guess = { grant_type: 'password', username: world.bruno.username, password: '000000' };
    const answers: JsonAnswer[] = [];
    for (let tries = 0; tries < 6; tries += 1) answers.push(await world.token(guess));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 429]);
    expect(answers[0]?.content.error).toBe('invalid_grant');
    expect(answers[5]?.content.error).toBe('temporarily_unavailable');
    expect(answers[5]?.headers['retry-after']).toBe('30');
    expect((await world.token({ ...guess, password: world.bruno.code() })).status).toBe(429);
    world.identity.pass(31);
    expect((await world.token({ ...guess, password: world.bruno.code() })).status).toBe(200);
  });
});

describe('POST /oauth and a guessing application', () => {
  it('answers 429 to wrong secrets, with the time to wait, also where tokens are ended', async () => {
    const { application } = await world.identity.applications.register({
      name: 'Guessed',
      comments: '',
      email: 'a@portal.example',
      redirectUris: ['https://portal.example/'],
    });
    const guess = { grant_type: 'client_credentials', client_id: application.clientId };
    const answers: JsonAnswer[] = [];
    for (let tries = 0; tries < 6; tries += 1) {
      answers.push(await world.token({ ...guess, client_secret: `wrong ${tries}` }));
    }
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
    expect(answers[5]?.content.error).toBe('temporarily_unavailable');
    expect(answers[5]?.headers['retry-after']).toBe('30');
    const ending = { token: 'none', client_id: application.clientId, client_secret: 'wrong' };
    expect((await world.post('/oauth/revoke', ending)).status).toBe(429);
  });
});

describe('POST /oauth and wrong requests', () => {
  it.each([
    ['no grant type', {}, 400, 'invalid_request'],
    ['an unknown grant type', { grant_type: 'magic' }, 400, 'unsupported_grant_type'],
    [
      'a refresh token that was never issued',
      { grant_type: 'refresh_token', refresh_token: 'x' },
      400,
      'invalid_grant',
    ],
    ['no code', { grant_type: 'authorization_code' }, 400, 'invalid_request'],
    ['a guessed code', { grant_type: 'authorization_code', code: 'guessed' }, 400, 'invalid_grant'],
    ['a wrong secret', { grant_type: 'client_credentials', client_secret: 'wrong-secret' }, 401, 'invalid_client'],
    ['an unknown client', { grant_type: 'client_credentials', client_id: 'nobody' }, 401, 'invalid_client'],
    ['no secret', { grant_type: 'client_credentials', client_secret: undefined }, 401, 'invalid_client'],
    [
      "the helper's own id",
      { grant_type: 'password', client_id: ':helper', username: 'a', password: 'b' },
      401,
      'invalid_client',
    ],
    ['an unknown scope', { grant_type: 'client_credentials', scope: 'all' }, 400, 'invalid_scope'],
    ['a lifetime that is no number', { grant_type: 'client_credentials', lifetime: 'long' }, 400, 'invalid_request'],
    ['a list for a text', { grant_type: 'client_credentials', scope: ['certificate_info'] }, 400, 'invalid_request'],
    ['a password grant without a username', { grant_type: 'password', password: '123456' }, 400, 'invalid_request'],
  ])('answers %s with %o', async (_what, fields, status, error) => {
    const answer = await world.token(fields);
    expect([answer.status, answer.content.error]).toEqual([status, error]);
    expect(answer.content.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(Object.keys(answer.content)).toEqual(['error', 'error_description']);
  });

  it.each([
    ['broken JSON', '{"grant_type":', {}, 400],
    ['JSON that is no object', '["a"]', {}, 400],
    ['another content type', 'a=b', { 'Content-Type': 'text/plain' }, 415],
    ['a body that is too long', `{"a":"${'x'.repeat(70_000)}"}`, {}, 400],
  ])('answers %s in the form of RFC 6749', async (_what, body, headers, status) => {
    const answer = await world.token({}, { body, headers });
    expect([answer.status, answer.content.error]).toEqual([status, 'invalid_request']);
  });

  it('answers a form with a repeated parameter', async () => {
    const body = 'grant_type=client_credentials&grant_type=password';
    expect((await world.token({}, { form: true, body })).content.error).toBe('invalid_request');
  });

  it('names the schema of Basic when Basic was wrong', async () => {
    const headers = { Authorization: `Basic ${Buffer.from('a:b').toString('base64')}` };
    const answer = await world.token({ grant_type: 'client_credentials', client_id: undefined }, { headers });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Basic realm="Sinete"']);
  });

  it('has told nothing of all this to the log of faults', () => {
    expect(world.faults).toEqual([]);
    expect(world.server.failures).toEqual([]);
  });
});

describe('POST /oauth from a web page', () => {
  const site = { Origin: 'https://spa.example', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Site': 'cross-site' };

  it('exchanges a code, and lets the page read the answer', async () => {
    const code = await world.code({ client_id: world.publicClient, code_challenge: challenge });
    const fields = { client_id: world.publicClient, client_secret: undefined, code, code_verifier: verifier };
    const answer = await world.token({ ...withCode, ...fields }, { headers: site });
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe('https://spa.example');
    const preflight = await plainRequest(world.server, {
      method: 'OPTIONS',
      path: '/oauth',
      headers: { Host: `127.0.0.1:${world.server.port}`, ...site, 'Access-Control-Request-Method': 'POST' },
    });
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, 'https://spa.example']);
  });

  it.each(['password', 'client_credentials'])('does not take the grant %s', async (grant_type) => {
    const answer = await world.token({ grant_type, username: 'a', password: 'b' }, { headers: site });
    expect(answer.content.error).toBe('unauthorized_client');
  });

  it.each([
    ['blindly', { ...site, 'Sec-Fetch-Mode': 'no-cors' }],
    ['by a form', { ...site, Origin: 'null', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }],
    ['without https', { ...site, Origin: 'http://spa.example' }],
  ])('refuses a request sent %s', async (_how, headers) => {
    expect((await world.token({ grant_type: 'client_credentials' }, { headers })).status).toBe(403);
  });
});

describe('POST /oauth/revoke', () => {
  const revoke = async (fields: Record<string, unknown>): Promise<JsonAnswer> => world.post('/oauth/revoke', fields);

  it('ends a token for its application', async () => {
    const issued = await world.token({ grant_type: 'client_credentials' });
    const credentials = { client_id: world.client.id, client_secret: world.client.secret };
    const answer = await revoke({ token: issued.content.access_token, ...credentials });
    expect([answer.status, answer.body]).toEqual([200, '']);
    expect(await isLive(issued)).toBe(false);
  });

  it('answers 200 for a token never issued', async () => {
    expect((await revoke({ token: 'never issued' })).status).toBe(200);
  });

  it('does not let others end the token', async () => {
    const issued = await world.token({ grant_type: 'client_credentials' });
    const token = issued.content.access_token;
    for (const credentials of [{}, { client_id: world.publicClient }, { client_id: 'x', client_secret: 'y' }]) {
      const answer = await revoke({ token, ...credentials });
      expect([answer.status, answer.content.error]).toEqual([401, 'invalid_client']);
    }
    expect((await revoke({})).content.error).toBe('invalid_request');
    expect(await isLive(issued)).toBe(true);
  });

  it.each([false, 0, 7, null, [], ['a'], {}])('refuses %j in the place of a token', async (token) => {
    const answer = await revoke({ token });
    expect([answer.status, answer.content.error]).toEqual([400, 'invalid_request']);
  });

  it('ends the token of a public application, and of a person without one, for any holder', async () => {
    const { accessToken } = await world.identity.authorization.issueSession(world.ana.username, 60);
    expect((await revoke({ token: accessToken })).status).toBe(200);
    expect(await world.identity.authorization.readToken(accessToken)).toBeUndefined();
  });
});
