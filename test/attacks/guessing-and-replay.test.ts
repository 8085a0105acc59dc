/** An attacker guesses or repeats secrets: one-time passwords, client secrets, codes, tokens, TCNs. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Scope } from '../../src/service/authorization/index.ts';
import { startRealInstance, type Answer, type RealInstance } from '../interface/real-instance.ts';

const cpf = '11144477735';
const redirectUri = 'https://portal.example/';
let instance: RealInstance;
let recoveryCodes: string[];
/** Transactions of earlier tests. */
let before = 0;
let client: { readonly id: string; readonly secret: string };

beforeAll(async () => {
  instance = await startRealInstance();
  recoveryCodes = await instance.enrol('ANA LIMA', cpf);
  const { core, handlers } = instance.sinete;
  await handlers['user-interface']['certificates.makeTestIdentity']({ name: 'ANA LIMA', cpf });
  const about = { name: 'Portal', comments: '', email: '', redirectUris: [redirectUri] };
  const { application, clientSecret } = await core.applications.register(about);
  client = { id: application.clientId, secret: clientSecret };
});
afterAll(async () => instance.stop());
beforeEach(async () => {
  // The tries of a test do not count in the next.
  await instance.sinete.core.storage.database.deleteFrom('attempts').execute();
  before = await countTransactions();
});

