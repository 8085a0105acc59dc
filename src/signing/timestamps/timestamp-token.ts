import type { Certificate } from '../certificates/certificate.ts';
import type { DigestAlgorithm } from '../keys/signer.ts';

/** A time stamp token (RFC 3161 §2.4.2), read. */
export interface TimestampToken {
  /** DER of the ContentInfo: what a signature embeds. */
  readonly der: Buffer;
  /** `genTime`. */
  readonly time: Date;
  /** Milliseconds around `time`; undefined when the authority does not say. */
  readonly accuracy: number | undefined;
  readonly serialNumber: Buffer;
  /** The policy under which it was issued, as a dotted OID. */
  readonly policy: string;
  /** Digest of what was stamped, and its algorithm (`sha1` occurs in old tokens, never in those asked for here). */
  readonly imprint: { readonly algorithm: DigestAlgorithm | 'sha1'; readonly value: Buffer };
  /** The authority's certificate, when the token carries it. */
  readonly certificate: Certificate | undefined;
  /** All certificates in the token. */
  readonly certificates: readonly Certificate[];
}

/** Where time stamps come from: one authority, or several tried in order. */
export interface Timestamper {
  /** With which algorithm imprints are to be made. */
  readonly digest: DigestAlgorithm;
  /** An upper bound of the DER length of a token, for a PDF's `Contents`; from the last token, or generous. */
  readonly sizeLimit: number;
  /**
   * A token over this digest, checked: signature, imprint, nonce, key usage and, where anchors are given, the chain.
   * Rejects with `TIMESTAMP_REFUSED`, `TIMESTAMP_INVALID`, `NETWORK_…`, `CANCELLED`.
   */
  stamp(imprint: Uint8Array, signal?: AbortSignal): Promise<TimestampToken>;
}
