/** Algorithm identifiers of CMS: a table for writing and a table for reading. */
import { createHash, hash, type Hash } from 'node:crypto';
import { Oid } from '../der/oids.ts';
import { derContext, derInteger, derNull, derOid, derSequence } from '../der/writer.ts';
import { SigningError } from '../errors.ts';
import type {
  DigestAlgorithm,
  MlDsaScheme,
  Sha3Digest,
  SignatureScheme,
  SigningDigest,
  TimestampDigest,
} from './schemes.ts';

/** Hash functions that occur in signatures of other programs, by their names in Node. New signatures never use them. */
export type ReadOnlyDigest = 'sha1' | 'sha224' | 'sha512-224' | 'sha512-256' | 'sha3-224';

/** Hash functions that signatures of others may have; some of them sign nothing here. */
export type ReadableDigestAlgorithm = SigningDigest | Sha3Digest | ReadOnlyDigest;

/** Bytes of a digest. */
export const DIGEST_LENGTH = {
  sha1: 20,
  sha224: 28,
  sha256: 32,
  sha384: 48,
  sha512: 64,
  'sha512-224': 28,
  'sha512-256': 32,
  'sha3-224': 28,
  'sha3-256': 32,
  'sha3-384': 48,
  'sha3-512': 64,
  shake256: 64,
} as const satisfies Record<ReadableDigestAlgorithm, number>;

/** Hash functions for requested time stamps. */
export const TIMESTAMP_DIGESTS: readonly TimestampDigest[] = [
  'sha256',
  'sha384',
  'sha512',
  'sha3-256',
  'sha3-384',
  'sha3-512',
];

/** Dotted OIDs (RFC 3370 §2.1, RFC 5754 §2, RFC 8702 §2, RFC 9688 §2; NIST's register of hash functions). */
export const DIGEST_OIDS = {
  sha1: Oid.sha1,
  sha224: '2.16.840.1.101.3.4.2.4',
  sha256: Oid.sha256,
  sha384: Oid.sha384,
  sha512: Oid.sha512,
  'sha512-224': '2.16.840.1.101.3.4.2.5',
  'sha512-256': '2.16.840.1.101.3.4.2.6',
  'sha3-224': '2.16.840.1.101.3.4.2.7',
  'sha3-256': '2.16.840.1.101.3.4.2.8',
  'sha3-384': '2.16.840.1.101.3.4.2.9',
  'sha3-512': '2.16.840.1.101.3.4.2.10',
  shake256: Oid.shake256,
} as const satisfies Record<ReadableDigestAlgorithm, string>;

/**
 * AlgorithmIdentifier of a hash function. Parameters are left out (RFC 5754 §2, RFC 9688 §2), except for SHAKE256's
 * number of bits (RFC 8419 §2.3).
 */
export const digestIdentifier = (digest: SigningDigest | Sha3Digest): Buffer =>
  digest === 'shake256'
    ? derSequence(derOid(Oid.shake256WithLength), derInteger(DIGEST_LENGTH.shake256 * 8))
    : derSequence(derOid(DIGEST_OIDS[digest]));

/** RSASSA-PSS-params: hash, MGF1 with the same hash, salt as long as the hash; trailerField is the default (RFC 4055 §3.1). */
function pssParameters(digest: DigestAlgorithm): Buffer {
  const hash = derSequence(derOid(Oid[digest]), derNull());
  return derSequence(
    derContext(0, hash),
    derContext(1, derSequence(derOid(Oid.mgf1), hash)),
    derContext(2, derInteger(DIGEST_LENGTH[digest])),
  );
}

const ECDSA_OIDS = {
  sha256: Oid.ecdsaWithSha256,
  sha384: Oid.ecdsaWithSha384,
  sha512: Oid.ecdsaWithSha512,
} as const satisfies Record<DigestAlgorithm, string>;

/** Parameters are absent (RFC 9881 §2). */
export const ML_DSA_OIDS = {
  'ml-dsa-44': '2.16.840.1.101.3.4.3.17',
  'ml-dsa-65': '2.16.840.1.101.3.4.3.18',
  'ml-dsa-87': '2.16.840.1.101.3.4.3.19',
} as const satisfies Record<MlDsaScheme, string>;

/** Throws `ALGORITHM_UNSUPPORTED` for SHAKE256, which is defined for Ed448 only. */
function expectSha2(digest: SigningDigest): DigestAlgorithm {
  if (digest !== 'shake256') return digest;
  throw new SigningError('ALGORITHM_UNSUPPORTED', 'SHAKE256 signs with Ed448 keys only.');
}

/** The SignerInfo's signatureAlgorithm: RFC 3370 §3.2, RFC 4056 §3, RFC 5754 §3.3, RFC 8419 §3.1, RFC 9882 §3. */
export function signatureIdentifier(scheme: SignatureScheme, digest: SigningDigest): Buffer {
  switch (scheme) {
    case 'rsassa-pkcs1-v1_5':
      return derSequence(derOid(Oid.rsaEncryption), derNull());
    case 'rsassa-pss':
      return derSequence(derOid(Oid.rsassaPss), pssParameters(expectSha2(digest)));
    case 'ecdsa':
      return derSequence(derOid(ECDSA_OIDS[expectSha2(digest)]));
    case 'ed25519':
      return derSequence(derOid(Oid.ed25519));
    case 'ed448':
      return derSequence(derOid(Oid.ed448));
    case 'ml-dsa-44':
    case 'ml-dsa-65':
    case 'ml-dsa-87':
      return derSequence(derOid(ML_DSA_OIDS[scheme]));
  }
}

// The following functions compute digests. SHAKE256 has no fixed length and gives 512 bits in CMS (RFC 8419 §2.3, RFC
// 8702 §3.1).

/** A digest of content in chunks. */
export const createDigest = (algorithm: ReadableDigestAlgorithm): Hash =>
  algorithm === 'shake256' ? createHash(algorithm, { outputLength: DIGEST_LENGTH.shake256 }) : createHash(algorithm);

/** A copy of a digest's state. `Hash.copy` drops the output length of SHAKE256, so the length is set again. */
export const copyDigest = (digest: Hash, algorithm: ReadableDigestAlgorithm): Hash =>
  algorithm === 'shake256' ? digest.copy({ outputLength: DIGEST_LENGTH.shake256 }) : digest.copy();

/** The digest of content in memory. */
export const digestBytes = (algorithm: ReadableDigestAlgorithm, bytes: Uint8Array): Buffer =>
  algorithm === 'shake256' ? createDigest(algorithm).update(bytes).digest() : hash(algorithm, bytes, 'buffer');
