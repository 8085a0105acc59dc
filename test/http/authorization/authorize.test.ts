import { toString } from 'qrcode';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addressOf, withParameters } from '../../../src/http/authorization/authorize.ts';
import { checkAuthorization } from '../../../src/http/authorization/check-authorization.ts';
import { ServiceError } from '../../../src/service/errors/index.ts';
import {
  ana,
  callback,
  challenge,
  HandlerWorld,
  homeless,
  page as publicPage,
  password,
  portal,
  type HandlerAnswer,
} from './handler-world.ts';

let world: HandlerWorld;
beforeEach(async () => {
  world = await HandlerWorld.open();
});
afterEach(async () => world.close());

const asked = { response_type: 'code', client_id: portal.clientId };

const show = (parameters: Readonly<Record<string, string>>): Promise<HandlerAnswer> =>
  world.get(`/oauth/authorize?${new URLSearchParams(parameters).toString()}`);
const answer = (fields: Readonly<Record<string, string>>, caller = 'own-page'): Promise<HandlerAnswer> =>
  world.postForm('/oauth/authorize', fields, { 'X-Test-Caller': caller });
const wait = (id: string): Promise<HandlerAnswer> => world.get(`/oauth/authorize/waiting?request=${id}`);

/** The id in the form of a page; the request it names is in `world.requests`. */
async function shownBy({ body }: HandlerAnswer): ReturnType<HandlerWorld['shown']> {
  const id = /name="request" value="([^"]+)"/.exec(body)?.[1] ?? '';
  const shown = await world.requests.find(id);
  if (shown === undefined) throw new Error('The page has no form, or one that nothing waits for.');
  return shown;
}

/** Where a page goes on to by itself. */
function refreshOf({ body }: HandlerAnswer): string | undefined {
  return /http-equiv="refresh" content="0;url=([^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
}

const parametersOf = (address: string | null | undefined): Record<string, string> =>
  Object.fromEntries(new URL(address ?? 'http://nowhere.example/').searchParams);

