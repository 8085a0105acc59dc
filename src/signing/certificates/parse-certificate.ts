/**
 * Reads X.509 certificates (RFC 5280 §4.1) with our own reader, because certificates in use are odder than OpenSSL
 * accepts: padded serial numbers, damaged UTF-8 in a name, times without seconds. None of these makes a signature
 * wrong.
 */
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { Oid } from '../der/oids.ts';
import {
  type DerElement,
  Tag,
  contextTag,
  primitiveContextTag,
  readBoolean,
  readDer,
  readNamedBits,
  readOid,
  readString,
  readTime,
} from '../der/reader.ts';
import { SigningError } from '../errors.ts';
import type { Certificate, NameAttribute } from './certificate.ts';

/** Short names of attribute types (RFC 4514 §3; for the others the names printed by OpenSSL and Windows). */
const ATTRIBUTE_NAMES: ReadonlyMap<string, string> = new Map([
  [Oid.commonName, 'CN'],
  [Oid.surname, 'SN'],
  [Oid.serialNumber, 'serialNumber'],
  [Oid.countryName, 'C'],
  [Oid.localityName, 'L'],
  [Oid.stateOrProvinceName, 'ST'],
  [Oid.streetAddress, 'STREET'],
  [Oid.organizationName, 'O'],
  [Oid.organizationalUnitName, 'OU'],
  [Oid.title, 'title'],
  [Oid.givenName, 'GN'],
  [Oid.organizationIdentifier, 'organizationIdentifier'],
  [Oid.emailAddress, 'emailAddress'],
  [Oid.userId, 'UID'],
  [Oid.domainComponent, 'DC'],
]);

const STRING_TAGS: ReadonlySet<number> = new Set([
  Tag.utf8String,
  Tag.printableString,
  Tag.teletexString,
  Tag.ia5String,
  Tag.visibleString,
  Tag.numericString,
  Tag.universalString,
  Tag.bmpString,
]);

type Extensions = Certificate['extensions'];

/** A value other than a string is shown as `#` and the hex of its DER (RFC 4514 §2.4). */
function attributeText(value: DerElement): string {
  return STRING_TAGS.has(value.tag) ? readString(value, 'a name attribute') : `#${value.bytes.toString('hex')}`;
}

/** The attributes of a Name (RFC 5280 §4.1.2.4) in their order. */
function readName(name: DerElement): readonly NameAttribute[] {
  return name.expect(Tag.sequence, 'a name').children.flatMap((relativeName) =>
    relativeName.expect(Tag.set, 'a relative name').children.map((attribute) => {
      const oid = readOid(attribute.child(0, 'a name attribute type'), 'a name attribute type');
      return {
        oid,
        type: ATTRIBUTE_NAMES.get(oid) ?? oid,
        value: attributeText(attribute.child(1, 'a name attribute value')),
      };
    }),
  );
}

/** RFC 5280 §4.2: an extension occurs once, because readers would disagree about a repeated extension. */
function readExtensions(wrapper: DerElement | undefined): Extensions {
  const extensions = new Map<string, { critical: boolean; value: Buffer }>();
  for (const extension of wrapper?.child(0, 'the extensions').children ?? []) {
    const oid = readOid(extension.child(0, 'an extension type'), 'an extension type');
    if (extensions.has(oid)) {
      throw new SigningError('CERTIFICATE_MALFORMED', `The certificate has the extension ${oid} twice.`);
    }
    const critical = extension.find(Tag.boolean);
    const value = extension.child(critical === undefined ? 1 : 2, 'an extension value');
    extensions.set(oid, {
      critical: critical !== undefined && readBoolean(critical, 'the critical mark of an extension'),
      value: value.expect(Tag.octetString, 'an extension value').content,
    });
  }
  return extensions;
}

function extensionElement(extensions: Extensions, oid: string): DerElement | undefined {
  const extension = extensions.get(oid);
  return extension && readDer(extension.value);
}

function readIsAuthority(extensions: Extensions): boolean {
  const constraints = extensionElement(extensions, Oid.basicConstraints);
  const authority = constraints?.find(Tag.boolean);
  return authority !== undefined && readBoolean(authority, 'the CA mark');
}

function readKeyUsage(extensions: Extensions): readonly number[] | undefined {
  const usage = extensionElement(extensions, Oid.keyUsage);
  return usage && readNamedBits(usage, 'the key usage');
}

function readExtendedKeyUsage(extensions: Extensions): readonly string[] | undefined {
  const usage = extensionElement(extensions, Oid.extendedKeyUsage);
  return usage?.children.map((purpose) => readOid(purpose, 'a key purpose'));
}

function readCommonName(attributes: readonly NameAttribute[], serialNumber: Buffer): string {
  const last = (...oids: readonly string[]): string | undefined =>
    attributes.findLast(({ oid, value }) => oids.includes(oid) && value.trim() !== '')?.value.trim();
  return last(Oid.commonName) ?? last(Oid.organizationName, Oid.organizationalUnitName) ?? serialNumber.toString('hex');
}

