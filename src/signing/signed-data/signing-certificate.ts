/** The signed attributes with the signer's certificate: signingCertificate and signingCertificateV2 (RFC 5035 §3). */
import type { Certificate } from '../certificates/certificate.ts';
import { type DerElement, Tag, contextTag, readOid } from '../der/reader.ts';
import type { ReadableDigestAlgorithm } from '../algorithms/algorithms.ts';
import { digestOctets } from '../algorithms/digest.ts';
import { digestOfOid } from '../algorithms/signature-algorithm.ts';

/** hashAlgorithm of an ESSCertIDv2, SHA-256 by default; undefined for an unknown function. */
function hashOfV2(algorithm: DerElement | undefined): ReadableDigestAlgorithm | undefined {
  if (algorithm === undefined) return 'sha256';
  return digestOfOid(readOid(algorithm.child(0, 'the hash function'), 'the hash function'));
}

/** IssuerSerial names the certificate by a directory name and a serial number. */
function issuerSerialMatches(issuerSerial: DerElement, { issuer, serialNumber }: Certificate): boolean {
  const directoryName = issuerSerial.child(0, 'the issuer').find(contextTag(4))?.child(0, 'the issuer');
  const serial = issuerSerial.child(1, 'the serial number').expect(Tag.integer, 'the serial number');
  return directoryName?.bytes.equals(issuer) === true && serial.content.equals(serialNumber);
}

const digestOf = ({ der, fingerprint }: Certificate, digest: ReadableDigestAlgorithm): Buffer =>
  digest === 'sha256' ? Buffer.from(fingerprint, 'hex') : digestOctets(digest, der);

/**
 * True when the attribute's first identifier names the signer's certificate; undefined for an unknown hash function.
 * Throws `DER_MALFORMED`.
 */
export function namesCertificate(
  value: DerElement,
  version: 'v1' | 'v2',
  certificate: Certificate,
): boolean | undefined {
  const [...fields] = value.child(0, 'the certificates').child(0, 'the certificate identifier').children;
  const algorithm = version === 'v2' && fields[0]?.tag === Tag.sequence ? fields.shift() : undefined;
  const digest = version === 'v1' ? 'sha1' : hashOfV2(algorithm);
  if (digest === undefined) return undefined;
  const [certificateHash, issuerSerial] = fields;
  if (certificateHash?.content.equals(digestOf(certificate, digest)) !== true) return false;
  return issuerSerial === undefined || issuerSerialMatches(issuerSerial, certificate);
}
