/** Certificate extensions (RFC 5280 §4.2), each as the finished DER of an Extension. */
import { createHash } from 'node:crypto';
import {
  Oid,
  derBoolean,
  derContext,
  derIa5String,
  derInteger,
  derNamedBits,
  derNull,
  derOctetString,
  derOid,
  derPrimitiveContext,
  derSequence,
  readBitStringBytes,
  readDer,
} from '../signing/index.ts';
import { AuthorityOid } from './oids.ts';

/** Bits of KeyUsage (RFC 5280 §4.2.1.3). */
export const KeyUsageBit = { digitalSignature: 0, nonRepudiation: 1, keyCertSign: 5, crlSign: 6 } as const;

/** An Extension around the DER of its value. */
export function extension(oid: string, value: Uint8Array, critical = false): Buffer {
  return derSequence(derOid(oid), ...(critical ? [derBoolean(true)] : []), derOctetString(value));
}

/** BasicConstraints of a CA, critical; `pathLength` is how many CAs may follow below it. */
export function authorityConstraints(pathLength?: number): Buffer {
  const value = derSequence(derBoolean(true), ...(pathLength === undefined ? [] : [derInteger(pathLength)]));
  return extension(Oid.basicConstraints, value, true);
}

/** KeyUsage, critical. */
export const keyUsage = (bits: readonly number[]): Buffer => extension(Oid.keyUsage, derNamedBits(bits), true);

/** ExtendedKeyUsage, by default not critical. */
export const extendedKeyUsage = (purposes: readonly string[], critical = false): Buffer =>
  extension(Oid.extendedKeyUsage, derSequence(...purposes.map(derOid)), critical);

/** id-pkix-ocsp-nocheck: clients do not check this responder's certificate for revocation (RFC 6960 §4.2.2.2.1). */
export const noRevocationCheck = (): Buffer => extension(AuthorityOid.ocspNoCheck, derNull());

/** SHA-1 of the key's bits: method 1 of RFC 5280 §4.2.1.2, prescribed by ICP-Brasil. */
export function keyIdentifier(publicKeyInfo: Uint8Array): Buffer {
  const bits = readBitStringBytes(readDer(publicKeyInfo).child(1, 'the public key'), 'the public key');
  return createHash('sha1').update(bits).digest();
}

/** SubjectKeyIdentifier. */
export const subjectKeyIdentifier = (identifier: Uint8Array): Buffer =>
  extension(Oid.subjectKeyIdentifier, derOctetString(identifier));

/** AuthorityKeyIdentifier with the key identifier alone. */
export const authorityKeyIdentifier = (identifier: Uint8Array): Buffer =>
  extension(Oid.authorityKeyIdentifier, derSequence(derPrimitiveContext(0, identifier)));

/** A GeneralName with an address. */
export const uriName = (url: string): Buffer => derPrimitiveContext(6, Buffer.from(url, 'latin1'));

/** CertificatePolicies: a policy with the address of its practice statement. */
export function certificatePolicy(policy: string, statementUrl: string): Buffer {
  const qualifier = derSequence(derOid(AuthorityOid.cpsQualifier), derIa5String(statementUrl));
  return extension(Oid.certificatePolicies, derSequence(derSequence(derOid(policy), derSequence(qualifier))));
}

/** CRLDistributionPoints: a point per address, as in ICP-Brasil's certificates. */
export function crlDistributionPoints(urls: readonly string[]): Buffer {
  const points = urls.map((url) => derSequence(derContext(0, derContext(0, uriName(url)))));
  return extension(AuthorityOid.crlDistributionPoints, derSequence(...points));
}

/** AuthorityInformationAccess: OCSP responder and the issuer's certificate, as far as given. */
export function authorityInformationAccess(urls: { readonly ocsp?: string; readonly issuer?: string }): Buffer {
  const access = (method: string, url: string | undefined): Buffer[] =>
    url === undefined ? [] : [derSequence(derOid(method), uriName(url))];
  const descriptions = [...access(AuthorityOid.ocsp, urls.ocsp), ...access(AuthorityOid.caIssuers, urls.issuer)];
  return extension(AuthorityOid.authorityInformationAccess, derSequence(...descriptions));
}

/** SubjectAlternativeName, not critical, from finished GeneralNames. */
export const subjectAlternativeName = (names: readonly Uint8Array[]): Buffer =>
  extension(Oid.subjectAlternativeName, derSequence(...names));
