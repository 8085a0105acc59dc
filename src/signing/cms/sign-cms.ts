/**
 * Makes CMS SignedData (RFC 5652) and CAdES-B (EN 319 122-1 §6) with one signer.
 *
 * A signature is made in four steps: digest the content, encode the signed attributes, sign the attributes, add the
 * frame. The attributes are encoded once: the signed bytes are the stored bytes.
 */
import { SigningError } from '../errors.ts';
import type { Signer } from '../keys/signer.ts';
import { DIGEST_LENGTH, digestBytes } from '../algorithms/algorithms.ts';
import type { CmsSigner, CmsSignerOptions } from './cms-signer.ts';
import { contentHead } from './frame.ts';
import { levelContentOfDigest, levelContentOfFile, levelContentOfBytes } from './levels/level-content.ts';
import { levelOf, type LevelSubject, type SignedTail } from './levels/sign-with-level.ts';
import { signFile } from './sign-file.ts';
import { prepareConstants } from './signer-constants.ts';

/** A time with the longest encoding: GeneralizedTime (RFC 5652 §11.3). */
const LONGEST_TIME = new Date(Date.UTC(2050, 0, 1));

/**
 * Prepares the common parts of all signatures of one signer.
 *
 * Callers of `signDigest` hash content with the result's `digest`: for Ed25519 always SHA-512, for Ed448 SHAKE256 with
 * 512 bits. All calls reject with the errors of `Signer.sign`; `signFile` adds `CONTENT_CHANGED`, `CANCELLED` and the
 * system's own errors; a level adds the errors of `raiseCms`.
 *
 * Throws `ALGORITHM_UNSUPPORTED` for a scheme unfit for the key, `CERTIFICATE_MALFORMED`, `CMS_UNSUPPORTED` for
 * attributes outside of the standards, `TIMESTAMP_REFUSED` and `REVOCATION_UNKNOWN` for a level without its services.
 */
export function prepareCmsSigner(signer: Signer, options: CmsSignerOptions): CmsSigner {
  const { certificate, scheme, digest, length, encodeAttributes, frame } = prepareConstants(signer, options);
  const level = levelOf(options);

  /** Certificates and SignerInfo over content with this digest, including the level's evidence. */
  async function signTail(contentDigest: Uint8Array, signingTime: Date, subject: LevelSubject): Promise<SignedTail> {
    const attributes = encodeAttributes(contentDigest, signingTime);
    const signature = await signer.sign(attributes, { scheme, digest });
    const bytes = frame.tail(attributes, signature);
    return level === undefined ? { bytes } : level.raise(bytes, subject);
  }

  /** The length of `signTail`'s result before there is a signature, without the level's evidence. */
  function tailLength(signatureBytes: number, signingTime: Date): number {
    const attributes = encodeAttributes(Buffer.alloc(DIGEST_LENGTH[digest]), signingTime);
    return frame.tail(attributes, Buffer.alloc(signatureBytes)).length;
  }

  const longestTail = tailLength(length.most, LONGEST_TIME);

  return {
    digest,
    certificate: certificate.der,
    level: options.level,

    get detachedSizeLimit() {
      const most = longestTail + (level?.allowance() ?? 0);
      return frame.head(most).length + most;
    },

    async signDigest(contentDigest, signingTime, signal, onPostponed) {
      refuseOtherLength(digest, contentDigest);
      const content = () => levelContentOfDigest(digest, contentDigest);
      const { bytes, version, postponed } = await signTail(contentDigest, signingTime, { content, signal });
      if (postponed !== undefined) onPostponed?.(postponed);
      return Buffer.concat([frame.head(bytes.length, undefined, version), bytes]);
    },

    async signContent(content, signingTime, signal) {
      const levelContent = () => levelContentOfBytes(contentHead(content.length), content);
      const subject = { content: levelContent, signal };
      const { bytes, version } = await signTail(digestBytes(digest, content), signingTime, subject);
      return Buffer.concat([frame.head(bytes.length, content.length, version), content, bytes]);
    },

    signFile: (request) =>
      signFile(request, {
        digest,
        head: frame.head,
        signTail: (contentDigest, slice) => {
          const encapsulated = contentHead(request.attached ? slice.length : undefined);
          const content = () => levelContentOfFile(encapsulated, slice, digest, contentDigest);
          return signTail(contentDigest, request.signingTime, { content, signal: request.signal });
        },
        leastTail: tailLength(length.least, request.signingTime),
        mostTail: tailLength(length.most, request.signingTime) + (level?.allowance() ?? 0),
      }),
  };
}

function refuseOtherLength(digest: keyof typeof DIGEST_LENGTH, contentDigest: Uint8Array): void {
  if (contentDigest.length === DIGEST_LENGTH[digest]) return;
  throw new SigningError('ALGORITHM_UNSUPPORTED', `The digest given was not made with ${digest}.`);
}
