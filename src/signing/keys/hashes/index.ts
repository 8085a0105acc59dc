import type { KeyObject } from 'node:crypto';
import { DIGEST_LENGTH } from '../../algorithms/algorithms.ts';
import { SigningError } from '../../errors.ts';
import { signsWholeMessage, type DigestAlgorithm, type SignatureParameters } from '../signer.ts';
import { signHashWithEcdsa, verifyHashWithEcdsa } from './ecdsa.ts';
import { signHashWithRsa, verifyHashWithRsa } from './rsa.ts';

export { digestInfo } from './rsa.ts';

/**
 * The hash function of a hash to sign. Throws `KEY_SIGNS_NO_HASH` for schemes that hash by themselves, and
 * `ALGORITHM_UNSUPPORTED` for a hash of another length.
 */
export function expectHash(hash: Uint8Array, { scheme, digest }: SignatureParameters): DigestAlgorithm {
  if (signsWholeMessage(scheme) || digest === 'shake256') {
    throw new SigningError('KEY_SIGNS_NO_HASH', 'This key hashes by itself: send the bytes to sign, not their hash.');
  }
  if (hash.length === DIGEST_LENGTH[digest]) return digest;
  throw new SigningError('ALGORITHM_UNSUPPORTED', `The hash was not made with ${digest}.`);
}

/** Signs a hash with a key in memory. Throws like `expectHash`. */
export function signHash(key: KeyObject, hash: Uint8Array, parameters: SignatureParameters): Buffer {
  const digest = expectHash(hash, parameters);
  if (parameters.scheme === 'ecdsa') return signHashWithEcdsa(key, hash);
  return signHashWithRsa(key, hash, digest, parameters.scheme === 'rsassa-pss');
}

/** Verifies a signature over a hash with the public key. Throws like `expectHash`. */
export function verifyHash(
  key: KeyObject,
  hash: Uint8Array,
  signature: Buffer,
  parameters: SignatureParameters,
): boolean {
  const digest = expectHash(hash, parameters);
  if (parameters.scheme === 'ecdsa') return verifyHashWithEcdsa(key, hash, signature);
  return verifyHashWithRsa(key, hash, digest, { isPss: parameters.scheme === 'rsassa-pss', signature });
}
