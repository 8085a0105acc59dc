import type { Request, Response } from 'express';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  identifyBearer,
  identifyCaller,
  readCredentials,
  type IdentifiedCaller,
} from '../../../src/http/authorization/credentials.ts';
import { ServiceError } from '../../../src/service/errors/index.ts';
import { ana, basic, grantOf, HandlerWorld, password, portal, secret } from './handler-world.ts';

let world: HandlerWorld;
let answered: Record<string, string>;
beforeEach(() => {
  world = new HandlerWorld();
  answered = {};
});

/** Identifies the caller of a request with these headers. */
async function identify(
  headers: Readonly<Record<string, string>>,
  caller = 'native-program',
  services = world.services,
  remoteAddress?: string,
): Promise<IdentifiedCaller> {
  const all = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const request = { get: (name: string) => all.get(name.toLowerCase()) } as unknown as Request;
  const response = {
    locals: { caller, origin: 'https://spa.example', remoteAddress },
    set: (name: string, value: string) => (answered[name] = value),
  } as unknown as Response;
  return identifyCaller(services, request, response);
}

const program = { kind: 'native-program', name: 'A program on this computer' };
const application = { kind: 'application', name: portal.name };

const challenges = (used: string, error = ''): string =>
  ['Basic realm="Sinete", charset="UTF-8"', 'Bearer realm="Sinete"', 'Sinete realm="Sinete"']
    .toSorted((one, other) => Number(other.startsWith(used)) - Number(one.startsWith(used)))
    .map((text) => (error !== '' && text.startsWith(used) ? `${text}, error="${error}"` : text))
    .join(', ');

describe('the header Authorization', () => {
  it.each([
    ['nothing', undefined, { kind: 'none' }],
    ['blanks', '  ', { kind: 'none' }],
    ['Basic', basic('a', 'b:c'), { kind: 'basic', username: 'a', password: 'b:c' }],
    ['Basic in capitals, with blanks', `  BASIC   ${btoa('a:b')}  `, { kind: 'basic', username: 'a', password: 'b' }],
    ['Sinete', `Sinete ${btoa('id:secret')}`, { kind: 'application', clientId: 'id', clientSecret: 'secret' }],
    ['Bearer', 'Bearer a.b_c~d+e/f-==', { kind: 'bearer', token: 'a.b_c~d+e/f-==' }],
    ['bearer, with blanks', ' bearer  t1 ', { kind: 'bearer', token: 't1' }],
  ])('with %s is read', (_what, header, credentials) => {
    expect(readCredentials(header)).toEqual(credentials);
  });

  it.each([
    ['another scheme', 'Digest x', challenges('')],
    ['Basic without a colon', `Basic ${btoa('abc')}`, challenges('')],
    ['Basic alone', 'Basic', challenges('')],
    ['Sinete without base64', 'Sinete a b', challenges('')],
    ['Bearer alone', 'Bearer', challenges('Bearer', 'invalid_request')],
    ['Bearer with two words', 'Bearer a b', challenges('Bearer', 'invalid_request')],
    ['Bearer with a sign that no token has', 'Bearer a;', challenges('Bearer', 'invalid_request')],
    ['Bearer with a sign before the token', 'Bearer ;a', challenges('Bearer', 'invalid_request')],
  ])('with %s is refused with all schemes', (_what, header, challenge) => {
    expect(() => readCredentials(header)).toThrow(
      expect.objectContaining({ code: 'CREDENTIALS_INVALID', headers: { 'WWW-Authenticate': challenge } }),
    );
  });
});

describe('a page with an access token', () => {
  it('is identified at an origin of the redirect addresses of its application only', async () => {
    world.grants.set('t1', grantOf());
    const headers = { Authorization: 'Bearer t1' };
    await expect(identify(headers, 'site')).rejects.toMatchObject({ code: 'CREDENTIALS_INVALID' });
    world.applications[0] = { ...portal, redirectUris: ['https://spa.example/back'] };
    expect((await identify(headers, 'site')).requester).toEqual(application);
    world.applications[0] = { ...portal, redirectUris: ['no address', 'https://spa.example/back'] };
    expect((await identify(headers, 'site')).requester).toEqual(application);
  });

  it('is identified as the site where the token has no application', async () => {
    world.grants.set('t1', grantOf({ clientId: null }));
    const { requester } = await identify({ Authorization: 'Bearer t1' }, 'site');
    expect(requester).toEqual({ kind: 'site', name: 'https://spa.example' });
  });
});

