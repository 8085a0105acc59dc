import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import { startRealInstance, type RealInstance, type SendOptions } from './real-instance.ts';

/** Endpoints 12 to 20 of an instance with everything real behind. */

const ana = '11144477735';
const bia = '52998224725';
const company = '11222333000181';
let instance: RealInstance;
let anaCodes: string[];
let biaCodes: string[];
let companyCodes: string[];

beforeAll(async () => {
  instance = await startRealInstance();
  anaCodes = await instance.enrol('ANA LIMA', ana);
  biaCodes = await instance.enrol('BIA SOUZA', bia);
  companyCodes = await instance.enrol('EMPRESA LTDA', company);
});
afterAll(async () => instance.stop());

const nextOf = (codes: string[]): string => codes.shift() ?? 'none is left';
const localTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

interface Row {
  readonly does: string;
  readonly method: string;
  readonly path: string;
  readonly sends?: () => SendOptions;
  readonly status: number;
  readonly code: number;
  readonly name: string;
  /** Parts of the body. */
  readonly body?: unknown;
  readonly hides?: string;
}

/** In this order: each row finds the cache left by the row before. */
const story: readonly Row[] = [
  {
    does: 'GET /user lists nobody at first',
    method: 'GET',
    path: '/user',
    status: 200,
    code: 1093,
    name: 'USER_LISTED',
    body: { users: [] },
  },
  {
    does: 'GET /selected-user tells that none is selected',
    method: 'GET',
    path: '/selected-user',
    status: 404,
    code: 1125,
    name: 'NO_SELECTED_USER',
  },
  {
    does: 'GET /selected-user/certificates tells that none is selected',
    method: 'GET',
    path: '/selected-user/certificates',
    status: 404,
    code: 1125,
    name: 'NO_SELECTED_USER',
  },
  {
    does: 'POST /user refuses a wrong one-time password',
    method: 'POST',
    path: '/user',
    sends: () => ({ fields: { username: ana, password: '000000' } }),
    status: 400,
    code: 1056,
    name: 'INVALID_CREDENTIALS',
    body: { detail: { message: 'Invalid credentials' } },
  },
  {
    does: 'POST /user refuses a user who is not enrolled in the same words',
    method: 'POST',
    path: '/user',
    sends: () => ({ fields: { username: '12345678909', password: '000000' } }),
    status: 400,
    code: 1056,
    name: 'INVALID_CREDENTIALS',
    body: { detail: { message: 'Invalid credentials' } },
  },
  {
    does: 'GET /user lists nobody after refusals',
    method: 'GET',
    path: '/user',
    status: 200,
    code: 1093,
    name: 'USER_LISTED',
    body: { users: [] },
  },
  {
    does: 'POST /user takes a form, and a CPF with punctuation',
    method: 'POST',
    path: '/user',
    sends: () => ({ fields: { username: '111.444.777-35', password: nextOf(anaCodes) } }),
    status: 201,
    code: 1128,
    name: 'CACHE_CREATED',
    body: {
      user: {
        id: 1,
        name: 'ANA LIMA',
        username: ana,
        date_last_update: expect.stringMatching(localTime) as string,
        photo: null,
      },
      detail: { message: 'Cache created' },
    },
  },
  {
    does: 'the first user is the selected one',
    method: 'GET',
    path: '/selected-user',
    status: 200,
    code: 1124,
    name: 'SELECTED_USER_DETAIL',
    body: {
      name: 'ANA LIMA',
      username: ana,
      date_last_update: expect.stringMatching(localTime) as string,
      photo: null,
    },
  },
  {
    does: 'POST /user takes JSON',
    method: 'POST',
    path: '/user',
    sends: () => ({ json: { username: bia, password: nextOf(biaCodes) } }),
    status: 201,
    code: 1128,
    name: 'CACHE_CREATED',
    body: { user: { id: 2, username: bia } },
  },
  {
    does: 'POST /user takes a CNPJ',
    method: 'POST',
    path: '/user',
    sends: () => ({ fields: { username: '11.222.333/0001-81', password: nextOf(companyCodes) } }),
    status: 201,
    code: 1128,
    name: 'CACHE_CREATED',
    body: { user: { id: 3, username: company } },
  },
  {
    does: 'POST /user brings a known user up to date, who keeps their id',
    method: 'POST',
    path: '/user',
    sends: () => ({ fields: { username: ana, password: nextOf(anaCodes) } }),
    status: 201,
    code: 1128,
    name: 'CACHE_CREATED',
    body: { user: { id: 1 } },
  },
  {
    does: 'GET /user lists all of them',
    method: 'GET',
    path: '/user',
    status: 200,
    code: 1093,
    name: 'USER_LISTED',
    body: { users: [{ id: 1 }, { id: 2 }, { id: 3 }] },
  },
  {
    does: 'PUT /selected-user switches',
    method: 'PUT',
    path: '/selected-user',
    sends: () => ({ fields: { username: '529.982.247-25' } }),
    status: 200,
    code: 1126,
    name: 'SELECTED_USER_CHANGED',
    body: { name: 'BIA SOUZA', username: bia, photo: null },
  },
  {
    does: 'GET /selected-user follows',
    method: 'GET',
    path: '/selected-user',
    status: 200,
    code: 1124,
    name: 'SELECTED_USER_DETAIL',
    body: { username: bia },
  },
  {
    does: 'PUT /selected-user does not know a stranger',
    method: 'PUT',
    path: '/selected-user',
    sends: () => ({ fields: { username: '12345678909' } }),
    status: 404,
    code: 1057,
    name: 'USER_NOT_FOUND',
  },
  {
    does: 'GET /selected-user/certificates lists nothing for a user without any',
    method: 'GET',
    path: '/selected-user/certificates',
    status: 200,
    code: 1127,
    name: 'CERTIFICATES_LISTED',
    body: { certificates: [] },
  },
  {
    does: 'DELETE /user/:id removes the selected user',
    method: 'DELETE',
    path: '/user/2',
    status: 200,
    code: 1129,
    name: 'USER_REMOVED',
  },
  {
    does: 'none is selected then',
    method: 'GET',
    path: '/selected-user',
    status: 404,
    code: 1125,
    name: 'NO_SELECTED_USER',
  },
  {
    does: 'DELETE /user/:id does not know them a second time',
    method: 'DELETE',
    path: '/user/2',
    status: 404,
    code: 1057,
    name: 'USER_NOT_FOUND',
  },
  {
    does: 'a user who comes back gets an id that nobody had',
    method: 'POST',
    path: '/user',
    sends: () => ({ fields: { username: bia, password: nextOf(biaCodes) } }),
    status: 201,
    code: 1128,
    name: 'CACHE_CREATED',
    body: { user: { id: 5 } },
  },
  {
    does: 'GET /application does not find any at first',
    method: 'GET',
    path: '/application',
    status: 404,
    code: 1020,
    name: 'APPLICATION_NOT_FOUND',
  },
  {
    does: 'PUT /application finds nothing to change',
    method: 'PUT',
    path: '/application',
    sends: () => ({ fields: { client_name: 'PC' } }),
    status: 404,
    code: 1020,
    name: 'APPLICATION_NOT_FOUND',
  },
  {
    does: 'POST /application registers the computer',
    method: 'POST',
    path: '/application',
    sends: () => ({ fields: { client_name: 'PC da Ana', force: 'false' } }),
    status: 201,
    code: 1018,
    name: 'APPLICATION_CREATED',
    body: {
      client_name: 'PC da Ana',
      client_id: expect.stringMatching(/./) as string,
      client_secret: expect.stringMatching(/.{20}/) as string,
      detail: { message: 'Application created successfully' },
    },
  },
  {
    does: 'POST /application does not register it twice',
    method: 'POST',
    path: '/application',
    sends: () => ({ fields: { client_name: 'PC' } }),
    status: 409,
    code: 1019,
    name: 'APPLICATION_EXISTS',
  },
  {
    does: 'GET /application tells the credentials',
    method: 'GET',
    path: '/application',
    status: 200,
    code: 1021,
    name: 'APPLICATION_LISTED',
    body: { client_name: 'PC da Ana', client_secret: expect.stringMatching(/.{20}/) as string },
  },
  {
    does: 'PUT /application changes the name and tells no secret',
    method: 'PUT',
    path: '/application',
    sends: () => ({ json: { client_name: 'PC do escritório' } }),
    status: 200,
    code: 1022,
    name: 'APPLICATION_CHANGED',
    body: { client_name: 'PC do escritório' },
    hides: 'client_secret',
  },
  {
    does: 'POST /application replaces it by force',
    method: 'POST',
    path: '/application',
    sends: () => ({ json: { client_name: 'PC', force: true } }),
    status: 201,
    code: 1018,
    name: 'APPLICATION_CREATED',
  },
];

