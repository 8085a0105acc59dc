import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import { until } from '../setup/waits.ts';
import { startRealInstance, type Answer, type RealInstance } from './real-instance.ts';

/** Lists, bulk states and event streams, with everything real behind. */

const ana = '11144477735';
let instance: RealInstance;
let shop: Record<string, string>;
let other: Record<string, string>;
let shopId: string;

beforeAll(async () => {
  instance = await startRealInstance({
    approve: 'ask',
    sites: [{ origin: 'https://portal.example', scopes: ['sign'] }],
  });
  const calls = instance.sinete.handlers['user-interface'];
  const person = await issueTestPerson(await createTestAuthority(), { name: 'ANA LIMA', cpf: ana });
  await calls['certificates.import']({ file: (await writePkcs12(person, 'x')).toString('base64'), password: 'x' });
  const [recovery = ''] = await instance.enrol('ANA LIMA', ana);
  await calls['assistant.add']({ username: ana, code: recovery });
  [shopId, shop] = await register('Shop');
  [, other] = await register('Other');
});
afterAll(async () => instance.stop());

async function register(name: string): Promise<readonly [string, Record<string, string>]> {
  const { application, clientSecret } = await instance.sinete.core.applications.register({
    name,
    comments: '',
    email: '',
    redirectUris: ['https://shop.example/back'],
  });
  const pair = Buffer.from(`${application.clientId}:${clientSecret}`).toString('base64');
  return [application.clientId, { Authorization: `Sinete ${pair}` }];
}