/** A function with a cached result: the first call reads the key. */
function lazyPublicKey(publicKeyInfo: Buffer, algorithm: string): () => KeyObject {
  let key: KeyObject | undefined;
  return () => {
    try {
      key ??= createPublicKey({ key: publicKeyInfo, format: 'der', type: 'spki' });
      return key;
    } catch (cause) {
      const message = `The certificate's public key cannot be read here. Its algorithm is ${algorithm}.`;
      throw new SigningError('CERTIFICATE_MALFORMED', message, { cause });
    }
  };
}

function readFields(input: Uint8Array): Certificate {
  const root = readDer(input).expect(Tag.sequence, 'the certificate');
  const body = root.child(0, 'the signed part').expect(Tag.sequence, 'the signed part');
  const first = body.child(0, 'the version or serial number').tag === contextTag(0) ? 1 : 0;
  const field = (index: number, what: string): DerElement => body.child(first + index, what);
  const serialNumber = field(0, 'the serial number').expect(Tag.integer, 'the serial number').content;
  if (serialNumber.length === 0) throw new SigningError('CERTIFICATE_MALFORMED', 'The serial number is empty.');
  const issuer = field(2, 'the issuer');
  const validity = field(3, 'the validity').expect(Tag.sequence, 'the validity');
  const subject = field(4, 'the subject');
  const publicKeyInfo = field(5, 'the public key').expect(Tag.sequence, 'the public key');
  const extensions = readExtensions(body.find(contextTag(3)));
  const subjectAttributes = readName(subject);
  const publicKeyAlgorithm = readOid(publicKeyInfo.child(0, 'the key algorithm').child(0, 'the key algorithm'));
  const keyIdentifier = extensionElement(extensions, Oid.subjectKeyIdentifier);
  const authorityIdentifier = extensionElement(extensions, Oid.authorityKeyIdentifier);
  return {
    der: root.bytes,
    serialNumber,
    issuer: issuer.bytes,
    subject: subject.bytes,
    issuerAttributes: readName(issuer),
    subjectAttributes,
    commonName: readCommonName(subjectAttributes, serialNumber),
    notBefore: readTime(validity.child(0, 'the start of validity'), 'the start of validity'),
    notAfter: readTime(validity.child(1, 'the end of validity'), 'the end of validity'),
    signatureAlgorithm: readOid(field(1, 'the signature algorithm').child(0, 'the signature algorithm')),
    publicKeyInfo: publicKeyInfo.bytes,
    publicKeyAlgorithm,
    keyUsage: readKeyUsage(extensions),
    extendedKeyUsage: readExtendedKeyUsage(extensions),
    isCertificateAuthority: readIsAuthority(extensions),
    subjectKeyIdentifier: keyIdentifier?.expect(Tag.octetString, 'the key identifier').content,
    authorityKeyIdentifier: authorityIdentifier?.find(primitiveContextTag(0))?.content,
    extensions,
    fingerprint: createHash('sha256').update(root.bytes).digest('hex'),
    publicKey: lazyPublicKey(publicKeyInfo.bytes, publicKeyAlgorithm),
  };
}

function parse(der: Uint8Array): Certificate {
  try {
    return readFields(der);
  } catch (cause) {
    if (cause instanceof SigningError && cause.code === 'DER_MALFORMED') {
      throw new SigningError('CERTIFICATE_MALFORMED', 'This is not an X.509 certificate, or it is damaged.', { cause });
    }
    throw cause;
  }
}

/** Size limit of the cache, in bytes of DER. The same signers and authorities recur in most files. */
const MAX_BYTES = 4 * 2 ** 20;

/**
 * Length of the cache key: the last bytes of a certificate are the issuer's signature, and differ between honest
 * certificates.
 */
const TAIL = 48;

/** Certificates by their last bytes. Once half of the limit is in use, the most recently used stand at the end. */
const known = new Map<string, Certificate>();
let bytes = 0;

/**
 * Parses one DER certificate. Throws `CERTIFICATE_MALFORMED` for any other input. Validity and trust are not checked.
 * The same bytes give the same object from a cache, so its key is read once, and data attached to the object lives as
 * long as the object. The result does not refer to `der`.
 */
export function parseCertificate(der: Uint8Array): Certificate {
  const view = Buffer.from(der.buffer, der.byteOffset, der.byteLength);
  const key = view.toString('latin1', Math.max(0, view.length - TAIL));
  const found = known.get(key);
  if (found !== undefined) {
    const isSame = found.der.equals(view);
    if (isSame && bytes <= MAX_BYTES / 2) return found;
    known.delete(key);
    if (isSame) {
      known.set(key, found);
      return found;
    }
    // Only a forged certificate has the last bytes of another certificate. The newer certificate replaces the older
    // one.
    bytes -= found.der.length;
  }
  const certificate = parse(Buffer.from(view));
  known.set(key, certificate);
  bytes += certificate.der.length;
  for (const [oldest, { der: oldestDer }] of known) {
    if (bytes <= MAX_BYTES) break;
    known.delete(oldest);
    bytes -= oldestDer.length;
  }
  return certificate;
}
