import type { Certificate } from '../certificates/certificate.ts';
import { SigningError, type SigningErrorCode } from '../errors.ts';

/** The source of evidence. */
export type EvidenceOrigin = 'embedded' | 'cache' | 'network';

/** The revocation data behind a result. */
export interface RevocationEvidence {
  readonly kind: 'ocsp' | 'crl';
  /** DER of the BasicOCSPResponse or of the CertificateList. */
  readonly der: Buffer;
  readonly origin: EvidenceOrigin;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | undefined;
  /** The time of issue: `thisUpdate`, or the later `producedAt` of an OCSP response. */
  readonly issuedAt: Date;
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
 * - `LDAP_ONLY`: the certificate names sources of protocols that are not asked, such as LDAP, and no others.
 * - `NO_DATA`: a server answered with something else, such as nothing or a web page.
 * - `NOT_ASKED`: the network is not used, so that no server was asked.
 * - `UNREACHABLE`: no answer, or an HTTP error.
 * - `MALFORMED`, `UNSUPPORTED`: an unreadable or unsupported answer.
 * - `SIGNATURE_INVALID`: data without an authorised signer.
 * - `STALE`: data that does not reach the time in question, or is from the future.
 * - `NOT_COVERED`: data about other certificates, or about unexpired certificates only.
 * - `ANSWERED_UNKNOWN`: the responder does not know the certificate, or refuses to answer.
 */
export type RevocationProblemCode =
  | 'NO_SOURCE'
  | 'LDAP_ONLY'
  | 'NO_DATA'
  | 'NOT_ASKED'
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

const CODES: ReadonlyMap<SigningErrorCode, RevocationProblemCode> = new Map([
  ['NETWORK_REFUSED', 'UNREACHABLE'],
  ['NETWORK_UNREACHABLE', 'UNREACHABLE'],
  ['NETWORK_ANSWER_TOO_LARGE', 'UNREACHABLE'],
  ['CRL_UNSUPPORTED', 'UNSUPPORTED'],
  ['ALGORITHM_UNSUPPORTED', 'UNSUPPORTED'],
  ['LIMIT_EXCEEDED', 'UNSUPPORTED'],
  ['SIGNATURE_INVALID', 'SIGNATURE_INVALID'],
  ['REVOCATION_UNKNOWN', 'ANSWERED_UNKNOWN'],
]);

/** A problem with readable data, as an error for code that handles errors. */
export class ProblemError extends SigningError {
  readonly problem: RevocationProblem;

