import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Scope } from '../../src/service/authorization/index.ts';
import { startRealInstance, type Answer, type RealInstance } from './real-instance.ts';
import { dropUndefined } from '../../src/values/drop-undefined.ts';

/** The credentials of endpoint 1, with everything real behind. */

const ana = '11144477735';
const bruno = '52998224725';
let instance: RealInstance;
let codes: string[];
let aliases: { readonly ana: string; readonly bruno: string };
let listed: { readonly id: string; readonly secret: string };
let client: { readonly id: string; readonly secret: string };

beforeAll(async () => {
  instance = await startRealInstance({ approve: 'listed', approved: ['listed-application'] });
  codes = await instance.enrol('Ana Lima', ana);
  const { core, handlers } = instance.sinete;
  const make = handlers['user-interface']['certificates.makeTestIdentity'];
  const first = await make({ name: 'ANA LIMA', cpf: ana });
  const second = await make({ name: 'BRUNO REIS', cpf: bruno });
  aliases = { ana: first.alias, bruno: second.alias };
  const about = { name: 'Portal', comments: '', email: '', redirectUris: ['https://portal.example/'] };
  const registered = await core.applications.register(about);
  const other = await core.applications.register({ ...about, name: 'Listed', clientId: 'listed-application' });
  listed = { id: other.application.clientId, secret: other.clientSecret };
  client = { id: registered.application.clientId, secret: registered.clientSecret };
});
afterAll(async () => instance.stop());
beforeEach(() => {
  expect(codes.length).toBeGreaterThan(0);
});

const document = { type: 'CMS', documents_source: 'DATA_URL', documents: 'data:text/plain,hello', mode: 'sync' };

async function create(authorization: string | undefined, changes: object = {}, headers = {}): Promise<Answer> {
  const credentials = dropUndefined({ Authorization: authorization });
  return instance.send('POST', '/signature-service', {
    json: { ...document, mode: 'async', ...changes },
    headers: { ...credentials, ...headers },
  });
}

