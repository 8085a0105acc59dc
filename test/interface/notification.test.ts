import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import type { CallHandlers } from '../../src/ui-contract/ui-contract.ts';
import { buildOpenApi } from '../../src/http/openapi.ts';
import { startReceiver, type Receiver } from '../service/notifications/receiver.ts';
import { until } from '../setup/waits.ts';
import { startRealInstance, type Answer, type RealInstance } from './real-instance.ts';

/** Notifications to a client naming a callback, with a real instance. */

const portal = 'https://portal.example';
const localPage = 'http://localhost:3000';
let instance: RealInstance;
let calls: CallHandlers;
let application: { readonly clientId: string; readonly secret: string; readonly webhookSecret: string };
let receiver: Receiver;

beforeAll(async () => {
  const sites = [portal, localPage].map((origin) => ({ origin, scopes: ['sign' as const] }));
  instance = await startRealInstance({ approve: 'all', sites });
  calls = instance.sinete.handlers['user-interface'];
  const person = await issueTestPerson(await createTestAuthority(), { name: 'ANA LIMA', cpf: '11144477735' });
  await calls['certificates.import']({ file: (await writePkcs12(person, 'x')).toString('base64'), password: 'x' });
  const [recovery = ''] = await instance.enrol('ANA LIMA', '11144477735');
  await calls['assistant.add']({ username: '11144477735', code: recovery });
  const added = await instance.sinete.core.applications.register({
    name: 'Shop',
    comments: '',
    email: 'a@b.example',
    redirectUris: ['https://shop.example/back'],
  });
  const { clientSecret: secret, webhookSecret } = added;
  application = { clientId: added.application.clientId, secret, webhookSecret };
});
afterAll(async () => instance.stop());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => receiver.close());

async function create(callback: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const fields = { type: 'CAdES-detached', documents_source: 'DATA_URL', documents: 'data:text/plain,one' };
  const json = { ...fields, notification_callback: callback };
  return instance.send('POST', '/signature-service', { json, headers });
}

const asApplication = (): Record<string, string> => {
  const { clientId, secret } = application;
  return { Authorization: `Sinete ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` };
};
const asSite = (origin: string): Record<string, string> => ({
  Origin: origin,
  'Sec-Fetch-Site': 'cross-site',
  'Sec-Fetch-Mode': 'cors',
  'Sec-Fetch-Dest': 'empty',
});

const query = async (tcn: unknown): Promise<Answer['content']> =>
  (await instance.send('GET', `/signature-service/${String(tcn)}`)).content;

async function notificationOf(tcn: unknown, status: string): Promise<unknown> {
  const read = async (): Promise<unknown> => (await query(tcn)).notification;
  await until(async () => ((await read()) as { status?: string } | undefined)?.status === status, status);
  return read();
}

