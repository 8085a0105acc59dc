/** Every refusal of an algorithm names the refused algorithm. */
import { generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { signatureLength } from '../../../src/signing/cms/signer-constants.ts';
import {
  Oid,
  buildPath,
  derBitString,
  derContext,
  derInteger,
  derOid,
  derSequence,
  readDer,
  readTimestampToken,
  type Certificate,
} from '../../../src/signing/index.ts';
import { readSignatureAlgorithm } from '../../../src/signing/algorithms/signature-algorithm.ts';
import { CrlIndex } from '../../../src/signing/revocation/crl/crl-index.ts';
import { findWeakness } from '../../../src/signing/validation/judge/judge-algorithms.ts';
import type { AlgorithmUse } from '../../../src/signing/validation/judge/algorithm-policy.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { SIGNATURE_KINDS, makeKey, makeParty, type Party } from '../certificates/path/path-pki.ts';
import { withRsaKey } from '../validation/finding-rows.ts';
import { craftCms } from '../validation/craft-cms.ts';
import { NOW, policy } from '../validation/judge-facts.ts';
import { ValidationWorld } from '../validation/validation-world.ts';
import { writeTestCrl } from '../revocation/write-crl.ts';

const UNKNOWN = '1.2.840.10045.4.3.99';
const UNKNOWN_HASH = '2.16.840.1.101.3.4.2.99';
const UNKNOWN_KEY = '1.3.6.1.4.1.44588.2.1';

/** The bytes with another identifier of the same length in the place of the last identifier, or of the `nth`. */
function exchanged(bytes: Buffer, from: string, to: string, nth?: number): Buffer {
  const [old, other] = [derOid(from), derOid(to)];
  let place = nth === undefined ? bytes.lastIndexOf(old) : -1;
  for (let count = 0; nth !== undefined && count < nth; count++) place = bytes.indexOf(old, place + 1);
  if (place < 0 || old.length !== other.length) throw new Error(`There is no ${from} to exchange.`);
  const copy = Buffer.from(bytes);
  copy.set(other, place);
  return copy;
}

/** The sentence of the error thrown by an action. */
async function refusalOf(action: () => unknown): Promise<string> {
  try {
    await action();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error('Nothing was refused.');
}

const pss = (...fields: readonly Buffer[]) => ({ oid: Oid.rsassaPss, parameters: readDer(derSequence(...fields)) });
const hashFunction = (oid: string): Buffer => derSequence(derOid(oid));
const mask = (oid: string, inner: string): Buffer => derContext(1, derSequence(derOid(oid), hashFunction(inner)));

describe('a refusal of an identifier', () => {
  const sha256 = derContext(0, hashFunction(Oid.sha256));

  it.each([
    ['an unknown signature algorithm', { oid: UNKNOWN, parameters: undefined }, UNKNOWN],
    ['RSA-PSS with an unknown hash function', pss(derContext(0, hashFunction(UNKNOWN_HASH))), UNKNOWN_HASH],
    ['RSA-PSS with an unknown hash function in its mask', pss(sha256, mask(Oid.mgf1, UNKNOWN_HASH)), UNKNOWN_HASH],
    ['RSA-PSS with an unknown mask function', pss(sha256, mask('1.2.3.4', Oid.sha256)), '1.2.3.4'],
    ['RSA-PSS with an unknown trailer', pss(sha256, derContext(3, derInteger(7))), 'RSA-PSS'],
  ])('names %s', async (_, identifier, name) => {
    expect(await refusalOf(() => readSignatureAlgorithm(identifier, 'sha256'))).toContain(name);
  });
});

describe('a refusal of a weak algorithm', () => {
  const key = (type: 'rsa' | 'ec', bits: number): AlgorithmUse => ({ kind: 'key', type, bits });
  it.each<[string, AlgorithmUse]>([
    ['SHA1', { kind: 'hash', name: 'sha1' }],
    ['MD5', { kind: 'hash', name: 'md5' }],
    ['SHA224', { kind: 'hash', name: 'sha224' }],
    ['SHA3-224', { kind: 'hash', name: 'sha3-224' }],
    ['SHA512-224', { kind: 'hash', name: 'sha512-224' }],
    [UNKNOWN_HASH, { kind: 'hash', name: UNKNOWN_HASH }],
    ['RSA', key('rsa', 1024)],
    ['EC', key('ec', 192)],
    ['dsa', { kind: 'unknown', name: 'dsa' }],
    [UNKNOWN, { kind: 'unknown', name: UNKNOWN }],
  ])('names %s, of a signature and of a certificate', (name, use) => {
    const nobody = { notBefore: undefined, proven: undefined };
    for (const holder of [undefined, 'Ana'])
      expect(findWeakness([use], policy, NOW, nobody, holder)?.check.sentence).toContain(name);
  });
});

describe('a refusal in a path', () => {
  const unknownKind = { ...SIGNATURE_KINDS['ECDSA, SHA-256'], algorithm: derSequence(derOid(UNKNOWN)) };
  const infoOf = (oid: string): Buffer => derSequence(derSequence(derOid(oid)), derBitString(Buffer.alloc(32, 1)));
  const info = (publicKey: KeyObject): Buffer => publicKey.export({ format: 'der', type: 'spki' });
  const root = makeParty({ name: 'Root' });
  const authority = (fields: object): Party => makeParty({ name: 'CA', issuer: root, authority: true, ...fields });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const narrow = generateKeyPairSync('ec', { namedCurve: 'prime192v1' });

  it.each<[string, readonly Certificate[], string]>([
    ['an unknown algorithm', [makeParty({ name: 'Ana', issuer: root, signature: unknownKind }).certificate], UNKNOWN],
    [
      'an unreadable key of the holder',
      [makeParty({ name: 'Ana', issuer: root, publicKeyInfo: infoOf(UNKNOWN_KEY) }).certificate],
      UNKNOWN_KEY,
    ],
    [
      'an unreadable key of the authority',
      [
        makeParty({ name: 'Ana', issuer: authority({}), identifiers: false }).certificate,
        authority({ publicKeyInfo: infoOf(UNKNOWN_KEY), identifiers: false }).certificate,
      ],
      UNKNOWN_KEY,
    ],
    ['a short RSA key', [makeParty({ name: 'Ana', issuer: root, key: rsa }).certificate], 'RSA, 1024 bits'],
    [
      'a curve below 224 bits',
      [makeParty({ name: 'Ana', issuer: root, publicKeyInfo: info(narrow.publicKey) }).certificate],
      'EC, 1.2.840.10045.3.1.1',
    ],
    [
      'SHA-1',
      [makeParty({ name: 'Ana', issuer: root, signature: SIGNATURE_KINDS['ECDSA, SHA-1'] }).certificate],
      'SHA-1',
    ],
  ])('names %s', (_, [certificate, ...intermediates], name) => {
    if (certificate === undefined) throw new Error('There is no certificate.');
    const { outcome, problems } = buildPath({
      certificate,
      intermediates,
      anchors: [root.certificate],
      purpose: 'document-signing',
      at: new Date('2026-06-01'),
    });
    expect(outcome).not.toBe('valid');
    const told = problems.filter(({ code }) => /^(ALGORITHM|KEY)_/.test(code));
    expect(told).not.toEqual([]);
    for (const { sentence } of told) expect(sentence).toContain(name);
  });

  it('names the unreadable key, wherever the key is asked for', async () => {
    const { certificate } = makeParty({ name: 'Ana', publicKeyInfo: infoOf(UNKNOWN_KEY), identifiers: false });
    expect(await refusalOf(() => certificate.publicKey())).toContain(UNKNOWN_KEY);
    expect(await refusalOf(() => signatureLength(narrow.publicKey, 'ecdsa'))).toContain('prime192v1');
  });
});

describe('a refusal of revocation data', () => {
  const issuer = makeParty({ name: 'CA', key: makeKey() });
  const list = writeTestCrl(
    {
      issuer: issuer.certificate.subject,
      thisUpdate: new Date('2026-05-30'),
      nextUpdate: new Date('2026-06-06'),
    },
    issuer.key.privateKey,
  );

  it.each([
    ['SHA-1', Oid.ecdsaWithSha1],
    [UNKNOWN, UNKNOWN],
  ])('names %s', async (name, oid) => {
    const changed = derSequence(
      ...readDer(list).children.map(({ bytes }, index) => (index === 1 ? derSequence(derOid(oid)) : bytes)),
    );
    const inner = readDer(changed).child(0, 'the list');
    const body = derSequence(
      ...inner.children.map(({ bytes }, index) => (index === 1 ? derSequence(derOid(oid)) : bytes)),
    );
    const rest = readDer(changed)
      .children.slice(1)
      .map(({ bytes }) => bytes);
    expect(await refusalOf(() => CrlIndex.build(derSequence(body, ...rest), issuer.certificate))).toContain(name);
  });
});

describe('a refusal by the whole validation', () => {
  let world: ValidationWorld;
  let person: TestIdentity;
  beforeAll(async () => {
    world = await ValidationWorld.open();
    person = await world.person();
  });

  const sentencesOf = async (cms: Buffer): Promise<string> => {
    const { signatures } = await world.validate(cms);
    const found = signatures.flatMap(({ checks }) => checks).filter(({ outcome }) => outcome !== 'passed');
    return found.map(({ sentence }) => sentence).join('\n');
  };

  it.each<[string, () => Buffer, string]>([
    ['the signature', () => exchanged(craftCms(person), Oid.ecdsaWithSha256, UNKNOWN), UNKNOWN],
    ['the hash function', () => exchanged(craftCms(person), Oid.sha256, UNKNOWN_HASH), UNKNOWN_HASH],
    ['MD5', () => craftCms(person, { hash: 'md5' }), 'MD5'],
    ['SHA-1', () => craftCms(person, { hash: 'sha1' }), 'SHA1'],
    ['SHA-224', () => craftCms(withRsaKey({ world, person }, 2048), { hash: 'sha224' }), 'SHA224'],
    ['a short key', () => craftCms(withRsaKey({ world, person }, 1024)), 'RSA'],
  ])('names the algorithm of %s', async (_, make, name) => {
    expect(await sentencesOf(make())).toContain(name);
  });

  it('names the hash function of a time stamp', async () => {
    const { der } = await world.timestamper.stamp(hash('sha256', 'content', 'buffer'));
    const odd = exchanged(Buffer.from(der), Oid.sha256, UNKNOWN_HASH, 2);
    expect(await refusalOf(() => readTimestampToken(odd))).toContain(UNKNOWN_HASH);
  });
});
