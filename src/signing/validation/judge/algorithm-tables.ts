/** The tables of algorithms that the product knows. */
import type { AlgorithmPolicy } from './algorithm-policy.ts';

/** SHA-1 and RSA below 2048 bits ended with 2013 (NIST SP 800-131A), MD5 when collisions were made at will. */
export const DEFAULT_ALGORITHM_POLICY: AlgorithmPolicy = {
  hashes: {
    md5: '2005-01-01',
    sha1: '2014-01-01',
    // 112 bits of security: legacy until the end of 2025 (SOG-IS Agreed Cryptographic Mechanisms 1.3, §2.1).
    sha224: '2026-01-01',
    'sha512-224': '2026-01-01',
    'sha3-224': '2026-01-01',
    sha256: null,
    sha384: null,
    sha512: null,
    'sha512-256': null,
    'sha3-256': null,
    'sha3-384': null,
    'sha3-512': null,
    shake256: null,
  },
  rsa: [
    { bits: 2048, until: null },
    { bits: 1024, until: '2014-01-01' },
  ],
  curves: [
    { bits: 224, until: null },
    { bits: 160, until: '2014-01-01' },
  ],
};

/** Hash functions of both versions of TS 119 312. What a version does not list is not reliable. */
const ETSI_HASHES = {
  sha1: '2012-08-01',
  // V2.1.1 contradicts itself: table 1 allows SHA-224 until the end of 2028, table D.1 until the end of 2025.
  sha224: '2029-01-01',
  sha256: null,
  sha384: null,
  sha512: null,
  'sha512-256': null,
  'sha3-256': null,
  'sha3-384': null,
  'sha3-512': null,
  // The function inside Ed448 (RFC 8032 §5.2), which is judged by its kind of key.
  shake256: null,
} as const;

/** RSA keys that were too short before both versions. */
const SHORT_RSA_KEYS = [
  { bits: 1024, until: '2019-10-01' },
  { bits: 786, until: '2010-08-01' },
] as const;

/** Curves that were too short before both versions. */
const SHORT_CURVES = [
  { bits: 224, until: '2021-10-01' },
  { bits: 160, until: '2012-08-01' },
] as const;

/** ETSI TS 119 312 V1.5.1 (2024-12), as its machine-readable form (TS 119 322) has the dates. */
export const ETSI_ALGORITHM_POLICY_V1_5_1: AlgorithmPolicy = {
  name: 'ETSI TS 119 312 V1.5.1',
  hashes: { md5: '2004-08-01', ...ETSI_HASHES },
  rsa: [{ bits: 3000, until: null }, { bits: 1900, until: '2029-01-01' }, ...SHORT_RSA_KEYS],
  paddings: { pkcs1: '2029-01-01', pss: null },
  curves: [{ bits: 256, until: null }, ...SHORT_CURVES],
};

/**
 * ETSI TS 119 312 V2.1.1 (2026-06): table 1 has the hash functions, table 2 the schemes. For RSA of 1900
 * to 2999 bits, table 6 counts: no new certificates after 2026-12-31, and no use after 2028-12-31. Table D.2 suggests an
 * end before 2026, at which each RSA key of 2048 bits would be undetermined while the document itself still allows it.
 */
export const ETSI_ALGORITHM_POLICY_V2_1_1: AlgorithmPolicy = {
  name: 'ETSI TS 119 312 V2.1.1',
  hashes: ETSI_HASHES,
  rsa: [{ bits: 3000, until: null }, { bits: 1900, until: '2029-01-01', issuedUntil: '2027-01-01' }, ...SHORT_RSA_KEYS],
  paddings: { pkcs1: '2035-01-01', pss: null },
  curves: [
    {
      bits: 256,
      until: null,
      only: [
        'prime256v1',
        'secp384r1',
        'secp521r1',
        'brainpoolP256r1',
        'brainpoolP384r1',
        'brainpoolP512r1',
        'FRP256v1',
      ],
    },
    ...SHORT_CURVES,
  ],
  otherKeys: { ed25519: null, ed448: null, 'ml-dsa-44': null, 'ml-dsa-65': null, 'ml-dsa-87': null },
};
