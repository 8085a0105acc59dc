/** Archive time stamps: each covers the signature, its material and the earlier time stamps. */
import { createHash, hash } from 'node:crypto';
import { normalizeBer } from '../../der/normalize-ber.ts';
import { Tag, readDer } from '../../der/reader.ts';
import { derContext, derElement, derInteger, derOctetString, derOid, derSequence } from '../../der/writer.ts';
import type { Certificate } from '../../certificates/certificate.ts';
import { SigningError } from '../../errors.ts';
import type { TimestampDigest } from '../../keys/signer.ts';
import type { ValidationMaterial } from '../../revocation/revocation-result.ts';
import type { Timestamper } from '../../timestamps/timestamp-token.ts';
import { digestIdentifier } from '../../algorithms/algorithms.ts';
import { CadesOid } from '../cades-oids.ts';
import {
  openEnvelope,
  versionOf,
  withMaterial,
  withUnsigned,
  writeMaterial,
  writeTail,
  writeUnsigned,
} from './envelope.ts';
import type { Envelope, SignerParts } from './envelope.ts';
import type { LevelContent } from './level-content.ts';
import { revocationChoices } from './references.ts';

/** DER of an Attribute with one value. */
export const attributeOf = (oid: string, value: Uint8Array): Buffer =>
  derSequence(derOid(oid), derElement(Tag.set, value));

/** For each value of each attribute, the digest of type and value together (EN 319 122-1 §5.5.2). */
function unsignedIndex(digest: TimestampDigest, { unsigned }: SignerParts): readonly Buffer[] {
  return unsigned.map(readDer).flatMap((attribute) => {
    const type = attribute.child(0, 'an attribute type').bytes;
    const values = attribute.child(1, 'the values of an attribute').children;
    return values.map(({ bytes }) => hash(digest, Buffer.concat([type, bytes]), 'buffer'));
  });
}

/** ATSHashIndexV3 (EN 319 122-1 §5.5.2): digests of all extensible parts. */
export function hashIndex(digest: TimestampDigest, envelope: Envelope, signer: SignerParts): Buffer {
  const digests = (elements: readonly Buffer[]): readonly Buffer[] =>
    elements.map((der) => hash(digest, der, 'buffer'));
  const list = (values: readonly Buffer[]): Buffer => derSequence(...values.map(derOctetString));
  return derSequence(
    digestIdentifier(digest),
    list(digests(envelope.certificates)),
    list(digests(envelope.revocations)),
    list(unsignedIndex(digest, signer)),
  );
}

/** An archive time stamp; its attribute may carry the material of its authority, which no signature covers. */
export interface ArchiveStamp {
  /** The authority's certificate. */
  readonly certificate: Certificate | undefined;
  /** All certificates in the token, often the only source of the authority's path. */
  readonly certificates: readonly Certificate[];
  /** DER of the attribute. */
  readonly attribute: (material: ValidationMaterial) => Buffer;
}

/** The time stamp token with material and another unsigned attribute of its signer, both outside of its signature. */
export function extendToken(token: Buffer, material: ValidationMaterial, attribute?: Buffer): Buffer {
  if (attribute === undefined && material.certificates.length === 0) return token;
  const message = readDer(normalizeBer(token));
  const signedData = message.child(1, 'the time stamp').child(0, 'the time stamp');
  const [, digests, content] = signedData.children;
  const envelope = openEnvelope(signedData.children);
  const [signer] = envelope.signers;
  if (digests === undefined || content === undefined || signer === undefined) {
    throw new SigningError('TIMESTAMP_INVALID', 'The time stamp is not complete.');
  }
  const signers = attribute === undefined ? envelope.signers : [withUnsigned(signer, attribute)];
  const certificates = material.certificates.map(({ der }) => der);
  const signed = withMaterial({ ...envelope, signers }, certificates, revocationChoices(material));
  const body = derSequence(derInteger(versionOf(signed)), digests.bytes, content.bytes, writeTail(signed));
  return derSequence(message.child(0, 'the type').bytes, derContext(0, body));
}

/** The archive-time-stamp-v3 attribute (EN 319 122-1 §5.5.3). Rejects with the errors of its parts. */
export async function makeArchiveV3(
  envelope: Envelope,
  signer: SignerParts,
  content: LevelContent,
  timestamper: Timestamper,
  signal?: AbortSignal,
): Promise<ArchiveStamp> {
  const { digest } = timestamper;
  const index = hashIndex(digest, envelope, signer);
  const imprint = createHash(digest)
    .update(derOid(envelope.contentType))
    .update(await content.digestOf(digest));
  for (const field of signer.fields) imprint.update(field);
  const token = await timestamper.stamp(imprint.update(index).digest(), signal);
  const indexAttribute = attributeOf(CadesOid.archiveHashIndexV3, index);
  return {
    certificate: token.certificate,
    certificates: token.certificates,
    attribute: (material) => attributeOf(CadesOid.archiveTimeStampV3, extendToken(token.der, material, indexAttribute)),
  };
}

/**
 * The archive-time-stamp attribute of version 2 (RFC 5126 §6.4.1): over encapContentInfo, detached content,
 * certificates and crls, and all elements of SignerInfo, each with tag and length.
 */
export async function makeArchiveV2(
  envelope: Envelope,
  signer: SignerParts,
  content: LevelContent,
  timestamper: Timestamper,
  signal?: AbortSignal,
): Promise<ArchiveStamp> {
  const imprint = createHash(timestamper.digest);
  await content.forEachPiece((piece) => {
    imprint.update(piece);
  }, signal);
  for (const part of [...writeMaterial(envelope), ...signer.fields, ...writeUnsigned(signer)]) imprint.update(part);
  const { der, certificate, certificates } = await timestamper.stamp(imprint.digest(), signal);
  return {
    certificate,
    certificates,
    attribute: (material) => attributeOf(CadesOid.archiveTimeStampV2, extendToken(der, material)),
  };
}
