import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CodeGrant } from '../../../src/service/authorization/index.ts';
import { ServiceError } from '../../../src/service/errors/index.ts';
import {
  ana,
  basic,
  callback,
  challenge,
  formEncoded,
  grantOf,
  HandlerWorld,
  page,
  password,
  portal,
  secret,
  verifier,
} from './handler-world.ts';

let world: HandlerWorld;
beforeEach(async () => {
  world = await HandlerWorld.open();
});
afterEach(async () => world.close());

const client = { client_id: portal.clientId, client_secret: secret };
const asClient = { Authorization: basic(portal.clientId, formEncoded(secret)) };
const byCode = { grant_type: 'authorization_code', redirect_uri: callback, code: 'c1' };
const byPassword = { grant_type: 'password', username: ana.username, password };
const ofItself = { grant_type: 'client_credentials' };

const token = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  world.postJson('/oauth', body, headers);
const tooMany = (retryAfter?: number): ServiceError =>
  new ServiceError('TOO_MANY_ATTEMPTS', 'Wait a moment.', { retryAfter });

describe('POST /oauth with a code', () => {
  it('issues the token of the code once, for the application and the address of the code', async () => {
    world.addCode('c1');
    const answer = await token({ ...client, ...byCode });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('pragma')).toBe('no-cache');
    expect(answer.content).toEqual({
      access_token: 'the-token',
      token_type: 'bearer',
      expires_in: 90,
      scope: 'certificate_info',
      authorization: 'Bearer the-token',
      authorized_identification_type: 'CPF',
      authorized_identification: ana.username,
      slot_alias: 'slot',
    });
    expect(world.callsOf('issueForCode')).toEqual([['c1', portal.clientId]]);
    expect((await token({ ...client, ...byCode })).content).toMatchObject({ error: 'invalid_grant' });
    expect(world.callsOf('issueForCode')).toHaveLength(1);
  });

  it.each<[string, Partial<CodeGrant> & { readonly expiresAt?: Date }, Record<string, string | undefined>]>([
    ['the address is missing although it was named', {}, { redirect_uri: undefined }],
    ['the address is another one', {}, { redirect_uri: `${callback}x` }],
    [
      'another address is named than the default one',
      { redirectUriGiven: false },
      { redirect_uri: 'https://x.example' },
    ],
    ['the application of the code is gone', { clientId: 'gone' }, {}],
    ['the code belongs to another application', { clientId: page.clientId }, {}],
    ['the code is over', { expiresAt: new Date(Date.now() - 1000) }, {}],
    ['the code is unknown', {}, { code: 'c2' }],
    ['a verifier comes where no challenge was sent', {}, { code_verifier: verifier }],
    ['the verifier is missing', { codeChallenge: challenge }, {}],
    ['the verifier is another one', { codeChallenge: challenge }, { code_verifier: 'x'.repeat(43) }],
  ])('refuses the grant when %s', async (_what, code, fields) => {
    world.addCode('c1', code);
    const answer = await token({ ...client, ...byCode, ...fields });
    expect([answer.status, answer.content.error]).toEqual([400, 'invalid_grant']);
    expect(world.callsOf('issueForCode')).toEqual([]);
    expect(world.faults).toEqual([]);
  });

  it.each([[{}], [{ redirect_uri: callback }]])(
    'takes the default address when none was named, with %j',
    async (fields) => {
      world.addCode('c1', { redirectUriGiven: false });
      const answer = await token({ ...client, ...byCode, redirect_uri: undefined, ...fields });
      expect(answer.status).toBe(200);
    },
  );

  it('takes the verifier of the challenge', async () => {
    world.addCode('c1', { codeChallenge: challenge });
    expect((await token({ ...client, ...byCode, code_verifier: verifier })).status).toBe(200);
  });

  it('gives a public application its token for the verifier alone', async () => {
    world.addCode('c1', { clientId: page.clientId, codeChallenge: challenge });
    const answer = await token({ client_id: page.clientId, ...byCode, code_verifier: verifier });
    expect(answer.status).toBe(200);
    expect(world.callsOf('authenticateClient')).toEqual([]);
  });

  it('takes no verifier for the secret of a confidential application', async () => {
    world.addCode('c1', { codeChallenge: challenge });
    const answer = await token({ client_id: portal.clientId, ...byCode, code_verifier: verifier });
    expect([answer.status, answer.content.error]).toEqual([401, 'invalid_client']);
  });

  it('takes no verifier for an unknown application', async () => {
    world.addCode('c1', { clientId: 'nobody', codeChallenge: challenge });
    const answer = await token({ client_id: 'nobody', ...byCode, code_verifier: verifier });
    expect([answer.status, answer.content.error]).toEqual([401, 'invalid_client']);
  });

  it('refuses a code spent at the same moment', async () => {
    world.addCode('c1');
    world.failures = { issueForCode: new ServiceError('INVALID_CREDENTIALS', 'The code was spent.') };
    const answer = await token({ ...client, ...byCode });
    expect([answer.status, answer.content]).toEqual([
      400,
      { error: 'invalid_grant', error_description: 'The code was spent.' },
    ]);
  });
});

