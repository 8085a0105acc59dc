import { type FieldProblem, ServiceError, type ServiceErrorCode } from './errors.ts';

/** A problem whose code is one of the service's. */
export interface CodedProblem extends FieldProblem {
  readonly code: ServiceErrorCode;
}

/**
 * Rejects a request for all that is wrong with it: by the problems' own code where they share one, else by
 * `REQUEST_INVALID`. Does nothing when nothing is wrong.
 */
export function refuseProblems(problems: readonly CodedProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const shared = problems.every(({ code }) => code === first.code) ? first.code : 'REQUEST_INVALID';
  const message =
    problems.length === 1 ? first.detail : `The request has ${problems.length} problems; the first: ${first.detail}`;
  throw new ServiceError(shared, message, { problems });
}
