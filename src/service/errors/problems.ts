import { type FieldProblem, ServiceError, type ServiceErrorCode } from './errors.ts';

/** A problem with a code of the service. */
export interface CodedProblem extends FieldProblem {
  readonly code: ServiceErrorCode;
}

/**
 * Rejects a request with all of its problems: with the problems' common code, else with `REQUEST_INVALID`. Does nothing
 * without problems.
 */
export function refuseProblems(problems: readonly CodedProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const shared = problems.every(({ code }) => code === first.code) ? first.code : 'REQUEST_INVALID';
  const message =
    problems.length === 1 ? first.detail : `The request has ${problems.length} problems; the first: ${first.detail}`;
  throw new ServiceError(shared, message, { problems });
}
