/** Signature time stamps inside the CMS of a PDF signature (RFC 3161 Appendix A, EN 319 122-1 §5.3). */
import { createHash } from 'node:crypto';
import { readSignedData, type SignedData, type SignerInfo } from '../../cms/signed-data.ts';
import { Tag, contextTag, readDer, type DerElement } from '../../der/reader.ts';
import { derContext, derElement, derOid, derSequence, derSetOf, sortSetOf } from '../../der/writer.ts';
import { SigningError } from '../../errors.ts';
import type { TimestampToken, Timestamper } from '../../timestamps/timestamp-token.ts';
import { readTimestampToken } from '../../timestamps/read-timestamp-token.ts';
import type { DetachedSigner } from '../sign-request.ts';
import { LongTermOid } from './oids.ts';

/** Tokens over a signer's signature, in the order of the attributes. Throws `TIMESTAMP_INVALID` for a damaged one. */
export function signatureTimestampsOf({ unsignedAttributes }: SignerInfo): readonly TimestampToken[] {
  return unsignedAttributes
    .filter(({ oid }) => oid === LongTermOid.signatureTimestamp)
    .flatMap(({ values }) => values.map(({ bytes }) => readTimestampToken(bytes)));
}

/** True when every signer's signature has a time stamp. */
export const isTimestamped = ({ signers }: SignedData): boolean =>
  signers.length > 0 && signers.every((signer) => signatureTimestampsOf(signer).length > 0);

const rebuilt = ({ tag }: DerElement, children: readonly Uint8Array[]): Buffer => derElement(tag, ...children);
const replaceLast = ({ children }: DerElement, last: Buffer): readonly Uint8Array[] => [
  ...children.slice(0, -1).map(({ bytes }) => bytes),
  last,
];

/** The SignerInfo with one more unsigned attribute; everything signed stays octet for octet. */
function withAttribute(signer: DerElement, attribute: Buffer): Buffer {
  const last = signer.children.at(-1);
  if (last?.tag !== contextTag(1)) return rebuilt(signer, [signer.content, derContext(1, attribute)]);
  const attributes = sortSetOf([...last.children.map(({ bytes }) => bytes), attribute]);
  return rebuilt(signer, replaceLast(signer, rebuilt(last, attributes)));
}

/**
 * A signature with one signer, time-stamped: the token over its signature value becomes an unsigned attribute. One that
 * has a time stamp already is answered as it is. Rejects with `CMS_MALFORMED`, and with what the timestamper does.
 */
export async function addSignatureTimestamp(
  cms: Buffer,
  timestamper: Timestamper,
  cancellation?: AbortSignal,
): Promise<Buffer> {
  const signedData = readSignedData(cms);
  if (isTimestamped(signedData)) return cms;
  const [signer, second] = signedData.signers;
  if (signer === undefined || second !== undefined) {
    throw new SigningError('CMS_UNSUPPORTED', 'The signature in a PDF has one signer, no more and no less.');
  }
  const imprint = createHash(timestamper.digest).update(signer.signature).digest();
  const token = await timestamper.stamp(imprint, cancellation);
  const attribute = derSequence(derOid(LongTermOid.signatureTimestamp), derSetOf(token.der));
  const message = readDer(cms);
  const holder = message.child(1, 'the signature');
  const body = holder.child(0, 'SignedData');
  const signers = body.child(body.children.length - 1, 'the signers').expect(Tag.set, 'the signers');
  const changed = rebuilt(signers, [withAttribute(signers.child(0, 'the signer'), attribute)]);
  return rebuilt(message, replaceLast(message, rebuilt(holder, [rebuilt(body, replaceLast(body, changed))])));
}

/** A signer whose signatures are time-stamped. */
export interface TimestampingSigner extends DetachedSigner {
  /** Octets of the longest signature so far; 0 before the first. */
  readonly longest: number;
}

/** Headers of the attribute and longer lengths in the headers around it. */
const FRAME = 64;

/**
 * Time-stamps what `signer` signs.
 *
 * @param room octets to have in any case, when a signature is known to be longer than signer and authority say
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
    async signDigest(contentDigest, signingTime) {
      const signature = await signer.signDigest(contentDigest, signingTime);
      const stamped = await addSignatureTimestamp(signature, timestamper, options.signal);
      longest = Math.max(longest, stamped.length);
      return stamped;
    },
  };
}
