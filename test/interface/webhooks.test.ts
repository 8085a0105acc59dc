import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../docs/examples/verify-webhook.mjs';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import { startReceiver, type Arrival, type Receiver } from '../service/notifications/receiver.ts';
import { letTimePass, until, untilDefined } from '../setup/waits.ts';
import { startRealInstance, type Answer, type RealInstance } from './real-instance.ts';

/** Webhook endpoints of applications, from the registration to the arrival, with everything real behind. */

const ana = '11144477735';
let instance: RealInstance;
let receiver: Receiver;
let shop: { readonly id: string; readonly headers: Record<string, string> };

beforeAll(async () => {
  const sites = [{ origin: 'https://portal.example', scopes: ['sign' as const] }];
  instance = await startRealInstance({ approve: 'ask', sites });
  const calls = instance.sinete.handlers['user-interface'];
  const person = await issueTestPerson(await createTestAuthority(), { name: 'ANA LIMA', cpf: ana });
  await calls['certificates.import']({ file: (await writePkcs12(person, 'x')).toString('base64'), password: 'x' });
  const [recovery = ''] = await instance.enrol('ANA LIMA', ana);
  await calls['assistant.add']({ username: ana, code: recovery });
});
afterAll(async () => instance.stop());
beforeEach(async () => {
  receiver = await startReceiver();
  shop = await register();
});
afterEach(async () => receiver.close());

async function register(): Promise<typeof shop> {
  const { application, clientSecret } = await instance.sinete.core.applications.register({
    name: 'Shop',
    comments: '',
    email: '',
    redirectUris: ['https://shop.example/back'],
  });
  const pair = Buffer.from(`${application.clientId}:${clientSecret}`).toString('base64');
  return { id: application.clientId, headers: { Authorization: `Sinete ${pair}` } };
}

async function call(method: string, path = '', json?: unknown, headers = shop.headers): Promise<Answer> {
  return instance.send(method, `/applications/${shop.id}/webhooks${path}`, { json, headers });
}

interface Endpoint {
  readonly id: string;
  readonly secret: string;
}

async function add(events?: readonly string[]): Promise<Endpoint> {
  const { status, content } = await call('POST', '', { url: `${receiver.origin}/hook`, ...(events && { events }) });
  expect(status).toBe(201);
  return content as unknown as Endpoint;
}

async function create(headers = shop.headers): Promise<string> {
  const json = { type: 'CAdES-detached', documents_source: 'DATA_URL', documents: 'data:text/plain,one' };
  const { status, content, body } = await instance.send('POST', '/signature-service', { json, headers });
  expect(status, body).toBe(201);
  return String(content.tcn);
}

interface Told {
  readonly type: string;
  readonly timestamp: string;
  readonly data: { readonly tcn: string; readonly status: string };
}

const told = (): Told[] => receiver.arrivals.map(({ body }) => JSON.parse(body) as Told);
/** The event of a transaction. An endpoint may get an event twice, and events of other transactions between. */
const eventOf = async (tcn: string): Promise<Arrival> =>
  untilDefined(() => receiver.arrivals.find((_, index) => told()[index]?.data.tcn === tcn), `the event of ${tcn}`);
const isTold = (type: string): boolean => told().some((one) => one.type === type);

