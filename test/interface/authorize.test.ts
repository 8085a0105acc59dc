import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  locationOf,
  OAuthWorld,
  otherRedirectUri,
  redirectUri,
  requestIdOf,
} from '../http/authorization/oauth-world.ts';

/** Endpoint 8. */

let world: OAuthWorld;

beforeAll(async () => {
  world = await OAuthWorld.open();
});
afterAll(async () => world.close());

const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describe('GET /oauth/authorize', () => {
  it.each([
    ['pt-BR,pt;q=0.9,en;q=0.8', 'pt-BR', 'pede a sua autorização'],
    ['pt', 'pt-BR', 'pede a sua autorização'],
    ['en-US,en;q=0.9,pt;q=0.1', 'en', 'asks for your authorization'],
    ['de', 'en', 'asks for your authorization'],
  ])('speaks the language of %s', async (accepted, language, words) => {
    const page = await world.show({}, accepted);
    expect(page.status).toBe(200);
    expect(page.headers['content-language']).toBe(language);
    expect(page.body).toContain(`<html lang="${language}">`);
    expect(page.body).toContain(words);
  });

  it('names the application, what it may do, how long, and where the person goes', async () => {
    const page = await world.show({ scope: 'multi_signature certificate_info', lifetime: '86400' });
    expect(page.body).toContain('Portal &lt;Gov&gt;');
    expect(page.body).not.toContain('<Gov>');
    expect(page.body).toContain('sign one batch of documents');
    expect(page.body).toContain('read your certificate');
    expect(page.body).toContain('at most 1 day');
    expect(page.body).toContain('https://portal.example<');
  });

  it('has no script, may not be framed, and posts only here', async () => {
    const { headers, body } = await world.show({});
    expect(body).not.toMatch(/<script|javascript:|\son\w+=/i);
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['cache-control']).toBe('no-store');
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; style-src 'nonce-[^']+'; /);
    expect(policy).toContain("form-action 'self';");
    expect(policy).toContain("frame-ancestors 'none'; base-uri 'none'");
  });

  it.each([
    ['an unknown client', { client_id: 'nobody' }, 'not registered'],
    ['an address that is not registered', { redirect_uri: 'https://evil.example/' }, 'not registered for it'],
    ['an address that begins like a registered one', { redirect_uri: `${redirectUri}&x` }, 'not registered for it'],
    ['an address in other letter case', { redirect_uri: redirectUri.toUpperCase() }, 'not registered for it'],
  ])('shows %s and redirects nowhere', async (_what, parameters, words) => {
    const page = await world.show(parameters);
    expect(page.status).toBe(400);
    expect(page.headers.location).toBeUndefined();
    expect(page.body).toContain(words);
    expect(page.body).not.toContain('<form');
  });

  it('shows a repeated client or address, and redirects nowhere', async () => {
    for (const twice of ['client_id=x', `redirect_uri=${encodeURIComponent(redirectUri)}`]) {
      const page = await world.get(
        `/oauth/authorize?response_type=code&client_id=${world.client.id}&redirect_uri=https://evil.example/&${twice}`,
      );
      expect([page.status, page.headers.location]).toEqual([400, undefined]);
    }
  });

  it.each([
    ['no response type', { response_type: '' }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['an unknown scope', { scope: 'signature_session everything' }, 'invalid_scope'],
    ['a scope in quotes', { scope: '"x"' }, 'invalid_scope'],
    ['a lifetime that is no number', { lifetime: '1.5' }, 'invalid_request'],
    ['a lifetime of nothing', { lifetime: '0' }, 'invalid_request'],
    ['a challenge of another length', { code_challenge: 'abc' }, 'invalid_request'],
    ['a plain challenge', { code_challenge: challenge, code_challenge_method: 'plain' }, 'invalid_request'],
    ['a method without a challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
  ])('tells the application of %s', async (_what, parameters, error) => {
    const answer = await world.show({ state: 'the state', ...parameters });
    expect(answer.status).toBe(303);
    const { origin, searchParams } = new URL(locationOf(answer));
    expect(origin).toBe('https://portal.example');
    expect(Object.fromEntries(searchParams)).toMatchObject({ kept: '1', error, state: 'the state' });
    expect(searchParams.get('error_description')).toMatch(/\S/);
    expect(searchParams.has('code')).toBe(false);
  });

  it('tells the application of a repeated parameter', async () => {
    const answer = await world.get(
      `/oauth/authorize?response_type=code&client_id=${world.client.id}&scope=certificate_info&scope=single_signature`,
    );
    expect(new URL(locationOf(answer)).searchParams.get('error')).toBe('invalid_request');
  });

  it('demands a challenge of a public application', async () => {
    const without = await world.show({ client_id: world.publicClient });
    expect(new URL(locationOf(without)).searchParams.get('error')).toBe('invalid_request');
    const withChallenge = await world.show({ client_id: world.publicClient, code_challenge: challenge });
    expect(withChallenge.status).toBe(200);
  });
});

