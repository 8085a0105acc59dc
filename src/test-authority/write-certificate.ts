/** Writes X.509 version 3 certificates (RFC 5280 §4.1). */
import { randomBytes, sign, type KeyObject } from 'node:crypto';
import {
  Oid,
  derBitString,
  derContext,
  derInteger,
  derNull,
  derOid,
  derPrintableString,
  derSequence,
  derSetOf,
  derTime,
  derUtf8String,
  type TimestampDigest,
} from '../signing/index.ts';
import { TestAuthorityError } from './errors.ts';
import { exportPublicKey } from './key-pairs.ts';

/** Upper bounds of RFC 5280 Appendix A.1 for the written attributes. */
const MAX_NAME_LENGTH = 64;

/** A distinguished name in its written order, by attribute type OID. */
export type NameAttributes = readonly (readonly [oid: string, value: string])[];

/** The contents of a certificate before signing. */
export interface CertificateFields {
  /** Unsigned bytes; a random number when absent. */
  readonly serialNumber?: Uint8Array;
  /** DER of the issuer's Name. */
  readonly issuer: Uint8Array;
  /** DER of the subject's Name. */
  readonly subject: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly publicKey: KeyObject;
  /** Finished Extensions, in order. */
  readonly extensions: readonly Uint8Array[];
}

/** A Name with one attribute per relative name: country as PrintableString, the rest as UTF8String. */
export function writeName(attributes: NameAttributes): Buffer {
  const relativeNames = attributes.map(([oid, value]) => {
    if (value === '' || Array.from(value).length > MAX_NAME_LENGTH) {
      throw new TestAuthorityError('FIELD_INVALID', `A name has 1 to ${MAX_NAME_LENGTH} characters.`);
    }
    const text = oid === Oid.countryName ? derPrintableString(value) : derUtf8String(value);
    return derSetOf(derSequence(derOid(oid), text));
  });
  return derSequence(...relativeNames);
}

/** Sixteen random bytes, positive and never shortened (RFC 5280 §4.1.2.2 allows twenty). */
export function randomSerialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

/** A private key; with `hashes`, it signs with SHA-3 instead of SHA-2 of the same length. */
export type AuthorityKey = KeyObject | { readonly key: KeyObject; readonly hashes: 'sha3' };

/** How a key signs. */
export interface SignatureChoice {
  readonly key: KeyObject;
  /** DER of the AlgorithmIdentifier. */
  readonly algorithm: Buffer;
  /** Null for EdDSA with its built-in hash function. */
  readonly digest: TimestampDigest | null;
}

/** RSA with PKCS #1 v1.5 and ECDSA with SHA-3 (RFC 9688 §3). */
const SHA3_ALGORITHMS = {
  rsa: ['sha3-256', '2.16.840.1.101.3.4.3.14'],
  secp521r1: ['sha3-512', '2.16.840.1.101.3.4.3.12'],
  secp384r1: ['sha3-384', '2.16.840.1.101.3.4.3.11'],
  prime256v1: ['sha3-256', '2.16.840.1.101.3.4.3.10'],
} as const satisfies Readonly<Record<string, readonly [TimestampDigest, string]>>;

/** The usual signature algorithm of a key: SHA-256 with RSA; for EC, the hash as long as the curve. */
export function chooseSignature(given: AuthorityKey): SignatureChoice {
  return 'hashes' in given ? chooseSha3(given.key) : { key: given, ...chooseSha2(given) };
}

/** Throws `FIELD_INVALID` for a kind of key without SHA-3 signatures in this file. */
function chooseSha3(key: KeyObject): SignatureChoice {
  const name = key.asymmetricKeyType === 'rsa' ? 'rsa' : (key.asymmetricKeyDetails?.namedCurve ?? '');
  if (!isSha3Key(name)) throw new TestAuthorityError('FIELD_INVALID', 'This kind of key signs with SHA-2 only.');
  const [digest, oid] = SHA3_ALGORITHMS[name];
  // RFC 9688 §3: no parameters with ECDSA, NULL with RSA.
  return { key, algorithm: derSequence(derOid(oid), ...(name === 'rsa' ? [derNull()] : [])), digest };
}

const isSha3Key = (name: string): name is keyof typeof SHA3_ALGORITHMS => Object.hasOwn(SHA3_ALGORITHMS, name);

function chooseSha2(key: KeyObject): Omit<SignatureChoice, 'key'> {
  const type = key.asymmetricKeyType;
  if (type === 'ed25519' || type === 'ed448') return { algorithm: derSequence(derOid(Oid[type])), digest: null };
  if (key.asymmetricKeyType === 'rsa') {
    return { algorithm: derSequence(derOid(Oid.sha256WithRsa), derNull()), digest: 'sha256' };
  }
  const curve = key.asymmetricKeyDetails?.namedCurve;
  if (curve === 'secp521r1') return { algorithm: derSequence(derOid(Oid.ecdsaWithSha512)), digest: 'sha512' };
  if (curve === 'secp384r1') return { algorithm: derSequence(derOid(Oid.ecdsaWithSha384)), digest: 'sha384' };
  return { algorithm: derSequence(derOid(Oid.ecdsaWithSha256)), digest: 'sha256' };
}

/**
 * Signs `body` with the authority's key: SEQUENCE of body, algorithm and signature, the common frame of certificates,
 * CRLs and OCSP responses; `trailing` are elements after the signature.
 */
export function writeSigned(
  authority: AuthorityKey,
  makeBody: (algorithm: Buffer) => Buffer,
  ...trailing: readonly Uint8Array[]
): Buffer {
  const { key, algorithm, digest } = chooseSignature(authority);
  const body = makeBody(algorithm);
  return derSequence(body, algorithm, derBitString(sign(digest, body, key)), ...trailing);
}

/** DER of the certificate, signed with the issuer's private key. */
export function writeCertificate(fields: CertificateFields, issuerKey: AuthorityKey): Buffer {
  return writeSigned(issuerKey, (algorithm) =>
    derSequence(
      derContext(0, derInteger(2)),
      derInteger(fields.serialNumber ?? randomSerialNumber()),
      algorithm,
      fields.issuer,
      derSequence(derTime(fields.notBefore), derTime(fields.notAfter)),
      fields.subject,
      exportPublicKey(fields.publicKey),
      derContext(3, derSequence(...fields.extensions)),
    ),
  );
}
