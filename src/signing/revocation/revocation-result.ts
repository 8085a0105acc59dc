import type { Certificate } from '../certificates/certificate.ts';
import type { RevocationReason } from './revocation-reason.ts';

/** Where evidence came from. */
export type EvidenceOrigin = 'embedded' | 'cache' | 'network';

/** The revocation data that a result rests on. */
export interface RevocationEvidence {
  readonly kind: 'ocsp' | 'crl';
  /** DER of the BasicOCSPResponse or of the CertificateList. */
  readonly der: Buffer;
  readonly origin: EvidenceOrigin;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | undefined;
  /** Who signed it: the issuer itself, its OCSP responder, or another certificate of the issuer for CRLs. */
  readonly signer: Certificate;
  /** That the signer's own certificate is good, where it does not say that this need not be asked (RFC 6960 §4.2.2.2.1). */
  readonly supporting?: RevocationEvidence;
}

/** That and why a certificate was revoked. */
export interface Revocation {
  readonly time: Date;
  readonly reason: RevocationReason;
}

/**
 * Why nothing could be told.
 *
 * - `NO_SOURCE`: the certificate does not say where its revocation data is.
 * - `UNREACHABLE`: no answer, or an answer that is not one.
 * - `MALFORMED`, `UNSUPPORTED`: an answer that cannot be read, or worked with.
 * - `SIGNATURE_INVALID`: data that was not signed by one who may.
 * - `STALE`: data that does not reach the time in question, or is from the future.
 * - `NOT_COVERED`: data about other certificates, or about those that have not expired only.
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

/** One attempt that told nothing. */
export interface RevocationProblem {
  readonly code: RevocationProblemCode;
  /** One sentence for a person. */
  readonly sentence: string;
}

/** What is known about a certificate's revocation at a time. Unreachable is unknown, never good. */
export type RevocationResult =
  | {
      readonly status: 'good';
      readonly evidence: RevocationEvidence;
      /** The certificate was revoked after the time in question. */
      readonly revokedLater?: Revocation;
    }
  | ({ readonly status: 'revoked'; readonly evidence: RevocationEvidence } & Revocation)
  | { readonly status: 'unknown'; readonly reasons: readonly RevocationProblem[] };