describe('the answer of a person', () => {
  it('goes to the first registered address when none was named, and keeps its query', async () => {
    const page = await world.show({});
    const answer = await world.answer({
      request: requestIdOf(page),
      decision: 'allow',
      username: '111.444.777-35',
      password: world.ana.code(),
    });
    expect(answer.status).toBe(200);
    expect(locationOf(answer)).toMatch(/^https:\/\/portal\.example\/back\?kept=1&code=[A-Za-z0-9_-]{43}&iss=http%3A/);
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
  });

  it('is a redirect for a program, which follows no page', async () => {
    const page = await world.show({ state: 's' });
    const answer = await world.answer({ request: requestIdOf(page), decision: 'refuse' }, 'program');
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toMatch(
      /^https:\/\/portal\.example\/back\?kept=1&error=access_denied&.*state=s&iss=http%3A/,
    );
  });

  it('goes to the named address', async () => {
    const answer = await world.allow({ redirect_uri: otherRedirectUri });
    expect(answer.get('code')).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it.each(['xyz', 'a b+c&d=e%20', 'ação 🖋', '"<script>', 'x'.repeat(4000), '\u0001\n'])(
    'brings the state back as it was: %j',
    async (state) => {
      expect((await world.allow({ state })).get('state')).toBe(state);
    },
  );

  it('tells the application of a refusal', async () => {
    const page = await world.show({ state: 's' });
    const answer = await world.answer({ request: requestIdOf(page), decision: 'refuse' });
    const { searchParams } = new URL(locationOf(answer));
    expect(Object.fromEntries(searchParams)).toMatchObject({ error: 'access_denied', state: 's' });
  });

  it('with a wrong code shows the form again, with what was typed but not the code', async () => {
    const page = await world.show({});
    const again = await world.answer({
      request: requestIdOf(page),
      decision: 'allow',
      username: '111.444.777-35"><b>',
      password: '000000',
    });
    expect(again.status).toBe(401);
    expect(again.headers['www-authenticate']).toBe('Sinete-Form');
    expect(again.body).toContain('role="alert"');
    expect(again.body).toContain('value="111.444.777-35&quot;&gt;&lt;b&gt;"');
    expect(again.body).not.toContain('000000');
    expect(requestIdOf(again)).toBe(requestIdOf(page));
  });

  it('stops after five wrong codes, also on fresh pages, and says how long to wait', async () => {
    const statuses: number[] = [];
    for (let tries = 0; tries < 6; tries += 1) {
      const page = await world.show({});
      const fields = { username: world.bruno.username, password: '000000', decision: 'allow' };
      const answer = await world.answer({ request: requestIdOf(page), ...fields });
      statuses.push(answer.status);
      if (tries === 5) {
        expect(answer.headers['retry-after']).toBe('30');
        expect(answer.body).toContain('Try again in 30 seconds');
      }
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('counts once: the page is over afterwards, after ten minutes, and when it was never shown; it has to name the page', async () => {
    const page = await world.show({});
    const refuse = { request: requestIdOf(page), decision: 'refuse' };
    expect((await world.answer(refuse)).status).toBe(200);
    expect((await world.answer(refuse)).status).toBe(410);
    const late = await world.show({});
    world.identity.pass(600);
    expect((await world.answer({ request: requestIdOf(late), decision: 'refuse' })).status).toBe(410);
    expect((await world.answer({ request: 'guessed', decision: 'refuse' })).status).toBe(410);
    expect((await world.answer({})).status).toBe(400);
  });
});

describe('the page with the ways to authorize', () => {
  it('comes first with integration=true, and offers this computer only when a user is selected', async () => {
    const page = await world.show({ integration: 'true' });
    expect(page.body).toMatch(/value="computer" disabled/);
    expect(page.body).toContain('No user is selected');
    expect(page.body).not.toContain('name="password"');
    world.selected = { name: 'Ana <Lima>', username: world.ana.username };
    const offered = await world.show({ integration: 'TRUE' });
    expect(offered.body).toContain('As Ana &lt;Lima&gt;');
    expect(offered.body).not.toMatch(/value="computer" disabled/);
  });

  it('leads to the form, back, and to the telephone, which cannot reach this computer', async () => {
    const page = await world.show({ integration: 'true' });
    const request = requestIdOf(page);
    expect((await world.answer({ request, way: 'password' })).body).toContain('name="password"');
    expect((await world.answer({ request, way: 'telephone' })).body).toContain('a telephone cannot reach it');
    expect((await world.answer({ request, way: 'choose' })).body).toContain('value="telephone"');
  });

  it('asks in the window, waits, and goes on with a code when the user allows', async () => {
    world.selected = { name: 'Ana Lima', username: world.ana.username };
    const request = requestIdOf(await world.show({ integration: 'true', state: 's', scope: 'single_signature' }));
    const asked = await world.answer({ request, way: 'computer' });
    const waiting = locationOf({ ...asked, headers: { location: String(asked.headers.location) } });
    expect(asked.status).toBe(303);
    const page = await world.get(waiting);
    expect(page.body).toContain('<meta http-equiv="refresh" content="2">');
    expect(page.body).toContain('approve as Ana Lima');
    const [question] = await world.requests.waiting();
    expect(question).toMatchObject({
      person: world.selected,
      request: { application: { name: 'Portal <Gov>' }, scopes: ['single_signature'] },
    });
    expect(page.body).not.toContain(question?.id ?? '');
    await world.requests.decide(question?.id ?? '', 'allow');
    const done = await world.get(waiting);
    const { searchParams } = new URL(locationOf(done));
    const token = await world.token({ grant_type: 'authorization_code', code: searchParams.get('code') });
    expect([searchParams.get('state'), token.content.scope]).toEqual(['s', 'single_signature']);
    expect((await world.get(waiting)).status).toBe(410);
  });

  it('goes on with a refusal when the user refuses, and is no longer asked for when the page is answered', async () => {
    world.selected = { name: 'Ana Lima', username: world.ana.username };
    const request = requestIdOf(await world.show({}));
    const asked = await world.answer({ request, way: 'computer' });
    await world.requests.decide((await world.requests.waiting())[0]?.id ?? '', 'refuse');
    const refused = await world.get(String(asked.headers.location));
    expect(new URL(locationOf(refused)).searchParams.get('error')).toBe('access_denied');
    const second = requestIdOf(await world.show({}));
    await world.answer({ request: second, way: 'computer' });
    expect(await world.requests.waiting()).toHaveLength(1);
    await world.answer({ request: second, decision: 'refuse' });
    expect(await world.requests.waiting()).toEqual([]);
    await expect(world.requests.decide('x', 'allow')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
