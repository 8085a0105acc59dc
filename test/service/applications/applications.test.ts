import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IdentityWorld } from '../users/identity-world.ts';

let world: IdentityWorld;

beforeEach(async () => {
  world = await IdentityWorld.open();
});
afterEach(async () => world.close());

const portal = {
  name: 'Portal',
  comments: 'Signs contracts',
  email: 'help@portal.example',
  redirectUris: ['https://portal.example/back'],
};

describe('registering an application', () => {
  it('makes a client id and two secrets, told this once', async () => {
    const { application, clientSecret, webhookSecret } = await world.applications.register(portal);
    expect(application).toMatchObject({ ...portal, isPublic: false, lastUsedAt: null });
    expect(Buffer.from(clientSecret, 'base64url')).toHaveLength(32);
    expect(webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(JSON.stringify(await world.applications.list())).not.toContain(clientSecret);
    expect(await world.applications.webhookSecret(application.clientId)).toBe(webhookSecret);
    expect(await world.applications.authenticate(application.clientId, clientSecret)).toMatchObject({ name: 'Portal' });
  });

  it('takes the wished id and secret, while the id is free', async () => {
    const wished = { ...portal, clientId: 'my-portal', clientSecret: 'a-secret-of-my-own' };
    const first = await world.applications.register(wished);
    expect(first).toMatchObject({ application: { clientId: 'my-portal' }, clientSecret: 'a-secret-of-my-own' });
    await expect(world.applications.register(wished)).rejects.toMatchObject({
      code: 'APPLICATION_EXISTS',
      problems: [{ field: 'client_id' }],
    });
  });

  it('without a secret makes a public application without any fitting secret', async () => {
    const { application } = await world.applications.registerPublic(portal);
    expect(application.isPublic).toBe(true);
    for (const secret of ['', 'null', 'undefined']) {
      expect(await world.applications.authenticate(application.clientId, secret)).toBeUndefined();
    }
    await expect(world.applications.rotate(application.clientId)).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
  });

  it.each([
    ['no name', { ...portal, name: ' ' }, 'name'],
    ['a name that is too long', { ...portal, name: 'x'.repeat(101) }, 'name'],
    ['an address that is none', { ...portal, email: 'help' }, 'email'],
    ['a relative redirect', { ...portal, redirectUris: ['/back'] }, 'redirect_uris[0]'],
    ['plain http elsewhere', { ...portal, redirectUris: ['http://portal.example/back'] }, 'redirect_uris[0]'],
    ['a redirect with a fragment', { ...portal, redirectUris: ['https://portal.example/#a'] }, 'redirect_uris[0]'],
    [
      'a redirect with an empty fragment',
      { ...portal, redirectUris: ['https://portal.example/#'] },
      'redirect_uris[0]',
    ],
    ['a redirect that runs code', { ...portal, redirectUris: ['javascript:alert(1)'] }, 'redirect_uris[0]'],
    ['a redirect with a password', { ...portal, redirectUris: ['https://a:b@portal.example/'] }, 'redirect_uris[0]'],
    ['a redirect with a wildcard', { ...portal, redirectUris: ['https://*.example/'] }, 'redirect_uris[0]'],
    ['a redirect like loopback', { ...portal, redirectUris: ['http://127.0.0.1.evil.example/'] }, 'redirect_uris[0]'],
    ['a client id with a colon', { ...portal, clientId: 'a:bcd' }, 'client_id'],
    ['a CPF as client id', { ...portal, clientId: '111.444.777-35' }, 'client_id'],
    ['a short secret', { ...portal, clientSecret: 'short' }, 'client_secret'],
  ])('refuses %s', async (_what, application, field) => {
    await expect(world.applications.register(application)).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
      problems: [expect.objectContaining({ field })],
    });
    expect(await world.applications.list()).toEqual([]);
  });

  it('takes http on loopback and several addresses, and shows a name without hidden letters', async () => {
    const redirectUris = [
      'http://127.0.0.1:8080/back',
      'http://localhost/back',
      'http://[::1]:1/',
      'https://a.example/?b=c',
    ];
    const { application } = await world.applications.register({ ...portal, name: 'Por\u202etal\n', redirectUris });
    expect(application).toMatchObject({ name: 'Portal', redirectUris });
  });
});

