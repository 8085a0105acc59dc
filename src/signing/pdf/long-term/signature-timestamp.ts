/** Signature time stamps inside the CMS of a PDF signature (RFC 3161 Appendix A, EN 319 122-1 §5.3). */
import { CadesOid } from '../../cms/cades-oids.ts';
import { raiseCms } from '../../cms/raise-cms.ts';
import type { SignedData, SignerInfo } from '../../signed-data/signed-data.ts';
import type { TimestampToken, Timestamper } from '../../timestamps/timestamp-token.ts';
import { readTimestampToken } from '../../timestamps/read-timestamp-token.ts';
import type { DetachedSigner } from '../sign-request.ts';

/** Tokens over a signer's signature, in the order of the attributes. Throws `TIMESTAMP_INVALID` for a damaged token. */
export function signatureTimestampsOf({ unsignedAttributes }: SignerInfo): readonly TimestampToken[] {
  return unsignedAttributes
    .filter(({ oid }) => oid === CadesOid.signatureTimeStamp)
    .flatMap(({ values }) => values.map(({ bytes }) => readTimestampToken(bytes)));
}

/** True when every signer's signature has a time stamp. */
export const isTimestamped = ({ signers }: SignedData): boolean =>
  signers.length > 0 && signers.every((signer) => signatureTimestampsOf(signer).length > 0);

/** A signer with time stamps on its signatures. */
export interface TimestampingSigner extends DetachedSigner {
  /** Octets of the longest signature so far; 0 before the first. */
  readonly longest: number;
}

/** Headers of the attribute and longer lengths in the headers around it. */
const FRAME = 64;

/**
 * Adds a time stamp to the signatures of `signer`; signatures with a time stamp stay unchanged.
 *
 * @param room least bytes to reserve, when a signature is known to be longer than signer and authority announce
 */
export function withSignatureTimestamp(
  signer: DetachedSigner,
  timestamper: Timestamper,
  options: { readonly room?: number; readonly signal?: AbortSignal | undefined } = {},
): TimestampingSigner {
  const expected = signer.detachedSizeLimit + timestamper.sizeLimit + FRAME;
  let longest = 0;
  return {
    digest: signer.digest,
    certificate: signer.certificate,
    detachedSizeLimit: Math.max(expected, options.room ?? 0),
    get longest() {
      return longest;
    },
    async signDigest(contentDigest, signingTime, signal = options.signal) {
      const signature = await signer.signDigest(contentDigest, signingTime, signal);
      const services = { timestamper, ...(signal === undefined ? {} : { signal }) };
      const stamped = await raiseCms(signature, { level: 'B-T', ...services });
      longest = Math.max(longest, stamped.length);
      return stamped;
    },
  };
}
