/** CertID: how OCSP names a certificate (RFC 6960 §4.1.1). */
import { createHash } from 'node:crypto';
import type { Certificate } from '../../certificates/certificate.ts';
import { Oid } from '../../der/oids.ts';
import { Tag, readBitStringOctets, readDer, readOid, type DerElement } from '../../der/reader.ts';
import { derElement, derNull, derOctetString, derOid, derSequence } from '../../der/writer.ts';
import { trimSerialNumber } from '../crl/serial-hash.ts';

type HashName = 'sha1' | 'sha256' | 'sha384' | 'sha512';

const HASHES: ReadonlyMap<string, HashName> = new Map([
  [Oid.sha1, 'sha1'],
  [Oid.sha256, 'sha256'],
  [Oid.sha384, 'sha384'],
  [Oid.sha512, 'sha512'],
]);

const digest = (name: HashName, octets: Uint8Array): Buffer => createHash(name).update(octets).digest();

/** The bytes of the key without the algorithm: the input of OCSP's key hashes. */
export const keyBits = (certificate: Certificate): Buffer =>
  readBitStringOctets(readDer(certificate.publicKeyInfo).child(1, 'the public key'), 'the public key');

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
    // The issuer's own certificate may encode the name in another way than the certificates below.
    [issuer.subject, certificate.issuer].some((name) => nameHash?.content.equals(digest(hash, name)) === true)
  );
}