describe('an endpoint of an application', () => {
  it('is told of a waiting transaction and of its signing, once each, signed with its own secret', async () => {
    const { secret } = await add();
    const tcn = await create();
    await until(() => isTold('transaction.waiting'), 'the first event');
    await instance.sinete.core.transactions.decide(tcn, 'approve');
    await until(() => isTold('transaction.signed'), 'the last event');
    expect(told().map(({ type }) => type)).toEqual(['transaction.waiting', 'transaction.signed']);
    expect(told()[1]?.data).toMatchObject({ tcn, status: 'SIGNED', counts: { SIGNED: 1, WAITING: 0, ERROR: 0 } });
    for (const { path, headers, body } of receiver.arrivals) {
      expect(path).toBe('/hook');
      const plain = headers as Record<string, string>;
      expect(new Webhook(secret).verify(body, plain)).toEqual(JSON.parse(body));
      expect(verifyWebhook(plain, body, secret)).toEqual(JSON.parse(body));
      expect(() => verifyWebhook(plain, `${body} `, secret)).toThrow('signature');
      expect(() => verifyWebhook(plain, body, secret, Date.now() / 1000 + 301)).toThrow('too old');
    }
  });

  it.each([
    ['refuse', 'transaction.failed'],
    ['expire', 'transaction.expired'],
  ] as const)('is told the end: %s, %s', async (decision, event) => {
    await add([event]);
    const tcn = await create();
    await instance.sinete.core.transactions.decide(tcn, decision);
    await until(() => isTold(event), event);
    expect(told().map(({ type }) => type)).toEqual([event]);
  });

  it('is told of a cancelled transaction', async () => {
    await add(['transaction.cancelled', 'transaction.failed']);
    const tcn = await create();
    await instance.send('DELETE', `/signature-service/${tcn}`);
    await until(() => isTold('transaction.cancelled'), 'the event');
    expect(isTold('transaction.failed')).toBe(false);
  });

  it('is told of the cancellation of an upload without documents', async () => {
    await add(['transaction.cancelled', 'transaction.failed']);
    const upload = { type: 'CMS', documents_source: 'UPLOAD_REFERENCE' };
    const { content } = await instance.send('POST', '/signature-service', { json: upload, headers: shop.headers });
    await instance.send('DELETE', `/signature-service/${String(content.tcn)}`);
    await until(() => isTold('transaction.cancelled'), 'the cancellation');
    expect(isTold('transaction.failed')).toBe(false);
  });

  it("is told nothing of other callers, but of transactions begun by a person's token of its application", async () => {
    await add(['transaction.waiting']);
    const other = await register();
    await create(other.headers);
    await create({});
    const request = { username: ana, clientId: shop.id, scopes: ['signature_session'] as const, lifetime: undefined };
    const { accessToken } = await instance.sinete.core.authorization
      .issueCode({
        ...request,
        redirectUri: 'https://shop.example/back',
        redirectUriGiven: true,
        codeChallenge: undefined,
      })
      .then(async (code) => {
        const found = await instance.sinete.core.authorization.findCode(code);
        await instance.sinete.core.authorization.spendCode(code);
        return instance.sinete.core.authorization.issueForCode(code, found!);
      });
    const signed = await add(['transaction.signed']);
    const tcn = await create({ Authorization: `Bearer ${accessToken}` });
    await until(() => isTold('transaction.signed'), 'the event');
    expect(told().map(({ data }) => data.tcn)).toEqual([tcn]);
    expect(signed.id).toMatch(/^whe_/);
  });

  it('switched off is told nothing', async () => {
    const { id } = await add();
    expect((await call('PUT', `/${id}`, { enabled: false })).content.enabled).toBe(false);
    await create();
    await letTimePass(200);
    expect(receiver.arrivals).toEqual([]);
    const { content } = await call('GET', `/${id}/deliveries`);
    expect(content).toEqual({ deliveries: [], next: null });
  });
});

describe('the secret of an endpoint', () => {
  it('is replaced while the earlier secret signs as well, and then alone', async () => {
    const { id, secret } = await add(['transaction.waiting']);
    const { content } = await call('POST', `/${id}/rotate`, {});
    const next = String(content.secret);
    expect(next).not.toBe(secret);
    expect(Date.parse(String(content.earlier_secret_until))).toBeGreaterThan(Date.now());
    const { headers, body } = await eventOf(await create());
    const plain = headers as Record<string, string>;
    expect(verifyWebhook(plain, body, next)).toEqual(verifyWebhook(plain, body, secret));
    const { content: last } = await call('POST', `/${id}/rotate`, { overlap: 0 });
    const second = await eventOf(await create());
    const after = second.headers as Record<string, string>;
    expect(() => verifyWebhook(after, second.body, next)).toThrow('signature');
    expect(verifyWebhook(after, second.body, String(last.secret))).toBeDefined();
  });

  it('is told once, and is in no list', async () => {
    const { id, secret } = await add();
    const answers = [await call('GET'), await call('GET', `/${id}`), await call('PUT', `/${id}`, { enabled: true })];
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body).not.toContain(secret);
      expect(body).not.toContain('secret":"');
    }
  });
});