const wrongFields: readonly (readonly [does: string, method: string, path: string, sends: SendOptions])[] = [
  ['POST /user without a password', 'POST', '/user', { fields: { username: ana } }],
  ['POST /user without anything', 'POST', '/user', { fields: {} }],
  [
    'POST /user with a CPF of wrong check digits',
    'POST',
    '/user',
    { fields: { username: '11144477734', password: '1' } },
  ],
  ['POST /user with an empty code', 'POST', '/user', { fields: { username: ana, password: ' ' } }],
  ['POST /user with a list as username', 'POST', '/user', { json: { username: [ana], password: '123456' } }],
  ['PUT /selected-user without a username', 'PUT', '/selected-user', { fields: {} }],
  ['PUT /selected-user with a name', 'PUT', '/selected-user', { fields: { username: 'ana' } }],
  ['DELETE /user with a word', 'DELETE', '/user/ana', {}],
  ['DELETE /user with a negative number', 'DELETE', '/user/-1', {}],
  ['POST /application without a name', 'POST', '/application', { fields: { force: 'true' } }],
  ['POST /application with a blank name', 'POST', '/application', { fields: { client_name: ' ' } }],
  [
    'POST /application with a word as force',
    'POST',
    '/application',
    { fields: { client_name: 'PC', force: 'perhaps' } },
  ],
  [
    'PUT /application with a name of 101 characters, a space among them',
    'PUT',
    '/application',
    { fields: { client_name: ` ${'x'.repeat(100)}` } },
  ],
];

