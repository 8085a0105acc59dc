import { constants, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  Oid,
  derContext,
  derInteger,
  derNull,
  derOid,
  derSequence,
  readDer,
  type AlgorithmPolicy,
} from '../../../src/signing/index.ts';
import { DIGEST_OIDS, type ReadableDigestAlgorithm } from '../../../src/signing/algorithms/algorithms.ts';
import {
  NAMED_CHECKS,
  readSignatureAlgorithm,
  verifySignature,
} from '../../../src/signing/algorithms/signature-algorithm.ts';
import { isSignedBy, readStructureAlgorithm } from '../../../src/signing/certificates/path/signed-structure.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { craftCms } from '../validation/craft-cms.ts';
import { ValidationWorld, codesOf, date, onlySignature, verdict } from '../validation/validation-world.ts';

const MESSAGE = Buffer.from('message');
const OTHER = Buffer.from('massage');
const keys = {
  'rsassa-pkcs1-v1_5': generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ecdsa: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
} as const;

/** Both readers of AlgorithmIdentifiers: of a SignerInfo, and of certificates, lists and responses. */
function verifyBoth(key: KeyObject, identifier: Buffer, message: Buffer, signature: Buffer): readonly boolean[] {
  const element = readDer(identifier);
  const algorithm = { oid: element.child(0, 'the algorithm'), parameters: element.children[1] };
  const oid = [...NAMED_CHECKS.keys(), Oid.rsassaPss].find((one) => derOid(one).equals(algorithm.oid.bytes)) ?? '';
  const check = readSignatureAlgorithm({ oid, parameters: algorithm.parameters }, 'sha256');
  return [
    verifySignature(key, check, message, signature),
    isSignedBy(key, readStructureAlgorithm(element), message, signature),
  ];
}

describe('an algorithm whose identifier names its hash function', () => {
  it.each([...NAMED_CHECKS])('is checked: %s, %j', (oid, { scheme, digest }) => {
    const { privateKey, publicKey } = keys[scheme];
    const signature = sign(digest, MESSAGE, privateKey);
    const identifier = derSequence(derOid(oid));
    expect(verifyBoth(publicKey, identifier, MESSAGE, signature)).toEqual([true, true]);
    expect(verifyBoth(publicKey, identifier, OTHER, signature)).toEqual([false, false]);
  });
});

/** RSASSA-PSS-params with two hash functions (RFC 4055 §3.1). */
function pssIdentifier(digest: ReadableDigestAlgorithm, mask: ReadableDigestAlgorithm, salt: number): Buffer {
  const hash = (name: ReadableDigestAlgorithm): Buffer => derSequence(derOid(DIGEST_OIDS[name]), derNull());
  const parameters = derSequence(
    derContext(0, hash(digest)),
    derContext(1, derSequence(derOid(Oid.mgf1), hash(mask))),
    derContext(2, derInteger(salt)),
  );
  return derSequence(derOid(Oid.rsassaPss), parameters);
}

describe('RSASSA-PSS with another hash function in MGF1', () => {
  it.each([
    ['sha256', 'sha1', 32],
    ['sha512', 'sha256', 64],
    ['sha384', 'sha512-256', 48],
    ['sha512-256', 'sha1', 32],
    ['sha256', 'sha256', 32],
  ] as const)('is checked: %s with %s', (hashAlgorithm, mgf1HashAlgorithm, saltLength) => {
    const options = { modulusLength: 2048, hashAlgorithm, mgf1HashAlgorithm };
    const { privateKey, publicKey } = generateKeyPairSync('rsa-pss', options);
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const signature = sign(hashAlgorithm, MESSAGE, { key: privateKey, padding, saltLength });
    const bits = readDer(publicKey.export({ format: 'der', type: 'spki' })).child(1, 'the key').bytes;
    const info = derSequence(derSequence(derOid(Oid.rsaEncryption), derNull()), bits);
    const plain = createPublicKey({ key: info, format: 'der', type: 'spki' });
    for (const key of [plain, publicKey]) {
      const right = pssIdentifier(hashAlgorithm, mgf1HashAlgorithm, saltLength);
      expect(verifyBoth(key, right, MESSAGE, signature)).toEqual([true, true]);
      expect(verifyBoth(key, right, OTHER, signature)).toEqual([false, false]);
    }
    const wrongMask = pssIdentifier(hashAlgorithm, 'sha384', saltLength);
    expect(verifyBoth(plain, wrongMask, MESSAGE, signature)).toEqual([false, false]);
  });

  it('is refused by name with SHA-3, whose parameters OpenSSL does not take', () => {
    const parameters = readDer(pssIdentifier('sha3-256', 'sha256', 32)).children[1];
    expect(() => readSignatureAlgorithm({ oid: Oid.rsassaPss, parameters }, 'sha256')).toThrow(/sha3-256.*sha256/);
  });

  it('is refused by name when the mask function or the trailer field is not known', () => {
    const odd = (mask: Buffer, ...more: readonly Buffer[]) => ({
      oid: Oid.rsassaPss,
      parameters: readDer(derSequence(derContext(0, derSequence(derOid(Oid.sha256))), derContext(1, mask), ...more)),
    });
    const hash = derSequence(derOid(Oid.sha256));
    expect(() => readSignatureAlgorithm(odd(derSequence(derOid('1.2.3.4'), hash)), 'sha256')).toThrow('1.2.3.4');
    const trailer = derContext(3, derInteger(7));
    expect(() => readSignatureAlgorithm(odd(derSequence(derOid(Oid.mgf1), hash), trailer), 'sha256')).toThrow('7');
  });
});

describe('the verdict over a hash function', () => {
  let world: ValidationWorld;
  let person: TestIdentity;
  beforeAll(async () => {
    world = await ValidationWorld.open();
    person = await world.person({ keyKind: 'rsa-2048' });
  });

  it.each([
    ['sha3-256', 'TOTAL-PASSED', 'ALGORITHMS_STRONG'],
    ['sha3-512', 'TOTAL-PASSED', 'ALGORITHMS_STRONG'],
    ['sha512-256', 'TOTAL-PASSED', 'ALGORITHMS_STRONG'],
    ['sha224', 'INDETERMINATE CRYPTO_CONSTRAINTS_FAILURE', 'HASH_WEAK'],
    ['sha3-224', 'INDETERMINATE CRYPTO_CONSTRAINTS_FAILURE', 'HASH_WEAK'],
    ['sha512-224', 'INDETERMINATE CRYPTO_CONSTRAINTS_FAILURE', 'HASH_WEAK'],
  ] as const)('is by its strength: %s', async (name, expected, code) => {
    const report = await world.validate(craftCms(person, { hash: name }));
    expect(verdict(report)).toBe(expected);
    expect(codesOf(onlySignature(report))).toEqual(expect.arrayContaining(['INTEGRITY_INTACT', code]));
  });

  it('follows the table of the caller', async () => {
    const algorithms: AlgorithmPolicy = { hashes: { sha224: null }, rsa: [{ bits: 2048, until: null }], curves: [] };
    const at = date('2026-03-01');
    const report = await world.validate(craftCms(person, { hash: 'sha224' }), { algorithms, at });
    expect(codesOf(onlySignature(report))).toContain('ALGORITHMS_STRONG');
  });
});
