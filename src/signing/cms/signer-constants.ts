/** What the signatures of one signer have in common, encoded once. */
import type { Certificate } from '../certificates/certificate.ts';
import { parseCertificate } from '../certificates/parse-certificate.ts';
import { SigningError } from '../errors.ts';
import type { DigestAlgorithm, SignatureScheme, Signer } from '../keys/signer.ts';
import { digestIdentifier, signatureIdentifier } from './algorithms.ts';
import type { CmsSignerOptions } from './cms-signer.ts';
import { prepareFrame, type SignedDataFrame } from './frame.ts';
import { signatureLength, type SignatureLength } from './signature-length.ts';
import { prepareSignedAttributes, type EncodeSignedAttributes } from './signed-attributes.ts';

function chooseScheme(signer: Signer, wanted: SignatureScheme | undefined): SignatureScheme {
  const scheme = wanted ?? signer.schemes[0];
  if (scheme === undefined || !signer.schemes.includes(scheme)) {
    throw new SigningError('ALGORITHM_UNSUPPORTED', `This key cannot sign with ${scheme ?? 'any known scheme'}.`);
  }
  return scheme;
}

/** Ed25519 signs with SHA-512 whatever was asked for (RFC 8419 §3). */
const effectiveDigest = (scheme: SignatureScheme, wanted: DigestAlgorithm): DigestAlgorithm =>
  scheme === 'ed25519' ? 'sha512' : wanted;

/** The parts of a signer's signatures that do not change from one to the next. */
export interface SignerConstants {
  readonly certificate: Certificate;
  readonly scheme: SignatureScheme;
  readonly digest: DigestAlgorithm;
  readonly length: SignatureLength;
  readonly encodeAttributes: EncodeSignedAttributes;
  readonly frame: SignedDataFrame;
}

/** What decides them; a counter-signature does not tell the type of its content (RFC 5652 §11.4). */
export interface SignerConstantsOptions extends CmsSignerOptions {
  readonly omitContentType?: boolean;
}

/** Throws `ALGORITHM_UNSUPPORTED`, `CERTIFICATE_MALFORMED`, and `CMS_UNSUPPORTED` for attributes; see `prepareCmsSigner`. */
export function prepareConstants(signer: Signer, options: SignerConstantsOptions): SignerConstants {
  const certificate = parseCertificate(signer.certificate);
  const scheme = chooseScheme(signer, options.scheme);
  const digest = effectiveDigest(scheme, options.digest);
  const length = signatureLength(certificate.publicKey(), scheme);
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
