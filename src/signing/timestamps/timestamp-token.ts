import type { Certificate } from '../certificates/certificate.ts';
import type { DigestAlgorithm } from '../keys/signer.ts';

/** A time stamp token (RFC 3161 §2.4.2), read. */
export interface TimestampToken {
  /** DER of the ContentInfo, the form inside signatures. */
  readonly der: Buffer;
  /** `genTime`. */
  readonly time: Date;
  /** Milliseconds around `time`; undefined when the authority does not say. */
  readonly accuracy: number | undefined;
  readonly serialNumber: Buffer;
  /** The token's policy, as a dotted OID. */
  readonly policy: string;
  /** Digest of the stamped data, and its algorithm (`sha1` occurs in old tokens only). */
  readonly imprint: { readonly algorithm: DigestAlgorithm | 'sha1'; readonly value: Buffer };
  /** The authority's certificate, if the token carries the certificate. */
  readonly certificate: Certificate | undefined;
  /** All certificates in the token. */
  readonly certificates: readonly Certificate[];
}

/** A source of time stamps: one authority, or several tried in order. */
export interface Timestamper {
  /** The hash function of imprints. */
  readonly digest: DigestAlgorithm;
  /** An upper bound of the DER length of a token, for a PDF's `Contents`; from the last token, or generous. */
  readonly sizeLimit: number;
  /**
   * A token over this digest, checked: signature, imprint, nonce, key usage and, where anchors are given, the chain.
   * Rejects with `TIMESTAMP_REFUSED`, `TIMESTAMP_INVALID`, `NETWORK_…`, `CANCELLED`.
   */
  stamp(imprint: Uint8Array, signal?: AbortSignal): Promise<TimestampToken>;
}
