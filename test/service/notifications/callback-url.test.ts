import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  callbackTarget,
  checkCallbackUrl,
  shownCallback,
  webhookHeaders,
} from '../../../src/service/notifications/deliver-notification.ts';
import { defaultNotificationLimits, retryDelay } from '../../../src/service/notifications/notification.ts';

const tcn = 'ABCDEFGHJKMNPQRSTVWXYZ0123';

describe('the notified address', () => {
  it.each([
    ['https://x.example/?tcn=', `https://x.example/?tcn=${tcn}`],
    ['http://x.example?tcn=', `http://x.example/?tcn=${tcn}`],
    ['https://x.example/done', `https://x.example/done/${tcn}`],
    ['https://x.example/done/', `https://x.example/done/${tcn}`],
    ['https://x.example', `https://x.example/${tcn}`],
    ['https://x.example:8443/a%20b/', `https://x.example:8443/a%20b/${tcn}`],
    ['https://x.example/done?key=1&tcn=', `https://x.example/done?key=1&tcn=${tcn}`],
    ['https://x.example/done?', `https://x.example/done?${tcn}`],
    ['https://x.example/done?id=order-7', `https://x.example/done?id=order-7&tcn=${tcn}`],
    ['https://x.example/?doc_id=7', `https://x.example/?doc_id=7&tcn=${tcn}`],
    ['https://x.example/?tcn=&doc=7', `https://x.example/?tcn=&doc=7&tcn=${tcn}`],
    ['https://x.example/?doc=7&', `https://x.example/?doc=7&${tcn}`],
  ])('is, for %s, %s', (callback, target) => {
    expect(callbackTarget(callback, tcn)).toBe(target);
  });

  it('has the token escaped, should it ever hold other characters', () => {
    expect(callbackTarget('https://x.example/?tcn=', 'a&b=c/#')).toBe('https://x.example/?tcn=a%26b%3Dc%2F%23');
  });

  it('is shown without its query', () => {
    expect(shownCallback('https://x.example/done?key=secret')).toBe('https://x.example/done');
  });

  it.each([
    '',
    'x',
    '/done',
    'ftp://x.example/',
    'https:',
    'https://',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://maria:secret@x.example/',
    'https://x.example/#done',
    'https://x.example/#',
    'https:x.example',
    'http://[::1',
    'http://x.example:99999/',
  ])('is refused when it is %j', (text) => {
    expect(checkCallbackUrl(text)).toMatchObject([{ field: 'notification_callback', code: 'REQUEST_INVALID' }]);
  });

  it.each(['https://x.example/', 'HTTP://X.EXAMPLE?tcn=', 'https://[2001:db8::1]/done'])(
    'is taken when it is %j',
    (text) => {
      expect(checkCallbackUrl(text)).toEqual([]);
    },
  );
});

describe('the headers of a notification', () => {
  const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
  const message = { id: 'msg_1', sentAt: new Date(), body: '{"status":"SIGNED","name":"ação"}', secrets: [secret] };

  it('are accepted by the library of Standard Webhooks, and by no other secret', () => {
    const headers = webhookHeaders(message);
    expect(new Webhook(secret).verify(message.body, headers)).toEqual({ status: 'SIGNED', name: 'ação' });
    const other = new Webhook(Buffer.alloc(32, 8).toString('base64'));
    expect(() => other.verify(message.body, headers)).toThrow();
    expect(() => new Webhook(secret).verify(`${message.body} `, headers)).toThrow();
  });

  it('hold a signature for each of two secrets', () => {
    const next = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const headers = webhookHeaders({ ...message, secrets: [next, secret] });
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const one of [secret, next]) expect(new Webhook(one).verify(message.body, headers)).toBeDefined();
  });

  it('hold no signature where nobody has a secret', () => {
    expect(Object.keys(webhookHeaders({ ...message, secrets: [] }))).toEqual(['webhook-id', 'webhook-timestamp']);
  });
});

describe('the pauses between attempts', () => {
  it.each([
    [1, 5],
    [2, 30],
    [3, 120],
    [4, 600],
    [5, 3600],
    [6, 21_600],
  ])('is after failure %i about %i seconds, a tenth more or less', (attempts, seconds) => {
    const at = (random: number): number | undefined => retryDelay(attempts, defaultNotificationLimits, random);
    expect([at(0), at(0.5), at(1)]).toEqual([seconds * 900, seconds * 1000, seconds * 1100]);
  });

  it('end with the seventh attempt', () => {
    expect(retryDelay(7, defaultNotificationLimits, 0)).toBeUndefined();
  });
});
