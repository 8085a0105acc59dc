import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Sinete } from '../../src/client/index.ts';
import { OAuthApplication, SineteError, verifyWebhook } from '../../src/client/server.ts';

const key = Buffer.from('a key of the test');
const secret = `whsec_${key.toString('base64')}`;
const body = '{"status": "SIGNED"}';
const now = 1_700_000_000;

const signatureOf = (text: string, own: Buffer, at: number): string =>
  `v1,${createHmac('sha256', own).update(`msg_1.${at}.${text}`).digest('base64')}`;
const headersOf = (own = key, at = now): Record<string, string> => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(at),
  'webhook-signature': signatureOf(body, own, at),
});

describe('a callback', () => {
  it.each([
    ['headers of Node', headersOf()],
    ['headers of fetch', new Headers(headersOf())],
    [
      'two signatures of a rotation',
      {
        ...headersOf(),
        'webhook-signature': `${signatureOf(body, Buffer.from('earlier'), now)} ${signatureOf(body, key, now)}`,
      },
    ],
  ])('is answered when genuine, with %s', async (_what, headers) => {
    expect(await verifyWebhook(headers, body, secret, now)).toEqual({ status: 'SIGNED' });
    expect(await verifyWebhook(headers, Buffer.from(body), secret, now)).toEqual({ status: 'SIGNED' });
  });

  it.each([
    ['a changed body', headersOf(), '{"status": "ERROR!"}'],
    ['another secret', headersOf(Buffer.from('another key')), body],
    ['a time before five minutes ago', headersOf(key, now - 301), body],
    ['a time after five minutes', headersOf(key, now + 301), body],
    ['no headers', {}, body],
    ['an empty signature', { ...headersOf(), 'webhook-signature': '' }, body],
    ['a signature that is no base64', { ...headersOf(), 'webhook-signature': 'v1,é' }, body],
  ])('is refused with %s', async (_what, headers, text) => {
    const refusal = verifyWebhook(headers, text, secret, now);
    await expect(refusal).rejects.toBeInstanceOf(SineteError);
    await expect(refusal).rejects.toMatchObject({ code: 'NOT_GENUINE' });
  });
});

describe('secrets and documents', () => {
  const options = { clientId: 'id', clientSecret: 'secret-value', redirectUri: 'https://portal.example/back' };

  it('go to another computer with TLS only', async () => {
    expect(() => new OAuthApplication({ ...options, address: 'http://sign.example' })).toThrow('Use https');
    await expect(Sinete.at('http://sign.example')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });

  it('are refused in an address', async () => {
    const address = 'https://id:secret@sign.example';
    expect(() => new OAuthApplication({ ...options, address })).toThrow('no credentials');
    await expect(Sinete.at(address)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });

  it('are not in the address of an authorization; the challenge is', async () => {
    const { url, verifier, state } = await new OAuthApplication({
      ...options,
      address: 'https://sign.example',
    }).begin();
    expect(url).not.toContain(verifier);
    expect(url).not.toContain('secret-value');
    expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256');
    expect(new URL(url).searchParams.get('state')).toBe(state);
  });

  it('are not sent for the answer of another authorization', async () => {
    const portal = new OAuthApplication({ ...options, address: 'https://sign.example' });
    const answer = new URLSearchParams({ code: 'c', state: 'another' });
    await expect(portal.finish(await portal.begin(), answer)).rejects.toMatchObject({ code: 'NOT_GENUINE' });
  });
});