describe('GET /oauth/authorize', () => {
  it('shows the form of a request with nothing but a client', async () => {
    const page = await show(asked);
    expect(page.status).toBe(200);
    expect(page.body).toContain('name="password"');
    expect(await shownBy(page)).toMatchObject({
      application: { clientId: portal.clientId, name: portal.name },
      redirectUri: callback,
      redirectUriGiven: false,
      state: undefined,
      scopes: ['signature_session'],
      codeChallenge: undefined,
      lifetime: undefined,
    });
  });

  it('keeps what the request names', async () => {
    const named = { redirect_uri: portal.redirectUris[1] ?? '', state: 's t', lifetime: '86400' };
    const more = {
      scope: 'certificate_info  single_signature',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    };
    const page = await show({ ...asked, ...named, ...more });
    expect(await shownBy(page)).toMatchObject({
      redirectUri: named.redirect_uri,
      redirectUriGiven: true,
      state: 's t',
      scopes: ['single_signature', 'certificate_info'],
      codeChallenge: challenge,
      lifetime: 86_400,
    });
    expect(page.body).toContain('at most 1 day');
  });

  it.each([
    ['a lifetime of one second', { lifetime: '1' }],
    ['a lifetime of twelve digits', { lifetime: '999999999999' }],
    ['a challenge of a public application', { client_id: publicPage.clientId, code_challenge: challenge }],
    ['an empty scope', { scope: '' }],
    ['an empty state', { state: '' }],
  ])('takes %s', async (_what, parameters) => {
    expect(
      (await show({ ...asked, code_challenge_method: 'S256', code_challenge: challenge, ...parameters })).status,
    ).toBe(200);
  });

  it.each([
    ['http://127.0.0.1/cb', 'http://127.0.0.1:53219/cb'],
    ['http://localhost:9876/cb?kept=1', 'http://localhost:53219/cb?kept=1'],
    ['http://[::1]:9876/cb', 'http://[::1]/cb'],
    ['http://127.0.0.1:9876', 'http://127.0.0.1:53219'],
  ])('takes the loopback address %s at any port, here %s', async (registered, redirectUri) => {
    const native = { ...publicPage, redirectUris: [callback, registered] };
    const parameters = { ...asked, redirect_uri: redirectUri, code_challenge: challenge };
    const check = await checkAuthorization({ find: () => Promise.resolve(native) }, parameters, []);
    expect(check).toMatchObject({ kind: 'ok', details: { redirectUri, redirectUriGiven: true } });
  });

  it.each([
    'http://127.0.0.1:53219/other',
    'http://127.0.0.1:53219/second/',
    'http://127.0.0.1:53219/second?x',
    'http://127.0.0.1:99999/second',
    'http://127.0.0.1:80@evil.example/second',
    'http://127.0.0.1.evil.example/second',
    'http://localhost:9999/second',
    'https://127.0.0.1:53219/second',
    'https://portal.example:8443/back?kept=1',
  ])('shows %s to the person, which is not the registered address at another loopback port', async (address) => {
    const page = await show({ ...asked, redirect_uri: address });
    expect([page.status, page.headers.get('location')]).toEqual([400, null]);
    expect((await show({ ...asked, redirect_uri: 'http://127.0.0.1:53219/second' })).status).toBe(200);
  });

  it.each([
    ['an unknown client', { client_id: 'nobody' }, 'is not registered'],
    ['no client', { client_id: '' }, 'is not registered'],
    ['an address that is not registered', { redirect_uri: `${callback}&x` }, 'not registered for it'],
    ['an application without any address', { client_id: homeless.clientId }, 'no address'],
    [
      'an address of an application without any',
      { client_id: homeless.clientId, redirect_uri: callback },
      'not registered for it',
    ],
  ])('shows %s to the person and redirects nowhere', async (_what, parameters, words) => {
    const page = await show({ ...asked, ...parameters });
    expect([page.status, page.headers.get('location')]).toEqual([400, null]);
    expect(page.body).toContain(words);
    expect(page.body).not.toContain('<form');
    expect(page.body).toContain('<title>This request cannot be trusted');
  });

  it.each(['client_id=portal', `redirect_uri=${encodeURIComponent(callback)}`])(
    'redirects nowhere when %s comes twice',
    async (twice) => {
      const address = `client_id=portal&redirect_uri=${encodeURIComponent(callback)}`;
      const page = await world.get(`/oauth/authorize?response_type=code&${address}&${twice}`);
      expect([page.status, page.headers.get('location')]).toEqual([400, null]);
    },
  );

  it.each([
    [{ response_type: '' }, 'response_type is missing: send response_type=code.'],
    [{ response_type: 'token' }, 'response_type is not supported: send response_type=code.'],
    [{ client_id: publicPage.clientId }, 'code_challenge is required: this application is public (PKCE, S256).'],
  ])('tells the application what to send instead of %j', async (parameters, description) => {
    const { headers } = await show({ ...asked, ...parameters });
    expect(parametersOf(headers.get('location')).error_description).toBe(description);
  });

  it('shows a session where offline access is asked for alone', async () => {
    const { scopes } = await shownBy(await show({ ...asked, scope: 'offline_access' }));
    expect(scopes).toEqual(['signature_session', 'offline_access']);
  });

  it('takes empty names between scopes for nothing', async () => {
    const shown = await shownBy(await show({ ...asked, scope: 'certificate_info  signature_session' }));
    expect(shown.scopes).toEqual(['signature_session', 'certificate_info']);
  });

  it.each([
    ['fills the form with the hint of the application', ana.username, ana.username],
    ['takes no more of a hint than a name is long', `${ana.username}0123456789abcdef`, `${ana.username}012345678`],
  ])('%s', async (_how, hint, filled) => {
    const first = await show({ ...asked, login_hint: hint });
    expect(first.body).toContain(`name="username" value="${filled}"`);
    const shown = await shownBy(first);
    const again = await answer({ request: shown.id, way: 'password' });
    expect(again.body).toContain(`name="username" value="${filled}"`);
  });

  it('leaves the name empty without a hint', async () => {
    const first = await show(asked);
    expect(first.body).toContain('name="username" value=""');
    const again = await answer({ request: (await shownBy(first)).id, way: 'password' });
    expect(again.body).toContain('name="username" value=""');
  });

  it.each([
    ['no response type', { response_type: '' }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['an unknown scope', { scope: 'signature_session everything' }, 'invalid_scope'],
    ['offline access to a single signature', { scope: 'single_signature offline_access' }, 'invalid_scope'],
    ['a lifetime of nothing', { lifetime: '0' }, 'invalid_request'],
    ['a lifetime with more than digits', { lifetime: '12 months' }, 'invalid_request'],
    ['a lifetime with something before its digits', { lifetime: '-12' }, 'invalid_request'],
    ['a lifetime of thirteen digits', { lifetime: '1000000000000' }, 'invalid_request'],
    [
      'a challenge of another length',
      { code_challenge: challenge.slice(1), code_challenge_method: 'S256' },
      'invalid_request',
    ],
    [
      'a challenge with more behind it',
      { code_challenge: `${challenge}A`, code_challenge_method: 'S256' },
      'invalid_request',
    ],
    [
      'a challenge with a sign that base64url lacks',
      { code_challenge: `+${challenge.slice(1)}`, code_challenge_method: 'S256' },
      'invalid_request',
    ],
    ['a plain challenge', { code_challenge: challenge, code_challenge_method: 'plain' }, 'invalid_request'],
    ['a method without a challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
    ['a parameter that is too long', { integration: 'x'.repeat(8193) }, 'invalid_request'],
    ['a public application without a challenge', { client_id: publicPage.clientId }, 'invalid_request'],
  ])('tells the application of %s', async (_what, parameters, error) => {
    const { status, headers } = await show({ ...asked, state: 'the state', ...parameters });
    expect(status).toBe(303);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    const told = parametersOf(headers.get('location'));
    expect(told).toMatchObject({ kept: '1', error, state: 'the state' });
    expect(told.error_description).toMatch(/^\S.{20,}/);
    expect(told).not.toHaveProperty('code');
  });

  it('tells the application of a repeated parameter, by name', async () => {
    const { headers } = await world.get(
      '/oauth/authorize?response_type=code&client_id=portal&scope=a&scope=b&lifetime=1&lifetime=2',
    );
    expect(parametersOf(headers.get('location')).error_description).toContain('scope, lifetime');
  });

  it('brings no state back that came twice', async () => {
    const { headers } = await world.get('/oauth/authorize?response_type=code&client_id=portal&state=a&state=b');
    expect(headers.get('location')).toContain('error=invalid_request');
    expect(headers.get('location')).not.toContain('state=');
  });

  it('hands faults of ours on', async () => {
    world.services.applications.find = async () => Promise.reject(new ServiceError('STORAGE_UNAVAILABLE', 'No disk.'));
    const { status } = await show(asked);
    expect(status).toBe(503);
  });

  it.each([
    ['true', 'value="computer"'],
    ['TRUE', 'value="computer"'],
    ['false', 'name="password"'],
  ])('shows the ways to authorize first where integration is %s', async (integration, words) => {
    expect((await show({ ...asked, integration })).body).toContain(words);
  });
});

describe('POST /oauth/authorize', () => {
  it('gives the application a code for the person who allowed, and is over then', async () => {
    const details = { codeChallenge: challenge, lifetime: 60, scopes: ['certificate_info'] as const };
    const { id } = await world.shown(details);
    const allow = { request: id, decision: 'allow', username: ana.username, password };
    const done = await answer(allow);
    expect(done.status).toBe(200);
    expect(done.headers.get('referrer-policy')).toBe('no-referrer');
    expect(refreshOf(done)).toBe(
      `${callback}&code=the%20code%26&state=st%26te&iss=http%3A%2F%2Fsinete.example%3A17171`,
    );
    expect(done.body).toContain('>https://portal.example</a>');
    expect(world.callsOf('issueCode')).toEqual([
      [
        {
          clientId: portal.clientId,
          username: ana.username,
          redirectUri: callback,
          redirectUriGiven: true,
          ...details,
        },
      ],
    ]);
    expect(world.callsOf('authenticate')).toEqual([[ana.username, password, 'https://portal.example']]);
    expect((await answer(allow)).status).toBe(410);
    expect(world.callsOf('issueCode')).toHaveLength(1);
  });

  it('tells the application that the person refused', async () => {
    const { id } = await world.shown({ state: undefined });
    const done = await answer({ request: id, decision: 'refuse' });
    expect(parametersOf(refreshOf(done))).toEqual({
      kept: '1',
      error: 'access_denied',
      error_description: 'The person refused, or went away.',
      iss: 'http://sinete.example:17171',
    });
    expect(world.callsOf('issueCode')).toEqual([]);
    expect(await world.requests.find(id)).toBeUndefined();
  });

  it('sends a program back by a redirect, without the address of this page', async () => {
    const { id } = await world.shown();
    const { status, headers, body } = await answer({ request: id, decision: 'refuse' }, 'native-program');
    expect([status, body, headers.get('referrer-policy')]).toEqual([303, '', 'no-referrer']);
    expect(parametersOf(headers.get('location')).state).toBe('st&te');
  });

  it('answers 410 to a form that nothing was shown for', async () => {
    const page = await answer({ request: 'guessed', decision: 'refuse' });
    expect(page.status).toBe(410);
    expect(page.body).toContain('<h1>This page is over</h1>');
  });

  it('answers 400 to a form without a request', async () => {
    expect((await answer({ decision: 'refuse' })).status).toBe(400);
  });

  it.each([
    [
      'a wrong code',
      new ServiceError('INVALID_CREDENTIALS', 'wrong'),
      { status: 401, header: 'www-authenticate', value: 'Sinete-Form', words: 'is not right', faults: 0 },
    ],
    [
      'too many wrong codes',
      new ServiceError('TOO_MANY_ATTEMPTS', 'wait', { retryAfter: 90 }),
      { status: 429, header: 'retry-after', value: '90', words: 'Try again in 90 seconds', faults: 0 },
    ],
    [
      'too many wrong codes, without a time',
      new ServiceError('TOO_MANY_ATTEMPTS', 'wait'),
      { status: 429, header: 'retry-after', value: '60', words: 'Try again in 1 minute', faults: 0 },
    ],
    [
      'a store that does not answer',
      new ServiceError('STORAGE_UNAVAILABLE', 'no disk'),
      { status: 503, header: 'retry-after', value: '30', words: 'cannot be checked now', faults: 1 },
    ],
    [
      'a fault of ours that looks like a wrong code',
      Object.assign(new Error('odd'), { code: 'INVALID_CREDENTIALS' }),
      { status: 503, header: 'retry-after', value: '30', words: 'cannot be checked now', faults: 1 },
    ],
    [
      'a fault of ours',
      new Error('no disk'),
      { status: 503, header: 'retry-after', value: '30', words: 'cannot be checked now', faults: 1 },
    ],
  ])('shows the form again after %s, with the typed name', async (_what, error, expected) => {
    const { id } = await world.shown();
    world.failures = { authenticate: error };
    const again = await answer({ request: id, username: '"><b>', password, decision: 'allow' });
    expect([again.status, again.headers.get(expected.header)]).toEqual([expected.status, expected.value]);
    expect(again.body).toContain('<p class="fault" role="alert">');
    expect(again.body).toContain(expected.words);
    expect(again.body).toContain('value="&quot;&gt;&lt;b&gt;"');
    expect(again.body).not.toContain(password);
    expect((await shownBy(again)).id).toBe(id);
    expect(world.faults).toHaveLength(expected.faults);
    expect(world.callsOf('issueCode')).toEqual([]);
  });

  it('asks the accounts about a form without name and code, too', async () => {
    const { id } = await world.shown();
    expect((await answer({ request: id })).status).toBe(401);
    expect(world.callsOf('authenticate')).toEqual([['', '', 'https://portal.example']]);
  });

  it('answers 410 when the request was answered while the code was checked', async () => {
    const { id } = await world.shown();
    world.services.accounts.authenticate = async () => {
      await world.requests.take(id);
      return Promise.resolve({ ...ana, photo: null } as never);
    };
    expect((await answer({ request: id, username: ana.username, password })).status).toBe(410);
    expect(world.callsOf('issueCode')).toEqual([]);
  });
});

describe('the ways to authorize', () => {
  it.each([
    ['choose', 'value="telephone"'],
    ['unknown', 'value="telephone"'],
    ['password', 'name="password"'],
    ['telephone', 'Point the camera of your telephone'],
  ])('leads from %s to the page with %s', async (way, words) => {
    const { id } = await world.shown();
    const page = await answer({ request: id, way });
    expect(page.status).toBe(200);
    expect(page.body).toContain(words);
    expect(page.body).not.toContain('role="alert"');
    expect((await shownBy(page)).id).toBe(id);
    expect(await world.requests.waiting()).toEqual([]);
  });

  it('offers this computer in the name of the user who is selected', async () => {
    const { id } = await world.shown();
    const page = await answer({ request: id, way: 'choose' });
    expect(page.body).toContain('As Ana &lt;Lima&gt;');
    expect(page.body).not.toContain(' disabled');
  });

  it('does not offer this computer while nobody is selected', async () => {
    world.selected = undefined;
    const { id } = await world.shown();
    for (const way of ['choose', 'computer']) {
      const page = await answer({ request: id, way });
      expect(page.body).toContain('No user is selected');
      expect(page.body).toContain('value="computer" disabled');
    }
    expect(await world.requests.waiting()).toEqual([]);
  });

  it('asks the selected user in the window and leads to the page that waits', async () => {
    const { id } = await world.shown();
    const { status, headers } = await answer({ request: id, way: 'computer' });
    expect([status, headers.get('location')]).toEqual([303, `/oauth/authorize/waiting?request=${id}`]);
    expect(await world.requests.waiting()).toMatchObject([{ person: ana, request: { redirectUri: callback } }]);
  });

  it.each(['localhost:1', '127.0.0.1:17171', '[::1]:80'])('shows no QR code where clients call %s', async (host) => {
    world.host = host;
    const page = await answer({ request: (await world.shown()).id, way: 'telephone' });
    expect(page.body).toContain('a telephone cannot reach it');
    expect(page.body).not.toContain('<svg');
  });

  it.each(['sinete.example', 'my-localhost:1', 'a127.example', '10.127.0.1'])(
    'shows a QR code where clients call %s',
    async (host) => {
      world.host = host;
      const page = await answer({ request: (await world.shown()).id, way: 'telephone' });
      expect(page.body).toMatch(/<div class="code" role="img" aria-label="QR code of this request"><svg /);
    },
  );

  it('draws the address of the same request', async () => {
    const nothing = { state: undefined, redirectUriGiven: false };
    expect(addressOf(await world.shown(nothing), 'http://sinete.example:1')).toBe(
      'http://sinete.example:1/oauth/authorize?response_type=code&client_id=portal&scope=signature_session',
    );
    const all = { lifetime: 60, codeChallenge: challenge, scopes: ['single_signature', 'certificate_info'] as const };
    const { searchParams } = new URL(addressOf(await world.shown(all), 'http://sinete.example:1'));
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: 'code',
      client_id: 'portal',
      scope: 'single_signature certificate_info',
      state: 'st&te',
      redirect_uri: callback,
      lifetime: '60',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    const shown = await world.shown();
    const page = await answer({ request: shown.id, way: 'telephone' });
    const picture = await toString(addressOf(shown, `http://${world.host}`), { type: 'svg', margin: 2 });
    expect(page.body).toContain(picture.trim());
  });
});

describe('GET /oauth/authorize/waiting', () => {
  it('looks again every two seconds while the person is asked', async () => {
    const other = await world.shown();
    const { id } = await world.shown();
    await world.requests.ask(other.id, { name: 'Somebody else', username: '1' });
    await world.requests.ask(id, ana);
    const page = await wait(id);
    expect(page.body).toContain('<meta http-equiv="refresh" content="2">');
    expect(page.body).toContain('approve as Ana &lt;Lima&gt;');
  });

  it('shows the ways again when nobody was asked', async () => {
    expect((await wait((await world.shown()).id)).body).toContain('value="telephone"');
  });

  it('goes on with a code when the person allowed, by a redirect', async () => {
    const { id } = await world.shown();
    await world.requests.ask(id, ana);
    await world.requests.decide((await world.requests.waiting())[0]?.id ?? '', 'allow');
    const { status, headers } = await wait(id);
    expect([status, parametersOf(headers.get('location')).code]).toEqual([303, 'the code&']);
    expect(world.callsOf('issueCode')).toMatchObject([[{ username: ana.username }]]);
    expect((await wait(id)).status).toBe(410);
  });

  it('goes on by a redirect in our own page as well, which posts no form then', async () => {
    const { id } = await world.shown();
    await world.requests.ask(id, ana);
    await world.requests.decide((await world.requests.waiting())[0]?.id ?? '', 'allow');
    const own = { 'X-Test-Caller': 'own-page' };
    expect((await world.get(`/oauth/authorize/waiting?request=${id}`, own)).status).toBe(303);
  });

  it('goes on with a refusal when the person refused', async () => {
    const { id } = await world.shown();
    await world.requests.ask(id, ana);
    await world.requests.decide((await world.requests.waiting())[0]?.id ?? '', 'refuse');
    expect(parametersOf((await wait(id)).headers.get('location')).error).toBe('access_denied');
    expect(world.callsOf('issueCode')).toEqual([]);
  });

  it('answers 410 to an unknown id', async () => {
    expect((await world.get('/oauth/authorize/waiting?request=guessed')).status).toBe(410);
  });

  it.each(['', '?request=', '?request=a&request=b'])('answers 400 to %j, which names no request', async (query) => {
    expect((await world.get(`/oauth/authorize/waiting${query}`)).status).toBe(400);
  });
});

describe('parameters added to an address', () => {
  it.each([
    ['https://a.example/', 'https://a.example/?x=1&y=a%20b'],
    ['https://a.example/?', 'https://a.example/?x=1&y=a%20b'],
    ['https://a.example/?z=1', 'https://a.example/?z=1&x=1&y=a%20b'],
    ['https://a.example/?z=1&', 'https://a.example/?z=1&x=1&y=a%20b'],
    ['https://a.example/?z=&q', 'https://a.example/?z=&q&x=1&y=a%20b'],
  ])('leave %s as it is', (address, expected) => {
    expect(withParameters(address, { x: '1', left: undefined, y: 'a b' })).toBe(expected);
  });

  it('survive half a character', () => {
    expect(withParameters('https://a.example/', { x: '\ud800' })).toBe('https://a.example/?x=%EF%BF%BD');
  });
});
