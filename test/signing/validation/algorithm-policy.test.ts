import { describe, expect, it } from 'vitest';
import {
  DEFAULT_ALGORITHM_POLICY,
  ETSI_ALGORITHM_POLICY_V1_5_1,
  ETSI_ALGORITHM_POLICY_V2_1_1,
  extendAlgorithmPolicy,
  timestampDigestsOf,
  type AlgorithmPolicy,
} from '../../../src/signing/index.ts';
import {
  areReliableAt,
  reliableUntil,
  type AlgorithmUse,
} from '../../../src/signing/validation/judge/algorithm-policy.ts';
import { SIGNED_AT, ValidationWorld, codesOf, onlySignature, verdict } from './validation-world.ts';
import { craftCms } from './craft-cms.ts';

const hash = (name: string): AlgorithmUse => ({ kind: 'hash', name });
const rsa = (bits: number): AlgorithmUse => ({ kind: 'key', type: 'rsa', bits });
const curve = (bits: number): AlgorithmUse => ({ kind: 'key', type: 'ec', bits });
const nothing = { hashes: {}, rsa: {}, curves: {} };

const pkcs1: AlgorithmUse = { kind: 'padding', name: 'pkcs1' };
const pss: AlgorithmUse = { kind: 'padding', name: 'pss' };
const onCurve = (name: string, bits: number): AlgorithmUse => ({ kind: 'key', type: 'ec', bits, name });
const ofKind = (name: string): AlgorithmUse => ({ kind: 'key', type: 'other', bits: 0, name });
const issuedOn = (day: string, bits: number): AlgorithmUse => ({
  kind: 'key',
  type: 'rsa',
  bits,
  issued: new Date(day),
});
const ALWAYS = undefined;
const NEVER = '1970-01-01';

/** The tables once more, with the place of each row in the document: the first day on which the use counts no longer. */
const TRANSCRIPTIONS: readonly {
  readonly table: AlgorithmPolicy;
  readonly rows: readonly (readonly [place: string, what: string, use: AlgorithmUse, day: string | undefined])[];
}[] = [
  {
    table: ETSI_ALGORITHM_POLICY_V1_5_1,
    rows: [
      ['hash functions', 'MD5', hash('md5'), '2004-08-01'],
      ['hash functions', 'SHA-1', hash('sha1'), '2012-08-01'],
      ['hash functions', 'SHA-224', hash('sha224'), '2029-01-01'],
      ['hash functions', 'SHA-256', hash('sha256'), ALWAYS],
      ['hash functions', 'SHA3-512', hash('sha3-512'), ALWAYS],
      ['RSA', 'RSA of 3000 bits', rsa(3000), ALWAYS],
      ['RSA', 'RSA of 2999 bits', rsa(2999), '2029-01-01'],
      ['RSA', 'RSA of 1900 bits', rsa(1900), '2029-01-01'],
      ['RSA', 'RSA of 1536 bits', rsa(1536), '2019-10-01'],
      ['RSA', 'RSA of 800 bits', rsa(800), '2010-08-01'],
      ['RSA', 'RSA of 785 bits', rsa(785), NEVER],
      ['RSA', 'PKCS #1 v1.5', pkcs1, '2029-01-01'],
      ['RSA', 'PSS', pss, ALWAYS],
      ['curves', 'P-256', onCurve('prime256v1', 256), ALWAYS],
      ['curves', 'a curve of 224 bits', curve(224), '2021-10-01'],
      ['curves', 'a curve of 160 bits', curve(160), '2012-08-01'],
      ['none', 'Ed25519, which the version does not judge', ofKind('ed25519'), ALWAYS],
      ['none', 'the hash function inside Ed448', hash('shake256'), ALWAYS],
    ],
  },
  {
    table: ETSI_ALGORITHM_POLICY_V2_1_1,
    rows: [
      ['table 1', 'MD5', hash('md5'), NEVER],
      ['table D.1', 'SHA-1', hash('sha1'), '2012-08-01'],
      ['table 1', 'SHA-224', hash('sha224'), '2029-01-01'],
      ['table 1', 'SHA-256', hash('sha256'), ALWAYS],
      ['table 1', 'SHA-384', hash('sha384'), ALWAYS],
      ['table 1', 'SHA3-256', hash('sha3-256'), ALWAYS],
      ['table 2', 'the hash function inside Ed448', hash('shake256'), ALWAYS],
      ['table 6', 'RSA of 3000 bits', issuedOn('2030-01-01', 3000), ALWAYS],
      ['table 6', 'RSA of 2048 bits in a certificate of 2026', issuedOn('2026-12-31', 2048), '2029-01-01'],
      ['table 6', 'RSA of 2048 bits in a certificate of 2027', issuedOn('2027-01-01', 2048), NEVER],
      ['table D.2', 'RSA of 1536 bits', rsa(1536), '2019-10-01'],
      ['table D.2', 'RSA of 786 bits', rsa(786), '2010-08-01'],
      ['table 2', 'PKCS #1 v1.5', pkcs1, '2035-01-01'],
      ['table 2', 'PSS', pss, ALWAYS],
      ['curves', 'P-256', onCurve('prime256v1', 256), ALWAYS],
      ['curves', 'P-521', onCurve('secp521r1', 521), ALWAYS],
      ['curves', 'brainpoolP384r1', onCurve('brainpoolP384r1', 384), ALWAYS],
      ['curves', 'secp256k1, which has no row', onCurve('secp256k1', 256), NEVER],
      ['curves', 'brainpoolP320r1, which has no row', onCurve('brainpoolP320r1', 320), NEVER],
      ['table D.2', 'P-224', onCurve('secp224r1', 224), '2021-10-01'],
      ['table 2', 'Ed25519', ofKind('ed25519'), ALWAYS],
      ['table 2', 'Ed448', ofKind('ed448'), ALWAYS],
      ['table 2', 'ML-DSA-44', ofKind('ml-dsa-44'), ALWAYS],
      ['table 2', 'ML-DSA-87', ofKind('ml-dsa-87'), ALWAYS],
      ['none', 'a kind of key without a row', ofKind('slh-dsa-sha2-128s'), NEVER],
    ],
  },
];

