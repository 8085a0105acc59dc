import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HashWorld } from '../interface/hash-world.ts';
import type { Answer } from '../interface/real-instance.ts';
import { ana } from '../interface/replay-client.ts';

/** Attacks on the interface of cloud keys, by programs with an application of their own. */

let world: HashWorld;

beforeAll(async () => {
  world = await HashWorld.open();
});
afterAll(async () => world.close());

const hash = (text: string): object => ({ id: text, hash: createHash('sha256').update(text).digest('hex') });
const sign = async (token: string, texts: readonly string[], more: object = {}): Promise<Answer> =>
  world.post('/v0/oauth/signature', { hashes: texts.map(hash), ...more }, token);
const search = async (client: object, number: string): Promise<Answer> =>
  world.post('/v0/oauth/user-discovery', { ...client, user_cpf_cnpj: 'CPF', val_cpf_cnpj: number });

describe('a token for hashes', () => {
  it('of the wrong scope signs nothing', async () => {
    for (const scope of ['authentication_session', 'certificate_info']) {
      expect((await sign(await world.token(scope), ['a'])).status).toBe(403);
    }
  });

  it('signs no more hashes than its page said, in one call and in several at once', async () => {
    const token = await world.token('signature_session');
    expect((await sign(token, ['1', '2', '3', '4', '5', '6'])).status).toBe(400);
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(async (text) => sign(token, [text])));
    const signed = answers.filter(({ status }) => status === 200);
    expect([signed.length, answers.filter(({ status }) => status === 401).length]).toEqual([5, 2]);
  });

  it('for one signature gives one of two calls at the same time its signature', async () => {
    const token = await world.token('single_signature');
    const answers = await Promise.all([sign(token, ['one']), sign(token, ['other'])]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  it('is refused in the name of another application', async () => {
    const other = await world.addClient('Other');
    const token = await world.token('signature_session');
    expect((await sign(token, ['a'], { client_id: other.client_id })).status).toBe(401);
    const revoked = await world.post('/v0/oauth/revoke', { token, ...other });
    expect(revoked.status).toBe(401);
    expect((await sign(token, ['a'])).status).toBe(200);
  });

  it('is not given for a code of another application, nor for a code that was used', async () => {
    const other = await world.addClient('Third');
    const code = await world.code('signature_session');
    const fields = { grant_type: 'authorization_code', code, redirect_uri: 'https://portal.example/back' };
    expect((await world.form('/v0/oauth/token', { ...fields, ...other })).status).toBe(400);
    const used = await world.form('/v0/oauth/token', { ...fields, ...world.client });
    expect(used.status).toBe(200);
    const again = await world.form('/v0/oauth/token', { ...fields, ...world.client });
    expect([again.status, again.content.error]).toEqual([400, 'invalid_grant']);
    expect((await sign(String(used.content.access_token), ['a'])).status).toBe(401);
  });
});

describe('a search for people', () => {
  it('finds nobody who never authorized the application, and tells strangers and people here apart for nobody', async () => {
    const other = await world.addClient('Fourth');
    await world.token('authentication_session');
    const [known, stranger] = [await search(other, ana), await search(other, '52998224725')];
    expect([known.body, stranger.body]).toEqual([stranger.body, '{"status":"N","slots":[]}']);
  });

  it('is refused after 20 in a minute', async () => {
    const other = await world.addClient('Fifth');
    const answers: number[] = [];
    for (let count = 0; count < 21; count++) answers.push((await search(other, '52998224725')).status);
    expect(answers).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
  });
});

describe('a public application', () => {
  it('gets no page without a code challenge', async () => {
    const about = { name: 'Page', comments: '', email: '', redirectUris: ['https://portal.example/back'] };
    const { application } = await world.instance.sinete.core.applications.registerPublic(about);
    const shown = await world.page('signature_session', { client_id: application.clientId });
    expect(String(shown.headers.location)).toContain('error=invalid_request');
  });
});
