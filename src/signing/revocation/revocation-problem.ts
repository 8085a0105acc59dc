import { SigningError, type SigningErrorCode } from '../errors.ts';
import type { RevocationProblem, RevocationProblemCode } from './revocation-result.ts';

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

/** A problem with readable data, as an error so that it passes through code written for errors. */
export class ProblemError extends SigningError {
  readonly problem: RevocationProblem;

  constructor(problem: RevocationProblem) {
    super('REVOCATION_UNKNOWN', problem.sentence);
    this.problem = problem;
  }
}

/** Nothing may be fetched. */
export const offline = (): ProblemError =>
  new ProblemError({ code: 'UNREACHABLE', sentence: 'Revocation data is not fetched from the network here.' });

/** The status `unknown` of RFC 6960 §2.2. */
export const unknownCertificate = (): ProblemError =>
  new ProblemError({ code: 'ANSWERED_UNKNOWN', sentence: 'The OCSP responder does not know the certificate.' });

/** The revocation problem of an error. A cancelled call and foreign errors are thrown again. */
export function problemOf(error: unknown): RevocationProblem {
  if (error instanceof ProblemError) return error.problem;
  if (!(error instanceof SigningError) || error.code === 'CANCELLED') throw error;
  return { code: CODES.get(error.code) ?? 'MALFORMED', sentence: error.message };
}
