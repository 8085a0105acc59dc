import { constants, verify, type KeyObject } from 'node:crypto';
import { parseCertificate } from '../certificates/parse-certificate.ts';
import { SigningError } from '../errors.ts';
import { verifyHash } from './hashes/index.ts';
import type { SignatureParameters, Signer } from './signer.ts';

/**
 * Verifies a signature. Node's defaults are PKCS#1 v1.5 for RSA and DER for ECDSA; a bare key takes half the time of a
 * key with options.
 */
function isGenuine(key: KeyObject, message: Uint8Array, signature: Buffer, parameters: SignatureParameters): boolean {
  const { scheme, digest } = parameters;
  if (parameters.isHashed === true) return verifyHash(key, message, signature, parameters);
  switch (scheme) {
    case 'rsassa-pkcs1-v1_5':
    case 'ecdsa':
      return verify(digest, message, key, signature);
    case 'rsassa-pss': {
      const saltLength = constants.RSA_PSS_SALTLEN_DIGEST;
      return verify(digest, message, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }, signature);
    }
    case 'ed25519':
    case 'ed448':
    case 'ml-dsa-44':
    case 'ml-dsa-65':
    case 'ml-dsa-87':
      return verify(null, message, key, signature);
  }
}

/**
 * Adds a check to a signer: every signature is verified with the certificate's key before use. A faulty signature, from
 * failing memory or an attack, could otherwise reveal parts of an RSA key. A wrong signature is rejected with
 * `SIGNATURE_INVALID`.
 */
export function verifiedSigner(signer: Signer): Signer {
  const key = parseCertificate(signer.certificate).publicKey();
  const { certificate, chain, schemes } = signer;
  return {
    certificate,
    chain,
    schemes,
    async sign(message: Uint8Array, parameters: SignatureParameters): Promise<Buffer> {
      const signature = await signer.sign(message, parameters);
      if (!isGenuine(key, message, signature, parameters)) {
        throw new SigningError('SIGNATURE_INVALID', 'The new signature is wrong and was discarded. Try again.');
      }
      return signature;
    },
  };
}