describe.each(TRANSCRIPTIONS)('$table.name', ({ table, rows }) => {
  it.each(rows)('%s: relies on %s until its day and not from then on', (_, __, use, day) => {
    expect(reliableUntil([use], table)).toEqual(day === undefined ? undefined : new Date(day));
    const end = new Date(day ?? '2100-01-01');
    expect(areReliableAt([use], table, end)).toBe(day === undefined);
    if (day !== undefined && day !== NEVER) {
      expect(areReliableAt([use], table, new Date(end.getTime() - 1))).toBe(true);
    }
  });
});

describe('DEFAULT_ALGORITHM_POLICY', () => {
  it.each([
    ['RSA of 2048 bits', rsa(2048), undefined],
    ['RSA of 1024 bits', rsa(1024), '2014-01-01'],
    ['RSA of 1023 bits', rsa(1023), '1970-01-01'],
    ['a curve of 224 bits', curve(224), undefined],
    ['a curve of 160 bits', curve(160), '2014-01-01'],
    ['a curve of 159 bits', curve(159), '1970-01-01'],
    ['a key that is neither RSA nor on a curve', { kind: 'key', type: 'other', bits: 0 } as const, undefined],
  ])('relies on %s until its day', (_, use, day) => {
    expect(reliableUntil([use], DEFAULT_ALGORITHM_POLICY)).toEqual(day === undefined ? undefined : new Date(day));
  });

  it('relies on several until the first of them ends', () => {
    const uses = [hash('sha1'), hash('md5'), hash('sha256')];
    expect(reliableUntil(uses, DEFAULT_ALGORITHM_POLICY)).toEqual(new Date('2005-01-01'));
  });
});

describe('the hash functions for a new time stamp', () => {
  const ending = (hashes: Readonly<Record<string, string>>) =>
    extendAlgorithmPolicy(DEFAULT_ALGORITHM_POLICY, { ...nothing, hashes });
  const sha2 = { sha256: '2030-01-01', sha384: '2031-01-01', sha512: '2031-01-01' };

  it.each([
    ["the server's own, which has no end", 'sha256', {}, ['sha256']],
    ['another of SHA-2, when the own ends', 'sha256', { sha256: '2030-01-01' }, ['sha384', 'sha256']],
    ['SHA-3, when SHA-2 ends', 'sha256', sha2, ['sha3-256', 'sha256']],
    ['SHA-3 of the same length', 'sha512', sha2, ['sha3-512', 'sha512']],
    ['the longest-lasting, when all end', 'sha256', { ...sha2, 'sha3-256': 'never', 'sha3-384': 'never', 'sha3-512': 'never' }, ['sha384', 'sha256']], // prettier-ignore
  ] as const)('are %s', (_, own, hashes, expected) => {
    expect(timestampDigestsOf(own, ending(hashes))).toEqual(expected);
  });
});

