import type { Certificate } from '../certificates/certificate.ts';

/** Later proof of a certificate's good status: the path and the revocation data of every certificate in the path. */
export interface ValidationMaterial {
  /** The path from the certificate itself to its anchor, responders' certificates included, without repetition. */
  readonly certificates: readonly Certificate[];
  /** DER of `BasicOCSPResponse` (RFC 6960 §4.2.1). */
  readonly ocspResponses: readonly Buffer[];
  /** DER of `CertificateList` (RFC 5280 §5.1). */
  readonly crls: readonly Buffer[];
}

/** Gathers validation material: from known data, from the cache, then from the network. */
export interface MaterialCollector {
  /**
   * Material for `certificate` as of `at`; `known` are possible certificates of its path. Rejects with
   * `CERTIFICATE_REVOKED`, `REVOCATION_UNKNOWN` (no fresh data is available), `CHAIN_INCOMPLETE`, `CANCELLED`.
   */
  collect(
    certificate: Certificate,
    known: readonly Certificate[],
    at: Date,
    signal?: AbortSignal,
  ): Promise<ValidationMaterial>;
}