describe('POST /oauth and the client', () => {
  it.each([
    ['in the body', client, {}],
    ['in Basic credentials, form-encoded', {}, asClient],
    ['in Basic credentials, whatever the body says', { client_id: 'x', client_secret: 'y' }, asClient],
    ['in the body, beside a header of another scheme', client, { Authorization: 'Bearer x' }],
  ])('takes its id and its secret %s', async (_where, fields, headers) => {
    const answer = await token({ ...ofItself, ...fields }, headers);
    expect(answer.status).toBe(200);
    expect(world.callsOf('authenticateClient')).toEqual([[portal.clientId, secret]]);
    expect(world.callsOf('issueToken')).toEqual([
      [{ username: null, clientId: portal.clientId, scopes: ['signature_session'], lifetime: undefined }],
    ]);
    expect(answer.content).toMatchObject({ expires_in: 3600, scope: 'signature_session' });
    expect(answer.content).not.toHaveProperty('user');
  });

  it('is public where the secret of Basic is empty', async () => {
    world.addCode('c1', { clientId: page.clientId, codeChallenge: challenge });
    const headers = { Authorization: basic(page.clientId, '') };
    expect((await token({ ...byCode, code_verifier: verifier }, headers)).status).toBe(200);
  });

  it.each([
    ['a secret that is not form-encoded', basic(portal.clientId, secret)],
    ['a wrong secret', basic(portal.clientId, 'wrong')],
    ['no colon', `Basic ${Buffer.from('portal').toString('base64')}`],
    ['an empty id', basic('', 'secret')],
    ['the id of the helper, form-encoded', basic('%3Ahelper', 'secret')],
  ])('is refused with 401 and the scheme for Basic with %s', async (_what, header) => {
    const answer = await token(ofItself, { Authorization: header });
    expect([answer.status, answer.content.error]).toEqual([401, 'invalid_client']);
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="Sinete"');
    expect(answer.headers.get('pragma')).toBe('no-cache');
    expect(world.callsOf('issueToken')).toEqual([]);
  });

  it.each([
    ['an unknown id', { client_id: 'nobody', client_secret: secret }],
    ['a wrong secret', { ...client, client_secret: 'wrong' }],
    ['no secret', { client_id: portal.clientId }],
    ['an empty secret', { ...client, client_secret: '' }],
    ['no id', {}],
    ['the id of the helper', { client_id: ':helper', client_secret: 'x' }],
  ])('is refused with 401 and no scheme for a body with %s', async (_what, fields) => {
    const answer = await token({ ...ofItself, ...fields });
    expect([answer.status, answer.content.error]).toEqual([401, 'invalid_client']);
    expect(answer.headers.get('www-authenticate')).toBeNull();
    expect(world.callsOf('issueToken')).toEqual([]);
  });

  it.each([
    [7, '7'],
    [undefined, '60'],
  ])('is told to wait after too many wrong secrets (%j)', async (seconds, header) => {
    world.failures = { authenticateClient: tooMany(seconds) };
    const answer = await token({ ...ofItself, ...client });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, header]);
    expect(answer.content).toEqual({ error: 'temporarily_unavailable', error_description: 'Wait a moment.' });
    expect(world.faults).toEqual([]);
  });

  it.each([
    ['password', { ...byPassword }],
    ['authorization_code', { ...byCode }],
  ])('may use %s with its secret', async (_grant, fields) => {
    world.addCode('c1');
    expect((await token({ ...client, ...fields })).status).toBe(200);
  });

  it('that is public may use neither password nor client credentials', async () => {
    for (const fields of [byPassword, ofItself]) {
      const answer = await token({ client_id: page.clientId, ...fields });
      expect(['unauthorized_client', 'invalid_client']).toContain(answer.content.error);
    }
    expect(world.callsOf('issueToken')).toEqual([]);
  });
});

