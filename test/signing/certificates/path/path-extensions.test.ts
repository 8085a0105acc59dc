import { constants, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { withBudget, type Amounts } from '../../../../src/signing/budget/budget.ts';
import { readPathExtensions } from '../../../../src/signing/certificates/path/path-extensions.ts';
import {
  createBodyVerifier,
  isSignedBy,
  readSignedStructure,
  readStructureAlgorithm,
  type StructureAlgorithm,
} from '../../../../src/signing/certificates/path/signed-structure.ts';
import { readDer } from '../../../../src/signing/der/reader.ts';
import {
  derBitString,
  derContext,
  derElement,
  derInteger,
  derNull,
  derOid,
  derPrimitiveContext,
  derSequence,
  derSetOf,
} from '../../../../src/signing/der/writer.ts';
import { general, makeExtension, makeParty } from './path-pki.ts';

const read = (oid: string, value: Buffer) =>
  readPathExtensions(makeParty({ name: 'A', extensions: [makeExtension(oid, value, true)] }).certificate);

const NAMES = '2.5.29.30';
const POLICIES = '2.5.29.32';
const MAPPINGS = '2.5.29.33';
const CONSTRAINTS = '2.5.29.36';
const INHIBIT_ANY = '2.5.29.54';
const ANY = '2.5.29.32.0';
const skip = (number: number, ...bytes: readonly number[]): Buffer => derElement(0x80 | number, Buffer.from(bytes));
const base = general.dns('a.br');

describe('readPathExtensions', () => {
  it.each([
    [
      'name constraints with a minimum',
      NAMES,
      derSequence(derContext(0, derSequence(base, derPrimitiveContext(0, Buffer.of(1))))),
    ],
    ['name constraints with a subtree without a name', NAMES, derSequence(derContext(1, derSequence()))],
    ['empty name constraints', NAMES, derSequence()],
    ['name constraints in a SET', NAMES, derSetOf(derContext(0, derSequence(base)))],
    ['no certificate policies', POLICIES, derSequence()],
    ['a certificate policy twice', POLICIES, derSequence(derSequence(derOid('1.2.3')), derSequence(derOid('1.2.3')))],
    ['a mapping of any policy', MAPPINGS, derSequence(derSequence(derOid(ANY), derOid('1.2.3')))],
    ['a mapping to any policy', MAPPINGS, derSequence(derSequence(derOid('1.2.3'), derOid(ANY)))],
    ['an empty policy constraint', CONSTRAINTS, derSequence(skip(0))],
    ['a policy constraint of five bytes', CONSTRAINTS, derSequence(skip(0, 1, 0, 0, 0, 0))],
    ['a negative policy constraint', CONSTRAINTS, derSequence(skip(1, 0x80))],
  ])('refuses %s', (_, oid, value) => {
    expect(() => read(oid, value)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/MALFORMED$/) as string }),
    );
  });

  it('reads policy constraints of one to four bytes', () => {
    expect(read(CONSTRAINTS, derSequence(skip(0, 0), skip(1, 0x7f, 0xff, 0xff, 0xff)))).toMatchObject({
      requireExplicitPolicy: 0,
      inhibitPolicyMapping: 0x7fffffff,
    });
    expect(read(CONSTRAINTS, derSequence(skip(1, 1)))).toMatchObject({
      requireExplicitPolicy: undefined,
      inhibitPolicyMapping: 1,
    });
    expect(read(INHIBIT_ANY, derInteger(3)).inhibitAnyPolicy).toBe(3);
  });

  it('reads permitted and excluded names, and a certificate once', () => {
    const value = derSequence(derContext(0, derSequence(base)), derContext(1, derSequence(general.uri('b.br'))));
    const { certificate } = makeParty({ name: 'A', extensions: [makeExtension(NAMES, value, true)] });
    const extensions = readPathExtensions(certificate);
    expect(extensions.nameConstraints).toEqual({
      permitted: [{ kind: 2, value: Buffer.from('a.br') }],
      excluded: [{ kind: 6, value: Buffer.from('b.br') }],
    });
    expect(readPathExtensions(certificate)).toBe(extensions);
  });

  it('knows nothing of a certificate without extensions', () => {
    const { certificate } = makeParty({ name: 'A', basicConstraints: false, keyUsage: [], identifiers: false });
    expect(readPathExtensions(certificate)).toEqual({
      pathLength: undefined,
      nameConstraints: undefined,
      alternativeNames: [],
      policies: undefined,
      policyMappings: [],
      requireExplicitPolicy: undefined,
      inhibitPolicyMapping: undefined,
      inhibitAnyPolicy: undefined,
    });
  });
});

const BODY = Buffer.from('the signed part of a list');
const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed = generateKeyPairSync('ed25519');
const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 20 };

const kinds: readonly (readonly [string, StructureAlgorithm, typeof rsa, Buffer])[] = [
  ['RSA', { family: 'rsa', digest: 'sha256' }, rsa, sign('sha256', BODY, rsa.privateKey)],
  [
    'RSA-PSS',
    { family: 'rsa-pss', digest: 'sha256', saltLength: 20 },
    rsa,
    sign('sha256', BODY, { key: rsa.privateKey, ...PSS }),
  ],
  [
    'RSA-PSS without a salt length',
    { family: 'rsa-pss', digest: 'sha256' },
    rsa,
    sign('sha256', BODY, { key: rsa.privateKey, ...PSS }),
  ],
  ['ECDSA', { family: 'ecdsa', digest: 'sha384' }, ec, sign('sha384', BODY, ec.privateKey)],
  ['Ed25519', { family: 'ed25519', digest: undefined }, ed, sign(null, BODY, ed.privateKey)],
];

