import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAuthWorld, type JsonAnswer } from '../http/authorization/oauth-world.ts';
import { plainRequest } from '../http/start-test-server.ts';

/** Endpoint 11, and the registered application afterwards. */

let world: OAuthWorld;

beforeAll(async () => {
  world = await OAuthWorld.open();
});
afterAll(async () => world.close());

const path = '/v0/oauth/application';
const valid = {
  name: 'Portal',
  comments: 'Signs contracts',
  redirect_uris: ['https://portal.example/back', 'http://localhost:8080/back'],
  email: 'help@portal.example',
};

describe('POST /v0/oauth/application', () => {
  it('answers 201 with credentials working at once', async () => {
    const { status, content, headers } = await world.post(path, valid);
    expect(status).toBe(201);
    expect(headers['cache-control']).toBe('no-store');
    expect(content).toEqual({
      client_id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      client_secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as string,
      webhook_secret: expect.stringMatching(/^whsec_/) as string,
      status: 'success',
      message: expect.stringContaining('shown this once') as string,
    });
    const { client_id, client_secret } = content;
    const token = await world.post('/oauth', { grant_type: 'client_credentials', client_id, client_secret });
    expect(token.status).toBe(200);
  });

  it('honours the given id and secret, while the id is free', async () => {
    const wished = {
      ...valid,
      client_id: 'portal-1',
      client_secret: 'a secret would have spaces'.replaceAll(' ', '-'),
    };
    expect((await world.post(path, wished)).content).toMatchObject({
      client_id: 'portal-1',
      client_secret: wished.client_secret,
    });
    const again = await world.post(path, wished);
    expect([again.status, again.content.code]).toEqual([409, 'APPLICATION_EXISTS']);
    expect(again.content.errors).toMatchObject([{ field: 'client_id' }]);
    expect(again.body).not.toContain(wished.client_secret);
  });

  it.each(['', null])('takes one address instead of a list, and %j as no credentials', async (none) => {
    const loose = { ...valid, redirect_uris: 'https://portal.example/', client_id: none, client_secret: none };
    expect((await world.post(path, loose)).status).toBe(201);
  });

  it('registers a public application without a secret', async () => {
    const { status, content } = await world.post(path, { ...valid, token_endpoint_auth_method: 'none' });
    expect([status, content.client_secret]).toEqual([201, null]);
    const found = await world.identity.applications.find(String(content.client_id));
    expect(found?.isPublic).toBe(true);
  });

  it.each([
    ['no name', { ...valid, name: undefined }, 'name'],
    ['no comments', { ...valid, comments: undefined }, 'comments'],
    ['no addresses', { ...valid, redirect_uris: undefined }, 'redirect_uris'],
    ['no e-mail', { ...valid, email: undefined }, 'email'],
    ['an empty e-mail', { ...valid, email: '' }, 'email'],
    ['a name of another type', { ...valid, name: 7 }, 'name'],
    ['plain http elsewhere', { ...valid, redirect_uris: ['http://portal.example/'] }, 'redirect_uris[0]'],
    ['a relative address', { ...valid, redirect_uris: ['https://a.example/', '/b'] }, 'redirect_uris[1]'],
    ['a fragment', { ...valid, redirect_uris: ['https://a.example/#x'] }, 'redirect_uris[0]'],
    ['an e-mail that is none', { ...valid, email: 'help' }, 'email'],
    ['a client id with a space', { ...valid, client_id: 'a b c' }, 'client_id'],
    ['a secret that is too short', { ...valid, client_secret: 'short' }, 'client_secret'],
    [
      'a secret for a public application',
      { ...valid, token_endpoint_auth_method: 'none', client_secret: 'long-enough-secret' },
      'client_secret',
    ],
  ])('answers %s with 422, and names the field', async (_what, body, field) => {
    const before = await world.identity.applications.list();
    const answer = await world.post(path, body);
    expect([answer.status, answer.content.code]).toEqual([422, 'REQUEST_INVALID']);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.content.errors).toMatchObject([{ field }]);
    expect(await world.identity.applications.list()).toEqual(before);
  });

  it.each([
    ['broken JSON', 400, 'REQUEST_MALFORMED', { body: '{' }],
    ['a list', 400, 'REQUEST_MALFORMED', { body: '[]' }],
    ['a form', 415, 'MEDIA_TYPE_NOT_SUPPORTED', { form: true }],
    ['a web page', 403, 'ORIGIN_NOT_GRANTED', { headers: { Origin: 'https://portal.example' } }],
  ] as const)('answers %s with %i %s', async (_what, status, code, options) => {
    const answer = await world.post(path, valid, options);
    expect([answer.status, answer.content.code]).toEqual([status, code]);
  });
});

