import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../app/run-sinete.ts';
import { startRealInstance, type RealInstance } from './real-instance.ts';

/** Two instances: one keeps the people and the registry, the other learns so from its configuration. */

const ana = '11144477735';
let remote: RealInstance;
let local: RealInstance;
let codes: string[];

beforeAll(async () => {
  remote = await startRealInstance();
  codes = await remote.enrol('ANA LIMA', ana);
  local = await startRealInstance({ authorizationUrl: remote.url, registryUrl: remote.url });
});
afterAll(async () => {
  await local.stop();
  await remote.stop().catch(() => undefined);
});

const register = async (force = false): Promise<{ status: number; clientId: unknown; clientSecret: unknown }> => {
  const answer = await local.send('POST', '/application', { json: { client_name: 'PC da Ana', force } });
  return { status: answer.status, clientId: answer.content.client_id, clientSecret: answer.content.client_secret };
};
const addAna = async (password: string) => local.send('POST', '/user', { fields: { username: ana, password } });

describe('an instance with authorization and registry at another instance', () => {
  it('adds users before its registration there', async () => {
    expect((await addAna(codes.shift() ?? '')).status).toBe(201);
  });

  it('registers this computer there', async () => {
    const { status, clientId, clientSecret } = await register();
    expect(status).toBe(201);
    const { applications } = remote.sinete.core;
    expect(await applications.authenticate(String(clientId), String(clientSecret))).toMatchObject({
      name: 'PC da Ana',
    });
    expect(await local.sinete.core.applications.list()).toEqual([]);
  });

  it('refuses a wrong one-time password, counted by the other instance', async () => {
    const answer = await addAna('000000');
    expect([answer.status, answer.content]).toMatchObject([400, { detail: { code: 1056 } }]);
  });

  it('adds a user enrolled there only', async () => {
    const answer = await addAna(codes.shift() ?? '');
    expect([answer.status, answer.content]).toMatchObject([
      201,
      { user: { name: 'ANA LIMA', username: ana }, detail: { code: 1128 } },
    ]);
    expect(await local.sinete.core.accounts.list()).toEqual([]);
    expect((await local.send('GET', '/selected-user')).content).toMatchObject({ username: ana });
  });

  it('tells the remedy after being forgotten by the other instance, and goes on afterwards', async () => {
    const { content } = await local.send('GET', '/application');
    await remote.sinete.core.applications.remove(String(content.client_id));
    const answer = await addAna(codes[0] ?? '');
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '30']);
    expect(answer.content).toMatchObject({
      detail: { code: 1052, message: expect.stringContaining('POST /application') as string },
    });
    expect(await register(true)).toMatchObject({ status: 201 });
    expect((await addAna(codes.shift() ?? '')).status).toBe(201);
  });

  it('keeps its users and tells the remedy while the other instance is down', async () => {
    await remote.stop();
    const answer = await addAna(codes.shift() ?? '');
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '30']);
    expect(answer.content).toMatchObject({
      detail: {
        code: 1052,
        status: 'SERVICE_UNAVAILABLE',
        message: expect.stringMatching(/does not answer.*authorization\.url/) as string,
      },
    });
    expect(await register(true)).toMatchObject({ status: 503 });
    expect((await local.send('GET', '/user')).content).toMatchObject({ users: [{ username: ana }] });
    expect((await local.send('GET', '/application')).status).toBe(200);
  });
});

describe('an address without an authorization service', () => {
  it.each([
    ['nothing listens there', async () => `http://127.0.0.1:${String(await freePort())}`],
    ['something else answers there', async () => Promise.resolve(`${local.url}/docs`)],
  ])('is told apart from wrong credentials: %s', async (_what, urlOf) => {
    const lost = await startRealInstance({ authorizationUrl: await urlOf() });
    const answer = await lost.send('POST', '/user', { fields: { username: ana, password: '123456' } });
    expect([answer.status, answer.content]).toMatchObject([503, { detail: { code: 1052 } }]);
    expect((await lost.send('GET', '/user')).content).toMatchObject({ users: [] });
    await lost.stop();
  });
});