const misuses: readonly Row[] = [
  ...wrongFields.map(([does, method, path, sends]) => ({
    does,
    method,
    path,
    sends: () => sends,
    status: 422,
    code: 1055,
    name: 'INVALID_FIELDS',
    body: {
      errors: expect.arrayContaining([expect.objectContaining({ field: expect.any(String) as string })]) as object,
    },
  })),
  {
    does: 'text is no form',
    method: 'POST',
    path: '/user',
    sends: () => ({ json: 'x', headers: { 'Content-Type': 'text/plain' } }),
    status: 415,
    code: 1050,
    name: 'REQUEST_MALFORMED',
  },
  {
    does: 'JSON must be an object',
    method: 'POST',
    path: '/user',
    sends: () => ({ json: [1] }),
    status: 400,
    code: 1050,
    name: 'REQUEST_MALFORMED',
  },
  {
    does: 'a form has a limit',
    method: 'POST',
    path: '/user',
    sends: () => ({ fields: { username: 'x'.repeat(70_000), password: '1' } }),
    status: 413,
    code: 1050,
    name: 'REQUEST_MALFORMED',
  },
  {
    does: 'PATCH is not a method here',
    method: 'PATCH',
    path: '/selected-user',
    status: 405,
    code: 1050,
    name: 'REQUEST_MALFORMED',
  },
  {
    does: 'an address below has nothing',
    method: 'GET',
    path: '/application/secret',
    status: 404,
    code: 1050,
    name: 'REQUEST_MALFORMED',
  },
  {
    does: 'an address that is not UTF-8',
    method: 'DELETE',
    path: '/user/%E0',
    status: 400,
    code: 1050,
    name: 'REQUEST_MALFORMED',
  },
  {
    does: 'another name of this computer is refused',
    method: 'GET',
    path: '/user',
    sends: () => ({ headers: { Host: 'evil.example' } }),
    status: 421,
    code: 1058,
    name: 'NOT_ALLOWED',
  },
  {
    does: 'a form on a foreign page is refused',
    method: 'POST',
    path: '/user',
    sends: () => ({
      fields: { username: ana, password: '1' },
      headers: {
        Origin: 'null',
        'Sec-Fetch-Site': 'cross-site',
        'Sec-Fetch-Mode': 'navigate',
        'Sec-Fetch-Dest': 'document',
      },
    }),
    status: 403,
    code: 1058,
    name: 'NOT_ALLOWED',
  },
  {
    does: 'a site that nobody let in is refused',
    method: 'GET',
    path: '/user',
    sends: () => ({
      headers: { Origin: 'https://portal.example', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Site': 'cross-site' },
    }),
    status: 403,
    code: 1058,
    name: 'NOT_ALLOWED',
  },
];

describe.each([
  { what: 'the assistant, one step after the other', rows: story },
  { what: 'the assistant, misused', rows: misuses },
])('$what', ({ rows }) => {
  it.each(rows)(
    '$does: $status $code $name',
    async ({ method, path, sends, status, code, name, body, hides = 'node_modules' }) => {
      const answer = await instance.send(method, path, sends?.());
      expect(answer.content).toMatchObject({ detail: { code, status: name } });
      expect(answer.status).toBe(status);
      if (body !== undefined) expect(answer.content).toMatchObject(body as object);
      expect(answer.body).not.toContain(hides);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    },
  );
});

describe('the certificates of the selected user', () => {
  const list = async (): Promise<Record<string, unknown>[]> => {
    const { content } = await instance.send('GET', '/selected-user/certificates');
    return content.certificates as Record<string, unknown>[];
  };

  it('are the keys naming the user, and the keys linked by hand, in the words of certificate information', async () => {
    const authority = await createTestAuthority();
    const handlers = instance.sinete.handlers['user-interface'];
    for (const [name, cpf] of [
      ['ANA LIMA', ana],
      ['CARLA DIAS', '12345678909'],
    ] as const) {
      const file = await writePkcs12(await issueTestPerson(authority, { name, cpf }), 'x');
      await handlers['certificates.import']({ file: file.toString('base64'), password: 'x' });
    }
    await instance.send('PUT', '/selected-user', { fields: { username: ana } });
    const [own, ...others] = await list();
    expect(others).toEqual([]);
    expect(own).toMatchObject({
      alias: expect.stringContaining('ANA LIMA') as string,
      source: 'file',
      token: null,
      present: true,
      pem: expect.stringContaining('BEGIN CERTIFICATE') as string,
      detail: { date: { status: true, code: 1187 }, crl: { status: false }, trust: { status: false, code: 1190 } },
      certificate: { version: 'v3', subject: { cpf: ana } },
    });

    const carla = (await handlers['certificates.list']({})).find(({ holder }) => holder.startsWith('CARLA'));
    const link = { username: ana, fingerprint: carla?.fingerprint ?? '' };
    await handlers['assistant.link'](link);
    expect((await list()).map(({ alias }) => alias)).toEqual([own?.alias, carla?.alias]);
    expect(
      (await handlers['assistant.users']({})).find(({ username }) => username === ana)?.certificates,
    ).toMatchObject([
      { linked: false, present: true },
      { linked: true, present: true },
    ]);
    await handlers['assistant.unlink'](link);
    expect(await list()).toHaveLength(1);
    await expect(handlers['assistant.link']({ username: ana, fingerprint: '0'.repeat(64) })).rejects.toMatchObject({
      code: 'CERTIFICATE_NOT_FOUND',
    });
  });
});

describe('the data folder', () => {
  it("holds neither the computer's secret nor a recovery code, nor do its logs", async () => {
    const { content } = await instance.send('GET', '/application');
    const { dataFolder } = instance.sinete.core;
    const names = await readdir(dataFolder, { recursive: true, withFileTypes: true });
    const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
    const all = Buffer.concat(await Promise.all(files.map(async (file) => readFile(file))));
    expect(all.includes('PC')).toBe(true);
    for (const secret of [String(content.client_secret), ...anaCodes, ...biaCodes]) {
      expect(secret.length).toBeGreaterThan(5);
      expect(all.includes(secret)).toBe(false);
    }
  });
});