describe('POST /oauth with a one-time password', () => {
  it.each([
    ['the helper itself, without an application', {}, null],
    ['an application', client, portal.clientId],
  ])('answers the token and the person to %s', async (_who, fields, clientId) => {
    const answer = await token({ ...byPassword, ...fields, scope: 'single_signature', lifetime: '600' });
    expect(answer.status).toBe(200);
    expect(answer.content).toMatchObject({
      expires_in: 600,
      user: { name: ana.name, username: ana.username, photo: 'pic' },
    });
    expect(world.callsOf('issueToken')).toEqual([
      [
        {
          username: ana.username,
          clientId,
          scopes: ['single_signature'],
          hashes: clientId === null ? undefined : { most: 1 },
          lifetime: 600,
        },
      ],
    ]);
  });

  it.each([
    ['native-program', 'program'],
    ['own-page', 'window'],
  ])('counts attempts of a %s like attempts of a %s', async (caller, origin) => {
    await token(byPassword, { 'X-Test-Caller': caller });
    expect(world.callsOf('authenticate')).toEqual([[ana.username, password, origin]]);
  });

  it('refuses a wrong name or code, in characters allowed by RFC 6749', async () => {
    const answer = await token({ ...byPassword, password: '000000' });
    expect([answer.status, answer.content]).toEqual([
      400,
      { error: 'invalid_grant', error_description: "Name or code is 'wrong'." },
    ]);
  });

  it('answers 429 to guesses, with the time to wait', async () => {
    world.failures = { authenticate: tooMany(30) };
    const answer = await token(byPassword);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '30']);
  });

  it('is not for the helper where another scheme names an application', async () => {
    const answer = await token(byPassword, { Authorization: `Sinete ${btoa(`portal:${secret}`)}` });
    expect([answer.status, answer.content.error]).toEqual([401, 'invalid_client']);
  });

  it('is not for a caller naming itself the helper', async () => {
    const answer = await token({ ...byPassword, client_id: ':helper' });
    expect([answer.status, answer.content.error]).toEqual([401, 'invalid_client']);
    expect(world.callsOf('authenticate')).toEqual([]);
  });
});

describe('POST /oauth from a web page', () => {
  const site = { 'X-Test-Caller': 'site' };

  it('exchanges a code', async () => {
    world.addCode('c1');
    expect((await token({ ...client, ...byCode }, site)).status).toBe(200);
  });

  it.each([
    ['a one-time password of the helper', byPassword],
    ['a one-time password of an application', { ...client, ...byPassword }],
    ['client credentials', { ...client, ...ofItself }],
  ])('does not take %s', async (_what, fields) => {
    const answer = await token(fields, site);
    expect(answer.content.error).toBe('unauthorized_client');
    expect(world.callsOf('issueToken')).toEqual([]);
  });
});

describe('POST /oauth and its parameters', () => {
  it.each([
    ['an unknown scope', { scope: 'everything' }, 'invalid_scope'],
    ['a lifetime of 0', { lifetime: '0' }, 'invalid_request'],
    ['a lifetime in words', { lifetime: 'a day' }, 'invalid_request'],
    ['an unknown grant', { grant_type: 'magic' }, 'unsupported_grant_type'],
    ['no grant', { grant_type: undefined }, 'invalid_request'],
    ['an object', { scope: {} }, 'invalid_request'],
  ])('refuses %s', async (_what, fields, error) => {
    const answer = await token({ ...client, ...ofItself, ...fields });
    expect([answer.status, answer.content.error]).toEqual([400, error]);
  });

  it('takes a form like JSON', async () => {
    const answer = await world.postForm('/oauth', { ...client, ...ofItself, lifetime: '5' });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({ expires_in: 5 });
  });

  it('takes a number in JSON for a lifetime', async () => {
    await token({ ...client, ...ofItself, lifetime: 7 });
    expect(world.callsOf('issueToken')).toMatchObject([[{ lifetime: 7 }]]);
  });

  it('answers the requested scopes, each once', async () => {
    const answer = await token({
      ...client,
      ...ofItself,
      scope: ' certificate_info  single_signature certificate_info',
    });
    expect(answer.content.scope).toBe('single_signature certificate_info');
  });

  it.each([
    [89.6, 90],
    [-5, 0],
  ])('tells the lifetime of a token with %d seconds left as %d', async (left, told) => {
    world.tokenLifetime = left;
    expect((await token(byPassword)).content.expires_in).toBe(told);
  });

  it('tells faults of ours as server_error, and logs each', async () => {
    const fault = new Error('disk full of secrets');
    world.failures = { authenticate: fault };
    const answer = await token(byPassword);
    expect([answer.status, answer.content.error]).toEqual([500, 'server_error']);
    expect(answer.body).not.toContain('secrets');
    expect(world.faults).toEqual([fault]);
  });

  it('takes no error with the mere code for a wrong password', async () => {
    world.failures = { authenticate: Object.assign(new Error('odd'), { code: 'INVALID_CREDENTIALS' }) };
    expect((await token(byPassword)).content.error).toBe('server_error');
  });

  it('tells a silent store as server_error, without a fault in the log', async () => {
    world.failures = { authenticate: new ServiceError('STORAGE_UNAVAILABLE', 'The disk is away.') };
    const answer = await token(byPassword);
    expect([answer.status, answer.content]).toEqual([
      503,
      { error: 'server_error', error_description: 'The disk is away.' },
    ]);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(world.faults).toEqual([]);
  });
});

