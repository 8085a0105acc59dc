/** The attributes that a signature covers (RFC 5652 §5.3, §11; RFC 5035 §3). */
import { hash } from 'node:crypto';
import type { Certificate } from '../certificates/certificate.ts';
import { Oid } from '../der/oids.ts';
import { Tag } from '../der/reader.ts';
import { derContext, derElement, derOctetString, derOid, derSequence, derSetOf, derTime } from '../der/writer.ts';
import type { DigestAlgorithm } from '../keys/signer.ts';
import { digestIdentifier } from './algorithms.ts';

/** One attribute with one value. */
const attribute = (oid: Buffer, value: Uint8Array): Buffer => derSequence(oid, derElement(Tag.set, value));

const CONTENT_TYPE_DATA = attribute(derOid(Oid.contentType), derOid(Oid.data));
const MESSAGE_DIGEST = derOid(Oid.messageDigest);
const SIGNING_TIME = derOid(Oid.signingTime);

/**
 * ESSCertIDv2 of the signer's certificate (RFC 5035 §4). hashAlgorithm is left out for SHA-256, its default, as DER
 * demands. issuerSerial repeats the certificate's own octets.
 */
function signingCertificateV2({ der, issuer, serialNumber }: Certificate, digest: DigestAlgorithm): Buffer {
  const issuerName = derSequence(derContext(4, issuer));
  const certificateId = derSequence(
    ...(digest === 'sha256' ? [] : [digestIdentifier(digest)]),
    derOctetString(hash(digest, der, 'buffer')),
    derSequence(issuerName, derElement(Tag.integer, serialNumber)),
  );
  return attribute(derOid(Oid.signingCertificateV2), derSequence(derSequence(certificateId)));
}

/** What decides the attributes of all signatures of one signer. */
export interface SignedAttributesOptions {
  readonly certificate: Certificate;
  readonly digest: DigestAlgorithm;
  readonly profile: 'cms' | 'cades';
  readonly omitSigningTime: boolean;
}

/** DER of SignedAttributes as SET OF, the form that is signed (RFC 5652 §5.4). */
export type EncodeSignedAttributes = (contentDigest: Uint8Array, signingTime: Date) => Buffer;

/** Encodes what never changes once, and answers the function that adds digest and time. */
export function prepareSignedAttributes(options: SignedAttributesOptions): EncodeSignedAttributes {
  const constant = [
    CONTENT_TYPE_DATA,
    ...(options.profile === 'cades' ? [signingCertificateV2(options.certificate, options.digest)] : []),
  ];
  return (contentDigest, signingTime) =>
    derSetOf(
      ...constant,
      attribute(MESSAGE_DIGEST, derOctetString(contentDigest)),
      ...(options.omitSigningTime ? [] : [attribute(SIGNING_TIME, derTime(signingTime))]),
    );
}
