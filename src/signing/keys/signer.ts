/** Hash functions that a signature may use. SHA-1 and MD5 are never offered. */
export type DigestAlgorithm = 'sha256' | 'sha384' | 'sha512';

/** Hash functions that end up in signatures: those to choose from, and SHAKE256 with 512 bits, which Ed448 fixes. */
export type SigningDigest = DigestAlgorithm | 'shake256';

/** Signature schemes of this core, each with its parameters fixed by the standard that names it. */
export type SignatureScheme = 'rsassa-pkcs1-v1_5' | 'rsassa-pss' | 'ecdsa' | EdDsaScheme | MlDsaScheme;

/** Pure EdDSA (RFC 8032 §5.1, §5.2), as CMS has it (RFC 8419). */
export type EdDsaScheme = 'ed25519' | 'ed448';

/** ML-DSA with an empty context (FIPS 204 §5.2), by parameter set; only where the run time has it. */
export type MlDsaScheme = 'ml-dsa-44' | 'ml-dsa-65' | 'ml-dsa-87';

/** Schemes that sign the message itself and choose no hash function for it. */
export type WholeMessageScheme = EdDsaScheme | MlDsaScheme;

const WHOLE_MESSAGE: ReadonlySet<string> = new Set<WholeMessageScheme>([
  'ed25519',
  'ed448',
  'ml-dsa-44',
  'ml-dsa-65',
  'ml-dsa-87',
]);

/** True for schemes for which `digest` does not matter to the key. */
export const signsWholeMessage = (scheme: SignatureScheme): scheme is WholeMessageScheme => WHOLE_MESSAGE.has(scheme);

/** How a message is to be signed. PSS uses MGF1 with the same hash and a salt as long as the hash (RFC 4055 §3.1). */
export interface SignatureParameters {
  readonly scheme: SignatureScheme;
  /** Does not matter to EdDSA and ML-DSA; `shake256` goes with Ed448 only. */
  readonly digest: SigningDigest;
}

/**
 * A private key that can sign, wherever it lives, with the certificates that go with it.
 * Calls may overlap; an implementation queues what its hardware cannot do at once.
 */
export interface Signer {
  /** DER of the signer's certificate. */
  readonly certificate: Buffer;
  /** DER of the issuers that are known here, nearest first, as far as they are known; may be empty. */
  readonly chain: readonly Buffer[];
  /** What the key can do, the usual choice first. */
  readonly schemes: readonly SignatureScheme[];
  /**
   * Signs `message` itself (not its digest). The result is what CMS stores: RSA, as long as the modulus; ECDSA, the
   * DER `ECDSA-Sig-Value` (RFC 3279 §2.2.3); Ed25519, 64 octets; Ed448, 114; ML-DSA, the octets of
   * FIPS 204. It has been verified with the certificate's key.
   * Rejects with `SigningError`: `PIN_REQUIRED`, `TOKEN_REMOVED`, `TOKEN_ERROR`, `MODULE_…`, `SIGNATURE_INVALID`,
   * `ALGORITHM_UNSUPPORTED`.
   */
  sign(message: Uint8Array, parameters: SignatureParameters): Promise<Buffer>;
}
