/** SignedData in parsed form (RFC 5652 §5): slices of the input with names, before any judgement. */
import type { AlgorithmIdentifier } from '../algorithms/signature-algorithm.ts';
import type { Certificate } from '../certificates/certificate.ts';
import { parseCertificate } from '../certificates/parse-certificate.ts';
import { Oid } from '../der/oids.ts';
import { type DerElement, Tag, contextTag, primitiveContextTag, readDer, readOid } from '../der/reader.ts';
import { SigningError } from '../errors.ts';

/** The certificate named by a SignerInfo (RFC 5652 §5.3). */
export type SignerIdentifier =
  | { readonly kind: 'issuerAndSerial'; readonly issuer: Buffer; readonly serialNumber: Buffer }
  | { readonly kind: 'keyIdentifier'; readonly keyIdentifier: Buffer };

/** An attribute with all its values (RFC 5652 §5.3). */
export interface Attribute {
  readonly der: Buffer;
  readonly oid: string;
  readonly values: readonly DerElement[];
}

export interface SignerInfo {
  readonly identifier: SignerIdentifier;
  readonly digestAlgorithm: AlgorithmIdentifier;
  /** The signed attributes unchanged, including their tag `[0]`; undefined when the content itself is signed. */
  readonly signedAttributesDer: Buffer | undefined;
  readonly signedAttributes: readonly Attribute[];
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Buffer;
  readonly unsignedAttributes: readonly Attribute[];
  /** A sentence about an unsigned part whose type differs from RFC 5652 §5.3. */
  readonly misshapen?: string;
}

export interface SignedData {
  readonly contentType: string;
  /** The signed bytes of enclosed content, without tag and length. */
  readonly content: Buffer | undefined;
  /** The readable enclosed certificates. */
  readonly certificates: readonly Certificate[];
  readonly signers: readonly SignerInfo[];
  /** A sentence about an unsigned part whose type differs from RFC 5652 §5.1 and §5.2. */
  readonly misshapen?: string;
}

/** Maximum number of signers of a SignedData, because each costs a check. */
const MAX_SIGNERS = 256;

function readAlgorithm(element: DerElement, what: string): AlgorithmIdentifier {
  element.expect(Tag.sequence, what);
  return { oid: readOid(element.child(0, what), what), parameters: element.children[1] };
}

function readAttributes(element: DerElement | undefined): readonly Attribute[] {
  return (element?.children ?? []).map((attribute) => ({
    der: attribute.bytes,
    oid: readOid(attribute.expect(Tag.sequence, 'an attribute').child(0, 'an attribute type'), 'an attribute type'),
    values: attribute.child(1, 'the values of an attribute').expect(Tag.set, 'the values of an attribute').children,
  }));
}

function readSignerIdentifier(element: DerElement): SignerIdentifier {
  if (element.tag === primitiveContextTag(0)) return { kind: 'keyIdentifier', keyIdentifier: element.content };
  element.expect(Tag.sequence, 'the signer identifier');
  return {
    kind: 'issuerAndSerial',
    issuer: element.child(0, "the issuer of the signer's certificate").bytes,
    serialNumber: element.child(1, 'the serial number').expect(Tag.integer, 'the serial number').content,
  };
}

/** Reads one SignerInfo. Throws `DER_MALFORMED`. */
export function readSignerInfo(element: DerElement): SignerInfo {
  const fields = element.expect(Tag.sequence, 'a SignerInfo');
  const attributes = fields.children[3]?.tag === contextTag(0) ? fields.children[3] : undefined;
  const next = attributes === undefined ? 3 : 4;
  const hasVersion = fields.child(0, 'the version of a signer').tag === Tag.integer;
  return {
    identifier: readSignerIdentifier(fields.child(1, 'the signer identifier')),
    digestAlgorithm: readAlgorithm(fields.child(2, 'the digest algorithm'), 'the digest algorithm'),
    signedAttributesDer: attributes?.bytes,
    signedAttributes: readAttributes(attributes),
    signatureAlgorithm: readAlgorithm(fields.child(next, 'the signature algorithm'), 'the signature algorithm'),
    signature: fields.child(next + 1, 'the signature').expect(Tag.octetString, 'the signature').content,
    unsignedAttributes: readAttributes(fields.children.slice(next + 2).find(({ tag }) => tag === contextTag(1))),
    ...(hasVersion ? {} : { misshapen: 'The version of a signer is not a number.' }),
  };
}

