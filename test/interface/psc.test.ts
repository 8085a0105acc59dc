import { createHash, createPublicKey, randomBytes, verify, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyCms } from '../../src/signing/index.ts';
import { pscClients } from './psc-clients.ts';
import { startRealInstance, type Answer, type RealInstance } from './real-instance.ts';
import { ana, ClientReplay } from './replay-client.ts';
import { HashWorld } from './hash-world.ts';

/** The interface of ICP-Brasil's cloud keys (DOC-ICP-17.01). */

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
const hashOf = (text: string, more: object = {}): object => ({
  id: text,
  hash: sha256(text).toString('base64'),
  ...more,
});

let world: HashWorld;

beforeAll(async () => {
  world = await HashWorld.open();
});
afterAll(async () => world.close());

const sign = async (token: string, hashes: unknown, more: object = {}): Promise<Answer> =>
  world.post('/v0/oauth/signature', { hashes, ...more }, token);

describe('a program of others', () => {
  let instance: RealInstance;
  let programs: ClientReplay;
  let certificate: Buffer;
  let closeWindow: () => void;

  beforeAll(async () => {
    instance = await startRealInstance();
    closeWindow = HashWorld.approveEverything(instance);
    programs = await ClientReplay.prepare(instance);
    const [own] = await instance.sinete.core.hashCalls.certificates(ana);
    certificate = own?.certificate ?? Buffer.alloc(0);
  });
  afterAll(async () => {
    closeWindow();
    await instance.stop();
  });

  it.each(pscClients)('signs to the end: $client', async (row) => {
    const reply = (await programs.run(row)).at(-1);
    const { signatures } = reply?.json as { readonly signatures: readonly { readonly raw_signature: string }[] };
    expect(signatures).toHaveLength(row.contents.length);
    for (const [index, { raw_signature: text }] of signatures.entries()) {
      expect(text).toMatch(/^[A-Za-z0-9+/]+=*$/);
      await expectSignature(Buffer.from(text, 'base64'), row.contents[index] ?? '', certificate);
    }
  });
});

/** A CMS over the content, or a bare signature by SHA-256 or SHA-512. */
async function expectSignature(signature: Buffer, content: string, certificate: Buffer): Promise<void> {
  if (signature.length > 256) {
    expect((await verifyCms(signature, Buffer.from(content))).intact).toBe(true);
    return;
  }
  const key = createPublicKey(new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'pem' }));
  const isGood = ['sha256', 'sha512'].some((digest) => verify(digest, Buffer.from(content), key, signature));
  expect(isGood).toBe(true);
}

describe('the authorize page', () => {
  it.each([
    ['single_signature', 'the fingerprint (hash) of one document'],
    ['signature_session', 'up to 5 fingerprints (hashes)'],
  ])('says for %s how many hashes may be signed', async (scope, words) => {
    expect((await world.page(scope)).body).toContain(words);
  });

  it('says nothing of hashes for a permission to identify', async () => {
    expect((await world.page('authentication_session')).body).not.toContain('hash');
  });

  it('gives codes of unreserved characters', async () => {
    expect(await world.code('single_signature')).toMatch(/^[A-Za-z0-9._~-]+$/);
  });
});