const site = { Origin: 'https://portal.example', 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' };

async function create(headers: Record<string, string>, fileName = 'a.txt'): Promise<string> {
  const documents = [{ data: 'data:text/plain,one', original_file_name: fileName }];
  const json = { type: 'CAdES-detached', documents_source: 'DATA_URL', documents };
  const { status, content } = await instance.send('POST', '/signature-service', { json, headers });
  expect(status).toBe(201);
  return String(content.tcn);
}

interface List {
  readonly transactions: readonly { readonly tcn: string; readonly status: string; readonly waiting_for: string }[];
  readonly next: string | null;
}

async function list(query: string, headers: Record<string, string>): Promise<List> {
  const answer = await instance.send('GET', `/signature-service${query}`, { headers });
  expect(answer.status).toBe(200);
  return answer.content as unknown as List;
}

const tcnsOf = ({ transactions }: List): string[] => transactions.map(({ tcn }) => tcn);

async function tokenOf(username: string | null, scopes = ['signature_session'] as const): Promise<Answer['headers']> {
  const request = { username, clientId: shopId, scopes, lifetime: undefined };
  const { accessToken } = await instance.sinete.core.authorization.issueToken(request);
  return { Authorization: `Bearer ${accessToken}` };
}

describe('GET /signature-service', () => {
  it('lists the transactions of the caller only, newest first, a page at a time', async () => {
    const mine = [await create(shop), await create(shop), await create(shop)];
    const foreign = await create(other);
    const native = await create({});
    const ofSite = await create(site);
    const first = await list('?limit=2', shop);
    expect(first.transactions).toHaveLength(2);
    expect(first.next).toBe(first.transactions[1]?.tcn);
    const second = await list(`?limit=2&after=${first.next}`, shop);
    expect(second.next).toBeNull();
    expect(new Set([...tcnsOf(first), ...tcnsOf(second)])).toEqual(new Set(mine));
    expect(tcnsOf(await list('', other))).toEqual([foreign]);
    expect(tcnsOf(await list('', {}))).toEqual([native]);
    expect(tcnsOf(await list('', site))).toEqual([ofSite]);
    expect(first.transactions[0]).toMatchObject({ status: 'WAITING', counts: { WAITING: 1, SIGNED: 0, ERROR: 0 } });
    expect(first.transactions[0]).not.toHaveProperty('documents');
  });

  it("shows a person's token the transactions of this person only, and the application the transactions of its people", async () => {
    const asAna = (await tokenOf(ana)) as Record<string, string>;
    const asApplication = (await tokenOf(null)) as Record<string, string>;
    const tcn = await create(asAna);
    expect(tcnsOf(await list('', asAna))).toEqual([tcn]);
    expect(tcnsOf(await list('', shop))).toContain(tcn);
    expect(tcnsOf(await list('', asApplication))).toContain(tcn);
    expect(tcnsOf(await list('', other))).not.toContain(tcn);
  });

  it('refuses a token without the right to sign, because a list tells TCNs', async () => {
    const headers = (await tokenOf(ana, ['certificate_info'] as never)) as Record<string, string>;
    const answer = await instance.send('GET', '/signature-service', { headers });
    expect([answer.status, answer.content.code]).toEqual([403, 'SCOPE_NOT_ALLOWED']);
  });

  it('narrows by status', async () => {
    const tcn = await create(other);
    await instance.sinete.core.transactions.decide(tcn, 'refuse');
    expect(tcnsOf(await list('?status=error', other))).toEqual([tcn]);
    expect(tcnsOf(await list('?status=WAITING', other))).not.toContain(tcn);
    expect(tcnsOf(await list('?status=SIGNED', other))).toEqual([]);
  });

  it.each([
    ['status=DONE', 'status'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['after=NOBODYS', 'after'],
  ])('refuses %s and names the field', async (query, field) => {
    const { status, content } = await instance.send('GET', `/signature-service?${query}`, { headers: shop });
    expect([status, content.errors]).toMatchObject([422, [{ field }]]);
  });

  it("refuses the TCN of another caller's transaction as a cursor", async () => {
    const foreign = await create(other);
    const { status } = await instance.send('GET', `/signature-service?after=${foreign}`, { headers: shop });
    expect(status).toBe(422);
  });
});

describe('POST /signature-service/status', () => {
  it('answers the states in the order of the request, and names the unknown numbers', async () => {
    const [one, two] = [await create(shop), await create(other)];
    const json = { tcns: [two, 'UNKNOWN', one, two] };
    const { status, content } = await instance.send('POST', '/signature-service/status', { json });
    expect(status).toBe(200);
    expect(tcnsOf(content as unknown as List)).toEqual([two, one]);
    expect(content.unknown).toEqual(['UNKNOWN']);
  });

  it.each([[{}], [{ tcns: [] }], [{ tcns: 'one' }], [{ tcns: Array.from({ length: 1001 }, () => 'x') }]])(
    'refuses %j',
    async (json) => {
      const { status } = await instance.send('POST', '/signature-service/status', { json });
      expect(status).toBe(422);
    },
  );
});

interface Stream {
  readonly status: number;
  readonly events: () => readonly { readonly id: string; readonly tcn: string; readonly status: string }[];
  readonly ended: () => boolean;
  readonly close: () => void;
}

async function open(path: string, headers: Record<string, string> = {}): Promise<Stream> {
  return new Promise((resolve, reject) => {
    let text = '';
    let ended = false;
    const request = get({ host: '127.0.0.1', port: instance.port, path, headers, agent: false }, (response) => {
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => (ended = true));
      const events = (): ReturnType<Stream['events']> =>
        [...text.matchAll(/^id: (.*)\nevent: transaction\ndata: (.*)\n\n/gm)].map(([, id = '', data = '']) => ({
          id,
          ...(JSON.parse(data) as { tcn: string; status: string }),
        }));
      const close = (): void => {
        request.destroy();
      };
      resolve({ status: response.statusCode ?? 0, events, ended: () => ended, close });
    });
    request.on('error', reject);
  });
}

describe('GET /signature-service/<tcn>/events', () => {
  it('tells the present state, each change and the end, and a client coming back afterwards to stop', async () => {
    const tcn = await create(shop);
    const stream = await open(`/signature-service/${tcn}/events`);
    await until(() => stream.events().length === 1, 'the present state');
    expect(stream.events()[0]).toMatchObject({ tcn, status: 'WAITING', waiting_for: 'approval' });
    await instance.sinete.core.transactions.decide(tcn, 'approve');
    await until(() => stream.ended(), 'the end of the stream');
    expect(stream.events().at(-1)).toMatchObject({ id: 'final', status: 'SIGNED' });
    const again = await open(`/signature-service/${tcn}/events`, { 'Last-Event-ID': 'final' });
    expect(again.status).toBe(204);
  });

  it('answers 404 for an unknown TCN', async () => {
    expect((await open('/signature-service/UNKNOWN/events')).status).toBe(404);
  });
});

describe('GET /signature-service/events', () => {
  it('tells waiting and changing transactions, of the caller and of nobody else', async () => {
    const before = await create(shop);
    const stream = await open('/signature-service/events', shop);
    await until(() => stream.events().some(({ tcn }) => tcn === before), 'the waiting transaction');
    const foreign = await create(other);
    const tcn = await create(shop);
    await instance.sinete.core.transactions.decide(tcn, 'approve');
    await until(() => stream.events().some((event) => event.tcn === tcn && event.status === 'SIGNED'), 'the end');
    expect(stream.events().map((event) => event.tcn)).not.toContain(foreign);
    stream.close();
  });

  it('tells a returning client the endings meanwhile', async () => {
    const since = String(Date.now());
    const tcn = await create(shop);
    await instance.sinete.core.transactions.decide(tcn, 'refuse');
    const stream = await open('/signature-service/events', { ...shop, 'Last-Event-ID': since });
    await until(() => stream.events().some((event) => event.tcn === tcn && event.status === 'ERROR'), 'the end');
    stream.close();
  });

  it('refuses more than twenty streams of a caller, and frees the place of a closed stream', async () => {
    const streams = await Promise.all(Array.from({ length: 20 }, async () => open('/signature-service/events', other)));
    expect((await open('/signature-service/events', other)).status).toBe(503);
    expect((await open('/signature-service/events', shop)).status).toBe(200);
    streams[0]?.close();
    await until(async () => (await open('/signature-service/events', other)).status === 200, 'a free place');
    for (const stream of streams) stream.close();
  });
});
