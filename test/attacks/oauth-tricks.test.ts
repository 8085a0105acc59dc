/** An attacker wants a token of another application. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CodeGrant } from '../../src/service/authorization/index.ts';
import { startRealInstance, type Answer, type RealInstance } from '../interface/real-instance.ts';

const cpf = '11144477735';
const redirectUri = 'https://portal.example/back';
let instance: RealInstance;
let recoveryCodes: string[];
let portal: { readonly id: string; readonly secret: string };
let evil: typeof portal;
let onTelephone: string;
let server: Server;
const visits: string[] = [];

beforeAll(async () => {
  instance = await startRealInstance();
  recoveryCodes = await instance.enrol('ANA LIMA', cpf);
  portal = await register('Portal', redirectUri);
  evil = await register('Evil', 'https://evil.example/back');
  const about = { name: 'Telephone', comments: '', email: '', redirectUris: [redirectUri] };
  onTelephone = (await instance.sinete.core.applications.registerPublic(about)).application.clientId;
  server = createServer((request, response) => {
    visits.push(request.url ?? '');
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.close();
  await instance.stop();
});
beforeEach(async () => {
  // The tries of a test do not count in the next.
  await instance.sinete.core.storage.database.deleteFrom('attempts').execute();
});

async function register(name: string, uri: string): Promise<typeof portal> {
  const about = { name, comments: '', email: '', redirectUris: [uri] };
  const { application, clientSecret } = await instance.sinete.core.applications.register(about);
  return { id: application.clientId, secret: clientSecret };
}

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');
const ownPage = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };

async function codeFor(clientId: string, more: Partial<CodeGrant> = {}): Promise<string> {
  const grant = { clientId, username: cpf, redirectUri, redirectUriGiven: true, scopes: ['certificate_info'] } as const;
  return instance.sinete.core.authorization.issueCode({
    ...grant,
    codeChallenge: undefined,
    lifetime: undefined,
    ...more,
  });
}

const exchange = async (fields: Readonly<Record<string, string>>): Promise<Answer> =>
  instance.send('POST', '/oauth', { fields: { grant_type: 'authorization_code', redirect_uri: redirectUri, ...fields } }); // prettier-ignore
const as = ({ id, secret }: typeof portal): Record<string, string> => ({ client_id: id, client_secret: secret });
const ask = async (query: string): Promise<Answer> => instance.send('GET', `/oauth/authorize?${query}`);
const codeOf = ({ status, content }: Answer): readonly unknown[] => [status, content.error];

describe('a code of another application', () => {
  it('gives no token to the application of the injection, and none to nobody', async () => {
    for (const client of [as(evil), { client_id: portal.id }, { client_id: evil.id }, { client_id: onTelephone }]) {
      const answer = await exchange({ code: await codeFor(portal.id), ...client });
      expect([400, 401]).toContain(answer.status);
      expect(answer.content.access_token).toBeUndefined();
    }
  });

  it('gives one token when exchanged ten times at the same moment', async () => {
    const code = await codeFor(portal.id);
    const answers = await Promise.all(Array.from({ length: 10 }, async () => exchange({ code, ...as(portal) })));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it('gives no token at another address, or without the address of the request for the code', async () => {
    for (const other of ['https://evil.example/back', `${redirectUri}/`, '']) {
      const answer = await exchange({ code: await codeFor(portal.id), ...as(portal), redirect_uri: other });
      expect(codeOf(answer)).toEqual([400, 'invalid_grant']);
    }
  });

  it('gives no more scopes and no longer life than the person allowed', async () => {
    const code = await codeFor(portal.id, { lifetime: 60 });
    const { content } = await exchange({ code, ...as(portal), scope: 'signature_session', lifetime: '604800' });
    expect(content).toMatchObject({ scope: 'certificate_info' });
    expect(Number(content.expires_in)).toBeLessThanOrEqual(60);
  });
});

describe('a code requested with a challenge', () => {
  it.each([
    ['without a verifier', {}],
    ['with an empty verifier', { code_verifier: '' }],
    ['with the challenge as its verifier', { code_verifier: challenge }],
    ['with a verifier of another request', { code_verifier: randomBytes(32).toString('base64url') }],
    ['with the method plain', { code_verifier: challenge, code_challenge_method: 'plain' }],
  ])('gives no token %s', async (_how, fields) => {
    const known = { codeChallenge: challenge };
    const proven = await exchange({ code: await codeFor(portal.id, known), ...as(portal), ...fields });
    expect(proven.content.access_token).toBeUndefined();
    expect([400, 401]).toContain(proven.status);
    const open = await exchange({ code: await codeFor(onTelephone, known), client_id: onTelephone, ...fields });
    expect(open.content.access_token).toBeUndefined();
    expect([400, 401]).toContain(open.status);
  });

  it('gives a token with its verifier', async () => {
    const code = await codeFor(onTelephone, { codeChallenge: challenge });
    expect((await exchange({ code, client_id: onTelephone, code_verifier: verifier })).status).toBe(200);
  });

  it('is no code requested without a challenge: a verifier does not fit the code (RFC 9700 §4.8)', async () => {
    const answer = await exchange({ code: await codeFor(portal.id), ...as(portal), code_verifier: verifier });
    expect(codeOf(answer)).toEqual([400, 'invalid_grant']);
  });

  it.each(['', '&code_challenge_method=S256', `&code_challenge=${challenge}&code_challenge_method=plain`, '&code_challenge=short&code_challenge_method=S256'])(
    'is never issued to a public application for "%s"',
    async (query) => {
      const { status, headers } = await ask(`response_type=code&client_id=${onTelephone}&state=s${query}`);
      expect([status, String(headers.location)]).toEqual([303, expect.stringContaining('error=invalid_request')]);
    },
  ); // prettier-ignore
});

describe('the address of an answer', () => {
  it.each([
    'https://portal.example/back/',
    'https://portal.example/back?x=1',
    'https://portal.example/back#x',
    'https://portal.example:443/back',
    'https://PORTAL.example/back',
    'https://portal.example./back',
    'https://portal.example//back',
    'https://portal.example/x/../back',
    'https://portal.example/%62ack',
    'https://portal.example/back%00',
    'https://portal.example\\@evil.example/back',
    'https://portal.example@evil.example/back',
    'https://portal.example/back\r\nSet-Cookie: a=b',
    'https://portal.example/back\t',
    ' https://portal.example/back',
    'https://ｐortal.example/back',
    'https://portal\u3002example/back',
    'http://portal.example/back',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://evil.example/back',
  ])('is no other than the registered one: %j', async (uri) => {
    const query = `response_type=code&client_id=${portal.id}&state=s&redirect_uri=${encodeURIComponent(uri)}`;
    const { status, headers, body } = await ask(query);
    expect([status, headers.location, headers.refresh]).toEqual([400, undefined, undefined]);
    expect(body).not.toMatch(/evil\.example|http-equiv="refresh"/);
  });

  it.each(['redirect_uri=https%3A%2F%2Fevil.example', 'redirect_uri[]=https%3A%2F%2Fevil.example', 'client_id=x'])(
    'is none when a second value comes along: %s',
    async (second) => {
      const { status, headers } = await ask(
        `response_type=code&client_id=${portal.id}&redirect_uri=${encodeURIComponent(redirectUri)}&${second}`,
      );
      if (second.includes('[]')) expect([status, headers.location]).toEqual([200, undefined]);
      else expect([status, headers.location]).toEqual([400, undefined]);
    },
  );

  it('names the answering server, on success and on errors (RFC 9207), against mixed-up answers', async () => {
    const refused = await ask(`response_type=token&client_id=${portal.id}&state=s`);
    const address = new URL(String(refused.headers.location));
    expect([address.origin + address.pathname, address.searchParams.get('iss')]).toEqual([redirectUri, instance.url]);
    const { body } = await ask(`response_type=code&client_id=${portal.id}&state=s`);
    const request = /name="request" value="([^"]+)"/.exec(body)?.[1] ?? '';
    const fields = { request, username: cpf, password: recoveryCodes.pop() ?? '' };
    const headers = { ...ownPage, Origin: instance.url };
    const answer = await instance.send('POST', '/oauth/authorize', { fields, headers });
    expect(answer.body).toContain(`iss=${encodeURIComponent(instance.url)}`);
    // The page accepts a single answer.
    const again = await instance.send('POST', '/oauth/authorize', { fields, headers });
    expect([again.status, again.body.includes('code=')]).toEqual([410, false]);
  });

  it('is the one in its query only: no form, no fragment, no window, no request from elsewhere', async () => {
    const { port } = server.address() as AddressInfo;
    const there = encodeURIComponent(`http://127.0.0.1:${port}/request`);
    for (const more of ['response_mode=form_post', 'response_mode=fragment', 'response_mode=web_message', `request_uri=${there}`, 'request=eyJhbGciOiJub25lIn0.e30.']) {
      const { status, body } = await ask(`response_type=code&client_id=${portal.id}&state=s&${more}`);
      // A reference not pushed here is refused, and never fetched.
      expect(status).toBe(more.startsWith('request_uri') ? 400 : 200);
      expect(body).not.toMatch(/postMessage|web_message|request_uri/);
    }
    expect(visits).toEqual([]);
  }); // prettier-ignore
});

describe('other ways to a token', () => {
  it.each([
    ['refresh_token', { refresh_token: 'x' }],
    ['urn:ietf:params:oauth:grant-type:device_code', { device_code: 'x' }],
    ['urn:ietf:params:oauth:grant-type:token-exchange', { subject_token: 'x', subject_token_type: 'x' }],
    ['urn:ietf:params:oauth:grant-type:jwt-bearer', { assertion: 'eyJhbGciOiJub25lIn0.e30.' }],
    ['implicit', {}],
    ['__proto__', {}],
    ['constructor', {}],
  ])('are none: %s', async (grantType, fields) => {
    const answer = await instance.send('POST', '/oauth', { fields: { grant_type: grantType, ...as(portal), ...fields } }); // prettier-ignore
    expect([400, 401]).toContain(answer.status);
    expect(['unsupported_grant_type', 'unauthorized_client', 'invalid_grant']).toContain(answer.content.error);
    expect(answer.content.access_token).toBeUndefined();
  });

  it('are none in the address, in a cookie or in a form', async () => {
    const token = await instance.sinete.core.authorization.issueSession(cpf, 60);
    const { accessToken } = token;
    const inAddress = await instance.send('GET', `/certificate/info?access_token=${accessToken}`);
    const cookie = { Cookie: `access_token=${accessToken}; token=${accessToken}` };
    const inCookie = await instance.send('GET', '/certificate/info', { headers: cookie });
    expect([inAddress.status, inCookie.status]).toEqual([401, 401]);
    const secrets = new URLSearchParams({ grant_type: 'client_credentials', ...as(portal) }).toString();
    expect((await instance.send('POST', `/oauth?${secrets}`, { fields: {} })).status).toBe(401);
    expect((await instance.send('GET', `/oauth?${secrets}`)).status).toBe(405);
  });

  it('are none for a page: it exchanges codes, and sends no password and no secret for a token', async () => {
    const page = { Origin: 'https://portal.example', 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' }; // prettier-ignore
    const fieldsOf: readonly Readonly<Record<string, string>>[] = [
      { grant_type: 'client_credentials', ...as(portal) },
      { grant_type: 'password', username: cpf, password: recoveryCodes.pop() ?? '' },
      { grant_type: 'password', username: cpf, password: recoveryCodes.pop() ?? '', ...as(portal) },
    ];
    for (const fields of fieldsOf) {
      const { status, content } = await instance.send('POST', '/oauth', { fields, headers: page });
      expect([400, 401]).toContain(status);
      expect(content.access_token).toBeUndefined();
    }
  });

  it('are not even tried for a page, so that a page locks nobody out by guessing', async () => {
    const page = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' }; // prettier-ignore
    const guesses: readonly Readonly<Record<string, string>>[] = [
      { grant_type: 'client_credentials', client_id: portal.id, client_secret: 'a guess' },
      { grant_type: 'password', username: cpf, password: '000000' },
    ];
    for (const fields of guesses) {
      const { status, content } = await instance.send('POST', '/oauth', { fields, headers: page });
      expect([status, content.error]).toEqual([400, 'unauthorized_client']);
    }
  });

  it('are none by a stolen id of a shown page: another site cannot send its form', async () => {
    const { body } = await ask(`response_type=code&client_id=${portal.id}&state=s`);
    const request = /name="request" value="([^"]+)"/.exec(body)?.[1] ?? '';
    const fields = { request, username: cpf, password: recoveryCodes.pop() ?? '' };
    const senders = [
      { ...ownPage, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
      { ...ownPage, Origin: 'null' },
      { ...ownPage, Origin: 'http://127.0.0.1:1' },
      { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'cors', Origin: 'http://localhost:1' },
    ];
    for (const headers of senders) {
      expect((await instance.send('POST', '/oauth/authorize', { fields, headers })).status).toBe(403);
    }
  });
});

describe('a pushed request', () => {
  const push = async (fields: Readonly<Record<string, string>>): Promise<Answer> =>
    instance.send('POST', '/oauth/par', {
      fields: { response_type: 'code', redirect_uri: redirectUri, scope: 'certificate_info', ...fields },
    });
  const show = async (query: Readonly<Record<string, string>>): Promise<Answer> =>
    ask(new URLSearchParams(query).toString());

  it('is used by its application alone, against other words of the address', async () => {
    const uri = String((await push(as(portal))).content.request_uri);
    const foreign = await show({ client_id: evil.id, request_uri: uri, redirect_uri: 'https://evil.example/back' });
    expect([foreign.status, foreign.headers.location]).toEqual([400, undefined]);
    expect((await show({ request_uri: uri })).status).toBe(400);
  });

  it.each([
    'x',
    'https://evil.example/request.jwt',
    'http://127.0.0.1:1/',
    'urn:ietf:params:oauth:request_uri:',
    'data:,x',
    'file:///etc/passwd',
  ])(
    // prettier-ignore
    'is fetched from nowhere, and guessed by nobody: %j',
    async (uri) => {
      const { status, headers } = await show({ client_id: portal.id, request_uri: uri });
      expect([status, headers.location]).toEqual([400, undefined]);
    },
  );

  it('is taken from nobody else, and none inside of another', async () => {
    const refused: readonly Readonly<Record<string, string>>[] = [{ client_id: portal.id }, { client_id: portal.id, client_secret: evil.secret }, { ...as(portal), request_uri: 'urn:x' }, { ...as(portal), redirect_uri: 'https://evil.example/back' }]; // prettier-ignore
    for (const fields of refused) expect([400, 401]).toContain((await push(fields)).status);
  });
});

describe('a token of another application', () => {
  it('is described to nobody but its own application, and ended by nobody else', async () => {
    const { content } = await exchange({ code: await codeFor(portal.id), ...as(portal) });
    const token = String(content.access_token);
    const introspect = async (client: object): Promise<Answer> =>
      instance.send('POST', '/oauth/introspect', { fields: { token, ...client } });
    expect((await introspect(as(portal))).content.active).toBe(true);
    const foreign = await introspect(as(evil));
    expect([foreign.status === 200 ? foreign.content : {}]).not.toMatchObject([{ active: true }]);
    for (const client of [{}, { client_id: portal.id }, { client_id: portal.id, client_secret: evil.secret }]) {
      expect((await introspect(client)).content.active).not.toBe(true);
    }
    await instance.send('POST', '/oauth/revoke', { fields: { token, ...as(evil) } });
    await instance.send('POST', '/oauth/revoke', { fields: { token, client_id: evil.id } });
    expect((await introspect(as(portal))).content.active).toBe(true);
  });
});

describe('a one-time password', () => {
  const wish = { type: 'CMS-attached', documents_source: 'DATA_URL', documents: ['data:,x'] };
  const sign = async (credentials: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    instance.send('POST', '/signature-service', {
      json: wish,
      headers: { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}`, ...headers },
    });

  it.each([
    '',
    ' ',
    '000000\n',
    '０００００００',
    '٠٠٠٠٠٠',
    '0',
    '0'.repeat(100_000),
    'null',
    'undefined',
    '[object Object]',
    '1e5',
    '-00001',
    '%00',
    "' OR 1=1 --",
  ])(
    // prettier-ignore
    'is none in another script, length or type: %j',
    async (password) => {
      const status = password.length > 10_000 ? [401, 431] : [401];
      expect(status).toContain((await sign(`${cpf}:${password}`)).status);
      const json = { grant_type: 'password', username: cpf, ...as(portal) };
      for (const value of password.length > 10_000 ? [] : [password, [password], { toString: password }, true]) {
        const answer = await instance.send('POST', '/oauth', { json: { ...json, password: value } });
        expect(answer.content.access_token).toBeUndefined();
        expect([400, 401]).toContain(answer.status);
      }
      await instance.sinete.core.storage.database.deleteFrom('attempts').execute();
    },
  );

  it.each(['lifetime=99999999999', 'lifetime=-1', 'lifetime=1e99', 'lifetime=NaN', 'lifetime=0x7fffffff'])(
    'opens no session that outlives its bound: %s',
    async (lifetime) => {
      const options = `${lifetime};return_access_token=true`;
      const { status, headers } = await sign(`${cpf}:${recoveryCodes.pop() ?? ''}`, { 'X-Session-Options': options });
      expect([201, 400, 422]).toContain(status);
      const token = headers['x-session-token'];
      expect(typeof token).toBe(lifetime === 'lifetime=99999999999' ? 'string' : 'undefined');
      if (typeof token !== 'string') return;
      const grant = await instance.sinete.core.authorization.readToken(token);
      expect(grant).toMatchObject({ username: cpf });
      expect(grant?.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 604_800_000);
    },
  );
});
