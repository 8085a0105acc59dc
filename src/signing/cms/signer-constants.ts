/** The common parts of a signer's signatures, encoded once. */
import type { KeyObject } from 'node:crypto';
import type { Certificate } from '../certificates/certificate.ts';
import { parseCertificate } from '../certificates/parse-certificate.ts';
import { SigningError } from '../errors.ts';
import {
  signsWholeMessage,
  type DigestAlgorithm,
  type SignatureScheme,
  type Signer,
  type SigningDigest,
} from '../keys/signer.ts';
import { digestIdentifier, signatureIdentifier } from '../algorithms/algorithms.ts';
import type { CmsSignerOptions } from './cms-signer.ts';
import { prepareFrame, type SignedDataFrame } from './frame.ts';
import { signatureLength, type SignatureLength } from './signature-length.ts';
import { prepareSignedAttributes, type EncodeSignedAttributes } from './signed-attributes.ts';

function chooseScheme(signer: Signer, { scheme: wanted, allowMlDsa = false }: CmsSignerOptions): SignatureScheme {
  const scheme = wanted ?? signer.schemes[0];
  if (scheme === undefined || !signer.schemes.includes(scheme)) {
    throw new SigningError('ALGORITHM_UNSUPPORTED', `This key cannot sign with ${scheme ?? 'any known scheme'}.`);
  }
  if (scheme.startsWith('ml-dsa') && !allowMlDsa) {
    throw new SigningError('ALGORITHM_UNSUPPORTED', 'ML-DSA keys sign only where that is allowed in the settings.');
  }
  return scheme;
}

const LEAST_RSA_BITS = 2048;
const MOST_RSA_BITS = 8192;

/** Shorter keys are not safe, and other programs do not read longer keys. */
function expectUsualLength(key: KeyObject): void {
  const bits = key.asymmetricKeyDetails?.modulusLength;
  if (bits !== undefined && (bits < LEAST_RSA_BITS || bits > MOST_RSA_BITS)) {
    const message = `RSA keys of ${bits} bits do not sign here; ${LEAST_RSA_BITS} to ${MOST_RSA_BITS} bits do.`;
    throw new SigningError('ALGORITHM_UNSUPPORTED', message);
  }
}

/**
 * Ed25519 always signs with SHA-512 and Ed448 with SHAKE256 (RFC 8419 §3.1); ML-DSA with SHA-512, as RFC 9882 §3.3
 * prefers.
 */
function effectiveDigest(scheme: SignatureScheme, wanted: DigestAlgorithm): SigningDigest {
  if (scheme === 'ed448') return 'shake256';
  return signsWholeMessage(scheme) ? 'sha512' : wanted;
}

/** The constant parts of a signer's signatures. */
export interface SignerConstants {
  readonly certificate: Certificate;
  readonly scheme: SignatureScheme;
  readonly digest: SigningDigest;
  readonly length: SignatureLength;
  readonly encodeAttributes: EncodeSignedAttributes;
  readonly frame: SignedDataFrame;
}

/** The input of the constant parts. A counter-signature does not name the type of its content (RFC 5652 §11.4). */
export interface SignerConstantsOptions extends CmsSignerOptions {
  readonly omitContentType?: boolean;
}

/** Throws `ALGORITHM_UNSUPPORTED`, `CERTIFICATE_MALFORMED`, and `CMS_UNSUPPORTED` for attributes; see `prepareCmsSigner`. */
export function prepareConstants(signer: Signer, options: SignerConstantsOptions): SignerConstants {
  const certificate = parseCertificate(signer.certificate);
  const scheme = chooseScheme(signer, options);
  const digest = effectiveDigest(scheme, options.digest);
  const key = certificate.publicKey();
  expectUsualLength(key);
  const length = signatureLength(key, scheme);
  const encodeAttributes = prepareSignedAttributes({
    certificate,
    digest,
    profile: options.profile,
    omitSigningTime: options.omitSigningTime ?? false,
    omitContentType: options.omitContentType ?? false,
    optional: options,
  });
  const frame = prepareFrame({
    certificate,
    chain: signer.chain,
    digestIdentifier: digestIdentifier(digest),
    signatureIdentifier: signatureIdentifier(scheme, digest),
  });
  return { certificate, scheme, digest, length, encodeAttributes, frame };
}
