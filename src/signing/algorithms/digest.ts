/** Digests of CMS: SHAKE256, with a length by choice, gives 512 bits (RFC 8419 §2.3, RFC 8702 §3.1). */
import { createHash, hash, type Hash } from 'node:crypto';
import { DIGEST_LENGTH, type ReadableDigestAlgorithm } from './algorithms.ts';

/** A digest of content in chunks. */
export const createDigest = (algorithm: ReadableDigestAlgorithm): Hash =>
  algorithm === 'shake256' ? createHash(algorithm, { outputLength: DIGEST_LENGTH.shake256 }) : createHash(algorithm);

/** The digest of content in memory. */
export const digestOctets = (algorithm: ReadableDigestAlgorithm, octets: Uint8Array): Buffer =>
  algorithm === 'shake256' ? createDigest(algorithm).update(octets).digest() : hash(algorithm, octets, 'buffer');