describe('a signature over a structure', () => {
  const inPieces = (key: typeof rsa, algorithm: StructureAlgorithm, signature: Buffer, body = BODY): boolean => {
    const verifier = createBodyVerifier(key.publicKey, algorithm);
    const piece = Buffer.alloc(5);
    for (let at = 0; at < body.length; at += 5) {
      // The caller reads every piece into the same buffer.
      const length = body.copy(piece, 0, at, at + 5);
      verifier.update(piece.subarray(0, length));
    }
    return verifier.isSignature(signature);
  };

  it.each(kinds)('of %s is judged whole and in pieces', (_, algorithm, key, signature) => {
    const other = Buffer.from('the signed part of a lisT');
    const wrong = Buffer.from(signature);
    wrong[wrong.length - 1] = (wrong.at(-1) ?? 0) ^ 1;
    const whole = (body: Buffer, value: Buffer): boolean => isSignedBy(key.publicKey, algorithm, body, value);
    expect([whole(BODY, signature), inPieces(key, algorithm, signature)]).toEqual([true, true]);
    expect([whole(other, signature), inPieces(key, algorithm, signature, other)]).toEqual([false, false]);
    expect([whole(BODY, wrong), inPieces(key, algorithm, wrong)]).toEqual([false, false]);
  });

  it.each(kinds)('of %s is none of a key of another kind', (_, algorithm, key, signature) => {
    const other = key === ec ? rsa : ec;
    expect(isSignedBy(other.publicKey, algorithm, BODY, signature)).toBe(false);
    expect(inPieces(other, algorithm, signature)).toBe(false);
  });

  it('is none where the parameters do not fit the key', () => {
    const algorithm = { family: 'rsa-pss', digest: 'sha512', saltLength: 2_000 } as const;
    expect(isSignedBy(rsa.publicKey, algorithm, BODY, Buffer.alloc(128))).toBe(false);
    expect(inPieces(rsa, algorithm, Buffer.alloc(128))).toBe(false);
  });

  it('is none where the key allows another hash function only', () => {
    const key = generateKeyPairSync('rsa-pss', {
      modulusLength: 2048,
      hashAlgorithm: 'sha256',
      mgf1HashAlgorithm: 'sha256',
    });
    const algorithm = { family: 'rsa-pss', digest: 'sha512', saltLength: 32 } as const;
    expect(isSignedBy(key.publicKey, algorithm, BODY, Buffer.alloc(256))).toBe(false);
    expect(inPieces(key, algorithm, Buffer.alloc(256))).toBe(false);
  });

  it.each(kinds)(
    'of %s counts in the budget, one of a key of another kind does not',
    async (_, algorithm, key, signature) => {
      const plenty: Amounts = { objects: 1e9, bytes: 1e12, candidates: 1e9, buffers: 1e12, time: 1e9 };
      const used = Promise.withResolvers<Amounts>();
      const other = key === ec ? rsa : ec;
      const check = (): Promise<void> => {
        isSignedBy(key.publicKey, algorithm, BODY, signature);
        inPieces(key, algorithm, signature);
        isSignedBy(other.publicKey, algorithm, BODY, signature);
        return Promise.resolve();
      };
      await withBudget(plenty, check, used.resolve);
      expect((await used.promise).candidates).toBe(2);
    },
  );

  it('is read apart from what stands behind', () => {
    const [body, algorithm, rest] = [derSequence(derInteger(1)), derSequence(derOid('1.2.3')), derNull()];
    const parts = readSignedStructure(readDer(derSequence(body, algorithm, derBitString(Buffer.of(7)), rest)));
    expect(parts).toMatchObject({ body, signature: Buffer.of(7) });
    expect(parts.rest.map(({ bytes }) => bytes)).toEqual([rest]);
    const asSet = derElement(0x31, body, algorithm, derBitString(Buffer.of(7)));
    expect(() => readSignedStructure(readDer(asSet))).toThrow(expect.objectContaining({ code: 'DER_MALFORMED' }));
  });

  it('of an unknown algorithm is refused with its name', () => {
    expect(() => readStructureAlgorithm(readDer(derSequence(derOid('1.2.3.4'))))).toThrow(
      expect.objectContaining({ code: 'ALGORITHM_UNSUPPORTED', message: expect.stringContaining('1.2.3.4') as string }),
    );
  });

  it('of RSA-PSS with two hash functions names both', () => {
    const hash = (oid: string): Buffer => derSequence(derOid(oid), derNull());
    const [sha1, sha256] = [hash('1.3.14.3.2.26'), hash('2.16.840.1.101.3.4.2.1')];
    const mask = derSequence(derOid('1.2.840.113549.1.1.8'), sha1);
    const parameters = derSequence(derContext(0, sha256), derContext(1, mask), derContext(2, derInteger(32)));
    const identifier = derSequence(derOid('1.2.840.113549.1.1.10'), parameters);
    expect(readStructureAlgorithm(readDer(identifier))).toEqual({
      family: 'rsa-pss',
      digest: 'sha256',
      maskDigest: 'sha1',
      saltLength: 32,
    });
  });
});