describe('notification_callback', () => {
  it('is told the query body, signed with the secret of the application, and the named results can be downloaded', async () => {
    const { status, content } = await create(`${receiver.origin}/done?tcn=`, asApplication());
    expect([status, content.notification]).toEqual([201, { status: 'WAITING', attempts: 0, last_error: null }]);
    expect(await notificationOf(content.tcn, 'DELIVERED')).toEqual({
      status: 'DELIVERED',
      attempts: 1,
      last_error: null,
    });
    const [{ path, headers, body } = { path: '', headers: {}, body: '' }] = receiver.arrivals;
    expect(path).toBe(`/done?tcn=${String(content.tcn)}`);
    expect(headers['user-agent']).toBe('Sinete');
    const told = new Webhook(application.webhookSecret).verify(body, headers as Record<string, string>);
    // The remaining seconds of the documents differ between the notification and the query.
    const { documents: now, ...asked } = await query(content.tcn);
    // The readers of a notification are unknown, so the number in the alias is masked.
    const notification = { status: 'WAITING', attempts: 1, last_error: null };
    expect(told).toMatchObject({ ...asked, certificate_alias: 'ANA LIMA:***.444.777-**', notification });
    const [document] = now as { result: string }[];
    expect(document?.result).toBe(`${instance.url}/file-transfer/${String(content.tcn)}/0`);
    expect((told as { documents: object[] }).documents[0]).toMatchObject({
      status: 'SIGNED',
      result: document?.result,
    });
    expect((await instance.send('GET', new URL(document?.result ?? '').pathname)).status).toBe(200);
  });

  it('names results below the address called by the client', async () => {
    const { content } = await create(receiver.origin, { Host: `localhost:${instance.port}` });
    await notificationOf(content.tcn, 'DELIVERED');
    expect(receiver.arrivals[0]?.body).toContain(`"http://localhost:${instance.port}/file-transfer/`);
  });

  it('is told without a signature where no application asked', async () => {
    const { content } = await create(receiver.origin);
    await notificationOf(content.tcn, 'DELIVERED');
    expect(receiver.arrivals[0]?.path).toBe(`/${String(content.tcn)}`);
    expect(receiver.arrivals[0]?.headers).not.toHaveProperty('webhook-signature');
    expect(receiver.arrivals[0]?.headers['webhook-id']).toMatch(/^msg_/);
  });

  it.each([
    'shop.example/done',
    'ftp://shop.example/',
    '/done',
    'https://a:b@shop.example/',
    'https://shop.example/#a',
    'http://10.0.0.1/',
    'http://192.168.1.1:8080/x',
    'http://169.254.169.254/',
    'http://[fd00::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://0.0.0.0/',
    'http://100.64.0.1/',
  ])('is refused with 422 for %s, and nothing is created', async (callback) => {
    const before = await instance.sinete.core.transactions.countByStatus();
    const { status, content } = await create(callback);
    expect([status, content.code]).toEqual([422, 'REQUEST_INVALID']);
    expect(content.errors).toMatchObject([{ field: 'notification_callback' }]);
    expect(await instance.sinete.core.transactions.countByStatus()).toEqual(before);
  });

  it.each(['http://127.0.0.1:9/', 'http://localhost:9/', 'http://[::1]:9/', 'http://127.1:9/', 'http://2130706433:9/'])(
    'on this computer is refused to a web site with a server elsewhere: %s',
    async (callback) => {
      const { status, content } = await create(callback, asSite(portal));
      expect([status, content.errors]).toMatchObject([422, [{ field: 'notification_callback' }]]);
    },
  );

  it('on this computer is told for a page of this computer', async () => {
    const { status, content } = await create(receiver.origin, asSite(localPage));
    expect(status).toBe(201);
    await notificationOf(content.tcn, 'DELIVERED');
    expect(receiver.arrivals).toHaveLength(1);
  });

  it('is absent from the answer of a transaction without one', async () => {
    const { content } = await create(undefined);
    expect(content).not.toHaveProperty('notification');
  });
});

describe('the owner of the instance', () => {
  it('sees past notifications, without query, and has each told again', async () => {
    receiver.behave(500, 200);
    const { content } = await create(`${receiver.origin}/done?key=secret&tcn=`, asApplication());
    await until(async () => {
      const [first] = await calls['notifications.list']({ limit: 1 });
      return first?.tcn === content.tcn && first?.lastError === 'The server answered 500.';
    }, 'the failure');
    const [first] = await calls['notifications.list']({ limit: 1 });
    expect(first).toMatchObject({
      status: 'WAITING',
      attempts: 1,
      target: `${receiver.origin}/done`,
      finishedAt: null,
    });
    expect(first?.clientId).toBe(application.clientId);
    expect(Date.parse(first?.nextAttemptAt ?? '') - Date.now()).toBeLessThan(6000);
    expect(JSON.stringify(first)).not.toContain('secret');
    await calls['notifications.redeliver']({ idOrTcn: first?.id ?? '' });
    await notificationOf(content.tcn, 'DELIVERED');
    expect(new Set(receiver.arrivals.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([first?.id]));
    await expect(calls['notifications.redeliver']({ idOrTcn: 'unknown' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is shown to no listener but the window: an event tells of the change only', async () => {
    const told: unknown[] = [];
    const close = instance.openWindow((event) => told.push(event));
    const { content } = await create(receiver.origin);
    await notificationOf(content.tcn, 'DELIVERED');
    close();
    expect(told).toContainEqual({ name: 'transaction-changed', tcn: content.tcn });
  });
});

describe('the OpenAPI document', () => {
  it('describes the message, with its headers and the body of the query', () => {
    const { callbacks } = buildOpenApi('0.1.0').paths?.['/signature-service']?.post ?? {};
    const text = JSON.stringify(callbacks);
    for (const header of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) expect(text).toContain(header);
    expect(text).toContain('"$ref":"#/components/schemas/Transaction');
    expect(Object.keys((callbacks?.notification ?? {}) as object)).toHaveLength(1);
  });
});
