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
  type MlDsaScheme,
} from '../keys/signer.ts';
import { digestIdentifier, signatureIdentifier } from '../algorithms/algorithms.ts';
import type { CmsSignerOptions } from './cms-signer.ts';
import { prepareFrame, type SignedDataFrame } from './frame.ts';
import { prepareSignedAttributes, type EncodeSignedAttributes } from './signed-attributes.ts';

function chooseScheme(signer: Signer, { scheme: wanted, allowMlDsa = false }: CmsSignerOptions): SignatureScheme {
  const scheme = wanted ?? signer.schemes[0];
  if (scheme === undefined || !signer.schemes.includes(scheme)) {
    throw new SigningError('ALGORITHM_UNSUPPORTED', `This key cannot sign with ${scheme ?? 'any known scheme'}.`);
  }
  expectAllowed(scheme, allowMlDsa);
  return scheme;
}

/** Throws `ALGORITHM_UNSUPPORTED` for ML-DSA where it is not allowed. */
export function expectAllowed(scheme: SignatureScheme, allowMlDsa: boolean): void {
  if (!scheme.startsWith('ml-dsa') || allowMlDsa) return;
  throw new SigningError('ALGORITHM_UNSUPPORTED', 'ML-DSA keys are not allowed. Allow them in the settings.');
}

const LEAST_RSA_BITS = 2048;
const MOST_RSA_BITS = 8192;

/** Shorter keys are not safe, and other programs do not read longer keys. */
export function expectUsualLength(key: KeyObject): void {
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

/** Bytes of a signature in CMS. Where the two bounds differ, the exact length is known after signing. */
export interface SignatureLength {
  readonly least: number;
  readonly most: number;
}

/** Bytes of a field element of the curves of NIST (FIPS 186-5) and of Brainpool (RFC 5639). */
const FIELD_LENGTHS: ReadonlyMap<string, number> = new Map([
  ['prime256v1', 32],
  ['secp384r1', 48],
  ['secp521r1', 66],
  ['brainpoolP256r1', 32],
  ['brainpoolP320r1', 40],
  ['brainpoolP384r1', 48],
  ['brainpoolP512r1', 64],
]);

/** SEQUENCE of two INTEGERs; each is shortened, or gets a zero byte in front when its first bit is set. */
function ecdsaLength(curve: string | undefined): SignatureLength {
  const field = FIELD_LENGTHS.get(curve ?? '');
  if (field === undefined) {
    const sentence = `The elliptic curve ${curve ?? 'of the key, which has no name,'} is not known here.`;
    throw new SigningError('ALGORITHM_UNSUPPORTED', sentence);
  }
  const integer = 2 + field + (field === 66 ? 0 : 1);
  return { least: 2 + 2 * 3, most: (2 * integer < 0x80 ? 2 : 3) + 2 * integer };
}

/** FIPS 204 §4, table 2. */
const ML_DSA_LENGTHS = { 'ml-dsa-44': 2420, 'ml-dsa-65': 3309, 'ml-dsa-87': 4627 } as const satisfies Record<
  MlDsaScheme,
  number
>;

/** The length of signatures with this key. Throws `ALGORITHM_UNSUPPORTED` for a key of unknown size. */
export function signatureLength(publicKey: KeyObject, scheme: SignatureScheme): SignatureLength {
  switch (scheme) {
    case 'rsassa-pkcs1-v1_5':
    case 'rsassa-pss': {
      const bits = publicKey.asymmetricKeyDetails?.modulusLength;
      if (bits === undefined) throw new SigningError('ALGORITHM_UNSUPPORTED', 'The key is not an RSA key.');
      const bytes = Math.ceil(bits / 8);
      return { least: bytes, most: bytes };
    }
    case 'ecdsa':
      return ecdsaLength(publicKey.asymmetricKeyDetails?.namedCurve);
    case 'ed25519':
      return { least: 64, most: 64 };
    case 'ed448':
      return { least: 114, most: 114 };
    case 'ml-dsa-44':
    case 'ml-dsa-65':
    case 'ml-dsa-87':
      return { least: ML_DSA_LENGTHS[scheme], most: ML_DSA_LENGTHS[scheme] };
  }
}
