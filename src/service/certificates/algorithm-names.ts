import type { Certificate } from '../../signing/index.ts';

/** Names of signature algorithms by OID (RFC 8017 appendix C, RFC 5758 §3.2, RFC 8410 §3). */
const SIGNATURE_ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ['1.2.840.113549.1.1.4', 'RSA with MD5'],
  ['1.2.840.113549.1.1.5', 'RSA with SHA-1'],
  ['1.2.840.113549.1.1.10', 'RSA-PSS'],
  ['1.2.840.113549.1.1.11', 'RSA with SHA-256'],
  ['1.2.840.113549.1.1.12', 'RSA with SHA-384'],
  ['1.2.840.113549.1.1.13', 'RSA with SHA-512'],
  ['1.2.840.10045.4.1', 'ECDSA with SHA-1'],
  ['1.2.840.10045.4.3.2', 'ECDSA with SHA-256'],
  ['1.2.840.10045.4.3.3', 'ECDSA with SHA-384'],
  ['1.2.840.10045.4.3.4', 'ECDSA with SHA-512'],
  ['1.3.101.112', 'Ed25519'],
  ['1.3.101.113', 'Ed448'],
]);

/** Names of key usage bits, by bit number (RFC 5280 §4.2.1.3). */
const KEY_USAGES = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
] as const;

/** Names of extended key usages by OID (RFC 5280 §4.2.1.12, Microsoft and Adobe). */
const EXTENDED_KEY_USAGES: ReadonlyMap<string, string> = new Map([
  ['2.5.29.37.0', 'anyExtendedKeyUsage'],
  ['1.3.6.1.5.5.7.3.1', 'serverAuth'],
  ['1.3.6.1.5.5.7.3.2', 'clientAuth'],
  ['1.3.6.1.5.5.7.3.3', 'codeSigning'],
  ['1.3.6.1.5.5.7.3.4', 'emailProtection'],
  ['1.3.6.1.5.5.7.3.8', 'timeStamping'],
  ['1.3.6.1.5.5.7.3.9', 'OCSPSigning'],
  ['1.3.6.1.5.5.7.3.36', 'documentSigning'],
  ['1.3.6.1.4.1.311.10.3.12', 'microsoftDocumentSigning'],
  ['1.3.6.1.4.1.311.20.2.2', 'smartcardLogon'],
  ['1.2.840.113583.1.1.5', 'adobePdfSigning'],
]);

/** The standards' own identifiers of the same algorithms (RFC 8017 appendix C, RFC 5758 §3.2, RFC 8410 §3). */
const SIGNATURE_ALGORITHM_IDENTIFIERS: ReadonlyMap<string, string> = new Map([
  ['1.2.840.113549.1.1.4', 'md5WithRSAEncryption'],
  ['1.2.840.113549.1.1.5', 'sha1WithRSAEncryption'],
  ['1.2.840.113549.1.1.10', 'id-RSASSA-PSS'],
  ['1.2.840.113549.1.1.11', 'sha256WithRSAEncryption'],
  ['1.2.840.113549.1.1.12', 'sha384WithRSAEncryption'],
  ['1.2.840.113549.1.1.13', 'sha512WithRSAEncryption'],
  ['1.2.840.10045.4.1', 'ecdsa-with-SHA1'],
  ['1.2.840.10045.4.3.2', 'ecdsa-with-SHA256'],
  ['1.2.840.10045.4.3.3', 'ecdsa-with-SHA384'],
  ['1.2.840.10045.4.3.4', 'ecdsa-with-SHA512'],
  ['1.3.101.112', 'id-Ed25519'],
  ['1.3.101.113', 'id-Ed448'],
]);

/** Purposes with a name `id-kp-…` in RFC 5280 §4.2.1.12 and RFC 9336 §3. */
const PKIX_PURPOSE_ARC = '1.3.6.1.5.5.7.3.';

/** A name for programs, `sha256WithRSAEncryption`; the OID where there is none. */
export const signatureAlgorithmIdentifier = (oid: string): string => SIGNATURE_ALGORITHM_IDENTIFIERS.get(oid) ?? oid;

/** Names for programs, `id-kp-clientAuth`; OIDs where there are none. */
export const keyPurposeNames = (oids: readonly string[]): readonly string[] =>
  oids.map((oid) => {
    const name = EXTENDED_KEY_USAGES.get(oid);
    return name !== undefined && oid.startsWith(PKIX_PURPOSE_ARC) ? `id-kp-${name}` : (name ?? oid);
  });

/** A name for people; the OID where there is none. */
export const signatureAlgorithmName = (oid: string): string => SIGNATURE_ALGORITHMS.get(oid) ?? oid;

/** Names of the standard; an unknown bit keeps its number. */
export const keyUsageNames = (bits: readonly number[]): readonly string[] =>
  bits.map((bit) => KEY_USAGES[bit] ?? `bit ${bit}`);

export const extendedKeyUsageNames = (oids: readonly string[]): readonly string[] =>
  oids.map((oid) => EXTENDED_KEY_USAGES.get(oid) ?? oid);

const CURVES: ReadonlyMap<string, readonly [name: string, bits: number]> = new Map([
  ['prime256v1', ['P-256', 256]],
  ['secp384r1', ['P-384', 384]],
  ['secp521r1', ['P-521', 521]],
]);

/** The kind of key for people, and its strength; the OID and null for a key unsupported by Node. */
export function describePublicKey(certificate: Certificate): { readonly name: string; readonly bits: number | null } {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey();
    const { modulusLength, namedCurve } = asymmetricKeyDetails ?? {};
    if (modulusLength !== undefined) {
      return { name: `${asymmetricKeyType === 'rsa-pss' ? 'RSA-PSS' : 'RSA'} ${modulusLength}`, bits: modulusLength };
    }
    const [curve, bits] = CURVES.get(namedCurve ?? '') ?? [namedCurve, null];
    if (curve !== undefined) return { name: `EC ${curve}`, bits };
    if (asymmetricKeyType === 'ed25519') return { name: 'Ed25519', bits: 256 };
    if (asymmetricKeyType === 'ed448') return { name: 'Ed448', bits: 456 };
    return { name: asymmetricKeyType ?? certificate.publicKeyAlgorithm, bits: null };
  } catch {
    return { name: certificate.publicKeyAlgorithm, bits: null };
  }
}
