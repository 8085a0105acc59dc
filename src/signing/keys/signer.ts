/** Hash functions for signatures. SHA-1 and MD5 are never offered. */
export type DigestAlgorithm = 'sha256' | 'sha384' | 'sha512';

/** Hash functions in signatures: the functions to choose from, and SHAKE256 with 512 bits, fixed for Ed448. */
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

/** How a message is to be signed. PSS uses MGF1 with the same hash and a salt as long as the hash (RFC 4055 §3.1). */
export interface SignatureParameters {
  readonly scheme: SignatureScheme;
  /** Does not matter to EdDSA and ML-DSA; `shake256` goes with Ed448 only. */
  readonly digest: SigningDigest;
}

/**
 * A private key for signing, at any place, with its certificates. Calls may overlap; an implementation queues calls
 * that its hardware cannot run at the same time.
 */
export interface Signer {
  /** DER of the signer's certificate. */
  readonly certificate: Buffer;
  /** DER of the known issuers, nearest first; may be empty. */
  readonly chain: readonly Buffer[];
  /** The key's schemes, the usual choice first. */
  readonly schemes: readonly SignatureScheme[];
  /**
   * Signs `message` itself (not its digest). The result is CMS's form: RSA, as long as the modulus; ECDSA, the DER
   * `ECDSA-Sig-Value` (RFC 3279 §2.2.3); Ed25519, 64 bytes; Ed448, 114; ML-DSA, the bytes of FIPS 204. Every result has
   * been verified with the certificate's key. Rejects with `SigningError`: `PIN_REQUIRED`, `TOKEN_REMOVED`,
   * `TOKEN_ERROR`, `MODULE_…`, `SIGNATURE_INVALID`, `ALGORITHM_UNSUPPORTED`.
   */
  sign(message: Uint8Array, parameters: SignatureParameters): Promise<Buffer>;
}