/** Attribute certificates, other formats and unreadable certificates are ignored. */
function readCertificates(set: DerElement | undefined): readonly Certificate[] {
  const certificates: Certificate[] = [];
  for (const element of set?.children ?? []) {
    if (element.tag !== Tag.sequence) continue;
    try {
      certificates.push(parseCertificate(element.bytes));
    } catch (error) {
      if (!(error instanceof SigningError)) throw error;
    }
  }
  return certificates;
}

/** Finds a part of SignedData with a wrong type, which no signature covers. */
function findMisshapen(signedData: DerElement, contentType: string): string | undefined {
  const [version, digests, holder] = signedData.children;
  if (version?.tag !== Tag.integer) return 'The version of the signature is not a number.';
  if (digests?.tag !== Tag.set || digests.children.some(({ tag }) => tag !== Tag.sequence)) {
    return 'The digest algorithms of the signature are not a set.';
  }
  const content = holder?.children[1]?.children[0];
  // PKCS #7 §7 has content of other types, which are signed under their own names.
  return contentType === Oid.data && content !== undefined && content.tag !== Tag.octetString
    ? 'The content of the signature is not a string of bytes.'
    : undefined;
}

/** A message with its SignedData element and the parsed fields. */
export interface ReadMessage {
  readonly signedData: SignedData;
  readonly body: DerElement;
}

function readFields(der: Buffer): ReadMessage {
  const contentInfo = readDer(der).expect(Tag.sequence, 'the message');
  const type = readOid(contentInfo.child(0, 'the message type'), 'the message type');
  if (type !== Oid.signedData) {
    throw new SigningError('CMS_UNSUPPORTED', 'This is a CMS message, but not a signature.');
  }
  const body = contentInfo.child(1, 'the signature').expect(contextTag(0), 'the signature');
  const signedData = body.child(0, 'SignedData').expect(Tag.sequence, 'SignedData');
  const contentHolder = signedData.child(2, 'the content information').expect(Tag.sequence, 'the content information');
  const signers = signedData.children.slice(3).find(({ tag }) => tag === Tag.set);
  if (signers === undefined) throw new SigningError('CMS_MALFORMED', 'The signature has no list of signers.');
  if (signers.children.length > MAX_SIGNERS) {
    throw new SigningError('CMS_UNSUPPORTED', `The signature has more than ${MAX_SIGNERS} signers.`);
  }
  const contentType = readOid(contentHolder.child(0, 'the content type'), 'the content type');
  const misshapen = findMisshapen(signedData, contentType);
  const fields = {
    contentType,
    content: contentHolder.children[1]?.expect(contextTag(0), 'the content').child(0, 'the content').content,
    certificates: readCertificates(signedData.find(contextTag(0))),
    signers: signers.children.map(readSignerInfo),
    misshapen,
  };
  return { signedData: fields, body: signedData };
}

/** Turns an inner `DER_MALFORMED` into `CMS_MALFORMED`. */
export function asCmsError(error: unknown): unknown {
  if (!(error instanceof SigningError) || error.code !== 'DER_MALFORMED') return error;
  return new SigningError('CMS_MALFORMED', 'This is not a CMS signature, or it is damaged.', { cause: error });
}

/**
 * Reads ContentInfo with SignedData in DER. For content other than an OCTET STRING (PKCS #7 §9.1), the content is the
 * value without tag and length (RFC 5652 §5.2.1). Throws `CMS_MALFORMED`; `CMS_UNSUPPORTED` for other CMS messages.
 */
export const readSignedData = (der: Buffer): SignedData => readMessage(der).signedData;

/** `readSignedData`, with the parsed element. */
export function readMessage(der: Buffer): ReadMessage {
  try {
    return readFields(der);
  } catch (error) {
    throw asCmsError(error);
  }
}
