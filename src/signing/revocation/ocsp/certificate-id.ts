/** CertID: how OCSP names a certificate (RFC 6960 §4.1.1). */
import { createHash } from 'node:crypto';
import type { Certificate } from '../../certificates/certificate.ts';
import { Oid } from '../../der/oids.ts';
import { Tag, readBitStringBytes, readDer, readOid, type DerElement } from '../../der/reader.ts';
import { derElement, derNull, derOctetString, derOid, derSequence, derContext } from '../../der/writer.ts';
import { trimSerialNumber } from '../crl/crl-scanner.ts';
import { RevocationOid } from '../revocation-sources.ts';

type HashName = 'sha1' | 'sha256' | 'sha384' | 'sha512';

const HASHES: ReadonlyMap<string, HashName> = new Map([
  [Oid.sha1, 'sha1'],
  [Oid.sha256, 'sha256'],
  [Oid.sha384, 'sha384'],
  [Oid.sha512, 'sha512'],
]);

const digest = (name: HashName, bytes: Uint8Array): Buffer => createHash(name).update(bytes).digest();

/** The bytes of the key without the algorithm: the input of OCSP's key hashes. */
export const keyBits = (certificate: Certificate): Buffer =>
  readBitStringBytes(readDer(certificate.publicKeyInfo).child(1, 'the public key'), 'the public key');

/**
 * CertID with SHA-1, the only hash known to every responder; nothing relies on its strength (RFC 6960 §4.3, RFC 5019
 * §2.1.1).
 */
export function writeCertificateId(certificate: Certificate, issuer: Certificate): Buffer {
  return derSequence(
    derSequence(derOid(Oid.sha1), derNull()),
    derOctetString(digest('sha1', issuer.subject)),
    derOctetString(digest('sha1', keyBits(issuer))),
    derElement(Tag.integer, certificate.serialNumber),
  );
}

/** True when the CertID names this certificate of this issuer, with any hash function. Throws `DER_MALFORMED`. */
export function isCertificateId(identifier: DerElement, certificate: Certificate, issuer: Certificate): boolean {
  const hash = HASHES.get(readOid(identifier.child(0, 'the hash function').child(0, 'the hash function')));
  if (hash === undefined) return false;
  const [, nameHash, keyHash, serialNumber] = identifier.children;
  return (
    serialNumber?.tag === Tag.integer &&
    trimSerialNumber(serialNumber.content).equals(trimSerialNumber(certificate.serialNumber)) &&
    keyHash?.content.equals(digest(hash, keyBits(issuer))) === true &&
    // The issuer's own certificate may encode the name differently from the certificates below.
    [issuer.subject, certificate.issuer].some((name) => nameHash?.content.equals(digest(hash, name)) === true)
  );
}

/** A request to a responder about one certificate. */
export interface OcspQuestion {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
  /** Random bytes, 32 by RFC 9654 §2.1; left out for responders with stored responses. */
  readonly nonce?: Buffer;
}

/** DER of an unsigned OCSPRequest (RFC 6960 §4.1.1) for a single certificate. */
export function writeOcspRequest({ certificate, issuer, nonce }: OcspQuestion): Buffer {
  const requests = derSequence(derSequence(writeCertificateId(certificate, issuer)));
  if (nonce === undefined) return derSequence(derSequence(requests));
  const extension = derSequence(derOid(RevocationOid.ocspNonce), derOctetString(derOctetString(nonce)));
  return derSequence(derSequence(requests, derContext(2, derSequence(extension))));
}
