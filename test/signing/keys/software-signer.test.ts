import { generateKeyPairSync } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { softwareSigner } from '../../../src/signing/keys/software-signer.ts';
import { makeTestIdentity } from '../cms/test-identities.ts';

describe('a signer with its key in memory', () => {
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { certificate } = makeTestIdentity({ name: 'Batch', key });
  const signer = softwareSigner(key.privateKey, certificate, []);
  const parameters = { scheme: 'rsassa-pkcs1-v1_5', digest: 'sha256' } as const;

  it('lets a file be read before the signatures of a long batch are made', async () => {
    let made = 0;
    const batch = Array.from({ length: 400 }, async (_one, index) => {
      const signature = await signer.sign(Buffer.from(`document ${index}`), parameters);
      made++;
      return signature;
    });
    await stat(fileURLToPath(import.meta.url));
    expect(made).toBeLessThan(200);
    const signatures = new Set((await Promise.all(batch)).map((signature) => signature.toString('hex')));
    expect(signatures.size).toBe(400);
  });

  it('signs on after signatures that failed', async () => {
    const refused = Array.from({ length: 100 }, async () => signer.sign(Buffer.from('x'), { ...parameters, digest: 'none' as 'sha256' })); // prettier-ignore
    const outcomes = await Promise.allSettled(refused);
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
    const signed = Array.from({ length: 100 }, async () => signer.sign(Buffer.from('x'), parameters));
    expect(await Promise.all(signed)).toHaveLength(100);
  });
});
