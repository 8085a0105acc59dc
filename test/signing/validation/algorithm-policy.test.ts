import { describe, expect, it } from 'vitest';
import {
  DEFAULT_ALGORITHM_POLICY,
  ETSI_ALGORITHM_POLICY,
  extendAlgorithmPolicy,
  timestampDigestsOf,
} from '../../../src/signing/index.ts';
import {
  areReliableAt,
  reliableUntil,
  type AlgorithmUse,
} from '../../../src/signing/validation/judge/algorithm-policy.ts';
import { ValidationWorld, codesOf, onlySignature, verdict } from './validation-world.ts';
import { craftCms } from './craft-cms.ts';

const hash = (name: string): AlgorithmUse => ({ kind: 'hash', name });
const rsa = (bits: number): AlgorithmUse => ({ kind: 'key', type: 'rsa', bits });
const curve = (bits: number): AlgorithmUse => ({ kind: 'key', type: 'ec', bits });
const nothing = { hashes: {}, rsa: {}, curves: {} };

describe('ETSI_ALGORITHM_POLICY', () => {
  it.each([
    ['SHA-1', hash('sha1'), '2012-08-01'],
    ['SHA-224', hash('sha224'), '2029-01-01'],
    ['RSA of 2048 bits', rsa(2048), '2029-01-01'],
    ['RSA of 1536 bits', rsa(1536), '2019-10-01'],
    ['RSA of 800 bits', rsa(800), '2010-08-01'],
    ['a curve of 224 bits', curve(224), '2021-10-01'],
    ['a curve of 160 bits', curve(160), '2012-08-01'],
  ])('relies on %s until its day and not from then on', (_, use, day) => {
    const end = new Date(day);
    const before = new Date(end.getTime() - 1);
    expect([before, end].map((at) => areReliableAt([use], ETSI_ALGORITHM_POLICY, at))).toEqual([true, false]);
  });

  it('knows no end of SHA-256, RSA of 3000 bits and P-256, and does not list SHAKE256', () => {
    expect(reliableUntil([hash('sha256'), rsa(3000), curve(256)], ETSI_ALGORITHM_POLICY)).toBeUndefined();
    expect(areReliableAt([hash('shake256')], ETSI_ALGORITHM_POLICY, new Date(0))).toBe(false);
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
    const policy = extendAlgorithmPolicy(ETSI_ALGORITHM_POLICY, own);
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
    const algorithms = extendAlgorithmPolicy(ETSI_ALGORITHM_POLICY, own);
    const only = onlySignature(await world.validate(signature, { algorithms }));
    expect(verdict(only)).toMatch(/^INDETERMINATE CRYPTO_CONSTRAINTS_FAILURE/);
    expect(codesOf(only)).toContain('CERTIFICATE_KEY_TOO_SHORT');
    expect(verdict(onlySignature(await world.validate(signature)))).toBe('TOTAL-PASSED');
  });
});