describe('POST /oauth/revoke', () => {
  const revoke = (fields: Record<string, unknown>, headers: Readonly<Record<string, string>> = {}) =>
    world.postJson('/oauth/revoke', fields, headers);

  it.each([
    ['in the body', client, {}],
    ['in Basic credentials, form-encoded', {}, asClient],
  ])('ends a token for the application, proven %s', async (_where, fields, headers) => {
    world.grants.set('t1', grantOf());
    const answer = await revoke({ token: 't1', ...fields }, headers);
    expect([answer.status, answer.body]).toEqual([200, '']);
    expect(world.callsOf('revoke')).toEqual([['t1']]);
  });

  it('answers 200 for a token never issued, to a proven application', async () => {
    expect((await revoke({ token: 'never' }, asClient)).status).toBe(200);
    expect((await revoke({ token: 'never' })).status).toBe(200);
  });

  it.each([
    ['without an application, for whoever has it', grantOf({ clientId: null }), {}],
    [
      'of a public application, for whoever has it and names it',
      grantOf({ clientId: page.clientId }),
      { client_id: page.clientId },
    ],
  ])('ends a token %s', async (_whose, grant, fields) => {
    world.grants.set('t1', grant);
    expect((await revoke({ token: 't1', ...fields })).status).toBe(200);
    expect(world.callsOf('revoke')).toEqual([['t1']]);
  });

  it('ends the token of a public application with Basic credentials without a secret', async () => {
    world.grants.set('t1', grantOf({ clientId: page.clientId }));
    expect((await revoke({ token: 't1' }, { Authorization: basic(page.clientId, '') })).status).toBe(200);
  });

  it.each([
    ['by nobody', portal.clientId, {}, {}],
    ['by the id alone', portal.clientId, { client_id: portal.clientId }, {}],
    ['by another application', page.clientId, client, {}],
    ['by a public application that is not named', page.clientId, {}, {}],
    ['by a public application, of another one', portal.clientId, { client_id: page.clientId }, {}],
    ['by an application that is gone', 'gone', { client_id: 'gone' }, {}],
    ['by a wrong secret, also of a person’s own token', null, { ...client, client_secret: 'wrong' }, {}],
    ['by a wrong secret in Basic credentials', portal.clientId, client, { Authorization: basic('portal', 'wrong') }],
    ['by Basic credentials without a colon', portal.clientId, {}, { Authorization: `Basic ${btoa('portal1')}` }],
    ['by a secret without an id', portal.clientId, { client_secret: secret }, {}],
  ])('does not end a token %s', async (_by, clientId, fields, headers) => {
    world.grants.set('t1', grantOf({ clientId }));
    const answer = await revoke({ token: 't1', ...fields }, headers);
    expect([answer.status, answer.content.error]).toEqual([401, 'invalid_client']);
    expect(answer.headers.get('www-authenticate')).toBe('Authorization' in headers ? 'Basic realm="Sinete"' : null);
    expect(world.callsOf('revoke')).toEqual([]);
  });

  it.each([false, true, 5, null, ['t1'], {}])('refuses the token %j, not a text', async (token) => {
    const answer = await revoke({ ...client, token });
    expect([answer.status, answer.content.error]).toEqual([400, 'invalid_request']);
  });

  it('names the missing parameter', async () => {
    const answer = await revoke(client);
    expect([answer.status, answer.content]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'Missing parameter: token.' },
    ]);
    expect((await revoke({}, { Authorization: 'Bearer x' })).headers.get('www-authenticate')).toBeNull();
  });

  it('answers 429 to guessed secrets, and nothing ends', async () => {
    world.failures = { authenticateClient: tooMany(9) };
    const answer = await revoke({ token: 't1', ...client });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '9']);
    expect(world.callsOf('revoke')).toEqual([]);
  });

  it('tells faults of ours as server_error', async () => {
    const fault = new Error('no disk');
    world.failures = { revoke: fault };
    expect([(await revoke({ token: 't1' })).status, world.faults]).toEqual([500, [fault]]);
  });
});

