/** Describes a certificate beyond the needs of validation: policies, e-mail, key, signature value. */
import { Oid } from '../der/oids.ts';
import {
  Tag,
  contextTag,
  primitiveContextTag,
  readBitStringBytes,
  readDer,
  readOid,
  readSmallInteger,
  readString,
  type DerElement,
} from '../der/reader.ts';
import { SigningError } from '../errors.ts';
import type { Certificate } from './certificate.ts';

/** One certificate policy (RFC 5280 §4.2.1.4). */
export interface CertificatePolicy {
  readonly oid: string;
  /** Addresses of the practice statement, trimmed, otherwise unchanged. */
  readonly statements: readonly string[];
}

/** The kind of a certificate's key. */
export interface PublicKeyFacts {
  /** `RSA`, `RSA-PSS`, `EC`, `Ed25519`, `Ed448`; the OID where there is no name. */
  readonly algorithm: string;
  /** Bits of the modulus, of the curve's field, or of the encoded key of an Edwards curve; null for an unknown key. */
  readonly bits: number | null;
  /** Name or OID of the curve; absent for other keys. */
  readonly curve?: string;
}

/** Practice statement qualifier (RFC 5280 §4.2.1.4). */
const CPS_QUALIFIER = '1.3.6.1.5.5.7.2.1';
/** Field of prime order in explicit curve parameters (RFC 3279 §2.3.5). */
const PRIME_FIELD = '1.2.840.10045.1.1';

/** Named curves and the length of their fields (RFC 5480 §2.1.1.1, RFC 5639 §4.1, SEC 2). */
const CURVES: ReadonlyMap<string, readonly [name: string, bits: number]> = new Map([
  ['1.2.840.10045.3.1.7', ['P-256', 256]],
  ['1.3.132.0.34', ['P-384', 384]],
  ['1.3.132.0.35', ['P-521', 521]],
  ['1.3.132.0.10', ['secp256k1', 256]],
  ['1.3.36.3.3.2.8.1.1.7', ['brainpoolP256r1', 256]],
  ['1.3.36.3.3.2.8.1.1.11', ['brainpoolP384r1', 384]],
  ['1.3.36.3.3.2.8.1.1.13', ['brainpoolP512r1', 512]],
]);

/** Keys fully described by their algorithm (RFC 8410 §3), with the bits of the encoded key (RFC 8032 §5). */
const EDWARDS_KEYS: ReadonlyMap<string, PublicKeyFacts> = new Map([
  [Oid.ed25519, { algorithm: 'Ed25519', bits: 256, curve: 'Curve25519' }],
  ['1.3.101.113', { algorithm: 'Ed448', bits: 456, curve: 'Curve448' }],
]);

/**
 * The result of `read`, or `otherwise` when this part of the certificate is damaged: one damaged part must not hide the
 * others.
 */
function orElse<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof SigningError) return otherwise;
    throw error;
  }
}

function readStatements(information: DerElement): readonly string[] {
  const qualifiers = information.children[1]?.children ?? [];
  return qualifiers
    .filter((qualifier) => readOid(qualifier.child(0, 'a policy qualifier'), 'a policy qualifier') === CPS_QUALIFIER)
    .map((qualifier) => readString(qualifier.child(1, 'a practice statement'), 'a practice statement').trim())
    .filter((address) => address !== '');
}

/** The policies in the certificate's order, without damaged entries. */
export function readCertificatePolicies(certificate: Certificate): readonly CertificatePolicy[] {
  const extension = certificate.extensions.get(Oid.certificatePolicies);
  if (extension === undefined) return [];
  const list = orElse(() => readDer(extension.value).expect(Tag.sequence, 'the certificate policies').children, []);
  return list.flatMap((information) =>
    orElse<readonly CertificatePolicy[]>(() => {
      const oid = readOid(information.child(0, 'a certificate policy'), 'a certificate policy');
      return [{ oid, statements: orElse(() => readStatements(information), []) }];
    }, []),
  );
}