  constructor(problem: RevocationProblem) {
    super('REVOCATION_UNKNOWN', problem.sentence);
    this.problem = problem;
  }
}

/** The problem when network access is not allowed. */
export const networkNotAllowed = (): ProblemError =>
  new ProblemError({ code: 'NOT_ASKED', sentence: 'Revocation data is not fetched from the network here.' });

/** The status `unknown` of RFC 6960 §2.2. */
export const unknownCertificate = (): ProblemError =>
  new ProblemError({ code: 'ANSWERED_UNKNOWN', sentence: 'The OCSP responder does not know the certificate.' });

/** The revocation problem of an error. A cancelled call and foreign errors are thrown again. */
export function problemOf(error: unknown): RevocationProblem {
  if (error instanceof ProblemError) return error.problem;
  if (!(error instanceof SigningError) || error.code === 'CANCELLED') throw error;
  return { code: CODES.get(error.code) ?? 'MALFORMED', sentence: error.message };
}

/** CRLReason (RFC 5280 §5.3.1) by number; 7 is not used. */
export const REVOCATION_REASONS = [
  'unspecified',
  'keyCompromise',
  'cACompromise',
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
  'certificateHold',
  undefined,
  'removeFromCRL',
  'privilegeWithdrawn',
  'aACompromise',
] as const;

/** The reason for a revocation, in the words of RFC 5280 §5.3.1; `unspecified` when the authority gives no reason. */
export type RevocationReason = NonNullable<(typeof REVOCATION_REASONS)[number]>;

/**
 * The reason with this number; a number outside of the standard is `unspecified`, because the certificate is still
 * revoked.
 */
export const reasonOf = (number: number | undefined): RevocationReason =>
  REVOCATION_REASONS[number ?? 0] ?? 'unspecified';

// Decides whether revocation data applies to a certificate at a time (RFC 6960 §3.2, RFC 5280 §6.3.3).

/** Allowed difference between clocks in milliseconds. */
export const CLOCK_SKEW = 5 * 60 * 1000;
/** Lifetime of data without a next update: a responder without a next update always has newer data. */
const DEFAULT_LIFETIME = 24 * 60 * 60 * 1000;

/** The period of revocation data. */
export interface UpdatePeriod {
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | undefined;
  /** The data covers certificates expired after this time; undefined: no expired certificates. */
  readonly expiredSince?: Date;
}

/**
 * True when revocation data was issued after this time. Times in revocation data have whole seconds (RFC 5280
 * §4.1.2.5, RFC 6960 §4.2.2.1), so the comparison is by seconds.
 */
export const isIssuedAfter = (issuedAt: Date, time: Date): boolean =>
  issuedAt.getTime() >= Math.floor(time.getTime() / 1000) * 1000;

/** The time when an OCSP response was issued (RFC 6960 §2.4): `producedAt`, unless `thisUpdate` is later. */
export const issuedAtOf = (producedAt: Date, thisUpdate: Date): Date =>
  producedAt > thisUpdate ? producedAt : thisUpdate;

/** The time until which the data may be used. */
export const freshUntil = ({ thisUpdate, nextUpdate }: UpdatePeriod): Date =>
  nextUpdate ?? new Date(thisUpdate.getTime() + DEFAULT_LIFETIME);

/**
 * The reason against using the data for the certificate at `at`, or undefined. Data from after `at` is good evidence,
 * unless the certificate had expired by then: authorities drop expired certificates.
 */
export function findFreshnessProblem(
  period: UpdatePeriod,
  certificate: Certificate,
  at: Date,
  now: Date,
): RevocationProblem | undefined {
  const { thisUpdate, expiredSince } = period;
  if (thisUpdate.getTime() > now.getTime() + CLOCK_SKEW) {
    return { code: 'STALE', sentence: `The revocation data is from the future: ${thisUpdate.toISOString()}.` };
  }
  if (freshUntil(period).getTime() + CLOCK_SKEW < at.getTime()) {
    return { code: 'STALE', sentence: `The revocation data is good only until ${freshUntil(period).toISOString()}.` };
  }
  const keepsExpired = expiredSince !== undefined && expiredSince <= certificate.notAfter;
  if (thisUpdate > certificate.notAfter && !keepsExpired) {
    const sentence = 'The revocation data is from after the certificate expired, when it may no longer be listed.';
    return { code: 'NOT_COVERED', sentence };
  }
  return undefined;
}

/** Later proof of a certificate's good status: the path and the revocation data of every certificate in the path. */
export interface ValidationMaterial {
  /** The path from the certificate itself to its anchor, responders' certificates included, without repetition. */
  readonly certificates: readonly Certificate[];
  /** DER of `BasicOCSPResponse` (RFC 6960 §4.2.1). */
  readonly ocspResponses: readonly Buffer[];
  /** DER of `CertificateList` (RFC 5280 §5.1). */
  readonly crls: readonly Buffer[];
}

/** Demands on the material. */
export interface MaterialTerms {
  /**
   * The best known time of the signature. Revocation data issued before is fetched again, because older data cannot
   * show a revocation in between (EN 319 102-1 §5.2.5).
   */
  readonly newerThan?: Date;
  /** Rejects with `REVOCATION_TOO_OLD` where the data about the certificate itself is older than `newerThan`. */
  readonly mustBeNewer?: boolean;
}

/** Gathers validation material: from known data, from the cache, then from the network. */
export interface MaterialCollector {
  /**
   * Material for `certificate` as of `at`; `known` are possible certificates of its path. Rejects with
   * `CERTIFICATE_REVOKED`, `REVOCATION_UNKNOWN` (no fresh data is available), `REVOCATION_TOO_OLD`, `CHAIN_INCOMPLETE`,
   * `CANCELLED`.
   */
  collect(
    certificate: Certificate,
    known: readonly Certificate[],
    at: Date,
    signal?: AbortSignal,
    terms?: MaterialTerms,
  ): Promise<ValidationMaterial>;
}
