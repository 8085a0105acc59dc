import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { personWith } from '../../pki/identities.ts';
import { letTimePass, until } from '../../setup/waits.ts';
import { callbackTo, openNotificationWorld, type NotificationWorld, type WorldChanges } from './notification-world.ts';
import { startReceiver, type Behaviour, type Receiver } from './receiver.ts';

let receiver: Receiver;
let opened: NotificationWorld[] = [];
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  for (const one of opened) await one.end();
  opened = [];
  await receiver.close();
});

async function open(changes: WorldChanges = {}): Promise<NotificationWorld> {
  const one = await openNotificationWorld(changes);
  opened.push(one);
  await one.world.addKey(await personWith());
  return one;
}

const HOUR = 3_600_000;

describe('a finished transaction with a callback', () => {
  it('is told once, by POST, with the TCN at the end of the address and the rendered body', async () => {
    const world = await open();
    const { tcn } = await world.create(`${receiver.origin}/done?tcn=`);
    const view = await world.reaches(tcn, 'DELIVERED');
    expect(view.notification).toEqual({ status: 'DELIVERED', attempts: 1, lastError: null });
    expect(receiver.arrivals).toHaveLength(1);
    const [{ method, path, headers, body } = { method: '', path: '', headers: {}, body: '' }] = receiver.arrivals;
    expect([method, path]).toEqual(['POST', `/done?tcn=${tcn}`]);
    expect(headers['content-type']).toBe('application/json');
    expect(headers['webhook-id']).toMatch(/^msg_[0-9a-f]{32}$/);
    expect(headers['webhook-signature']).toBeUndefined();
    expect(JSON.parse(body)).toEqual({ tcn, status: 'SIGNED', baseUrl: 'http://127.0.0.1:17171', note: 'ação' });
  });

  it('is signed with the secret of the requesting application', async () => {
    const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
    const webhookSecret = async (id: string): Promise<string | undefined> =>
      Promise.resolve(id === 'app' ? secret : undefined);
    const world = await open({ notifications: { webhookSecret } });
    const callback = { ...callbackTo(receiver.origin), clientId: 'app' };
    const { tcn } = await world.create('', { callback });
    await world.reaches(tcn, 'DELIVERED');
    const [arrival] = receiver.arrivals;
    const verified = new Webhook(secret).verify(arrival?.body ?? '', arrival?.headers as Record<string, string>);
    expect(verified).toMatchObject({ tcn });
  });

  it('is not told without a signature when the requesting application is gone', async () => {
    const world = await open({ notifications: { limits: { retryDelays: [] } } });
    const { tcn } = await world.create('', { callback: { ...callbackTo(receiver.origin), clientId: 'removed' } });
    expect((await world.reaches(tcn, 'GIVEN_UP')).notification?.lastError).toMatch(/not registered here any more/);
    expect(receiver.arrivals).toEqual([]);
  });

  it('is told later when the secrets cannot be read now, and the sentence tells no more', async () => {
    const secrets = [async () => Promise.reject(new Error('whsec_hidden')), async () => Promise.resolve('whsec_AAAA')];
    const webhookSecret = async (): Promise<string> => (secrets.length > 1 ? secrets.shift() : secrets[0])?.() ?? '';
    const world = await open({ notifications: { webhookSecret, limits: { retryDelays: [200] } } });
    const { tcn } = await world.create('', { callback: { ...callbackTo(receiver.origin), clientId: 'app' } });
    const lastError = async (): Promise<string | null | undefined> =>
      (await world.world.transactions.query(tcn)).notification?.lastError;
    await until(async () => (await lastError()) !== null, 'a failure');
    expect(await lastError()).toBe('The notification could not be made here; the log of this instance tells why.');
    expect((await world.reaches(tcn, 'DELIVERED')).notification?.attempts).toBe(2);
  });

  it.each<[Behaviour, RegExp]>([
    [500, /^The server answered 500\.$/],
    [404, /^The server answered 404\.$/],
    ['redirect', /^The server answered 302; redirects are not followed\.$/],
    ['hang', /^127\.0\.0\.1:\d+ did not answer completely within 1000 ms\.$/],
    ['reset', /^127\.0\.0\.1:\d+ could not be reached/],
    ['garbage', /^127\.0\.0\.1:\d+ could not be reached/],
  ])('is told again, with the same id, after %s from the server', async (behaviour, reason) => {
    receiver.behave(behaviour, behaviour, 204);
    const timeout = behaviour === 'hang' ? 1000 : 30_000;
    const world = await open({ notifications: { limits: { retryDelays: [60_000, 5], timeout } } });
    const { tcn } = await world.create(`${receiver.origin}/?key=secret&tcn=`);
    await until(async () => (await world.world.transactions.query(tcn)).notification?.lastError !== null, 'an error');
    const { notification } = await world.world.transactions.query(tcn);
    expect(notification).toMatchObject({ status: 'WAITING', attempts: 1 });
    expect(notification?.lastError).toMatch(reason);
    expect(notification?.lastError).not.toMatch(/secret|tcn/);
    world.advance(70_000);
    await world.reaches(tcn, 'DELIVERED', 3);
    const ids = receiver.arrivals.map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
    expect(receiver.arrivals.map(({ path }) => path)).not.toContain('/elsewhere');
    expect(world.logged.join('\n')).not.toContain(tcn);
    expect(world.logged.join('\n')).not.toContain('secret');
  });

  it.each<Behaviour>(['endless', 'broken-body', 201, 204, 299])(
    'counts as told when the answer is %s',
    async (behaviour) => {
      receiver.behave(behaviour);
      const world = await open();
      const { tcn } = await world.create(receiver.origin);
      expect((await world.reaches(tcn, 'DELIVERED')).notification?.attempts).toBe(1);
    },
  );

  it('is given up after the seventh attempt, six pauses by the clock', async () => {
    receiver.behave(503);
    const limits = { retryDelays: [5, 30, 120, 600, 3600, 21_600].map((seconds) => seconds * 1000) };
    const world = await open({ notifications: { limits, random: () => 0.5 } });
    const { tcn } = await world.create(receiver.origin);
    let moved = 0;
    for (const [index, pause] of limits.retryDelays.entries()) {
      await until(async () => {
        const { nextAttemptAt, attempts } = (await world.notifications.list(1))[0] ?? {};
        // By the clock moved: until a failed attempt, its due time stands there.
        return attempts === index + 1 && (nextAttemptAt?.getTime() ?? 0) > Date.now() + moved;
      }, `pause ${index}`);
      const before = receiver.arrivals.length;
      world.advance(pause - 3000);
      await letTimePass(40);
      expect(receiver.arrivals).toHaveLength(before);
      world.advance(3000);
      moved += pause;
      await receiver.arrived(before + 1);
    }
    const { notification } = await world.reaches(tcn, 'GIVEN_UP');
    expect(notification).toEqual({ status: 'GIVEN_UP', attempts: 7, lastError: 'The server answered 503.' });
    world.advance(24 * HOUR);
    await letTimePass(50);
    expect(receiver.arrivals).toHaveLength(7);
  });

  it('is told again on request, by id or TCN, with the same id', async () => {
    receiver.behave(500);
    const world = await open({ notifications: { limits: { retryDelays: [] } } });
    const { tcn } = await world.create(receiver.origin);
    await world.reaches(tcn, 'GIVEN_UP');
    receiver.behave(200);
    const { id } = await world.notifications.redeliver(tcn);
    expect((await world.reaches(tcn, 'DELIVERED')).notification?.attempts).toBe(1);
    await world.notifications.redeliver(id);
    await receiver.arrived(3);
    expect(new Set(receiver.arrivals.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await expect(world.notifications.redeliver('msg_unknown')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is given up by a person and tried no more', async () => {
    const world = await open({ notifications: { limits: { retryDelays: [HOUR] } } });
    receiver.behave(500);
    const { tcn } = await world.create(receiver.origin);
    await until(async () => (await world.notifications.list(1))[0]?.lastError != null, 'a failure');
    const [waiting] = await world.notifications.list(1);
    const ended = await world.notifications.giveUp(waiting?.id ?? '');
    expect(ended).toMatchObject({ tcn, status: 'GIVEN_UP', nextAttemptAt: null });
    expect(ended.finishedAt).not.toBeNull();
    const before = receiver.arrivals.length;
    world.advance(2 * HOUR);
    await letTimePass(50);
    expect(receiver.arrivals).toHaveLength(before);
    expect(await world.notifications.giveUp(tcn)).toEqual(ended);
    await expect(world.notifications.giveUp('msg_unknown')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is not told before its end, nor when nothing was asked for', async () => {
    const world = await open();
    const waiting = await world.create(receiver.origin, { documentsSource: 'UPLOAD_REFERENCE', documents: [] });
    expect(waiting.notification).toEqual({ status: 'WAITING', attempts: 0, lastError: null });
    const { world: inner } = world;
    const silent = await inner.transactions.create(
      {
        type: 'CAdES-detached',
        documentsSource: 'DATA_URL',
        documents: [{ data: 'data:,x' }],
        mode: 'sync',
        digest: 'sha256',
        policy: 'none',
        settings: [],
        destination: 'LOCAL',
        reach: { kind: 'owner', overNetwork: false },
        autoFixDocument: false,
        returnSignature: false,
      },
      { kind: 'native-program', name: 'a program' },
    );
    expect(silent.notification).toBeUndefined();
    await letTimePass(60);
    expect(receiver.arrivals).toEqual([]);
    expect(await world.notifications.list(10)).toEqual([]);
  });
});

describe('many notifications', () => {
  it('go out a few at a time for each host, and a hanging host keeps no other waiting', async () => {
    const slow = await startReceiver();
    slow.behave('hang');
    // The slow host hangs for longer than a test may take: nothing waiting for it would arrive.
    const limits = { timeout: 600_000, atOnce: 8, atOncePerHost: 2 };
    const world = await open({ notifications: { limits } });
    for (let count = 0; count < 12; count += 1) await world.create(`${slow.origin}/slow`);
    for (let count = 0; count < 6; count += 1) await world.create(`${receiver.origin}/fast`);
    await receiver.arrived(6);
    expect(slow.arrivals).toHaveLength(2);
    expect(slow.mostOpen.get('slow')).toBe(2);
    expect(receiver.mostOpen.get('fast')).toBeLessThanOrEqual(2);
    await slow.close();
  });

  it('never hold up signing: transactions finish while every receiver hangs', async () => {
    receiver.behave('hang');
    const world = await open({ notifications: { limits: { timeout: 600_000 } } });
    for (let count = 0; count < 20; count += 1) {
      expect((await world.create(receiver.origin)).status).toBe('SIGNED');
    }
    expect((await world.notifications.list(20)).every(({ status }) => status === 'WAITING')).toBe(true);
  });
});

describe('a clock set while a notification waits', () => {
  it.each([
    ['back by a day', -24 * HOUR],
    ['forward by a day', 24 * HOUR],
  ])('does not lengthen the wait: %s', async (_what, step) => {
    receiver.behave(500, 200);
    const world = await open({ notifications: { limits: { retryDelays: [HOUR] } } });
    const { tcn } = await world.create(receiver.origin);
    await until(async () => (await world.world.transactions.query(tcn)).notification?.lastError !== null, 'a failure');
    world.advance(step);
    expect((await world.reaches(tcn, 'DELIVERED')).notification?.attempts).toBe(2);
  });

  it('makes one attempt, not two, when set while the server is thinking', async () => {
    receiver.behave('hang');
    const world = await open({ notifications: { limits: { retryDelays: [HOUR], timeout: 400 } } });
    await world.create(receiver.origin);
    await receiver.arrived(1);
    world.advance(-24 * HOUR);
    await letTimePass(100);
    world.advance(48 * HOUR);
    await letTimePass(100);
    expect(receiver.arrivals).toHaveLength(1);
  });
});

describe('an address in a private network', () => {
  const forbidden = /is in a private or reserved network/;

  it.each([
    'http://10.1.2.3/',
    'http://169.254.169.254/latest/',
    'http://[fe80::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://0x7f.1/',
  ])('is not contacted: %s', async (url) => {
    const world = await open({ http: { allowLoopback: false }, notifications: { limits: { retryDelays: [] } } });
    const { tcn } = await world.create(url);
    expect((await world.reaches(tcn, 'GIVEN_UP')).notification?.lastError).toMatch(forbidden);
  });

  it('is not contacted by a name with an allowed address in an earlier answer only', async () => {
    const answers = ['127.0.0.2', '127.0.0.1'];
    const asked: string[] = [];
    const { port } = new URL(receiver.origin);
    const world = await open({
      http: {
        allowLoopback: false,
        allow: ['127.0.0.2'],
        lookup: (hostname, _options, callback) => {
          const address = answers[Math.min(asked.length, 1)] ?? '';
          asked.push(hostname);
          callback(null, [{ address, family: 4 }]);
        },
      },
      notifications: { limits: { retryDelays: [50] } },
    });
    const { tcn } = await world.create(`http://rebound.example:${port}/`);
    await until(async () => (await world.world.transactions.query(tcn)).notification?.lastError !== null, 'a failure');
    expect((await world.reaches(tcn, 'GIVEN_UP', 2)).notification?.lastError).toMatch(forbidden);
    expect(asked).toEqual(['rebound.example', 'rebound.example']);
    expect(receiver.arrivals).toEqual([]);
  });

  it('is not contacted through a redirect', async () => {
    const inner = await startReceiver();
    const outer = await startReceiver();
    outer.behave('redirect');
    const world = await open({
      http: { allowLoopback: false, allow: [new URL(outer.origin).host] },
      notifications: { limits: { retryDelays: [] } },
    });
    const { tcn } = await world.create(outer.origin);
    await world.reaches(tcn, 'GIVEN_UP');
    expect([outer.arrivals.length, inner.arrivals.length]).toEqual([1, 0]);
    await inner.close();
    await outer.close();
  });
});
