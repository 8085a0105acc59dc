import type { Request, Response } from 'express';
import { assistantCodes, type AssistantCode } from '../../service/errors/index.ts';
import { problemOf, type Problem } from '../problems/send-error.ts';

/** The assistant's own codes for the problems that have one. */
const codes: Readonly<Record<string, AssistantCode>> = {
  REQUEST_INVALID: 'invalidFields',
  INVALID_CREDENTIALS: 'invalidCredentials',
  USER_NOT_FOUND: 'userNotFound',
  APPLICATION_EXISTS: 'applicationExists',
  APPLICATION_NOT_FOUND: 'applicationNotFound',
  TOO_MANY_ATTEMPTS: 'tooManyAttempts',
};

/** Answers an error of endpoints 12 to 20: always a `detail` with code, status and message. */
export function sendDetail(error: unknown, _request: Request, response: Response): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const problem = problemOf(error);
  const name = codeOf(problem);
  const { code, status, message } = assistantCodes[name];
  response.set(problem.headers);
  response.status(name === 'invalidCredentials' ? 400 : problem.kind.status);
  response.json({
    detail: { code, status, message: name === 'invalidCredentials' ? message : problem.detail },
    ...(problem.problems.length === 0 ? {} : { errors: problem.problems }),
  });
}

function codeOf({ code, kind: { status } }: Problem): AssistantCode {
  const known = codes[code];
  if (known !== undefined) return known;
  if (status === 401 || status === 403 || status === 421) return 'notAllowed';
  if (status === 429) return 'tooManyAttempts';
  if (status === 503) return 'serviceUnavailable';
  return status === 500 ? 'internalError' : 'requestMalformed';
}
