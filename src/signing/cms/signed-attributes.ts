/** The attributes covered by a signature (RFC 5652 §5.3, §11; RFC 5035 §3). */
import type { Certificate } from '../certificates/certificate.ts';
import { Oid } from '../der/oids.ts';
import { Tag } from '../der/reader.ts';
import { derContext, derElement, derOctetString, derOid, derSequence, derSetOf, derTime } from '../der/writer.ts';
import type { SigningDigest } from '../keys/signer.ts';
import { digestIdentifier, digestBytes } from '../algorithms/algorithms.ts';
import { optionalAttributes, type OptionalAttributes } from './optional-attributes.ts';

/** An attribute with a single value. */
const attribute = (oid: Buffer, value: Uint8Array): Buffer => derSequence(oid, derElement(Tag.set, value));

const CONTENT_TYPE_DATA = attribute(derOid(Oid.contentType), derOid(Oid.data));
const MESSAGE_DIGEST = derOid(Oid.messageDigest);
const SIGNING_TIME = derOid(Oid.signingTime);

/**
 * ESSCertIDv2 of the signer's certificate (RFC 5035 §4). hashAlgorithm is left out for SHA-256, its default, as DER
 * demands; with Ed448 SHA-512 is used, which readers know. issuerSerial repeats the certificate's own bytes.
 */
function signingCertificateV2({ der, issuer, serialNumber }: Certificate, signingDigest: SigningDigest): Buffer {
  const digest = signingDigest === 'shake256' ? 'sha512' : signingDigest;
  const issuerName = derSequence(derContext(4, issuer));
  const certificateId = derSequence(
    ...(digest === 'sha256' ? [] : [digestIdentifier(digest)]),
    derOctetString(digestBytes(digest, der)),
    derSequence(issuerName, derElement(Tag.integer, serialNumber)),
  );
  return attribute(derOid(Oid.signingCertificateV2), derSequence(derSequence(certificateId)));
}

/** The constant input for the attributes of all signatures of a signer. */
export interface SignedAttributesOptions {
  readonly certificate: Certificate;
  readonly digest: SigningDigest;
  readonly profile: 'cms' | 'cades';
  readonly omitSigningTime: boolean;
  readonly omitContentType: boolean;
  /** The signer's optional statements. */
  readonly optional?: OptionalAttributes;
}

/** DER of SignedAttributes as SET OF, the signed form (RFC 5652 §5.4). */
export type EncodeSignedAttributes = (contentDigest: Uint8Array, signingTime: Date) => Buffer;

/**
 * Sorted attributes with a digest and a time, and the offsets of both; values of the same lengths fit into these
 * places.
 */
interface Template {
  readonly bytes: Buffer;
  readonly digestAt: number;
  /** Undefined: there is no signing time. */
  readonly timeAt: number | undefined;
}

function makeTemplate(constant: readonly Buffer[], digest: Buffer, time: Buffer | undefined): Template {
  const messageDigest = attribute(MESSAGE_DIGEST, digest);
  const signingTime = time && attribute(SIGNING_TIME, time);
  const bytes = derSetOf(...constant, messageDigest, ...(signingTime === undefined ? [] : [signingTime]));
  const endOf = (part: Buffer): number => bytes.indexOf(part) + part.length;
  return {
    bytes,
    digestAt: endOf(messageDigest) - digest.length,
    timeAt: time && signingTime && endOf(signingTime) - time.length,
  };
}

/** `derTime` with a cache of the last result, because the signatures of a batch often share a second. */
function timeEncoder(): (time: Date) => Buffer {
  let last: { readonly second: number; readonly bytes: Buffer } = { second: NaN, bytes: Buffer.alloc(0) };
  return (time) => {
    const second = Math.floor(time.getTime() / 1000);
    if (second !== last.second) last = { second, bytes: derTime(time) };
    return last.bytes;
  };
}

/**
 * Prepares a function that adds digest and time to the constant attributes. Sorting compares the attributes' lengths
 * and types before their values. The order is therefore found once and holds for every digest and every time of the
 * same ASN.1 type.
 */
export function prepareSignedAttributes(options: SignedAttributesOptions): EncodeSignedAttributes {
  const constant = [
    ...(options.omitContentType ? [] : [CONTENT_TYPE_DATA]),
    ...(options.profile === 'cades' ? [signingCertificateV2(options.certificate, options.digest)] : []),
    ...optionalAttributes(options.optional ?? {}),
  ];
  const templates = new Map<number | undefined, Template>();
  const encodeTime = timeEncoder();
  return (contentDigest, signingTime) => {
    const digest = derOctetString(contentDigest);
    const time = options.omitSigningTime ? undefined : encodeTime(signingTime);
    let template = templates.get(time?.[0]);
    if (template === undefined) {
      template = makeTemplate(constant, digest, time);
      templates.set(time?.[0], template);
    }
    const bytes = Buffer.from(template.bytes);
    bytes.set(digest, template.digestAt);
    if (time !== undefined && template.timeAt !== undefined) bytes.set(time, template.timeAt);
    return bytes;
  };
}
