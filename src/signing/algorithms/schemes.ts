/** Hash functions for signatures. SHA-1 and MD5 are never offered. */
export type DigestAlgorithm = 'sha256' | 'sha384' | 'sha512';

/** SHA-3 (FIPS 202), for time stamps only: keys sign with SHA-2 here, because few programs check SHA-3. */
export type Sha3Digest = 'sha3-256' | 'sha3-384' | 'sha3-512';

/** Hash functions for time-stamp imprints, and for the hash index inside an archive time stamp. */
export type TimestampDigest = DigestAlgorithm | Sha3Digest;

/** Hash functions in signatures: SHA-2 by choice, and SHAKE256 with 512 bits, required for Ed448. */
export type SigningDigest = DigestAlgorithm | 'shake256';

/** Signature schemes of this core, with parameters fixed by the standards. */
export type SignatureScheme = 'rsassa-pkcs1-v1_5' | 'rsassa-pss' | 'ecdsa' | EdDsaScheme | MlDsaScheme;

/** Pure EdDSA (RFC 8032 §5.1, §5.2) for CMS (RFC 8419). */
export type EdDsaScheme = 'ed25519' | 'ed448';

/** ML-DSA with an empty context (FIPS 204 §5.2), by parameter set; only if supported by Node. */
export type MlDsaScheme = 'ml-dsa-44' | 'ml-dsa-65' | 'ml-dsa-87';

/** Schemes that sign the message itself, without a choice of hash function. */
export type WholeMessageScheme = EdDsaScheme | MlDsaScheme;

const WHOLE_MESSAGE: ReadonlySet<string> = new Set<WholeMessageScheme>([
  'ed25519',
  'ed448',
  'ml-dsa-44',
  'ml-dsa-65',
  'ml-dsa-87',
]);

/** True for schemes that ignore `digest`. */
export const signsWholeMessage = (scheme: SignatureScheme): scheme is WholeMessageScheme => WHOLE_MESSAGE.has(scheme);
