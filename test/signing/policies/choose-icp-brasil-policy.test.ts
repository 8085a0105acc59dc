import { describe, expect, it } from 'vitest';
import {
  chooseIcpBrasilPolicy,
  ICP_BRASIL_POLICIES,
  ICP_BRASIL_PROFILES,
  policyOfOid,
  type PolicyRequest,
} from '../../../src/signing/policies/index.ts';
import { ICP_BRASIL_ROOTS } from '../../../src/signing/certificates/trust/icp-brasil-roots.ts';

const rootOf = (version: string): string => ICP_BRASIL_ROOTS.find((root) => root.version === version)!.fingerprint;

const RSA = { scheme: 'rsassa-pkcs1-v1_5', digest: 'sha256', keyBits: 2048 } as const;
const usual: PolicyRequest = {
  format: 'CAdES',
  wanted: { profile: 'AD-RB' },
  rootFingerprint: rootOf('v5'),
  at: new Date('2026-05-01'),
  algorithm: RSA,
};
const choose = (request: Partial<PolicyRequest>): string => {
  const { policy, problem } = chooseIcpBrasilPolicy({ ...usual, ...request });
  return policy === undefined ? problem.code : policy.oid;
};

/** The current versions in ITI's numbers (DOC-ICP-15.03). */
const CURRENT = [
  ['CAdES', 'AD-RB', '2.16.76.1.7.1.1.2.4', '1f3c904c44c392feef447e21faa7a04e85d9c0153346320f557b7042af5dcf13'],
  ['CAdES', 'AD-RT', '2.16.76.1.7.1.2.2.4', 'fa59dca6d9c0e808eb7397b2de800cce5b0e4da2c42e2e5ef2496a2ce6badcb7'],
  ['CAdES', 'AD-RV', '2.16.76.1.7.1.3.2.4', 'ac8d3299189a58f88ec938d1b5918f65bd9d1b22e1d1a32b998f3fdf07ec3342'],
  ['CAdES', 'AD-RC', '2.16.76.1.7.1.4.2.4', 'ab0dd337580f7ccd6244e30f2a29f2e97614ad411838a0a1179d479504f5522b'],
  ['CAdES', 'AD-RA', '2.16.76.1.7.1.5.2.5', '0531ee338acb53364c8b316a11d90423ee33e714cb365d9c4562b90fa47d9099'],
  ['PAdES', 'AD-RB', '2.16.76.1.7.1.11.1.3', '23e4be4b9b362172e4ebb0e72b86a133ece5aad843d8651c6e38a0ba3f08fc60'],
  ['PAdES', 'AD-RT', '2.16.76.1.7.1.12.1.3', '21d6e8d9f85e5626dc71307337a7cabd6ffef8d085038746775cf0ce6ba4d3b5'],
  ['PAdES', 'AD-RC', '2.16.76.1.7.1.13.1.4', '712f18a9f0163c1e90da6ff0b7165543378a18a0f06d3cb21668067cac229bd2'],
  ['PAdES', 'AD-RA', '2.16.76.1.7.1.14.1.4', 'ffa9fd474812f6ce63d625679c9ef235a6547b017be941b2c094aa868e67e123'],
] as const;

/** OID of the current AD-RB for CAdES. */
const current = CURRENT[0][2];

