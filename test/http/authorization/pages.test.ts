import type { Request, Response } from 'express';
import { describe, expect, it } from 'vitest';
import { describeDuration, pageTexts } from '../../../src/http/authorization/page-texts.ts';
import {
  overPage,
  passwordPage,
  refusalPage,
  returnPage,
  telephonePage,
  waitingPage,
  waysPage,
  languageOf,
  sendAuthorizePage,
  type Page,
} from '../../../src/http/authorization/pages.ts';
import { readParameters } from '../../../src/http/authorization/oauth-library.ts';
import { HandlerWorld } from './handler-world.ts';
import { dropUndefined } from '../../../src/values/drop-undefined.ts';

const { en, 'pt-BR': portuguese } = pageTexts;
const shown = await new HandlerWorld().shown({ scopes: ['multi_signature', 'certificate_info'], lifetime: 90 });

describe('a page of authorization', () => {
  it('tells the caller, the request, its duration, and the address of the answer', () => {
    const { title, body, ...rest } = passwordPage(en, shown, {});
    expect([title, rest]).toEqual(['Authorize', {}]);
    expect(body).toContain('<h1>Portal &lt;Gov&gt; <small>asks for your authorization</small></h1>');
    const items = `<ul><li>${en.scopes.multi_signature}</li><li>${en.scopes.certificate_info}</li></ul>`;
    expect(body).toContain(items);
    expect(body).toContain('<p>This lasts at most 90 seconds.</p>');
    expect(body).toContain('<span class="place">https://portal.example</span>');
    expect(body).toContain(`<input type="hidden" name="request" value="${shown.id}">`);
    expect(body).toContain('name="username" value=""');
    expect(body).not.toContain('role="alert"');
  });

  it("promises the longest life of a token, the company's", async () => {
    const endless = await new HandlerWorld().shown({ lifetime: 10_000_000 });
    expect(passwordPage(en, endless, {}).body).toContain('at most 30 days');
  });

  it.each([
    [{ kind: 'credentials' }, 401, { 'WWW-Authenticate': 'Sinete-Form' }, en.wrongCredentials],
    [{ kind: 'too-many', retryAfter: 60 }, 429, { 'Retry-After': '60' }, 'Try again in 1 minute.'],
    [{ kind: 'unavailable' }, 503, { 'Retry-After': '30' }, en.unavailable],
  ] as const)('tells the failure above the form: %j', (fault, status, headers, words) => {
    const page = passwordPage(en, shown, { fault, username: 'a"b' });
    expect(page).toMatchObject({ status, headers });
    expect(page.body).toContain(`<p class="fault" role="alert">`);
    expect(page.body).toContain(words);
    expect(page.body).toContain('name="username" value="a&quot;b"');
  });

  it('tells with 410 that a request is over', () => {
    const body = `<h1>${en.overTitle}</h1>\n<p>${en.over}</p>`;
    expect(overPage(en)).toEqual({ title: en.overTitle, body, status: 410 });
  });

  it('offers three ways; the way over this computer needs a selected user', () => {
    const chosen = waysPage(en, shown, { name: 'A & B', username: '1' });
    expect(chosen.title).toBe('Authorize');
    expect(chosen.body.match(/name="way" value="\w+"/g)).toHaveLength(3);
    expect(chosen.body).toContain('As A &amp; B');
    expect(chosen.body).not.toContain('disabled');
    expect(waysPage(en, shown, undefined).body.match(/disabled/g)).toHaveLength(1);
  });

  it('shows the picture for the telephone, where reachable', () => {
    const withPicture = telephonePage(en, shown, '<svg/>');
    expect(withPicture).toMatchObject({
      title: 'Authorize',
      body: expect.stringContaining('aria-label="QR code of this request"><svg/></div>') as string,
    });
    expect(telephonePage(en, shown, undefined).body).toContain(en.telephoneOutOfReach);
  });

  it('looks again after two seconds while waiting, and goes on at once when leading back', () => {
    expect(waitingPage(en, shown, 'A & B')).toMatchObject({ title: en.waitTitle, refresh: { seconds: 2 } });
    expect(waitingPage(en, shown, 'A & B').body).toContain('approve as A &amp; B.');
    const address = 'https://a.example/x?code=1&state=2';
    expect(returnPage(en, address)).toEqual({
      title: en.returning,
      body: `<h1>${en.returning}</h1>\n<p><a href="https://a.example/x?code=1&amp;state=2" rel="noreferrer">https://a.example</a></p>`,
      headers: { 'Referrer-Policy': 'no-referrer' },
      refresh: { seconds: 0, address },
    });
  });

  it.each([
    ['client', en.badClient],
    ['redirect-uri', en.badRedirect],
    ['no-redirect-uri', en.noRedirect],
  ] as const)('warns the person of an untrustworthy request: %s', (problem, words) => {
    const page = refusalPage(en, problem);
    expect([page.status, page.title]).toEqual([400, en.badTitle]);
    expect(page.body).toContain(`<p>${words}</p>`);
  });
});

