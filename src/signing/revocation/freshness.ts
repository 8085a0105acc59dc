/** Whether revocation data tells something about a certificate at a time (RFC 6960 §3.2, RFC 5280 §6.3.3). */
import type { Certificate } from '../certificates/certificate.ts';
import type { RevocationProblem } from './revocation-result.ts';

/** Allowed difference between clocks in milliseconds. */
export const CLOCK_SKEW = 5 * 60 * 1000;
/** Lifetime of data without a next update: a responder without a next update always has newer data. */
const DEFAULT_LIFETIME = 24 * 60 * 60 * 1000;

/** The period of revocation data. */
export interface UpdatePeriod {
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | undefined;
  /** The data covers certificates expired after this time; undefined: no expired certificates. */
  readonly expiredSince?: Date | undefined;
}

/** Until when the data may be used. */
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