describe('extendAlgorithmPolicy', () => {
  it('changes nothing without rows', () => {
    expect(extendAlgorithmPolicy(DEFAULT_ALGORITHM_POLICY, nothing)).toEqual(DEFAULT_ALGORITHM_POLICY);
  });

  it('replaces single hash functions', () => {
    const own = { ...nothing, hashes: { sha256: '2030-01-01', sha384: 'never', shake256: 'always' } };
    const policy = extendAlgorithmPolicy(ETSI_ALGORITHM_POLICY_V1_5_1, own);
    expect(reliableUntil([hash('sha256')], policy)).toEqual(new Date('2030-01-01'));
    expect(policy.hashes).not.toHaveProperty('sha384');
    expect(reliableUntil([hash('shake256'), hash('sha512')], policy)).toBeUndefined();
  });

  it('accepts no shorter key than its own rows name, in whatever order they stand', () => {
    const rows = { 2048: '2029-01-01', 4096: 'always', 1024: 'never' };
    const policy = extendAlgorithmPolicy(DEFAULT_ALGORITHM_POLICY, {
      ...nothing,
      rsa: rows,
      curves: { 384: 'always' },
    });
    expect(reliableUntil([rsa(4096)], policy)).toBeUndefined();
    expect(reliableUntil([rsa(3072)], policy)).toEqual(new Date('2029-01-01'));
    expect([rsa(1536), curve(256)].map((use) => areReliableAt([use], policy, new Date(0)))).toEqual([false, false]);
    expect(areReliableAt([curve(384)], policy, new Date('2100-01-01'))).toBe(true);
    expect(reliableUntil([rsa(1536)], policy)).toEqual(new Date(0));
  });
});

describe('a validation under an own policy', () => {
  it('refuses what the policy refuses, and accepts the same signature without the policy', async () => {
    const world = await ValidationWorld.open();
    const signature = craftCms(await world.person());
    const own = { ...nothing, curves: { 384: 'always' } };
    const algorithms = extendAlgorithmPolicy(ETSI_ALGORITHM_POLICY_V1_5_1, own);
    const only = onlySignature(await world.validate(signature, { algorithms }));
    expect(verdict(only)).toMatch(/^INDETERMINATE CRYPTO_CONSTRAINTS_FAILURE/);
    expect(codesOf(only)).toContain('CERTIFICATE_KEY_TOO_SHORT');
    expect(verdict(onlySignature(await world.validate(signature)))).toBe('TOTAL-PASSED');
  });

  it.each([
    [ETSI_ALGORITHM_POLICY_V1_5_1, true],
    [ETSI_ALGORITHM_POLICY_V2_1_1, false],
  ])('passes Ed448 under $name, with a warning where the version does not list EdDSA', async (algorithms, warns) => {
    const world = await ValidationWorld.open();
    const person = await world.person({ keyKind: 'ed448' });
    const signature = await world.cms(person).signContent(Buffer.from('content'), SIGNED_AT);
    const only = onlySignature(await world.validate(signature, { algorithms }));
    expect(verdict(only)).toBe('TOTAL-PASSED');
    expect(codesOf(only).includes('ALGORITHM_NOT_LISTED')).toBe(warns);
  });

  it.each([
    ['2026-12-01', 'TOTAL-PASSED'],
    ['2027-01-01', 'INDETERMINATE CRYPTO_CONSTRAINTS_FAILURE'],
  ])('judges an RSA key of 2048 bits by the day of its certificate: %s', async (day, expected) => {
    const world = await ValidationWorld.open({ keyKind: 'rsa-3072' });
    world.now = new Date('2027-03-01');
    const person = await world.person({
      keyKind: 'rsa-2048',
      notBefore: new Date(day),
      notAfter: new Date('2028-01-01'),
    });
    const algorithms = ETSI_ALGORITHM_POLICY_V2_1_1;
    const only = onlySignature(await world.validate(craftCms(person), { algorithms }));
    expect(verdict(only)).toContain(expected);
    const sentence = 'ETSI TS 119 312 V2.1.1 allows no certificate of this day with an RSA key of 2048 bits';
    expect(only.checks.some((check) => check.sentence.includes(sentence))).toBe(expected !== 'TOTAL-PASSED');
  });

  it('names the version beside the day on which an algorithm ends', async () => {
    const world = await ValidationWorld.open({ keyKind: 'rsa-2048', years: 20 });
    const person = await world.person({ keyKind: 'rsa-2048', notAfter: new Date('2031-01-01') });
    const only = onlySignature(await world.validate(craftCms(person), { algorithms: ETSI_ALGORITHM_POLICY_V2_1_1 }));
    expect(only.protection).toEqual({
      until: new Date('2029-01-01'),
      cause: 'algorithm',
      name: 'RSA 2048 (ETSI TS 119 312 V2.1.1)',
    });
  });
});