describe('the delivery log', () => {
  it('tells attempts and failures, page by page, and starts a delivery again', async () => {
    receiver.behave(500, 200, 200);
    const { id } = await add(['transaction.waiting']);
    await create();
    const read = async (query = ''): Promise<Record<string, unknown>[]> =>
      (await call('GET', `/${id}/deliveries${query}`)).content.deliveries as Record<string, unknown>[];
    const failed = await untilDefined(async () => (await read()).find((one) => one.last_error !== null), 'a failure');
    expect(failed).toMatchObject({ event: 'transaction.waiting', status: 'WAITING', attempts: 1 });
    expect(failed.last_error).toBe('The server answered 500.');
    expect((await call('POST', `/${id}/deliveries/${String(failed.id)}/redeliver`)).status).toBe(200);
    await until(async () => (await read('?status=DELIVERED')).length === 1, 'the delivery');
    await create();
    await until(async () => (await read('?status=DELIVERED')).length === 2, 'the second delivery');
    const { content } = await call('GET', `/${id}/deliveries?limit=1`);
    expect(content.next).not.toBeNull();
    expect(await read(`?after=${String(content.next)}`)).toMatchObject([{ id: failed.id }]);
    expect((await call('GET', `/${id}/deliveries?after=msg_other`)).status).toBe(422);
    expect((await call('POST', `/${id}/deliveries/msg_other/redeliver`)).status).toBe(404);
  });

  it('is apart from the notification of the callback', async () => {
    await add(['transaction.signed']);
    const json = { type: 'CAdES-detached', documents_source: 'DATA_URL', documents: 'data:text/plain,one' };
    const sent = { json: { ...json, notification_callback: `${receiver.origin}/done?tcn=` }, headers: shop.headers };
    const { content } = await instance.send('POST', '/signature-service', sent);
    await instance.sinete.core.transactions.decide(String(content.tcn), 'approve');
    await until(() => receiver.arrivals.length === 2, 'both');
    expect(receiver.arrivals.map(({ path }) => path.split('?')[0]).toSorted()).toEqual(['/done', '/hook']);
  });
});

describe('a test call', () => {
  it('is sent at once, with a signature, and tells the outcome', async () => {
    const { id, secret } = await add();
    expect((await call('POST', `/${id}/test`)).content).toEqual({ delivered: true, error: null });
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.arrivals;
    expect(verifyWebhook(headers as Record<string, string>, body, secret)).toMatchObject({
      type: 'webhook.test',
      data: { webhook_id: id },
    });
    receiver.behave(404);
    expect((await call('POST', `/${id}/test`)).content).toEqual({
      delivered: false,
      error: 'The server answered 404.',
    });
  });
});

describe('the registration of an endpoint', () => {
  it.each([
    ['a private address', { url: 'http://10.0.0.1/' }, 'url'],
    ['the metadata of a cloud', { url: 'http://169.254.169.254/latest' }, 'url'],
    ['a mapped address', { url: 'http://[::ffff:10.0.0.1]/' }, 'url'],
    ['credentials in the address', { url: 'https://a:b@shop.example/' }, 'url'],
    ['another scheme', { url: 'file:///etc/passwd' }, 'url'],
    ['no address', {}, 'url'],
    ['an unknown event', { url: 'https://shop.example/', events: ['transaction.exploded'] }, 'events[0]'],
    ['no event', { url: 'https://shop.example/', events: [] }, 'events'],
  ])('refuses %s', async (_what, json, field) => {
    const { status, content } = await call('POST', '', json);
    expect([status, content.errors]).toMatchObject([422, [{ field }]]);
  });

  it('refuses a private address in a change as well', async () => {
    const { id } = await add();
    expect((await call('PUT', `/${id}`, { url: 'http://192.168.0.1/' })).status).toBe(422);
  });

  it.each(['GET', 'POST'])('is for the application itself and the owner of this computer: %s', async (method) => {
    const json = method === 'POST' ? { url: 'https://shop.example/' } : undefined;
    const other = await register();
    expect((await call(method, '', json, other.headers)).status).toBe(401);
    const request = { username: ana, clientId: shop.id, scopes: ['signature_session'] as const, lifetime: undefined };
    const { accessToken } = await instance.sinete.core.authorization.issueToken(request);
    expect((await call(method, '', json, { Authorization: `Bearer ${accessToken}` })).status).toBe(401);
    const site = { Origin: 'https://portal.example', 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' };
    expect((await call(method, '', json, { ...shop.headers, ...site })).status).toBe(403);
    const own = await instance.sinete.core.authorization.issueToken({ ...request, username: null });
    expect((await call(method, '', json, { Authorization: `Bearer ${own.accessToken}` })).status).toBeLessThan(300);
    expect((await call(method, '', json, {})).status).toBeLessThan(300);
  });

  it('hides the endpoints of another application', async () => {
    const { id } = await add();
    const other = await register();
    const path = `/applications/${other.id}/webhooks/${id}`;
    for (const method of ['GET', 'DELETE']) {
      expect((await instance.send(method, path, { headers: other.headers })).status).toBe(404);
    }
    expect((await call('DELETE', `/${id}`)).status).toBe(204);
    expect((await call('GET', `/${id}`)).status).toBe(404);
  });

  it('ends with twenty', async () => {
    for (let count = 0; count < 20; count++) await add();
    expect((await call('POST', '', { url: 'https://shop.example/' })).status).toBe(422);
  });
});