const pair = (scheme: string, name: string, secret: string): string =>
  `${scheme} ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
const nextCode = (): string => codes.shift() ?? 'none is left';

/** A token given by the authorize page. */
async function bearer(scopes: readonly Scope[], username = ana): Promise<string> {
  const { authorization } = instance.sinete.core;
  const redirectUri = 'https://portal.example/';
  const grant = { clientId: client.id, username, redirectUri, redirectUriGiven: false, scopes };
  const code = await authorization.issueCode({ ...grant, codeChallenge: undefined, lifetime: undefined });
  await authorization.spendCode(code);
  const issued = await authorization.issueForCode(code, { ...grant, codeChallenge: undefined, lifetime: undefined });
  return `Bearer ${issued.accessToken}`;
}

/** As if the minutes of approval were over. */
async function endApproval(token: string): Promise<void> {
  const hash = createHash('sha256').update(token).digest();
  const { database } = instance.sinete.core.storage;
  await database.updateTable('access_tokens').set({ approves_until: Date.now() }).where('hash', '=', hash).execute();
}

const waitingOf = async ({ content }: Answer): Promise<unknown> => {
  const waiting = await instance.sinete.core.transactions.waiting();
  return waiting.find(({ tcn }) => tcn === content.tcn);
};

describe('POST /signature-service with Basic', () => {
  it('acts for the person, with their certificate; their one-time password approves this transaction', async () => {
    const answer = await create(pair('Basic', '111.444.777-35', nextCode()), { mode: 'sync' });
    expect([answer.status, answer.content.status]).toEqual([201, 'SIGNED']);
    expect(answer.content.certificate_alias).toBe(aliases.ana);
    expect(answer.headers['x-session-token']).toBeUndefined();
  });

  it.each([
    ['X-Session-Options', 'x-session-token'],
    ['VCSchemaCfg', 'vcschemadata'],
    ['VCSchemaData', 'vcschemadata'],
  ])('gives a session token in %s: approves for some minutes and then only identifies', async (header, answered) => {
    const wish = { [header]: 'lifetime=600; return_access_token=true' };
    const answer = await create(pair('Basic', ana, nextCode()), {}, wish);
    const [token = '', ...others] = String(answer.headers[answered]).split(';');
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(others).toEqual(answered === 'vcschemadata' ? ['600', 'Sinete'] : []);
    const next = await create(`Bearer ${token}`, { mode: 'sync' });
    expect([next.status, next.content.certificate_alias]).toEqual([201, aliases.ana]);
    expect(next.content.status).toBe('SIGNED');
    await endApproval(token);
    const later = await create(`Bearer ${token}`);
    expect(await waitingOf(later)).toMatchObject({ waitingFor: 'approval' });
    const grant = await instance.sinete.core.authorization.readToken(token);
    expect((grant?.expiresAt.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(600_000);
  });

  it('refuses a used code, with 401 and all schemas', async () => {
    const code = nextCode();
    await create(pair('Basic', ana, code));
    const answer = await create(pair('Basic', ana, code));
    expect([answer.status, answer.content.code]).toEqual([401, 'CREDENTIALS_INVALID']);
    const challenge = 'Basic realm="Sinete", charset="UTF-8", Bearer realm="Sinete", Sinete realm="Sinete"';
    expect(answer.headers['www-authenticate']).toBe(challenge);
    expect(answer.body).not.toContain(code);
    await create(pair('Basic', ana, nextCode()));
  });

  it('is the application after getting its client id and secret', async () => {
    const answer = await create(pair('Basic', client.id, client.secret), { certificate_alias: aliases.ana });
    expect(answer.status).toBe(201);
    expect(await waitingOf(answer)).toMatchObject({ waitingFor: 'approval', requester: { name: 'Portal' } });
    expect((await create(pair('Basic', client.id, 'wrong'))).status).toBe(401);
  });

  it("answers 422 to an alias of somebody else's certificate", async () => {
    const answer = await create(pair('Basic', ana, nextCode()), { certificate_alias: aliases.bruno });
    expect([answer.status, answer.content.code]).toEqual([422, 'CERTIFICATE_NOT_FOUND']);
    expect(answer.content.detail).toContain(`Use one of "${aliases.ana}".`);
    expect(answer.content.detail).not.toContain(`"${aliases.bruno}", `);
  });
});

describe('certificate_alias', () => {
  it.each([ana, '111.444.777-35'])('may be the CPF of its holder, here %s', async (alias) => {
    const answer = await create(undefined, { certificate_alias: alias });
    expect([answer.status, answer.content.certificate_alias]).toEqual([201, aliases.ana]);
  });

  it.each(['39053344705', 'nobody'])('naming nobody, here %s, is answered with the existing aliases', async (alias) => {
    const answer = await create(undefined, { certificate_alias: alias });
    expect([answer.status, answer.content.code]).toEqual([422, 'CERTIFICATE_NOT_FOUND']);
    expect(answer.content.detail).toContain(`"${aliases.ana}", "${aliases.bruno}"`);
  });

  it('equal to the CPF of two certificates is ambiguous', async () => {
    const make = instance.sinete.handlers['user-interface']['certificates.makeTestIdentity'];
    const remove = instance.sinete.handlers['user-interface']['certificates.remove'];
    const second = await make({ name: 'BRUNO REIS FILHO', cpf: bruno });
    const answer = await create(undefined, { certificate_alias: bruno });
    expect([answer.status, answer.content.code]).toEqual([409, 'CERTIFICATE_AMBIGUOUS']);
    expect(answer.content.detail).toContain(`"${aliases.bruno}", "${second.alias}"`);
    await remove({ alias: second.alias });
  });
});

describe('POST /signature-service with Bearer', () => {
  it('signs without asking: the person has approved on the authorize page', async () => {
    const answer = await create(await bearer(['signature_session']), { mode: 'sync' });
    expect([answer.status, answer.content.status]).toEqual([201, 'SIGNED']);
    expect(answer.content.certificate_alias).toBe(aliases.ana);
    const [recent] = await instance.sinete.core.transactions.recent(1);
    expect(recent?.requester).toEqual({ kind: 'application', name: 'Portal' });
  });

  it('takes the certificate naming the token’s person', async () => {
    const token = await bearer(['signature_session'], bruno);
    expect((await create(token)).content.certificate_alias).toBe(aliases.bruno);
    expect((await create(token, { certificate_alias: aliases.ana })).content.code).toBe('CERTIFICATE_NOT_FOUND');
    const nobodys = await create(await bearer(['signature_session'], '39053344705'));
    expect([nobodys.status, nobodys.content.code]).toEqual([422, 'CERTIFICATE_NOT_FOUND']);
  });

  it('takes a certificate linked to the person by hand', async () => {
    const { assistant } = instance.sinete.core;
    await assistant.addUser(ana, nextCode(), 'window');
    const fingerprint = (await instance.sinete.core.keys.ring.find(aliases.bruno)).fingerprint;
    await assistant.linkCertificate(ana, fingerprint);
    const answer = await create(await bearer(['signature_session']), { certificate_alias: aliases.bruno });
    expect([answer.status, answer.content.certificate_alias]).toEqual([201, aliases.bruno]);
    await assistant.unlinkCertificate(ana, fingerprint);
  });

  const two = ['data:text/plain,a', 'data:text/plain,b'];

  it.each([
    ['single_signature', 'data:text/plain,a', 201],
    ['single_signature', two, 403],
    ['multi_signature', two, 201],
    ['signature_session', two, 201],
    ['authentication_session', 'data:text/plain,a', 403],
    ['certificate_info', 'data:text/plain,a', 403],
  ] as const)('of scope %s for %j answers %i', async (scope, documents, status) => {
    const answer = await create(await bearer([scope]), { documents });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.content).toMatchObject({ code: 'SCOPE_NOT_ALLOWED' });
    if (status === 403) expect(answer.content.detail).toContain('scope');
  });

  it.each(['single_signature', 'multi_signature'] as const)('of scope %s signs once', async (scope) => {
    const token = await bearer([scope]);
    const first = await create(token);
    expect(first.status, first.body).toBe(201);
    const again = await create(token);
    expect([again.status, again.content.code]).toEqual([403, 'SCOPE_NOT_ALLOWED']);
  });

  it('is not spent by a refused request, and answers a repeated one', async () => {
    const token = await bearer(['single_signature']);
    expect((await create(token, { certificate_alias: 'nobody' })).status).toBe(422);
    const key = { 'Idempotency-Key': 'once' };
    const first = await create(token, {}, key);
    const second = await create(token, {}, key);
    expect([first.status, second.status, second.content.tcn]).toEqual([201, 201, first.content.tcn]);
    const other = await create(await bearer(['single_signature']), {}, key);
    expect(other.content.tcn).not.toBe(first.content.tcn);
  });

  it('of scope single_signature takes one upload', async () => {
    const upload = { documents_source: 'UPLOAD_REFERENCE', documents: undefined };
    const { content } = await create(await bearer(['single_signature']), upload);
    const send = async (end: string): Promise<Answer> =>
      instance.send('POST', `/file-transfer/${String(content.tcn)}/${end}`, {
        json: 'hello',
        headers: { 'Content-Type': 'application/octet-stream' },
      });
    expect((await send('continue')).status).toBe(200);
    const second = await send('eot');
    expect([second.status, second.content.code]).toEqual([422, 'TOO_MANY_DOCUMENTS']);
  });

  it.each([
    ['unknown', 'Bearer unknown-token', 'error="invalid_token"'],
    ['without a token', 'Bearer', 'error="invalid_request"'],
    ['with more than a token', 'Bearer a b', 'error="invalid_request"'],
  ])('%s answers 401 and says so', async (_what, authorization, words) => {
    const answer = await create(authorization);
    expect([answer.status, answer.content.code]).toEqual([401, 'CREDENTIALS_INVALID']);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="Sinete", /);
    expect(answer.headers['www-authenticate']).toContain(words);
  });

  it('answers 401 when revoked', async () => {
    const token = await bearer(['signature_session']);
    await instance.sinete.core.authorization.revoke(token.slice('Bearer '.length));
    expect((await create(token)).status).toBe(401);
  });

  it('by client credentials asks for approval, as the application itself does', async () => {
    const issued = await instance.sinete.core.authorization.issueToken({
      username: null,
      clientId: client.id,
      scopes: ['signature_session'],
      lifetime: undefined,
    });
    const answer = await create(`Bearer ${issued.accessToken}`);
    expect(await waitingOf(answer)).toMatchObject({ waitingFor: 'approval', requester: { name: 'Portal' } });
  });
});

describe('POST /signature-service/<tcn>/authorize', () => {
  const authorize = async ({ content }: Answer, authorization: string): Promise<Answer> =>
    instance.send('POST', `/signature-service/${String(content.tcn)}/authorize`, {
      headers: { Authorization: authorization },
    });
  const started = async (changes: object = {}): Promise<Answer> =>
    create(pair('Basic', client.id, client.secret), { certificate_alias: aliases.ana, ...changes });

  it('approves a transaction of the token’s application and person, once', async () => {
    const token = await bearer(['single_signature']);
    const transaction = await started();
    expect(await waitingOf(transaction)).toMatchObject({ waitingFor: 'approval' });
    expect((await authorize(transaction, token)).status).toBe(200);
    const done = await instance.send('GET', `/signature-service/${String(transaction.content.tcn)}?wait=60`);
    expect(done.content.status).toBe('SIGNED');
    const again = await authorize(transaction, token);
    expect([again.status, again.content.code]).toEqual([409, 'APPROVAL_NOT_WAITING']);
    const other = await authorize(await started(), token);
    expect([other.status, other.content.code]).toEqual([403, 'SCOPE_NOT_ALLOWED']);
  });

  it.each([
    ["another person's", async () => bearer(['signature_session'], bruno), {}, 'certificate'],
    ['one that may not sign', async () => bearer(['certificate_info']), {}, 'scope'],
    ['one for a single document', async () => bearer(['single_signature']), { documents: ['data:,a', 'data:,b'] }, 'one document'], // prettier-ignore
    ["the application's own", async () => applicationToken(), {}, 'authorize page'],
    ['one that only identifies', async () => identifyingToken(), {}, 'authorize page'],
  ])('refuses a token: %s', async (_what, token, changes, words) => {
    const transaction = await started(changes);
    const answer = await authorize(transaction, await token());
    expect([answer.status, answer.content.code]).toEqual([403, 'SCOPE_NOT_ALLOWED']);
    expect(answer.content.detail).toContain(words);
    expect(await waitingOf(transaction)).toMatchObject({ waitingFor: 'approval' });
  });

  it('refuses a transaction of another application, an open upload, and other credentials', async () => {
    const foreign = await create(await applicationToken(), { certificate_alias: aliases.ana });
    const token = await bearer(['signature_session']);
    expect((await authorize(foreign, token)).status).toBe(200);
    const listedIsAsked = await instance.sinete.core.applications.register({
      name: 'Other',
      comments: '',
      email: '',
      redirectUris: ['https://other.example/'],
    });
    const { application, clientSecret } = listedIsAsked;
    const other = await create(pair('Sinete', application.clientId, clientSecret), { certificate_alias: aliases.ana });
    expect((await authorize(other, token)).content.code).toBe('SCOPE_NOT_ALLOWED');
    const open = await started({ documents_source: 'UPLOAD_REFERENCE', documents: undefined });
    expect((await authorize(open, token)).content).toMatchObject({ status: 409, code: 'APPROVAL_NOT_WAITING' });
    expect((await authorize(open, pair('Basic', client.id, client.secret))).status).toBe(401);
  });

  async function applicationToken(): Promise<string> {
    const issued = await instance.sinete.core.authorization.issueToken({
      username: null,
      clientId: client.id,
      scopes: ['signature_session'],
      lifetime: undefined,
    });
    return `Bearer ${issued.accessToken}`;
  }

  async function identifyingToken(): Promise<string> {
    const { accessToken } = await instance.sinete.core.authorization.issueSession(ana, undefined);
    await endApproval(accessToken);
    return `Bearer ${accessToken}`;
  }
});

describe('DELETE /signature-service/<tcn>', () => {
  const cancel = async ({ content }: Answer): Promise<Answer> =>
    instance.send('DELETE', `/signature-service/${String(content.tcn)}`);

  it.each([
    ['waits for approval', {}],
    ['still takes documents', { documents_source: 'UPLOAD_REFERENCE', documents: [{ original_file_name: 'a.txt' }] }],
  ])('cancels a transaction that %s', async (_what, changes) => {
    const transaction = await create(undefined, { certificate_alias: aliases.ana, ...changes });
    const answer = await cancel(transaction);
    expect([answer.status, answer.content.status]).toEqual([200, 'ERROR']);
    expect(answer.content.documents).toMatchObject([{ status: 'ERROR', lifetime: 0, error: { code: 'CANCELLED' } }]);
    expect((await cancel(transaction)).status).toBe(200);
  });

  it('leaves a signed transaction unchanged, and knows no other', async () => {
    const signed = await create(pair('Sinete', listed.id, listed.secret), {
      mode: 'sync',
      certificate_alias: aliases.ana,
    });
    expect((await cancel(signed)).content.status).toBe('SIGNED');
    const unknown = await instance.send('DELETE', `/signature-service/${'A'.repeat(26)}`);
    expect([unknown.status, unknown.content.code]).toEqual([404, 'TRANSACTION_NOT_FOUND']);
  });
});

describe('POST /signature-service with Sinete, or without credentials', () => {
  it('lets an application act for the selected user, after asking', async () => {
    const answer = await create(pair('Sinete', client.id, client.secret));
    expect([answer.status, answer.content.certificate_alias]).toEqual([201, aliases.ana]);
    expect(await waitingOf(answer)).toMatchObject({
      waitingFor: 'approval',
      requester: { kind: 'application', name: 'Portal' },
    });
  });

  it('lets an application listed in the configuration sign for the selected user, without asking', async () => {
    const answer = await create(pair('Sinete', listed.id, listed.secret), { mode: 'sync' });
    expect([answer.status, answer.content.status]).toEqual([201, 'SIGNED']);
    const refused = await create(pair('Sinete', listed.id, client.secret));
    expect(refused.status).toBe(401);
  });

  it('asks when a program merely borrows the name of a listed application', async () => {
    const answer = await create(undefined, { certificate_alias: aliases.ana }, { 'User-Agent': listed.id });
    expect(await waitingOf(answer)).toMatchObject({ waitingFor: 'approval' });
  });

  it.each([
    ['a wrong secret', () => pair('Sinete', client.id, 'wrong')],
    ['an unknown application', () => pair('Sinete', 'nobody', client.secret)],
    ['no colon', () => `Sinete ${Buffer.from('nobody').toString('base64')}`],
    ['no base64', () => 'Sinete ???'],
    ['another schema', () => 'Digest username="a"'],
  ])('answers 401 to %s', async (_what, authorization) => {
    const answer = await create(authorization());
    expect([answer.status, answer.content.code]).toEqual([401, 'CREDENTIALS_INVALID']);
    expect(answer.headers['www-authenticate']).toContain('Basic');
  });

  it('lets a program of the same user in without credentials, and asks', async () => {
    const answer = await create(undefined, { certificate_alias: aliases.bruno });
    expect(answer.status).toBe(201);
    expect(await waitingOf(answer)).toMatchObject({ waitingFor: 'approval', requester: { kind: 'native-program' } });
  });
});