/** The first e-mail address: of the alternative names (RFC 5280 §4.2.1.6), else of the subject. */
export function readEmailAddress(certificate: Certificate): string | undefined {
  const extension = certificate.extensions.get(Oid.subjectAlternativeName);
  const name = extension && orElse(() => readDer(extension.value).find(primitiveContextTag(1)), undefined);
  const address = name?.content.toString('latin1').trim() ?? '';
  if (address !== '') return address;
  return certificate.subjectAttributes.find(({ oid }) => oid === Oid.emailAddress)?.value;
}

/** The number of the version, counted from 1: `v3` is 3 (RFC 5280 §4.1.2.1). */
export function readCertificateVersion(certificate: Certificate): number {
  const version = readDer(certificate.der).child(0, 'the signed part').find(contextTag(0));
  return orElse(() => version && readSmallInteger(version.child(0, 'the version'), 'the version') + 1, undefined) ?? 1;
}

/** The bytes of the issuer's signature; empty for a damaged certificate. */
export function readCertificateSignature({ der }: Certificate): Buffer {
  return orElse(() => readBitStringBytes(readDer(der).child(2, 'the signature'), 'the signature'), Buffer.alloc(0));
}

/** Length of a positive INTEGER in bits. */
function bitLength(integer: DerElement): number {
  const digits = integer.expect(Tag.integer, 'a number').content.toString('hex').replace(/^0+/, '');
  return digits === '' ? 0 : (digits.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(digits.charAt(0), 16)));
}

/** Named curves by OID; explicit parameters (RFC 3279 §2.3.5) by the length of their prime. */
function readCurve(parameters: DerElement): Pick<PublicKeyFacts, 'bits' | 'curve'> {
  if (parameters.tag === Tag.oid) {
    const oid = readOid(parameters, 'a curve');
    const [curve, bits] = CURVES.get(oid) ?? [oid, null];
    return { curve, bits };
  }
  const field = parameters.expect(Tag.sequence, 'the curve').child(1, 'the field');
  const isPrime = readOid(field.child(0, 'the kind of field'), 'the kind of field') === PRIME_FIELD;
  return { bits: isPrime ? bitLength(field.child(1, 'the prime')) : null };
}

function readFacts({ publicKeyAlgorithm, publicKeyInfo }: Certificate): PublicKeyFacts {
  const info = readDer(publicKeyInfo);
  switch (publicKeyAlgorithm) {
    case Oid.rsaEncryption:
    case Oid.rsassaPss: {
      const key = readDer(readBitStringBytes(info.child(1, 'the public key'), 'the public key'));
      const algorithm = publicKeyAlgorithm === Oid.rsaEncryption ? 'RSA' : 'RSA-PSS';
      return { algorithm, bits: bitLength(key.child(0, 'the modulus')) };
    }
    case Oid.ecPublicKey: {
      const parameters = info.child(0, 'the key algorithm').child(1, 'the curve');
      return { algorithm: 'EC', ...orElse(() => readCurve(parameters), { bits: null }) };
    }
    default:
      return EDWARDS_KEYS.get(publicKeyAlgorithm) ?? { algorithm: publicKeyAlgorithm, bits: null };
  }
}

/** The kind of the key, also of a key unsupported by Node. Never throws. */
export const readPublicKeyFacts = (certificate: Certificate): PublicKeyFacts =>
  orElse(() => readFacts(certificate), { algorithm: certificate.publicKeyAlgorithm, bits: null });

/** The kind of a key for messages: `RSA, 1024 bits`, `EC, P-192`, `Ed25519`, or the OID of an unknown algorithm. */
export function describeKey(certificate: Certificate): string {
  const { algorithm, bits, curve } = readPublicKeyFacts(certificate);
  if (algorithm === 'EC') return `EC, ${curve ?? 'a curve without a name'}`;
  return bits === null || EDWARDS_KEYS.has(certificate.publicKeyAlgorithm) ? algorithm : `${algorithm}, ${bits} bits`;
}
