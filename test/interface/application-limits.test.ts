import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealInstance, type Answer, type RealInstance } from './real-instance.ts';

/** Limits of applications on the wire, with everything real behind. */

let instance: RealInstance;
let credentials: Record<'daily' | 'small' | 'asleep', string>;

const about = {
  name: 'CRM',
  comments: 'Contracts',
  email: 'help@crm.example',
  redirect_uris: ['https://crm.example/back'],
};
const document = { type: 'CMS', documents_source: 'DATA_URL', mode: 'sync' };
const hello = 'data:text/plain,hello';

beforeAll(async () => {
  instance = await startRealInstance({ approve: 'all', applicationLimits: { small: { documentSize: 100 } } });
  await instance.sinete.handlers['user-interface']['certificates.makeTestIdentity']({
    name: 'ANA LIMA',
    cpf: '11144477735',
  });
  const [now, next] = [-12, -11].map((hours) => new Date(Date.now() + hours * 3_600_000).getHours());
  const [from, to] = [now, next].map((hour) => `${String(hour).padStart(2, '0')}:00`);
  credentials = {
    daily: await register('daily', { documents_per_day: 3 }),
    small: await register('small', { document_size: 1000 }),
    asleep: await register('asleep', { hours: `${from}-${to}` }),
  };
});
afterAll(async () => instance.stop());

async function register(clientId: string, limits: object): Promise<string> {
  const body = { ...about, client_id: clientId, limits };
  const { status, content } = await instance.send('POST', '/v0/oauth/application', { json: body });
  expect(status).toBe(201);
  const pair = `${String(content.client_id)}:${String(content.client_secret)}`;
  return `Sinete ${Buffer.from(pair).toString('base64')}`;
}

const create = async (name: keyof typeof credentials, body: object): Promise<Answer> =>
  instance.send('POST', '/signature-service', {
    json: { ...document, ...body },
    headers: { Authorization: credentials[name] },
  });

describe('an application with limits', () => {
  it('signs as many documents a day as allowed, is told the rest, and is refused with 429', async () => {
    const first = await create('daily', { documents: [hello, hello] });
    expect([first.status, first.content.status]).toEqual([201, 'SIGNED']);
    expect(first.headers['ratelimit-policy']).toBe('"documents-per-day";q=3;w=86400');
    expect(first.headers.ratelimit).toMatch(/^"documents-per-day";r=1;t=\d+$/);
    const tooMany = await create('daily', { documents: [hello, hello] });
    expect([tooMany.status, tooMany.content.code]).toEqual([429, 'APPLICATION_LIMIT_REACHED']);
    expect(tooMany.headers.ratelimit).toMatch(/^"documents-per-day";r=1;t=\d+$/);
    expect(Number(tooMany.headers['retry-after'])).toBeGreaterThan(0);
    expect(tooMany.content.errors).toMatchObject([{ field: 'documents' }]);

    const upload = await create('daily', { documents_source: 'UPLOAD_REFERENCE', mode: 'async' });
    const path = `/file-transfer/${String(upload.content.tcn)}/continue`;
    const send = async (): Promise<Response> =>
      fetch(`${instance.url}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/octet-stream' },
        body: 'hello',
      });
    const last = await send();
    expect([last.status, last.headers.get('ratelimit')]).toEqual([200, expect.stringContaining(';r=0;') as string]);
    const over = await send();
    expect([over.status, await over.json()]).toMatchObject([429, { code: 'APPLICATION_LIMIT_REACHED' }]);
    expect((await create('daily', { documents: hello })).status).toBe(429);
  });

  it('counts nothing of a refused request', async () => {
    const other = await register('other', { documents_per_day: 1 });
    const send = async (documents: string): Promise<Answer> =>
      instance.send('POST', '/signature-service', {
        json: { ...document, documents, certificate_alias: documents === hello ? '' : 'nobody' },
        headers: { Authorization: other },
      });
    expect((await send('data:text/plain,other')).status).toBe(422);
    expect((await send(hello)).status).toBe(201);
  });

  it('sends documents up to the lower of both sizes, and hears the size', async () => {
    const large = await create('small', { documents: `data:text/plain,${'x'.repeat(101)}` });
    expect([large.status, large.content.code]).toEqual([413, 'DOCUMENT_TOO_LARGE']);
    expect(large.content.detail).toContain('at most 100 ');
    const fits = await create('small', { documents: `data:text/plain,${'x'.repeat(100)}` });
    expect([fits.status, fits.headers.ratelimit]).toEqual([201, undefined]);
  });

  it('asks for signatures within its hours only', async () => {
    const { status, content, headers } = await create('asleep', { documents: hello });
    expect([status, content.code]).toEqual([403, 'APPLICATION_OUT_OF_HOURS']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  it('signs again as soon as its limits are changed over HTTP', async () => {
    const changed = await register('changed', { documents_per_day: 1 });
    const send = async (): Promise<readonly [number, unknown]> => {
      const json = { ...document, documents: hello };
      const { status, headers } = await instance.send('POST', '/signature-service', {
        json,
        headers: { Authorization: changed },
      });
      return [status, headers['ratelimit-policy']];
    };
    expect(await send()).toEqual([201, '"documents-per-day";q=1;w=86400']);
    expect((await send())[0]).toBe(429);
    const path = '/applications/changed';
    expect((await instance.send('GET', path)).content.limits).toEqual({ documents_per_day: 1 });
    await instance.send('PUT', path, { json: { limits: { documents_per_day: 2 } } });
    expect(await send()).toEqual([201, '"documents-per-day";q=2;w=86400']);
    expect((await send())[0]).toBe(429);
    await instance.send('PUT', path, { json: { limits: {} } });
    expect(await send()).toEqual([201, undefined]);
    // The three documents of this day count, the document without a limit too.
    await instance.send('PUT', path, { json: { limits: { documents_per_day: 3 } } });
    expect((await send())[0]).toBe(429);
    await instance.send('PUT', path, { json: { limits: { documents_per_day: 4 } } });
    expect(await send()).toEqual([201, '"documents-per-day";q=4;w=86400']);
  });

  it.each([
    ['limits.documents_per_day', { documents_per_day: 0 }],
    ['limits.document_size', { document_size: 1.5 }],
    ['limits.hours', { hours: '8-18' }],
    ['limits.hours', { hours: '08:00-08:00' }],
  ])('is not registered when %s is wrong', async (field, limits) => {
    const body = { ...about, limits };
    const { status, content } = await instance.send('POST', '/v0/oauth/application', { json: body });
    expect([status, content.errors]).toMatchObject([422, [{ field }]]);
  });
});
