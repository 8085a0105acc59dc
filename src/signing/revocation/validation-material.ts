import type { Certificate } from '../certificates/certificate.ts';

/** What proves, later, that a certificate was good: the path and the revocation data of every certificate in it. */
export interface ValidationMaterial {
  /** The path from the certificate itself to its anchor, responders' certificates included, without repetition. */
  readonly certificates: readonly Certificate[];
  /** DER of `BasicOCSPResponse` (RFC 6960 §4.2.1). */
  readonly ocspResponses: readonly Buffer[];
  /** DER of `CertificateList` (RFC 5280 §5.1). */
  readonly crls: readonly Buffer[];
}

/** Gathers validation material: from what is known, from the cache, then from the network. */
export interface MaterialCollector {
  /**
   * Material for `certificate` as of `at`; `known` are certificates that may be part of its path.
   * Rejects with `CERTIFICATE_REVOKED`, `REVOCATION_UNKNOWN` (no fresh data is to be had), `CHAIN_INCOMPLETE`,
   * `CANCELLED`.
   */
  collect(
    certificate: Certificate,
    known: readonly Certificate[],
    at: Date,
    signal?: AbortSignal,
  ): Promise<ValidationMaterial>;
}
