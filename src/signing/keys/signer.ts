import type { SignatureScheme, SigningDigest } from '../algorithms/schemes.ts';

export {
  signsWholeMessage,
  type DigestAlgorithm,
  type EdDsaScheme,
  type MlDsaScheme,
  type SignatureScheme,
  type SigningDigest,
  type TimestampDigest,
  type WholeMessageScheme,
} from '../algorithms/schemes.ts';

/** Parameters of a signature. PSS uses MGF1 with the same hash and a salt as long as the hash (RFC 4055 §3.1). */
export interface SignatureParameters {
  readonly scheme: SignatureScheme;
  /** Ignored by EdDSA and ML-DSA; `shake256` is for Ed448 only. */
  readonly digest: SigningDigest;
  /** The message is a hash, computed elsewhere with `digest`: RSA and ECDSA only, others reject `KEY_SIGNS_NO_HASH`. */
  readonly isHashed?: true;
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
   * Signs `message` itself, or with `isHashed` the message whose digest it is. The result is CMS's form: RSA, as long as the modulus; ECDSA, the DER
   * `ECDSA-Sig-Value` (RFC 3279 §2.2.3); Ed25519, 64 bytes; Ed448, 114; ML-DSA, the bytes of FIPS 204. Every result has
   * been verified with the certificate's key. Rejects with `SigningError`: `PIN_REQUIRED`, `TOKEN_REMOVED`,
   * `TOKEN_ERROR`, `MODULE_…`, `SIGNATURE_INVALID`, `ALGORITHM_UNSUPPORTED`, `KEY_SIGNS_NO_HASH`.
   */
  sign(message: Uint8Array, parameters: SignatureParameters): Promise<Buffer>;
}
