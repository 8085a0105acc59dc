/** Bare signatures without a container, over a hash or over bytes. */
import { parseCertificate } from '../certificates/parse-certificate.ts';
import { SigningError } from '../errors.ts';
import { type DigestAlgorithm, type SignatureParameters, type SignatureScheme, type Signer } from '../keys/signer.ts';
import { expectAllowed, expectUsualLength } from './signer-constants.ts';

/** The schemes that a request of a bare signature may name; absent: the usual one of the key. */
export type RawScheme = Extract<SignatureScheme, 'rsassa-pkcs1-v1_5' | 'rsassa-pss' | 'ecdsa'>;

/** Makes bare signatures with one key. Calls reject with the errors of `Signer.sign`. */
export interface RawSigner {
  readonly scheme: SignatureScheme;
  /** Signs a hash that was made with `digest`. */
  signHash(hash: Uint8Array, digest: DigestAlgorithm): Promise<Buffer>;
  /** Hashes and signs bytes; keys that hash by themselves sign the bytes as they are. */
  signData(data: Uint8Array, digest: DigestAlgorithm): Promise<Buffer>;
}

/**
 * Prepares bare signatures. Throws `ALGORITHM_UNSUPPORTED` for a scheme that the key does not have, and for keys that
 * sign nothing else here.
 */
export function prepareRawSigner(signer: Signer, wanted?: RawScheme): RawSigner {
  const scheme = wanted ?? signer.schemes[0];
  if (scheme === undefined || !signer.schemes.includes(scheme)) {
    const schemes = signer.schemes.join(', ');
    const message = `This key cannot sign with ${wanted ?? 'any known scheme'}; it has: ${schemes === '' ? 'none' : schemes}.`;
    throw new SigningError('ALGORITHM_UNSUPPORTED', message);
  }
  expectAllowed(scheme, false);
  expectUsualLength(parseCertificate(signer.certificate).publicKey());
  const sign = (bytes: Uint8Array, digest: DigestAlgorithm, more: Pick<SignatureParameters, 'isHashed'>) =>
    signer.sign(bytes, { scheme, digest, ...more });
  return {
    scheme,
    signHash: async (hash, digest) => sign(hash, digest, { isHashed: true }),
    signData: async (data, digest) => sign(data, digest, {}),
  };
}
