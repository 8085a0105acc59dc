/** Certificates and private keys whose identifiers do not fit together, written by other programs. */
import { createPublicKey, verify, X509Certificate } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Pin, referenceModule, TokenKeySource, type KeyDescription } from '../../src/signing/index.ts';
import { createSoftHsm, type SoftHsm } from './softhsm.ts';

let hsm: SoftHsm;
let source: TokenKeySource;

beforeAll(async () => {
  hsm = await createSoftHsm([
    {
      label: 'odd',
      keys: [
        { label: 'equal', keyId: '01', kind: 'rsa-2048' },
        { label: 'other id', keyId: '02', certificateId: '92', kind: 'rsa-2048' },
        { label: 'no id', keyId: '03', certificateId: '', kind: 'rsa-2048' },
        { label: 'first of two', keyId: '04', kind: 'rsa-2048' },
        { label: 'second of two', keyId: '04', kind: 'rsa-2048' },
        { label: 'curve of two', keyId: '05', kind: 'ec-p256' },
        { label: 'other curve', keyId: '05', kind: 'ec-p256' },
        { label: 'curve, other id', keyId: '06', certificateId: '96', kind: 'ec-p384' },
        { label: 'edwards, other id', keyId: '07', certificateId: '97', kind: 'ed25519' },
        { label: 'of a correspondent', keyId: '08', kind: 'rsa-2048', withoutKey: true },
        { label: 'with the id of another key', keyId: '01', kind: 'rsa-2048', withoutKey: true },
      ],
    },
    {
      label: 'twins',
      keys: [
        { label: 'twin', keyId: '01', kind: 'ec-p256', name: 'first twin' },
        { label: 'twin', keyId: '01', kind: 'ec-p256', name: 'second twin' },
      ],
    },
  ]);
});
afterAll(() => hsm.remove());
beforeEach(async () => {
  source = new TokenKeySource({ module: await referenceModule(hsm.modulePath), environment: hsm.environment });
});
afterEach(() => source.close());

async function keysOf(label: string): Promise<readonly KeyDescription[]> {
  return (await source.list()).filter(({ token }) => token?.label === label);
}

async function unlock(label: string): Promise<void> {
  const [key] = await keysOf(label);
  await source.unlock(key!.id, new Pin(hsm.pin));
}

const WITHOUT_KEY = ['of a correspondent', 'with the id of another key'];

async function isSigned({ id, certificate }: KeyDescription): Promise<boolean> {
  const signer = await source.open(id);
  const message = Buffer.from('contrato');
  const scheme = signer.schemes[0]!;
  const signature = await signer.sign(message, { scheme, digest: 'sha256' });
  const key = createPublicKey(new X509Certificate(certificate).publicKey.export({ format: 'pem', type: 'spki' }));
  return verify(scheme === 'ed25519' ? null : 'sha256', message, key, signature);
}

describe('a token whose identifiers do not fit', () => {
  it('signs with the private key of each certificate, by the public key', async () => {
    await unlock('odd');
    const usable = (await keysOf('odd')).filter(({ label }) => !WITHOUT_KEY.includes(label));
    expect(usable).toHaveLength(9);
    for (const key of usable) expect([key.label, await isSigned(key)]).toEqual([key.label, true]);
  });

  it('signs with the right key when several certificates with the same identifier sign at once', async () => {
    await unlock('odd');
    const pair = (await keysOf('odd')).filter(({ label }) => label.endsWith('of two'));
    const signers = await Promise.all(pair.map(({ id }) => source.open(id)));
    const parameters = { scheme: 'rsassa-pkcs1-v1_5', digest: 'sha256' } as const;
    const all = [1, 2, 3].flatMap((one) =>
      signers
        .filter(({ schemes }) => schemes.includes(parameters.scheme))
        .map((signer) => signer.sign(Buffer.of(one), parameters)),
    );
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(all.map(() => 'fulfilled'));
  });

  it('shows a certificate without its private key as such after the login, and refuses with a sentence', async () => {
    await unlock('odd');
    for (const { id, label, hasKey } of await keysOf('odd')) {
      expect([label, hasKey]).toEqual([label, !WITHOUT_KEY.includes(label)]);
      if (hasKey === true) continue;
      await expect(source.open(id)).rejects.toMatchObject({
        code: 'KEY_ABSENT',
        message: 'The token holds no private key for this certificate.',
      });
    }
  });

  it('lists the same certificates before the login, after the login, and after the logout', async () => {
    const labels = async (): Promise<readonly string[]> => (await keysOf('odd')).map(({ id }) => id);
    const before = await labels();
    expect(before).toHaveLength(11);
    await unlock('odd');
    expect(await labels()).toEqual(before);
    await source.lock(before[0]!);
    expect(await labels()).toEqual(before);
    const after = (await keysOf('odd')).filter(({ hasKey }) => hasKey === false).map(({ label }) => label);
    expect(after.sort()).toEqual(WITHOUT_KEY);
  });

  it('refuses two keys of the same identifier and label before a signature is made, with a reason', async () => {
    await unlock('twins');
    for (const { id } of await keysOf('twins')) {
      const signer = await source.open(id);
      await expect(signer.sign(Buffer.of(1), { scheme: 'ecdsa', digest: 'sha256' })).rejects.toMatchObject({
        code: 'KEY_ABSENT',
        message: expect.stringContaining('several keys with the identifier') as string,
      });
    }
  });
});