describe('the life of a token', () => {
  it.each([
    [86_400, '1 day', '1 dia'],
    [172_800, '2 days', '2 dias'],
    [90_000, '25 hours', '25 horas'],
    [3600, '1 hour', '1 hora'],
    [5400, '90 minutes', '90 minutos'],
    [60, '1 minute', '1 minuto'],
    [61, '61 seconds', '61 segundos'],
    [1, '1 second', '1 segundo'],
    [0.4, '0 seconds', '0 segundos'],
    [0, '0 seconds', '0 segundos'],
  ])('of %d seconds is called %s', (seconds, english, words) => {
    expect(describeDuration(seconds, en)).toBe(english);
    expect(describeDuration(seconds, portuguese)).toBe(words);
  });
});

describe('the texts', () => {
  const values = (part: unknown): string[] =>
    typeof part === 'string'
      ? [part]
      : typeof part === 'function'
        ? [String((part as (text: string) => unknown)('~'))]
        : Object.values(part as object).flatMap(values);

  it.each(['en', 'pt-BR'] as const)('in %s are complete, and name all inserted values', (language) => {
    const texts = pageTexts[language];
    expect(values(texts)).toHaveLength(values(en).length);
    expect(values(texts).every((text) => text.length > 2)).toBe(true);
    for (const put of [texts.forAtMost, texts.byComputerHint, texts.wait, texts.tooMany])
      expect(put('~Ana~')).toContain('~Ana~');
    expect(Object.keys(texts.scopes)).toEqual(Object.keys(en.scopes));
  });

  it('differ between the languages', () => {
    const both = values(en).filter((text) => values(portuguese).includes(text));
    expect(both).toEqual([]);
  });
});

/** The page for a request with this language. */
function send(
  page: Page,
  accepted = 'en',
): { readonly headers: Record<string, string>; readonly status: number; readonly body: string } {
  const sent = { headers: {} as Record<string, string>, status: 0, body: '' };
  const response = {
    set: (name: string | Record<string, string>, value = '') => {
      Object.assign(sent.headers, typeof name === 'string' ? { [name]: value } : name);
    },
    vary: (name: string) => (sent.headers.Vary = name),
    status: (status: number) => ((sent.status = status), response),
    type: (type: string) => ((sent.headers.Type = type), response),
    send: (body: string) => (sent.body = body),
  };
  const request = { acceptsLanguages: (...offered: string[]) => (offered.includes(accepted) ? accepted : false) };
  sendAuthorizePage(request as unknown as Request, response as unknown as Response, () => page);
  return sent;
}