describe('a token', () => {
  it('for one signature signs one hash, and answers it again to the same call', async () => {
    const token = await world.token('single_signature');
    const two = await sign(token, [hashOf('a'), hashOf('b')]);
    expect([two.status, two.content.error]).toEqual([400, 'invalid_request']);
    const first = await sign(token, [hashOf('a')]);
    expect([first.status, first.content.signatures]).toEqual([
      200,
      [{ id: 'a', raw_signature: expect.any(String) as string }],
    ]);
    const again = await sign(token, [hashOf('a', { hash: sha256('a').toString('hex') })]);
    expect(again.content).toEqual(first.content);
    const other = await sign(token, [hashOf('b')]);
    expect([other.status, other.content.error]).toEqual([401, 'invalid_token']);
  });

  it('for several signatures signs in one call', async () => {
    const token = await world.token('multi_signature');
    const first = await sign(token, [hashOf('a'), hashOf('b', { signature_format: 'CMS' })]);
    expect(first.status).toBe(200);
    expect((await sign(token, [hashOf('a'), hashOf('b', { signature_format: 'CMS' })])).content).toEqual(first.content);
    expect((await sign(token, [hashOf('c')])).status).toBe(401);
  });

  it('for a session signs as many hashes as its page said, in any number of calls', async () => {
    const token = await world.token('signature_session');
    expect(
      (
        await sign(
          token,
          ['1', '2', '3'].map((text) => hashOf(text)),
        )
      ).status,
    ).toBe(200);
    const tooMany = await sign(
      token,
      ['4', '5', '6'].map((text) => hashOf(text)),
    );
    expect([tooMany.status, tooMany.content.error]).toEqual([400, 'invalid_request']);
    expect(
      (
        await sign(
          token,
          ['4', '5'].map((text) => hashOf(text)),
        )
      ).status,
    ).toBe(200);
    expect(
      (
        await sign(
          token,
          ['1', '2', '3'].map((text) => hashOf(text)),
        )
      ).status,
    ).toBe(200);
    expect((await sign(token, [hashOf('6')])).status).toBe(401);
  });

  it('to identify signs no hash', async () => {
    const answer = await sign(await world.token('authentication_session'), [hashOf('a')]);
    expect([answer.status, answer.content.error]).toEqual([403, 'insufficient_scope']);
  });

  it('of the application itself signs nothing and reads no certificate', async () => {
    const { content } = await world.form('/v0/oauth/client_token', {
      grant_type: 'client_credentials',
      ...world.client,
    });
    const token = String(content.access_token);
    expect((await sign(token, [hashOf('a')])).status).toBe(403);
    expect((await world.get('/v0/oauth/certificate-discovery', token)).status).toBe(403);
  });

  it('that signed a document signs no hash, and the other way round', async () => {
    const one = await world.token('single_signature');
    const document = { type: 'CAdES', documents_source: 'DATA_URL', documents: ['data:,x'], mode: 'sync' };
    expect((await world.post('/signature-service', document, one)).status).toBe(201);
    expect((await sign(one, [hashOf('a')])).status).toBe(401);
    const other = await world.token('single_signature');
    expect((await sign(other, [hashOf('a')])).status).toBe(200);
    expect((await world.post('/signature-service', document, other)).status).toBe(403);
  });

  it('of a one-time password signs after the approval in the window', async () => {
    const token = await world.passwordToken('signature_session');
    const waiting = sign(token, [hashOf('waits')]);
    const shown = await world.waiting();
    expect(shown).toMatchObject({ requester: { name: 'Portal' }, door: 'psc', type: 'RAW' });
    await world.decide(shown.tcn, 'refuse');
    const refused = await waiting;
    expect([refused.status, refused.content.error]).toEqual([403, 'access_denied']);
    const next = sign(token, [hashOf('is approved')]);
    await world.decide((await world.waiting()).tcn, 'approve');
    expect((await next).status).toBe(200);
  });

  it('after its revocation signs nothing', async () => {
    const token = await world.token('signature_session');
    expect((await world.post('/v0/oauth/revoke', { token }, token)).status).toBe(200);
    const answer = await sign(token, [hashOf('a')]);
    expect([answer.status, answer.content.error]).toEqual([401, 'invalid_token']);
  });
});

describe('a request for signatures', () => {
  it.each([
    ['no hashes', {}],
    ['an empty list', { hashes: [] }],
    ['a hash of another length', { hashes: [{ id: '1', hash: 'AAAA' }] }],
    ['an unknown hash function', { hashes: [hashOf('a', { hash_algorithm: '1.3.14.3.2.26' })] }],
    ['an unknown format', { hashes: [hashOf('a', { signature_format: 'PAdES_AD_RB' })] }],
    ['an unknown padding', { hashes: [hashOf('a', { padding_method: 'NONE' })] }],
  ])('with %s is refused, and the token keeps its right', async (_what, body) => {
    const token = await world.token('single_signature');
    const answer = await world.post('/v0/oauth/signature', body, token);
    expect([answer.status, answer.content.error]).toEqual([400, 'invalid_request']);
    expect((await sign(token, [hashOf('a')])).status).toBe(200);
  });

  it('without a token is refused', async () => {
    const answer = await world.post('/v0/oauth/signature', { hashes: [hashOf('a')] });
    expect([answer.status, answer.content.error]).toEqual([401, 'invalid_token']);
  });

  it('names its interface in the history', async () => {
    await sign(await world.token('single_signature'), [hashOf('in the history')]);
    const { documents } = await world.calls['history.documents']({ offset: 0, limit: 1 });
    expect(documents).toMatchObject([{ door: 'psc', requester: 'Portal' }]);
  });
});

describe('user-discovery', () => {
  const search = async (number: string, more: object = {}): Promise<Answer> =>
    world.post('/v0/oauth/user-discovery', { ...world.client, user_cpf_cnpj: 'CPF', val_cpf_cnpj: number, ...more });

  it('finds a person who once authorized the application, and nobody else', async () => {
    await world.token('authentication_session');
    const found = await search(ana);
    expect(found.content).toEqual({
      status: 'S',
      slots: [{ slot_alias: expect.stringMatching(/^[\w-]{22}$/) as string, label: 'Sinete' }],
    });
    expect((await search('52998224725')).content).toEqual({ status: 'N', slots: [] });
  });

  it('needs the secret of the application', async () => {
    const answer = await search(ana, { client_secret: randomBytes(8).toString('hex') });
    expect([answer.status, answer.content.error]).toEqual([401, 'invalid_client']);
  });

  it('refuses what is neither a CPF nor a CNPJ', async () => {
    expect((await search('123')).status).toBe(400);
    expect((await search(ana, { user_cpf_cnpj: 'RG' })).status).toBe(400);
  });
});

describe('an instance that lets nobody permit hashes', () => {
  it('says nothing of hashes, and refuses the interface', async () => {
    const closed = await HashWorld.open({ perAuthorization: 0 });
    expect((await closed.page('signature_session')).body).not.toContain('hash');
    const token = await closed.token('signature_session');
    const answer = await closed.post('/v0/oauth/signature', { hashes: [hashOf('a')] }, token);
    expect([answer.status, answer.content.error]).toEqual([403, 'access_denied']);
    await closed.close();
  });
});