describe('chooseIcpBrasilPolicy', () => {
  it('has a row in CURRENT for each profile in each of its formats', () => {
    const named = (rows: readonly (readonly [string, string])[]): readonly string[] =>
      [...new Set(rows.map(([format, profile]) => `${format} ${profile}`))].sort();
    const known = ICP_BRASIL_POLICIES.map(({ format, profile }) => [format, profile] as const);
    expect(named(CURRENT.map(([format, profile]) => [format, profile] as const))).toEqual(named(known));
    expect(new Set(known.map(([, profile]) => profile))).toEqual(new Set(ICP_BRASIL_PROFILES));
  });

  it.each(CURRENT)('takes the current version of %s %s for the roots v5 and v12', (format, profile, oid, hash) => {
    expect(choose({ format, wanted: { profile } })).toBe(oid);
    expect(choose({ format, wanted: { profile }, rootFingerprint: rootOf('v12') })).toBe(oid);
    expect(policyOfOid(oid)).toMatchObject({ format, profile, hash });
  });

  it.each([
    ['AD-RB', '2.16.76.1.7.1.11.1.2'],
    ['AD-RT', '2.16.76.1.7.1.12.1.2'],
    ['AD-RC', '2.16.76.1.7.1.13.1.3'],
    ['AD-RA', '2.16.76.1.7.1.14.1.3'],
  ] as const)('never offers the PAdES %s demanding names with a trailing space', (profile, oid) => {
    expect(choose({ format: 'PAdES', wanted: { oid } })).toBe('WITHDRAWN');
    expect(choose({ format: 'PAdES', wanted: { profile }, at: new Date('2025-07-01') })).not.toBe(oid);
    expect(policyOfOid(oid)).toMatchObject({ profile });
  });

  it.each(['2.16.76.1.7.1.13.1', '2.16.76.1.7.1.14.1'])('never offers the withdrawn %s', (oid) => {
    expect(choose({ format: 'PAdES', wanted: { oid } })).toBe('WITHDRAWN');
  });

  it.each([
    ['v12', '2.16.76.1.7.1.1.2.3', 'ROOT'],
    ['v12', '2.16.76.1.7.1.1.2.4', '2.16.76.1.7.1.1.2.4'],
    ['v5', '2.16.76.1.7.1.1.2.3', '2.16.76.1.7.1.1.2.3'],
    ['v2', '2.16.76.1.7.1.1.2.4', 'ROOT'],
    ['v2', '2.16.76.1.7.1.1.2.3', '2.16.76.1.7.1.1.2.3'],
    ['v10', '2.16.76.1.7.1.1.2.4', 'ROOT'],
    ['v11', '2.16.76.1.7.1.1.2.4', 'ROOT'],
    ['v6', '2.16.76.1.7.1.1.2.4', 'ROOT'],
    ['v7', '2.16.76.1.7.1.1.2.4', 'ROOT'],
    ['v13', '2.16.76.1.7.1.1.2.4', 'ROOT'],
  ])('judges by the fingerprint of the root: %s under %s gives %s', (version, oid, answer) => {
    expect(choose({ rootFingerprint: rootOf(version), wanted: { oid } })).toBe(answer);
  });

  it('takes an older version when the path ends in a root foreign to the current version', () => {
    expect(choose({ rootFingerprint: rootOf('v2') })).toBe('2.16.76.1.7.1.1.2.3');
    expect(choose({ rootFingerprint: rootOf('v2'), wanted: { profile: 'AD-RA' } })).toBe('2.16.76.1.7.1.5.2.4');
  });

  it.each([
    ['RSA with SHA-384', { ...RSA, digest: 'sha384' }, 'ALGORITHM'],
    ['RSASSA-PSS', { ...RSA, scheme: 'rsassa-pss' }, 'ALGORITHM'],
    ['RSA-1024', { ...RSA, keyBits: 1024 }, 'ALGORITHM'],
    ['RSA with SHA-512', { ...RSA, digest: 'sha512' }, current],
    ['P-256 with SHA-256', { scheme: 'ecdsa', digest: 'sha256', keyBits: 256 }, current],
    ['P-384 with SHA-384', { scheme: 'ecdsa', digest: 'sha384', keyBits: 384 }, 'ALGORITHM'],
    ['P-521 with SHA-512', { scheme: 'ecdsa', digest: 'sha512', keyBits: 521 }, current],
    ['Ed25519', { scheme: 'ed25519', digest: 'sha512', keyBits: 256 }, current],
    ['Ed448', { scheme: 'ed448', digest: 'sha512', keyBits: 456 }, current],
  ] as const)('judges by the algorithm: %s', (_, algorithm, answer) => {
    expect(choose({ algorithm })).toBe(answer);
  });

  it('names in a refusal the algorithms allowed by the policy itself', () => {
    const algorithm = { ...RSA, digest: 'sha384' } as const;
    const messageOf = (oid: string): string | undefined =>
      chooseIcpBrasilPolicy({ ...usual, wanted: { oid }, algorithm }).problem?.message;
    const rsa = 'rsassa-pkcs1-v1_5 with sha256 from 2048 bits; rsassa-pkcs1-v1_5 with sha512 from 2048 bits';
    expect(messageOf('2.16.76.1.7.1.1.2.3')).toMatch(new RegExp(`It allows: ${rsa}\\.$`));
    expect(messageOf('2.16.76.1.7.1.1.2.4')).toContain(`${rsa}; ecdsa with sha256 from 256 bits;`);
  });

  it('has elliptic curves in no version before 2.4, even on request', () => {
    const algorithm = { scheme: 'ecdsa', digest: 'sha256', keyBits: 256 } as const;
    expect(choose({ algorithm, wanted: { oid: '2.16.76.1.7.1.1.2.3' } })).toBe('ALGORITHM');
  });

  it.each([
    ['before the current version', '2024-01-01', '2.16.76.1.7.1.1.2.3'],
    ['on the first day of the current version', policyOfOid(current)!.signingPeriod.from, current],
    ['before any version', '2016-01-01', 'PERIOD'],
    ['after the last day', '2037-10-22', 'PERIOD'],
  ])('judges by the time: %s', (_, day, answer) => {
    expect(choose({ at: new Date(day) })).toBe(answer);
  });

  it.each(['2.16.76.1.7.1.1.2.3', '2.16.76.1.7.1.1.2.4'])(
    'lets a root for trying out stand in for every root: %s',
    (oid) => {
      expect(choose({ rootFingerprint: 'any', wanted: { oid } })).toBe(oid);
      expect(choose({ rootFingerprint: '00'.repeat(32), wanted: { oid } })).toBe('ROOT');
    },
  );

  it.each([
    ['a version that accepts it', { rootFingerprint: rootOf('v2') }, 'Choose AD-RB 2.3 (2.16.76.1.7.1.1.2.3).'],
    [
      'a version that accepts it',
      { rootFingerprint: rootOf('v12'), wanted: { oid: '2.16.76.1.7.1.1.2.3' } },
      `(${current}).`,
    ],
    ['the way for roots of an owner', { rootFingerprint: '00'.repeat(32) }, /No version of it does\..* --test\.$/],
    [
      'no version whose time is over',
      { rootFingerprint: rootOf('v2'), at: new Date('2030-01-01') },
      /No version of it does\./,
    ],
    ['no other profile', { rootFingerprint: rootOf('v10') }, /No version of it does\./],
  ])('refuses a root and names %s', (_, request, words) => {
    const wanted = { oid: current };
    const { problem } = chooseIcpBrasilPolicy({ ...usual, wanted, ...request });
    expect(problem?.code).toBe('ROOT');
    if (typeof words === 'string') expect(problem?.message).toContain(words);
    else expect(problem?.message).toMatch(words);
  });

  it('knows no AD-RV for PAdES, and no policy of one format for another', () => {
    expect(choose({ format: 'PAdES', wanted: { profile: 'AD-RV' } })).toBe('FORMAT');
    expect(choose({ format: 'PAdES', wanted: { oid: '2.16.76.1.7.1.1.2.4' } })).toBe('FORMAT');
  });

  it('says so when a policy is not in the table', () => {
    expect(choose({ wanted: { oid: '2.16.76.1.7.1.1.9.9' } })).toBe('UNKNOWN');
    expect(policyOfOid('1.2.3')).toBeUndefined();
  });
});