describe('an application', () => {
  it('is known by its own secret only, also after a restart', async () => {
    const { application, clientSecret } = await world.applications.register(portal);
    const other = await world.applications.register(portal);
    await world.restart();
    const { clientId } = application;
    expect(await world.applications.authenticate(clientId, other.clientSecret)).toBeUndefined();
    expect(await world.applications.authenticate('nobody', clientSecret)).toBeUndefined();
    for (let times = 0; times < 2; times += 1) {
      expect(await world.applications.authenticate(clientId, clientSecret)).toMatchObject({ clientId });
    }
    expect((await world.applications.find(clientId))?.lastUsedAt).toEqual(world.time);
  });

  it('is guessed at five times, then nobody may try until a while has passed, across a restart', async () => {
    const { application, clientSecret } = await world.applications.register(portal);
    const other = await world.applications.register(portal);
    const { clientId } = application;
    for (let tries = 0; tries < 5; tries += 1) {
      expect(await world.applications.authenticate(clientId, `guess ${tries}`)).toBeUndefined();
    }
    await world.restart();
    const refusal = { code: 'TOO_MANY_ATTEMPTS', retryAfter: 30 };
    await expect(world.applications.authenticate(clientId, clientSecret)).rejects.toMatchObject(refusal);
    expect(await world.applications.authenticate(other.application.clientId, other.clientSecret)).toBeDefined();
    world.pass(31);
    expect(await world.applications.authenticate(clientId, clientSecret)).toBeDefined();
  });

  it('is one guess, however many requests bring the secret at the same time', async () => {
    const { application, clientSecret } = await world.applications.register(portal);
    const { clientId } = application;
    const calls = (secret: string): ReturnType<typeof world.applications.authenticate>[] =>
      Array.from({ length: 20 }, async () => world.applications.authenticate(clientId, secret));
    expect((await Promise.all(calls('wrong'))).filter((found) => found !== undefined)).toEqual([]);
    expect((await Promise.all(calls(clientSecret))).map((found) => found?.clientId)).toEqual(
      Array.from({ length: 20 }, () => clientId),
    );
  });

  it('is not tried more often by different guesses at the same time', async () => {
    const { clientId } = (await world.applications.register(portal)).application;
    const tries = Array.from({ length: 20 }, async (_, index) => world.applications.authenticate(clientId, `${index}`));
    const refused = (await Promise.allSettled(tries)).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(15);
  });

  it('goes on with a secret proven earlier while somebody guesses', async () => {
    const { application, clientSecret } = await world.applications.register(portal);
    const { clientId } = application;
    await world.applications.authenticate(clientId, clientSecret);
    for (let tries = 0; tries < 5; tries += 1) await world.applications.authenticate(clientId, `guess ${tries}`);
    await expect(world.applications.authenticate(clientId, 'another guess')).rejects.toMatchObject({
      code: 'TOO_MANY_ATTEMPTS',
    });
    expect(await world.applications.authenticate(clientId, clientSecret)).toBeDefined();
  });

  it('is locked out by nobody else: neither by guesses from elsewhere, nor by names of no application', async () => {
    const { application, clientSecret } = await world.applications.register(portal);
    const { clientId } = application;
    const evil = 'https://evil.example';
    for (let tries = 0; tries < 5; tries += 1) await world.applications.authenticate(clientId, `guess ${tries}`, evil);
    for (let tries = 0; tries < 50; tries += 1) await world.applications.authenticate(`nobody ${tries}`, 'x', evil);
    const paused = { code: 'TOO_MANY_ATTEMPTS' };
    await expect(world.applications.authenticate(clientId, clientSecret, evil)).rejects.toMatchObject(paused);
    await expect(world.applications.authenticate('nobody', 'x', evil)).rejects.toMatchObject(paused);
    await world.restart();
    expect(await world.applications.authenticate(clientId, clientSecret, 'address 192.0.2.1')).toBeDefined();
  });

  it('gets other secrets, ends its tokens, and the old secrets stop working', async () => {
    const { application, clientSecret } = await world.applications.register(portal);
    const { clientId } = application;
    await world.applications.authenticate(clientId, clientSecret);
    const grant = { username: null, clientId, scopes: ['signature_session'], lifetime: undefined } as const;
    const { accessToken } = await world.authorization.issueToken(grant);
    const fresh = await world.applications.rotate(clientId);
    expect(await world.applications.authenticate(clientId, clientSecret)).toBeUndefined();
    expect(await world.applications.authenticate(clientId, fresh.clientSecret)).toBeDefined();
    expect(await world.applications.webhookSecret(clientId)).toBe(fresh.webhookSecret);
    expect(await world.authorization.readToken(accessToken)).toBeUndefined();
  });

  it('is renamed and removed, with its tokens', async () => {
    const { application } = await world.applications.register(portal);
    const { clientId } = application;
    const grant = { username: null, clientId, scopes: ['signature_session'], lifetime: undefined } as const;
    const { accessToken } = await world.authorization.issueToken(grant);
    expect(await world.applications.change(clientId, { name: 'Gate' })).toMatchObject({ ...portal, name: 'Gate' });
    expect(await world.applications.change(clientId, {})).toMatchObject({ name: 'Gate' });
    await expect(world.applications.change('nobody', { name: 'X' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await world.applications.remove(clientId);
    await expect(world.applications.remove(clientId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await world.authorization.readToken(accessToken)).toBeUndefined();
  });
});
