import { generateKeyPairSync, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  prepareCmsSigner,
  softwareSigner,
  verifyCms,
  type CmsSignerOptions,
  type Signer,
} from '../../../../src/signing/index.ts';
import { verifiedSigner } from '../../../../src/signing/keys/verified-signer.ts';
import { readSignedData } from '../../../../src/signing/signed-data/signed-data.ts';
import { verifyWithOpenssl } from '../../../oracles/openssl.ts';
import { makeScratchFolder } from '../scratch-folder.ts';
import { KEY_KINDS, makeTestIdentity, toPem, type KeyPair } from '../test-identities.ts';
import { content, signingTime } from './level-fixtures.ts';

const scratch = makeScratchFolder();
const contentPath = scratch.write('content', content);
const root = makeTestIdentity({ name: 'Root', key: KEY_KINDS['P-256']() });
const trusted = scratch.write('root.pem', toPem(root.certificate));

function signerWith(key: KeyPair): Signer {
  const { certificate } = makeTestIdentity({ name: 'Person', key, issuer: root });
  return softwareSigner(key.privateKey, certificate, []);
}
const usual: CmsSignerOptions = { digest: 'sha256', profile: 'cades' };

describe('keys on the curves of Brainpool', () => {
  it.each([
    ['brainpoolP256r1', 'sha256'],
    ['brainpoolP320r1', 'sha384'],
    ['brainpoolP384r1', 'sha384'],
    ['brainpoolP512r1', 'sha512'],
  ] as const)('sign on %s', async (namedCurve, digest) => {
    const signer = prepareCmsSigner(signerWith(generateKeyPairSync('ec', { namedCurve })), { ...usual, digest });
    const signature = scratch.path(namedCurve);
    await signer.signFile({ inputPath: contentPath, outputPath: signature, attached: true, signingTime });
    expect(await verifyWithOpenssl({ signature, trusted, cades: true })).toMatchObject({ valid: true });
    expect(await verifyCms(readFileSync(signature))).toMatchObject({ intact: true });
  });
});

describe('RSA keys', () => {
  it.each([2048, 3072, 4096])('of %i bits sign', async (modulusLength) => {
    const signer = prepareCmsSigner(signerWith(generateKeyPairSync('rsa', { modulusLength })), usual);
    const signature = scratch.write(`rsa-${modulusLength}`, await signer.signContent(content, signingTime));
    expect(await verifyWithOpenssl({ signature, trusted, cades: true })).toMatchObject({ valid: true });
  });

  it('of 1024 bits do not sign', () => {
    const signer = signerWith(generateKeyPairSync('rsa', { modulusLength: 1024 }));
    expect(() => prepareCmsSigner(signer, usual)).toThrow(expect.objectContaining({ code: 'ALGORITHM_UNSUPPORTED' }));
  });
});

describe('ML-DSA keys (RFC 9882)', () => {
  /** FIPS 204, table 2, and the arc of NIST's signature algorithms. */
  const SETS = [
    ['ml-dsa-44', 2420, '2.16.840.1.101.3.4.3.17', () => generateKeyPairSync('ml-dsa-44')],
    ['ml-dsa-65', 3309, '2.16.840.1.101.3.4.3.18', () => generateKeyPairSync('ml-dsa-65')],
    ['ml-dsa-87', 4627, '2.16.840.1.101.3.4.3.19', () => generateKeyPairSync('ml-dsa-87')],
  ] as const;

  it.each(SETS)('of %s sign when that is allowed, over the attributes as a whole', async (_, length, oid, makeKey) => {
    const key = makeKey();
    const signer = prepareCmsSigner(verifiedSigner(signerWith(key)), { ...usual, allowMlDsa: true });
    expect(signer.digest).toBe('sha512');
    const cms = await signer.signContent(content, signingTime);
    const { signatureAlgorithm, signature, signedAttributesDer } = readSignedData(cms).signers[0]!;
    expect(signatureAlgorithm).toEqual({ oid, parameters: undefined });
    expect(signature).toHaveLength(length);
    const signed = Buffer.from(signedAttributesDer!);
    signed[0] = 0x31;
    expect(verify(null, signed, key.publicKey, signature)).toBe(true);
    expect(await verifyCms(cms)).toMatchObject({ intact: true });
    const damaged = Buffer.from(cms);
    damaged[damaged.length - 1]! ^= 1;
    expect(await verifyCms(damaged)).toMatchObject({ intact: false });
  });

  it('are refused unless allowed', () => {
    const signer = signerWith(generateKeyPairSync('ml-dsa-44'));
    expect(() => prepareCmsSigner(signer, usual)).toThrow(expect.objectContaining({ code: 'ALGORITHM_UNSUPPORTED' }));
  });
});