describe('ICP_BRASIL_POLICIES', () => {
  it('has every OID and every hash once, and files at the official address', () => {
    for (const key of ['oid', 'hash'] as const) {
      const byValue = Map.groupBy(ICP_BRASIL_POLICIES, (policy) => policy[key]);
      const repeated = [...byValue.values()].filter(({ length }) => length > 1);
      expect(
        repeated.map((rows) => rows.map(({ oid }) => oid)),
        `policies with the same ${key}`,
      ).toEqual([]);
    }
    for (const { uri, hash } of ICP_BRASIL_POLICIES) {
      expect(uri).toMatch(/^http:\/\/politicas\.icpbrasil\.gov\.br\/PA_(PAdES_)?AD_R[BTVCA]_v\d+_\d+\.der$/);
      expect(hash).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  it('has the versions of a profile in their order, the oldest first, because the newest is tried first', () => {
    const byProfile = Map.groupBy(ICP_BRASIL_POLICIES, ({ format, profile }) => `${format} ${profile}`);
    const orders = [...byProfile.values()].map((policies) => policies.map(({ version }) => version));
    expect(orders).toHaveLength(CURRENT.length);
    const inOrder = orders.map((versions) =>
      versions.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })),
    );
    expect(orders).toEqual(inOrder);
  });

  it('names the attributes demanded by each profile', () => {
    expect(policyOfOid('2.16.76.1.7.1.4.2.4')?.unsignedAttributes).toEqual([
      'signatureTimeStampToken',
      'certificateRefs',
      'revocationRefs',
      'escTimeStamp',
      'certValues',
      'revocationValues',
    ]);
    expect(policyOfOid('2.16.76.1.7.1.14.1.4')?.unsignedAttributes).toEqual([
      'signatureTimeStampToken',
      'documentSecurityStore',
      'documentTimeStamp',
    ]);
  });
});