describe('a page in its answer', () => {
  it('has no script, stands in no frame, and posts only here', () => {
    const { headers, status, body } = send({ title: 'A & B', body: '<p>body</p>' });
    const nonce = /nonce-([^']+)'/.exec(headers['Content-Security-Policy'] ?? '')?.[1] ?? 'none';
    expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/);
    expect(headers).toEqual({
      'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
      'Referrer-Policy': 'same-origin',
      'Cross-Origin-Opener-Policy': 'unsafe-none',
      Vary: 'Accept-Language',
      'Content-Language': 'en',
      Type: 'text/html; charset=utf-8',
    });
    expect(status).toBe(200);
    expect(body).toContain('<html lang="en">');
    expect(body).toContain('<title>A &amp; B · Sinete</title>');
    expect(body).toContain(`<style nonce="${nonce}">`);
    expect(body).toContain('<p>body</p>');
    expect(body).not.toContain('http-equiv');
  });

  it('has a status and headers of its own on demand', () => {
    const { headers, status } = send({
      title: '',
      body: '',
      status: 410,
      headers: { 'Referrer-Policy': 'no-referrer' },
    });
    expect([status, headers['Referrer-Policy']]).toEqual([410, 'no-referrer']);
  });

  it.each([
    [{ seconds: 2 }, '<meta http-equiv="refresh" content="2">\n<title>'],
    [
      { seconds: 0, address: 'https://a.example/?a&b' },
      '<meta http-equiv="refresh" content="0;url=https://a.example/?a&amp;b">\n<title>',
    ],
  ])('goes on by itself: %j', (refresh, tag) => {
    expect(send({ title: '', body: '', refresh }).body).toContain(tag);
  });

  it.each([
    ['pt-BR', 'pt-BR'],
    ['pt', 'pt-BR'],
    ['en', 'en'],
    ['de', 'en'],
  ])('speaks to a browser of language %s in %s', (accepted, language) => {
    expect(send({ title: '', body: '' }, accepted).headers['Content-Language']).toBe(language);
    const request = { acceptsLanguages: () => (accepted === 'de' ? false : accepted) };
    expect(languageOf(request as unknown as Request)).toBe(language);
  });
});

describe('the parameters of a request', () => {
  it.each([
    [{ a: 'x', b: 'y' }, { a: 'x', b: 'y' }, []],
    [{ a: '', b: undefined, c: null }, {}, []],
    [{ a: 1, b: true, integration: false, d: 0 }, { a: '1', integration: 'false', d: '0' }, ['b']],
    [{ token: 1, code: 2, password: 123456 }, { password: '123456' }, ['token', 'code']],
    [{ a: ['x', 'y'], b: {}, c: 'z' }, { c: 'z' }, ['a', 'b']],
    [{ a: 'x'.repeat(8192) }, { a: 'x'.repeat(8192) }, []],
    [{ a: 'x'.repeat(8193) }, {}, ['a']],
  ])('%#: are texts, once each and of bounded length', (fields, parameters, wrong) => {
    expect(readParameters(fields)).toEqual({ parameters, wrong });
  });

  it.each([
    ['neither form nor JSON', 'text/plain', 'a=b', 415, 'Send the fields as '],
    ['no media type', undefined, undefined, 415, 'Send the fields as '],
    ['damaged JSON', 'application/json', '{"a":', 400, 'The body is not JSON: '],
    ['a JSON array', 'application/json', '["a"]', 400, 'The body must be a form or a JSON object.'],
    ['more than 64 KiB', 'application/json', JSON.stringify({ a: 'x'.repeat(66_000) }), 400, 'at most 65536 bytes'],
    ['bytes that are not UTF-8', 'application/json', Buffer.from('{"a":"\xe7"}', 'latin1'), 400, 'not UTF-8'],
    ['a form that is not UTF-8', 'application/x-www-form-urlencoded', 'a=%E7', 400, 'not UTF-8'],
  ])('of a token request are refused for %s, with the reason', async (_what, type, body, status, words) => {
    const world = await HandlerWorld.open();
    try {
      const headers = dropUndefined({ 'Content-Type': type });
      const answer = await world.postRaw('/oauth', body, headers);
      expect([answer.status, JSON.parse(answer.body)]).toEqual([
        status,
        { error: 'invalid_request', error_description: expect.stringContaining(words) as string },
      ]);
    } finally {
      await world.close();
    }
  });

  it('of a token request are refused by name', async () => {
    const world = await HandlerWorld.open();
    try {
      const answer = await world.postJson('/oauth', { scope: ['a'], code: {} });
      expect([answer.status, answer.content]).toEqual([
        400,
        { error: 'invalid_request', error_description: 'These parameters are repeated or no text: scope, code.' },
      ]);
    } finally {
      await world.close();
    }
  });
});
