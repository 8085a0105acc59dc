/**
 * Makes CMS SignedData (RFC 5652) and CAdES-B (EN 319 122-1 §6) with one signer.
 *
 * A signature is made in four steps: digest the content, encode the signed attributes, sign them, put the frame around.
 * The attributes are encoded once: the octets that are signed are the octets that are stored.
 */
import { hash } from 'node:crypto';
import { parseCertificate } from '../certificates/parse-certificate.ts';
import { SigningError } from '../errors.ts';
import type { DigestAlgorithm, SignatureScheme, Signer } from '../keys/signer.ts';
import { DIGEST_LENGTH, digestIdentifier, signatureIdentifier } from './algorithms.ts';
import type { CmsSigner, CmsSignerOptions } from './cms-signer.ts';
import { prepareFrame } from './frame.ts';
import { signFile } from './sign-file.ts';
import { signatureLength } from './signature-length.ts';
import { prepareSignedAttributes } from './signed-attributes.ts';

/** A time whose encoding is the longest there is: GeneralizedTime (RFC 5652 §11.3). */
const LONGEST_TIME = new Date(Date.UTC(2050, 0, 1));

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

/**
 * Prepares everything that the signatures of one signer have in common.
 *
 * The result's `digest` is what callers of `signDigest` must hash with: for Ed25519 always SHA-512. Its calls reject
 * with what `Signer.sign` rejects with; `signFile` adds `CONTENT_CHANGED`, `CANCELLED` and the system's own errors.
 * Throws `ALGORITHM_UNSUPPORTED` for a scheme that the key does not have, `CERTIFICATE_MALFORMED`.
 */
export function prepareCmsSigner(signer: Signer, options: CmsSignerOptions): CmsSigner {
  const certificate = parseCertificate(signer.certificate);
  const scheme = chooseScheme(signer, options.scheme);
  const digest = effectiveDigest(scheme, options.digest);
  const length = signatureLength(certificate.publicKey(), scheme);
  const encodeAttributes = prepareSignedAttributes({
    certificate,
    digest,
    profile: options.profile,
    omitSigningTime: options.omitSigningTime ?? false,
  });
  const frame = prepareFrame({
    certificate,
    chain: signer.chain,
    digestIdentifier: digestIdentifier(digest),
    signatureIdentifier: signatureIdentifier(scheme, digest),
  });

  /** Certificates and SignerInfo over content with this digest. */
  async function signTail(contentDigest: Uint8Array, signingTime: Date): Promise<Buffer> {
    const attributes = encodeAttributes(contentDigest, signingTime);
    const signature = await signer.sign(attributes, { scheme, digest });
    return frame.tail(attributes, signature);
  }

  /** How long `signTail`'s result is, before there is a signature. */
  function tailLength(signatureOctets: number, signingTime: Date): number {
    const attributes = encodeAttributes(Buffer.alloc(DIGEST_LENGTH[digest]), signingTime);
    return frame.tail(attributes, Buffer.alloc(signatureOctets)).length;
  }

  const longestTail = tailLength(length.most, LONGEST_TIME);

  return {
    digest,
    certificate: certificate.der,
    detachedSizeLimit: frame.head(longestTail).length + longestTail,

    async signDigest(contentDigest, signingTime) {
      if (contentDigest.length !== DIGEST_LENGTH[digest]) {
        throw new SigningError('ALGORITHM_UNSUPPORTED', `The digest given was not made with ${digest}.`);
      }
      const tail = await signTail(contentDigest, signingTime);
      return Buffer.concat([frame.head(tail.length), tail]);
    },

    async signContent(content, signingTime) {
      const tail = await signTail(hash(digest, content, 'buffer'), signingTime);
      return Buffer.concat([frame.head(tail.length, content.length), content, tail]);
    },

    signFile: (request) =>
      signFile(request, {
        digest,
        head: frame.head,
        signTail: (contentDigest) => signTail(contentDigest, request.signingTime),
        leastTail: tailLength(length.least, request.signingTime),
        mostTail: tailLength(length.most, request.signingTime),
      }),
  };
}