describe('POST /oauth/introspect', () => {
  const introspect = (fields: Record<string, unknown>, headers: Readonly<Record<string, string>> = {}) =>
    world.postJson('/oauth/introspect', fields, headers);

  it.each([
    ['in the body', client, {}],
    ['in Basic credentials', {}, asClient],
  ])('tells an application, proven %s, about its own token', async (_where, fields, headers) => {
    world.grants.set('t1', grantOf({ scopes: ['signature_session', 'certificate_info'] }));
    const answer = await introspect({ token: 't1', ...fields }, headers);
    expect([answer.status, answer.headers.get('pragma')]).toEqual([200, 'no-cache']);
    expect(answer.content).toEqual({
      active: true,
      scope: 'signature_session certificate_info',
      client_id: portal.clientId,
      token_type: 'bearer',
      iss: `http://${world.host}`,
      exp: Date.parse('2026-01-02T04:04:05Z') / 1000,
      username: ana.username,
      sub: ana.username,
    });
  });

  it('names nobody for a token without a person', async () => {
    world.grants.set('t1', grantOf({ username: null }));
    const { content } = await introspect({ token: 't1', ...client });
    expect(content).toMatchObject({ active: true });
    expect(Object.keys(content)).toEqual(['active', 'scope', 'client_id', 'token_type', 'iss', 'exp']);
  });

  it.each([
    ['of another application', grantOf({ clientId: page.clientId })],
    ['of no application', grantOf({ clientId: null })],
    ['that is not known', undefined],
  ])('says nothing about a token %s', async (_whose, grant) => {
    if (grant !== undefined) world.grants.set('t1', grant);
    const { status, content } = await introspect({ token: 't1', ...client });
    expect([status, content]).toEqual([200, { active: false }]);
  });

  it.each([
    ['nobody', {}, 'Send client id'],
    ['an id alone', { client_id: portal.clientId }, 'Send client id'],
    ['a secret alone', { client_secret: secret }, 'Send client id'],
    ['a wrong secret', { ...client, client_secret: 'wrong' }, 'is wrong'],
  ])('refuses %s', async (_who, fields, words) => {
    world.grants.set('t1', grantOf());
    const { status, content } = await introspect({ token: 't1', ...fields });
    expect([status, content.error]).toEqual([401, 'invalid_client']);
    expect(content.error_description).toContain(words);
  });

  it('names the missing parameter', async () => {
    const { status, content } = await introspect(client);
    expect([status, content]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'Missing parameter: token.' },
    ]);
  });

  it('answers 429 to guessed secrets', async () => {
    world.failures = { authenticateClient: tooMany(9) };
    const answer = await introspect({ token: 't1', ...client });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '9']);
  });
});

describe('GET /.well-known/oauth-authorization-server', () => {
  it('describes the endpoints at the address of the caller', async () => {
    const { status, body } = await world.get('/.well-known/oauth-authorization-server');
    const at = `http://${world.host}`;
    const secretBased = ['client_secret_basic', 'client_secret_post'];
    expect([status, JSON.parse(body)]).toEqual([
      200,
      {
        issuer: at,
        authorization_endpoint: `${at}/oauth/authorize`,
        token_endpoint: `${at}/oauth`,
        revocation_endpoint: `${at}/oauth/revoke`,
        introspection_endpoint: `${at}/oauth/introspect`,
        pushed_authorization_request_endpoint: `${at}/oauth/par`,
        require_pushed_authorization_requests: false,
        service_documentation: `${at}/docs`,
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token', 'password', 'client_credentials'],
        scopes_supported: ['single_signature', 'multi_signature', 'signature_session', 'authentication_session', 'certificate_info', 'service', 'credential', 'offline_access'], // prettier-ignore
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: [...secretBased, 'none'],
        revocation_endpoint_auth_methods_supported: [...secretBased, 'none'],
        introspection_endpoint_auth_methods_supported: secretBased,
        authorization_response_iss_parameter_supported: true,
        ui_locales_supported: ['pt-BR', 'en'],
      },
    ]);
  });
});