describe('/applications/<client_id>', () => {
  const limits = { documents_per_day: 200, document_size: 10_485_760, hours: '08:00-18:00' };
  const register = async (body: object = {}): Promise<string> =>
    String((await world.post(path, { ...valid, ...body })).content.client_id);
  const ask = async (method: 'GET' | 'PUT', clientId: string, sent?: unknown, headers = {}): Promise<JsonAnswer> => {
    const Host = `127.0.0.1:${world.server.port}`;
    const answer = await plainRequest(world.server, {
      method,
      path: `/applications/${clientId}`,
      headers: { Host, 'Content-Type': 'application/json', ...headers },
      ...(method === 'GET' ? {} : { body: JSON.stringify(sent) }),
    });
    return { ...answer, content: JSON.parse(answer.body) as Record<string, unknown> };
  };

  it('answers the registered application with its limits and without secrets', async () => {
    const clientId = await register({ limits, client_secret: 'a-secret-of-nobody' });
    const { status, content, body } = await ask('GET', clientId);
    expect([status, content]).toEqual([
      200,
      {
        ...valid,
        client_id: clientId,
        token_endpoint_auth_method: 'client_secret_basic',
        sign_raw: false,
        limits,
        created_at: expect.stringMatching(/Z$/) as string,
        last_used_at: null,
      },
    ]);
    expect(body).not.toContain('a-secret-of-nobody');
    const open = await register({ token_endpoint_auth_method: 'none' });
    expect((await ask('GET', open)).content).toMatchObject({ token_endpoint_auth_method: 'none', limits: {} });
  });

  it('lets only a change give the permission for raw signatures, never a registration', async () => {
    const clientId = await register({ sign_raw: true });
    expect((await ask('GET', clientId)).content.sign_raw).toBe(false);
    expect((await ask('PUT', clientId, { sign_raw: true })).content.sign_raw).toBe(true);
    expect((await ask('PUT', clientId, { sign_raw: false })).content.sign_raw).toBe(false);
  });

  it('changes the given members, and replaces limits as a whole', async () => {
    const clientId = await register({ limits });
    const change = { name: 'Portal 2', redirect_uris: 'https://portal.example/return' };
    const changed = await ask('PUT', clientId, change);
    expect([changed.status, changed.content]).toMatchObject([
      200,
      { ...valid, name: 'Portal 2', redirect_uris: ['https://portal.example/return'], limits },
    ]);
    await ask('PUT', clientId, { limits: { hours: '22:00-06:00' } });
    const { content } = await ask('GET', clientId);
    expect(content).toMatchObject({ name: 'Portal 2', comments: valid.comments });
    expect(content.limits).toEqual({ hours: '22:00-06:00' });
    expect((await ask('PUT', clientId, { limits: {} })).content.limits).toEqual({});
    // The whole answer may be sent back.
    expect(await ask('PUT', clientId, (await ask('GET', clientId)).content)).toMatchObject({ status: 200 });
  });

  it('takes the whole answer back also where the application has no e-mail, as this computer', async () => {
    const about = { name: 'This computer', comments: '', email: '', redirectUris: [] };
    const { application } = await world.identity.applications.register(about);
    const { content } = await ask('GET', application.clientId);
    const changed = await ask('PUT', application.clientId, { ...content, name: 'The desk' });
    expect([changed.status, changed.content]).toMatchObject([200, { name: 'The desk', email: '' }]);
  });

  it('knows the ids of applications with every sign allowed in an id', async () => {
    const clientId = 'portal/%41?';
    await register({ client_id: clientId });
    expect((await ask('GET', encodeURIComponent(clientId))).content.client_id).toBe(clientId);
  });

  it.each([
    ['a limit of zero', { limits: { documents_per_day: 0 } }, 'limits.documents_per_day'],
    ['a part of a byte', { limits: { document_size: 1.5 } }, 'limits.document_size'],
    ['hours that are none', { limits: { hours: '8-18' } }, 'limits.hours'],
    ['limits of another type', { limits: 200 }, 'limits'],
    ['an empty name', { name: '' }, 'name'],
    ['an empty e-mail', { email: '' }, 'email'],
    ['an e-mail of a space', { email: ' ' }, 'email'],
    ['an e-mail of null', { email: null }, 'email'],
    ['plain http elsewhere', { redirect_uris: ['http://portal.example/'] }, 'redirect_uris[0]'],
  ])('answers %s with 422, and keeps the present registration', async (_what, body, field) => {
    const clientId = await register({ limits });
    const answer = await ask('PUT', clientId, body);
    expect([answer.status, answer.content.errors]).toMatchObject([422, [{ field }]]);
    expect((await ask('GET', clientId)).content).toMatchObject({ ...valid, limits });
  });

  it('tells the right form for an empty e-mail', async () => {
    const { content } = await ask('PUT', await register(), { email: '' });
    expect(content.errors).toMatchObject([{ detail: 'Give an e-mail address, as in name@example.org.' }]);
  });

  it.each([
    ['an unknown client id', 'GET', 'nobody', undefined, [404, 'APPLICATION_NOT_FOUND']],
    ['a change of an unknown client id', 'PUT', 'nobody', {}, [404, 'APPLICATION_NOT_FOUND']],
    ['a list', 'PUT', 'nobody', [], [400, 'REQUEST_MALFORMED']],
  ] as const)('answers %s', async (_what, method, clientId, body, expected) => {
    const { status, content } = await ask(method, clientId, body);
    expect([status, content.code]).toEqual(expected);
  });

  it('lets no web page read or change the registration', async () => {
    const clientId = await register({ limits });
    for (const method of ['GET', 'PUT'] as const) {
      const page = await ask(method, clientId, { limits: {} }, { Origin: 'https://portal.example' });
      expect([page.status, page.content.code]).toEqual([403, 'ORIGIN_NOT_GRANTED']);
    }
    expect((await ask('GET', clientId)).content.limits).toEqual(limits);
  });
});
