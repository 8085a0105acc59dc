import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccessGrant, CodeGrant, Scope } from '../../../src/service/authorization/authorization.ts';
import { createAuthorization } from '../../../src/service/authorization/index.ts';
import { SqlTokenStore } from '../../../src/storage/index.ts';
import { ana, company, IdentityWorld } from '../users/identity-world.ts';

let world: IdentityWorld;
let grant: CodeGrant;

beforeEach(async () => {
  world = await IdentityWorld.open();
  const redirectUri = 'https://portal.example/back';
  const { application } = await world.applications.register({
    name: 'Portal',
    comments: '',
    email: '',
    redirectUris: [redirectUri],
  });
  grant = {
    clientId: application.clientId,
    username: ana.username,
    redirectUri,
    redirectUriGiven: true,
    scopes: ['signature_session'],
    codeChallenge: undefined,
    lifetime: undefined,
  };
});
afterEach(async () => world.close());

async function exchange(changes: Partial<CodeGrant> = {}): Promise<{ code: string; accessToken: string }> {
  const code = await world.authorization.issueCode({ ...grant, ...changes });
  const found = await world.authorization.findCode(code);
  expect(await world.authorization.spendCode(code)).toBe(true);
  if (found === undefined) throw new Error('The code is not known.');
  const { accessToken } = await world.authorization.issueForCode(code, found);
  return { code, accessToken };
}

async function tokenFor(scopes: readonly Scope[]): Promise<AccessGrant> {
  const { accessToken } = await exchange({ scopes });
  const read = await world.authorization.readToken(accessToken);
  if (read === undefined) throw new Error('The token is not known.');
  return read;
}

describe('an authorization code', () => {
  it('becomes one token, with the consent of the person', async () => {
    const { accessToken } = await exchange();
    expect(Buffer.from(accessToken, 'base64url')).toHaveLength(32);
    expect(await world.authorization.readToken(accessToken)).toMatchObject({
      username: ana.username,
      clientId: grant.clientId,
      scopes: ['signature_session'],
      consented: true,
    });
  });

  it('lives a minute', async () => {
    const code = await world.authorization.issueCode(grant);
    world.pass(59);
    expect(await world.authorization.findCode(code)).toBeDefined();
    world.pass(1);
    expect(await world.authorization.findCode(code)).toBeUndefined();
  });

  it('is spent once, however many ask at the same moment', async () => {
    const code = await world.authorization.issueCode(grant);
    const all = await Promise.all(Array.from({ length: 10 }, async () => world.authorization.spendCode(code)));
    expect(all.filter(Boolean)).toHaveLength(1);
  });

  it('shown again ends the token of its first use', async () => {
    const { code, accessToken } = await exchange();
    expect(await world.authorization.findCode(code)).toBeUndefined();
    expect(await world.authorization.readToken(accessToken)).toBeUndefined();
  });

  it('shown again while its token is being made leaves no token', async () => {
    const code = await world.authorization.issueCode(grant);
    const found = (await world.authorization.findCode(code)) ?? grant;
    await world.authorization.spendCode(code);
    await world.authorization.findCode(code);
    await expect(world.authorization.issueForCode(code, found)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
  });
});

describe('a token', () => {
  it.each([
    ['a person, who asks for nothing', ana.username, undefined, 3600],
    ['a person, who asks for less', ana.username, 77, 77],
    ['a person, who asks for more than a week', ana.username, 10_000_000, 604_800],
    ['a company, which asks for more than a week', company.username, 700_000, 700_000],
    ['a company, which asks for more than thirty days', company.username, 10_000_000, 2_592_000],
    ['an application, which asks for more than a week', null, 10_000_000, 604_800],
  ])('of %s lives as long as announced', async (_who, username, lifetime, seconds) => {
    const { accessToken, expiresAt } = await world.authorization.issueToken({
      username,
      clientId: grant.clientId,
      scopes: ['signature_session'],
      lifetime,
    });
    expect((expiresAt.getTime() - world.time.getTime()) / 1000).toBe(seconds);
    world.pass(seconds - 1);
    expect(await world.authorization.readToken(accessToken)).toBeDefined();
    world.pass(1);
    expect(await world.authorization.readToken(accessToken)).toBeUndefined();
  });

  it('of a session belongs to the person alone, and is no approval by itself', async () => {
    const { accessToken } = await world.authorization.issueSession('111.444.777-35', 60);
    expect(await world.authorization.readToken(accessToken)).toMatchObject({
      username: ana.username,
      clientId: null,
      consented: false,
      scopes: ['signature_session'],
    });
  });

  it.each([
    [300, 60, 60],
    [300, 600, 300],
    [0, 600, undefined],
  ])('of a session approves %i seconds at most: with a lifetime of %i, %s', async (approvalSession, lifetime, end) => {
    const store = new SqlTokenStore(world.storage.database);
    const authorization = createAuthorization({ store, now: () => world.time, approvalSession });
    const { accessToken } = await authorization.issueSession(ana.username, lifetime);
    const { approvesUntil } = (await authorization.readToken(accessToken)) ?? {};
    expect(approvesUntil).toEqual(end === undefined ? null : new Date(world.time.getTime() + end * 1000));
  });

  it('ends when revoked, alone or with all of its person or application', async () => {
    const first = await exchange();
    const second = await exchange();
    await world.authorization.revoke(first.accessToken);
    await world.authorization.revoke('never issued');
    expect(await world.authorization.readToken(first.accessToken)).toBeUndefined();
    expect(await world.authorization.readToken(second.accessToken)).toBeDefined();
    const code = await world.authorization.issueCode(grant);
    await world.authorization.revokeAll({ username: ana.username });
    expect(await world.authorization.readToken(second.accessToken)).toBeUndefined();
    expect(await world.authorization.findCode(code)).toBeUndefined();
    const third = await exchange();
    await world.authorization.revokeAll({ clientId: grant.clientId });
    expect(await world.authorization.readToken(third.accessToken)).toBeUndefined();
  });

  it('survives a restart', async () => {
    const { accessToken } = await exchange();
    await world.restart();
    expect(await world.authorization.readToken(accessToken)).toBeDefined();
  });
});

describe('the right to sign', () => {
  it.each([
    ['single_signature', 1, 'once'],
    ['single_signature', 2, 'never'],
    ['multi_signature', 500, 'once'],
    ['signature_session', 500, 'always'],
    ['authentication_session', 1, 'never'],
    ['certificate_info', 1, 'never'],
  ] as const)('of %s for %i documents: %s', async (scope, documents, times) => {
    const token = await tokenFor([scope]);
    const attempts = [0, 1, 2].map(async () => {
      try {
        await world.authorization.useForSigning(token, documents);
        return 'allowed';
      } catch (error) {
        return (error as { code: string }).code;
      }
    });
    const answers = await Promise.all(attempts);
    const allowed = { never: 0, once: 1, always: 3 }[times];
    expect(answers.filter((answer) => answer === 'allowed')).toHaveLength(allowed);
    expect(answers.filter((answer) => answer === 'SCOPE_NOT_ALLOWED')).toHaveLength(3 - allowed);
  });

  it('is the widest of several scopes', async () => {
    const token = await tokenFor(['single_signature', 'signature_session', 'certificate_info']);
    await world.authorization.useForSigning(token, 5);
    await world.authorization.useForSigning(token, 5);
  });
});