describe('a caller without credentials', () => {
  it.each([
    ['native-program', program, undefined],
    ['own-page', { kind: 'user-interface', name: 'A page of Sinete' }, undefined],
    ['site', { kind: 'site', name: 'https://spa.example' }, 'site:https://spa.example'],
  ])('of class %s is the user of this computer', async (caller, requester, principal) => {
    expect(await identify({}, caller)).toEqual({ requester, authority: undefined, principal });
  });
});

describe('a caller on another computer', () => {
  const fromElsewhere = async (headers: Readonly<Record<string, string>>, caller?: string) =>
    identify(headers, caller, world.services, '203.0.113.7');

  it.each(['native-program', 'own-page', 'site'])('of class %s is refused without credentials', async (caller) => {
    await expect(fromElsewhere({}, caller)).rejects.toMatchObject({
      code: 'CREDENTIALS_INVALID',
      message: 'From another computer every request names its caller: send Authorization.',
      headers: { 'WWW-Authenticate': challenges('') },
    });
    expect(world.calls).toEqual([]);
  });

  it('is the person with Basic, under the limit of its address', async () => {
    const { requester } = await fromElsewhere({ Authorization: basic(ana.username, password) });
    expect(requester).toEqual({ kind: 'native-program', name: 'A program on another computer' });
    expect(world.callsOf('authenticate')).toEqual([[ana.username, password, 'address 203.0.113.7']]);
  });
});

