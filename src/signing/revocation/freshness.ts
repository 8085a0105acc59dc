/** Whether revocation data tells something about a certificate at a time (RFC 6960 §3.2, RFC 5280 §6.3.3). */
import type { Certificate } from '../certificates/certificate.ts';
import type { RevocationProblem } from './revocation-result.ts';

/** Milliseconds by which clocks may differ. */
export const CLOCK_SKEW = 5 * 60 * 1000;
/** How long data without a next update is used: a responder without one always has something later. */
const DEFAULT_LIFETIME = 24 * 60 * 60 * 1000;

/** The period that revocation data is for. */
export interface UpdatePeriod {
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | undefined;
  /** Certificates that expired after this are still answered for; undefined: none that have expired. */
  readonly expiredSince?: Date | undefined;
}

/** Until when the data may be used. */
export const freshUntil = ({ thisUpdate, nextUpdate }: UpdatePeriod): Date =>
  nextUpdate ?? new Date(thisUpdate.getTime() + DEFAULT_LIFETIME);

/**
 * What speaks against using the data for the certificate at `at`, or undefined. Data from after `at` is good evidence,
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