const pair = (scheme: string, name: string, secret: string): string =>
  `${scheme} ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
const right = (): string => pair('Basic', cpf, recoveryCodes.pop() ?? 'none is left');
const wrong = (index: number): string => pair('Basic', cpf, String(index).padStart(6, '0'));

const document = { type: 'CMS', documents_source: 'DATA_URL', documents: 'data:,x' };
const create = async (authorization: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  instance.send('POST', '/signature-service', {
    json: document,
    headers: { ...headers, Authorization: authorization },
  });
const statusesOf = (answers: readonly Answer[]): readonly number[] => answers.map(({ status }) => status).toSorted();
const countTransactions = async (): Promise<number> => (await instance.sinete.core.transactions.recent(100)).length;
const transactions = async (): Promise<number> => (await countTransactions()) - before;

/** A token given by the authorize page. */
async function bearer(scope: Scope): Promise<string> {
  const { authorization } = instance.sinete.core;
  const grant = { clientId: client.id, username: cpf, redirectUri, redirectUriGiven: false, scopes: [scope] };
  const code = await authorization.issueCode({ ...grant, codeChallenge: undefined, lifetime: undefined });
  await authorization.spendCode(code);
  const issued = await authorization.issueForCode(code, { ...grant, codeChallenge: undefined, lifetime: undefined });
  return `Bearer ${issued.accessToken}`;
}

describe('somebody guessing one-time passwords', () => {
  it('has five tries, on all routes together, and then waits even with the right password', async () => {
    const form = { username: cpf, password: '000000' };
    expect((await create(wrong(1))).status).toBe(401);
    expect((await instance.send('POST', '/user', { fields: form })).status).toBe(400);
    const grant = { ...form, grant_type: 'password' };
    expect((await instance.send('POST', '/oauth', { fields: grant })).status).toBe(400);
    expect((await instance.send('POST', '/oauth/pwd_authorize', { json: grant })).status).toBe(400);
    expect((await create(wrong(2))).status).toBe(401);
    const answers = [
      await create(right()),
      await instance.send('POST', '/user', { fields: form }),
      await instance.send('POST', '/oauth', { fields: grant }),
    ];
    for (const { status, headers } of answers) {
      expect([status, Number(headers['retry-after']) > 0]).toEqual([429, true]);
    }
    expect(await transactions()).toBe(0);
  });

  it('gets no further by forty tries at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, async (_one, index) => create(wrong(index))));
    expect(statusesOf(answers).filter((status) => status === 401).length).toBeLessThanOrEqual(5);
    expect(new Set(statusesOf(answers))).toEqual(new Set([401, 429]));
    expect((await create(right())).status).toBe(429);
  });

  it('gets no fresh tries by other spellings of the same CPF', async () => {
    const spellings = [cpf, '111.444.777-35', ` ${cpf} `, '111444777-35', '111.44477735', cpf];
    const answers = [];
    for (const name of spellings) answers.push(await create(pair('Basic', name, '000000')));
    answers.push(await create(right()));
    expect(answers.at(-1)?.status).toBe(429);
  });

  it('signs once with a one-time password coming twenty times at the same moment', async () => {
    const authorization = right();
    const answers = await Promise.all(Array.from({ length: 20 }, async () => create(authorization)));
    expect(statusesOf(answers).filter((status) => status === 201)).toHaveLength(1);
    expect(await transactions()).toBe(1);
  });

  it('gets nothing by a one-time password used elsewhere', async () => {
    const code = recoveryCodes.pop() ?? '';
    const fields = { grant_type: 'password', username: cpf, password: code };
    expect((await instance.send('POST', '/oauth', { fields })).status).toBe(200);
    expect((await create(pair('Basic', cpf, code))).status).toBe(401);
    expect(await transactions()).toBe(0);
  });
});

describe('somebody guessing the secret of an application', () => {
  it('has as many tries under Basic and under Sinete together, and locks no person out', async () => {
    for (let guess = 0; guess < 5; guess += 1) {
      const scheme = guess % 2 === 0 ? 'Basic' : 'Sinete';
      expect((await create(pair(scheme, client.id, `guess number ${guess}`))).status).toBe(401);
    }
    for (const scheme of ['Basic', 'Sinete']) {
      const { status, headers } = await create(pair(scheme, client.id, client.secret));
      expect([status, Number(headers['retry-after']) > 0]).toEqual([429, true]);
    }
    expect((await create(right())).status).toBe(201);
  });

  it('is refused with an empty secret, and with the secret of another application', async () => {
    const { core } = instance.sinete;
    const other = await core.applications.register({
      name: 'Other',
      comments: '',
      email: '',
      redirectUris: [redirectUri],
    });
    for (const secret of ['', other.clientSecret]) {
      expect((await create(pair('Sinete', client.id, secret))).status).toBe(401);
      expect((await create(pair('Basic', client.id, secret))).status).toBe(401);
    }
  });
});

describe('somebody guessing names', () => {
  it('finds no transaction beside a known number', async () => {
    const { content } = await create(await bearer('signature_session'));
    const tcn = String(content.tcn);
    const last = tcn.endsWith('A') ? 'B' : 'A';
    const odd = [
      tcn.slice(0, -1),
      `${tcn.slice(0, -1)}${last}`,
      `${tcn}%00`,
      `x/..%2f${tcn}`,
      `${tcn}%2f..%2f${tcn}`,
      'x%2f..',
    ];
    for (const name of odd) {
      expect((await instance.send('GET', `/signature-service/${name}`)).status).toBe(404);
      expect([404, 405]).toContain((await instance.send('GET', `/file-transfer/${name}/0`)).status);
    }
    for (const id of ['1', '-1', '0x0', '..%2f0', '%00', 'constructor', '__proto__']) {
      expect((await instance.send('GET', `/file-transfer/${tcn}/${id}`)).status).toBe(404);
    }
  });

  it('removes no user by an odd id', async () => {
    for (const id of ['0', '-1', '1e0', '1.0', 'NaN', '%20', '1%20or%201', '../1', '9007199254740993']) {
      const { status } = await instance.send('DELETE', `/user/${id}`);
      expect([404, 405, 422]).toContain(status);
    }
  });
});

describe('somebody repeating used credentials', () => {
  it('gets one transaction from a token for a single signature coming ten times at the same moment', async () => {
    const token = await bearer('single_signature');
    const answers = await Promise.all(Array.from({ length: 10 }, async () => create(token)));
    expect(statusesOf(answers)).toEqual([201, ...Array.from({ length: 9 }, () => 403)]);
    expect(await transactions()).toBe(1);
  });

  it('ends the token by bringing its code again', async () => {
    const { authorization } = instance.sinete.core;
    const grant = { clientId: client.id, username: cpf, redirectUri, redirectUriGiven: true } as const;
    const scopes: readonly Scope[] = ['signature_session'];
    const code = await authorization.issueCode({ ...grant, scopes, codeChallenge: undefined, lifetime: undefined });
    const fields = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    const secrets = { client_id: client.id, client_secret: client.secret };
    const first = await instance.send('POST', '/oauth', { fields: { ...fields, ...secrets } });
    expect((await create(`Bearer ${String(first.content.access_token)}`)).status).toBe(201);
    expect((await instance.send('POST', '/oauth', { fields: { ...fields, ...secrets } })).status).toBe(400);
    expect((await create(`Bearer ${String(first.content.access_token)}`)).status).toBe(401);
  });

  it('gets the answer to another caller by an Idempotency-Key neither with nor without credentials', async () => {
    const key = { 'Idempotency-Key': 'the same' };
    const own = await create(right(), key);
    const others = [await bearer('signature_session'), pair('Sinete', client.id, client.secret)];
    for (const authorization of others) {
      expect((await create(authorization, key)).content.tcn).not.toBe(own.content.tcn);
    }
    const program = await instance.send('POST', '/signature-service', {
      json: document,
      headers: key,
    });
    expect(program.content.tcn).not.toBe(own.content.tcn);
  });

  it('has no token left when the person was removed', async () => {
    const added = await instance.send('POST', '/user', {
      fields: { username: cpf, password: recoveryCodes.pop() ?? '' },
    });
    expect(added.status).toBe(201);
    const token = await bearer('signature_session');
    const { id } = added.content.user as { readonly id: number };
    expect((await instance.send('DELETE', `/user/${id}`)).status).toBe(200);
    expect((await create(token)).status).toBe(401);
  });
});