describe('a caller with Basic', () => {
  const asAna = { Authorization: basic(ana.username, password) };

  it('is the person, whose one-time password approves the transaction', async () => {
    const { requester, authority, principal, ...rest } = await identify(asAna);
    expect([requester, principal, rest]).toEqual([program, `person:${ana.username}`, { isPerson: true }]);
    expect(authority).toMatchObject({ username: ana.username, approvedBy: 'one-time-password' });
    expect(world.callsOf('authenticate')).toEqual([[ana.username, password, 'program']]);
    expect(answered).toEqual({});
  });

  it.each([
    ['wrong credentials', new ServiceError('INVALID_CREDENTIALS', 'Not right.'), 'CREDENTIALS_INVALID'],
    ['too many attempts', new ServiceError('TOO_MANY_ATTEMPTS', 'Wait.'), 'TOO_MANY_ATTEMPTS'],
    ['a fault of ours', Object.assign(new Error('no disk'), { code: 'INVALID_CREDENTIALS' }), 'INVALID_CREDENTIALS'],
  ])('is refused for %s', async (_what, error, code) => {
    world.failures = { authenticate: error };
    const refused: unknown = await identify(asAna).catch((reason: unknown) => reason);
    expect(refused).toMatchObject({ code, message: error.message });
    if (code === 'CREDENTIALS_INVALID') {
      expect(refused).toMatchObject({ headers: { 'WWW-Authenticate': challenges('') } });
    } else expect(refused).toBe(error);
  });

  it('is asked for approval where one-time passwords do not approve by the configuration', async () => {
    const services = { ...world.services, oneTimePasswordApproves: false };
    const { authority } = await identify(asAna, 'native-program', services);
    expect(authority).toMatchObject({ username: ana.username, approvedBy: undefined });
  });

  it('is the application when the name is a client id', async () => {
    const { requester, authority, clientId } = await identify({ Authorization: basic(portal.clientId, secret) });
    expect([requester, clientId]).toEqual([application, portal.clientId]);
    expect(authority).toMatchObject({ username: ana.username, approvedBy: undefined, clientId: portal.clientId });
    expect(world.callsOf('authenticate')).toEqual([]);
  });

  it('is refused when the name is a client id and the secret is wrong', async () => {
    await expect(identify({ Authorization: basic(portal.clientId, 'wrong') })).rejects.toMatchObject({
      code: 'CREDENTIALS_INVALID',
      headers: { 'WWW-Authenticate': challenges('Basic') },
    });
  });

  it('is a person although an application has the number as its client id', async () => {
    world.applications.push({ ...portal, clientId: ana.username });
    expect((await identify(asAna)).principal).toBe(`person:${ana.username}`);
  });

  it('is refused as a person when the name is neither', async () => {
    await expect(identify({ Authorization: basic('nobody', 'x') })).rejects.toMatchObject({
      message: 'Name or code is "wrong".',
    });
  });

  it.each([
    ['X-Session-Options', 'lifetime=600;return_access_token=true', 600],
    ['VCSchemaCfg', ' Return_Access_Token = TRUE , LIFETIME = 1 ', 1],
    ['VCSchemaData', 'return_access_token=true', undefined],
    ['VCSchemaCfg', 'returnAccessToken=true;lifetime=300;autoRevoke=true', 300],
    ['X-Session-Options', 'lifetime=999999999999;return_access_token=true', 999_999_999_999],
  ])('gets a session token by %s: %s', async (header, options, lifetime) => {
    await identify({ ...asAna, [header]: options });
    expect(world.callsOf('issueSession')).toEqual([[ana.username, lifetime]]);
    const seconds = lifetime ?? 3600;
    const existing = { VCSchemaData: `the-token;${seconds};Sinete` };
    expect(answered).toEqual(header === 'X-Session-Options' ? { 'X-Session-Token': 'the-token' } : existing);
  });

  it.each([
    '',
    'lifetime=600',
    'return_access_token=false',
    'return_access_token',
    'return_access_token=true=',
    'x=true',
  ])('gets a session token only where it asks for one: %j', async (options) => {
    await identify({ ...asAna, 'X-Session-Options': options });
    expect(answered).toEqual(options === 'return_access_token=true=' ? { 'X-Session-Token': 'the-token' } : {});
  });

  it('reads the first nonempty header', async () => {
    await identify({ ...asAna, 'X-Session-Options': '', VCSchemaCfg: 'return_access_token=true;lifetime=7' });
    expect(world.callsOf('issueSession')).toEqual([[ana.username, 7]]);
  });

  it.each(['lifetime=0', 'lifetime=', 'lifetime=1.5', 'lifetime=1234567890123', 'lifetime=x1', 'lifetime=1x'])(
    'is refused for %s before the code is spent',
    async (options) => {
      await expect(identify({ ...asAna, 'X-Session-Options': options })).rejects.toMatchObject({
        code: 'REQUEST_MALFORMED',
      });
      expect(world.callsOf('authenticate')).toEqual([]);
    },
  );
});

describe('a caller with Bearer', () => {
  const asToken = { Authorization: 'Bearer t1' };

  it("acts for the person and the application of the token, with the token's approval", async () => {
    world.grants.set('t1', grantOf());
    const { requester, authority, principal, clientId } = await identify(asToken);
    expect([requester, principal, clientId]).toEqual([application, 'token:grant-1', portal.clientId]);
    expect(authority).toMatchObject({
      username: ana.username,
      approvedBy: 'authorize-page',
      clientId: portal.clientId,
    });
  });

  it('acts for the selected user where the token has no person', async () => {
    world.grants.set('t1', grantOf({ username: null, consented: false }));
    world.selected = { name: 'Bruno', username: '11144477735' };
    expect((await identify(asToken)).authority).toMatchObject({ username: '11144477735', approvedBy: undefined });
    world.selected = undefined;
    expect((await identify(asToken)).authority?.username).toBeUndefined();
  });

  it('is a program where the token has no application', async () => {
    world.grants.set('t1', grantOf({ clientId: null }));
    const caller = await identify(asToken);
    expect(caller.requester).toEqual(program);
    expect(caller.clientId).toBeUndefined();
  });

  it('is a program where the application of the token is gone', async () => {
    world.grants.set('t1', grantOf({ clientId: 'gone' }));
    expect(await identify(asToken)).toMatchObject({ requester: program, clientId: 'gone' });
  });

  it('is refused with an unknown token', async () => {
    await expect(identify(asToken)).rejects.toMatchObject({
      code: 'CREDENTIALS_INVALID',
      headers: { 'WWW-Authenticate': challenges('Bearer', 'invalid_token') },
    });
  });
});

