import type { Certificate } from '../certificates/certificate.ts';
import type { RevocationReason } from './revocation-reason.ts';

/** Where evidence came from. */
export type EvidenceOrigin = 'embedded' | 'cache' | 'network';

/** The revocation data behind a result. */
export interface RevocationEvidence {
  readonly kind: 'ocsp' | 'crl';
  /** DER of the BasicOCSPResponse or of the CertificateList. */
  readonly der: Buffer;
  readonly origin: EvidenceOrigin;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | undefined;
  /** The data's signer: the issuer itself, its OCSP responder, or another certificate of the issuer for CRLs. */
  readonly signer: Certificate;
  /** Evidence for the signer's own certificate; absent when the certificate waives the check (RFC 6960 §4.2.2.2.1). */
  readonly supporting?: RevocationEvidence;
}

/** Time and reason of a revocation. */
export interface Revocation {
  readonly time: Date;
  readonly reason: RevocationReason;
}

/**
 * Reasons for an unknown revocation status.
 *
 * - `NO_SOURCE`: the certificate names no source of revocation data.
 * - `UNREACHABLE`: no answer, or an HTTP error.
 * - `MALFORMED`, `UNSUPPORTED`: an unreadable or unsupported answer.
 * - `SIGNATURE_INVALID`: data without an authorised signer.
 * - `STALE`: data that does not reach the time in question, or is from the future.
 * - `NOT_COVERED`: data about other certificates, or about unexpired certificates only.
 * - `ANSWERED_UNKNOWN`: the responder does not know the certificate, or refuses to answer.
 */
export type RevocationProblemCode =
  | 'NO_SOURCE'
  | 'UNREACHABLE'
  | 'MALFORMED'
  | 'UNSUPPORTED'
  | 'SIGNATURE_INVALID'
  | 'STALE'
  | 'NOT_COVERED'
  | 'ANSWERED_UNKNOWN';

/** An attempt without a result. */
export interface RevocationProblem {
  readonly code: RevocationProblemCode;
  /** A sentence for the user. */
  readonly sentence: string;
}

/** The revocation status of a certificate at a time. Unreachable is unknown, never good. */
export type RevocationResult =
  | {
      readonly status: 'good';
      readonly evidence: RevocationEvidence;
      /** The certificate was revoked after the time in question. */
      readonly revokedLater?: Revocation;
    }
  | ({ readonly status: 'revoked'; readonly evidence: RevocationEvidence } & Revocation)
  | { readonly status: 'unknown'; readonly reasons: readonly RevocationProblem[] };
