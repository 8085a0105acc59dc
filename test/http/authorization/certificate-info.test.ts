import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ana, grantOf, HandlerWorld, portal } from './handler-world.ts';

let world: HandlerWorld;
beforeEach(async () => {
  world = await HandlerWorld.open();
  world.grants.set('t1', grantOf());
  world.grants.set('t2', grantOf({ username: null }));
});
afterEach(async () => world.close());

const read = (headers: Readonly<Record<string, string>>, query = '') => world.get(`/certificate/info${query}`, headers);

describe('GET /certificate/info', () => {
  it.each([
    ['bare in Authentication', { Authentication: 't1' }],
    ['bare in Authentication, with blanks', { Authentication: '  t1  ' }],
    ['behind Bearer in Authentication', { Authentication: 'bEARER   t1' }],
    ['in Authorization', { Authorization: 'Bearer t1' }],
    ['in Authorization, with blanks', { Authorization: ' bearer  t1 ' }],
    ['in both headers', { Authentication: 't1', Authorization: 'Bearer t1' }],
    ['in Authentication, beside another scheme', { Authentication: 't1', Authorization: 'Basic YTpi' }],
    ['in Authorization, beside what is no token', { Authentication: 'no token', Authorization: 'Bearer t1' }],
  ])('answers the certificates of the user whose token comes %s', async (_how, headers) => {
    const answer = await read(headers);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { certificates: world.certificates }]);
    expect(world.callsOf('read')).toEqual([[ana.username, undefined]]);
    expect(world.lastSignal?.aborted).toBe(false);
  });

  it.each(['t=', 't==', 'a.b_c~d+e/f-'])('takes a token of the form %s', async (token) => {
    world.grants.set(token, grantOf());
    expect((await read({ Authentication: token })).status).toBe(200);
    expect((await read({ Authorization: `Bearer ${token}` })).status).toBe(200);
  });

  it.each([
    ['no token', {}, 'Bearer realm="Sinete"'],
    ['the scheme without a token', { Authorization: 'Bearer' }, 'Bearer realm="Sinete"'],
    ['another scheme', { Authorization: 'Basic t1' }, 'Bearer realm="Sinete"'],
    ['a bare token in Authorization', { Authorization: 't1' }, 'Bearer realm="Sinete"'],
    ['something before the scheme', { Authorization: 'x Bearer t1' }, 'Bearer realm="Sinete"'],
    ['something behind the token', { Authorization: 'Bearer t1 x' }, 'Bearer realm="Sinete"'],
    ['something behind the bare token', { Authentication: 't1 x' }, 'Bearer realm="Sinete"'],
    ['something before the bare token', { Authentication: 'x t1' }, 'Bearer realm="Sinete"'],
    ['a scheme that is not parted from the token', { Authorization: 'Bearert1' }, 'Bearer realm="Sinete"'],
    ['a token that is not known', { Authentication: 't3' }, 'Bearer realm="Sinete", error="invalid_token"'],
    ['a token without a person', { Authentication: 't2' }, 'Bearer realm="Sinete", error="invalid_token"'],
    [
      'two different tokens',
      { Authentication: 't1', Authorization: 'Bearer t2' },
      'Bearer realm="Sinete", error="invalid_request"',
    ],
  ])('answers 401 to %s', async (_what, headers, challenge) => {
    const answer = await read(headers);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, challenge]);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'CREDENTIALS_INVALID' });
    expect(world.callsOf('read')).toEqual([]);
  });

  it('refuses a token to a page whose origin is none of its application', async () => {
    const fromSite = { Authentication: 't1', 'X-Test-Caller': 'site' };
    expect((await read(fromSite)).status).toBe(401);
    expect(world.callsOf('read')).toEqual([]);
    world.applications[0] = { ...portal, redirectUris: ['https://spa.example/back'] };
    expect((await read(fromSite)).status).toBe(200);
  });

  it.each([
    ['', undefined],
    ['?certificate_alias=', undefined],
    ['?certificate_alias=my%20key', 'my key'],
  ])('asks for the alias of %j', async (query, alias) => {
    expect((await read({ Authentication: 't1' }, query)).status).toBe(200);
    expect(world.callsOf('read')).toEqual([[ana.username, alias]]);
  });

  it.each(['?certificate_alias=a&certificate_alias=b', '?certificate_alias[x]=a&certificate_alias[y]=b'])(
    'answers 422 to %s, naming the parameter',
    async (query) => {
      const answer = await read({ Authentication: 't1' }, query);
      if (query.includes('[')) expect(answer.status).toBe(200);
      else {
        expect(answer.status).toBe(422);
        expect(JSON.parse(answer.body)).toMatchObject({
          errors: [{ field: 'certificate_alias', code: 'INVALID_TYPE' }],
        });
      }
    },
  );
});