describe('a caller with Sinete', () => {
  it('is the application, which acts for the selected user', async () => {
    const { requester, authority, principal, clientId } = await identify({
      Authorization: `Sinete ${btoa(`portal:${secret}`)}`,
    });
    expect([requester, principal, clientId]).toEqual([application, 'application:portal', 'portal']);
    expect(authority).toMatchObject({ username: ana.username, approvedBy: undefined, clientId: 'portal' });
  });

  it('acts for nobody while no user is selected', async () => {
    world.selected = undefined;
    const { authority } = await identify({ Authorization: `Sinete ${btoa(`portal:${secret}`)}` });
    expect(authority?.username).toBeUndefined();
  });

  it('is refused with a wrong secret', async () => {
    await expect(identify({ Authorization: `Sinete ${btoa('portal:wrong')}` })).rejects.toMatchObject({
      code: 'CREDENTIALS_INVALID',
      headers: { 'WWW-Authenticate': challenges('Sinete') },
    });
  });
});

describe('the name of a program without credentials', () => {
  it.each<readonly [what: string, userAgent: string, name: string]>([
    ['its user agent', 'Portal/1.0 (Linux)', 'Portal/1.0 (Linux)'],
    ['its user agent without blanks around it', '  Portal  ', 'Portal'],
    [
      'its user agent without control, direction and line characters',
      'Por\u0000tal\u202E \u2028\u2029x\u200B',
      'Portal x',
    ],
    ['the first 80 characters of a long one', 'x'.repeat(100), 'x'.repeat(80)],
    ['a usual one where nothing is left', '\u202E\u200B ', 'A program on this computer'],
    ...[
      'https://banco.example',
      'banco.example',
      'Portal (banco.example)',
      'www.banco.example/login',
      'A page of Sinete',
      'sinete/1.0',
      'S I N E T E',
      'S1nété',
      'Ｓｉｎｅｔｅ',
      'Bаnco',
    ].map((claim) => ['a usual one for the misleading', claim, 'A program on this computer'] as const),
    ...['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36', 'curl/8.14.1', 'Sistema Único 2.5', 'Minutes 3'].map(
      (claim) => ['the user agent', claim, claim] as const,
    ),
  ])('is %s %j', async (_what, userAgent, name) => {
    const { requester } = await identify({ 'User-Agent': userAgent });
    expect(requester).toEqual({ kind: 'native-program', name });
  });
});

describe('an endpoint taking access tokens only', () => {
  const bearer = async (headers: Readonly<Record<string, string>>, caller = 'native-program') => {
    const request = { get: (name: string) => headers[name] } as unknown as Request;
    const response = { locals: { caller, origin: 'https://spa.example' }, set: () => undefined } as unknown as Response;
    return identifyBearer(world.services, request, response);
  };

  it('takes the token of a person', async () => {
    world.grants.set('t1', grantOf());
    expect(await bearer({ Authorization: 'Bearer t1' })).toMatchObject({
      principal: 'token:grant-1',
      clientId: 'portal',
    });
  });

  it.each([
    ['nothing', {}],
    ['a one-time password', { Authorization: basic(ana.username, password) }],
    ['the secret of an application', { Authorization: `Sinete ${btoa(`portal:${secret}`)}` }],
  ])('refuses %s', async (_what, headers) => {
    const message = "Send a person's access token: Authorization: Bearer <token>.";
    await expect(bearer(headers)).rejects.toMatchObject({ code: 'CREDENTIALS_INVALID', message });
    expect(world.calls).toEqual([]);
  });

  it('refuses a page with the token of an application that is gone', async () => {
    world.grants.set('t1', grantOf({ clientId: 'gone' }));
    await expect(bearer({ Authorization: 'Bearer t1' }, 'site')).rejects.toMatchObject({ code: 'CREDENTIALS_INVALID' });
  });
});
