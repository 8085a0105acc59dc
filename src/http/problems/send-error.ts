import type { Request, Response } from 'express';
import { ServiceError, SigningError, type FieldProblem, type Quota } from '../../service/errors/index.ts';
import { httpProblems, serviceProblems, signingProblems, type ProblemKind } from './error-statuses.ts';
import { HttpError } from '../http-error.ts';
import { documentDetail } from './document-error.ts';
import { problemLanguage, type ProblemLanguage } from './problem-language.ts';
import { portugueseText } from './problem-text.ts';

/** A problem for the client: the members of RFC 9457 §3.1, and the closed `code` for programs. */
export interface Problem {
  readonly kind: ProblemKind;
  readonly code: string;
  readonly detail: string;
  readonly problems: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;
}

/** Maximum number of problems in an answer: a small body could have a hundred thousand wrong places. */
export const mostProblems = 1000;

/** Seconds until another try after a 503 or an unfinished document, unless the service says otherwise. */
const defaultRetryAfter = 5;

/** The client's form of an error. Errors of unknown classes become `INTERNAL`, without any detail. */
export function problemOf(error: unknown): Problem {
  if (error instanceof HttpError) {
    const { code, message, problems, headers } = error;
    return { kind: httpProblems[code], code, detail: message, problems, headers };
  }
  if (error instanceof ServiceError) {
    const kind = serviceProblems[error.code];
    const headers = { ...retryHeader(kind, error.retryAfter), ...quotaHeaders(quotaOf(kind, error)) };
    const detail = error.code === 'INTERNAL' ? internalDetail : error.message;
    return { kind, code: error.code, detail, problems: error.problems, headers };
  }
  if (error instanceof SigningError) {
    const kind = signingProblems[error.code];
    return { kind, code: error.code, detail: error.message, problems: [], headers: retryHeader(kind, undefined) };
  }
  return expressProblem(error) ?? internalProblem;
}

/** Sends `application/problem+json`. If the headers were sent already, closes the connection instead. */
export function sendError(error: unknown, request: Request, response: Response): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const problem = problemOf(error);
  response.removeHeader('Content-Length');
  response.removeHeader('Content-Disposition');
  response.removeHeader('ETag');
  response.set(problem.headers);
  response.status(problem.kind.status);
  response.type('application/problem+json');
  const language = problemLanguage(request.get('Accept-Language'));
  const pt = language === 'pt' ? portugueseText(problem.code) : undefined;
  response.vary('Accept-Language').set('Content-Language', pt === undefined ? 'en' : 'pt-BR');
  const problems = documentProblems(problem, language);
  response.send(JSON.stringify({ ...problemMembers({ ...problem, problems }, requestIdOf(request)), ...pt }));
}

/** The reasons of failed documents in the caller's language; problems of other fields are English only. */
function documentProblems({ code, problems }: Problem, language: ProblemLanguage): readonly FieldProblem[] {
  if (code !== 'SIGNING_FAILED') return problems;
  return problems.map((problem) => ({ ...problem, detail: documentDetail(problem, language) }));
}

/** Status and body of a refusal outside of any handler; `requestId` must be sent as `X-Request-Id` too. */
export function problemBytes(error: HttpError, requestId: string): { readonly status: number; readonly body: Buffer } {
  const problem = problemOf(error);
  return { status: problem.kind.status, body: Buffer.from(JSON.stringify(problemMembers(problem, requestId))) };
}

/** The members of RFC 9457 §3.1; `type` is the address of a page about the code. */
function problemMembers({ kind, code, detail, problems }: Problem, requestId: string): Record<string, unknown> {
  return {
    type: `/problems/${code}`,
    title: kind.title,
    status: kind.status,
    detail,
    code,
    instance: `urn:sinete:request:${requestId}`,
    ...(problems.length === 0 ? {} : { errors: problems.slice(0, mostProblems) }),
  };
}

/** True for internal failures: these are logged with their cause. */
export function isOurFault(error: unknown): boolean {
  return problemOf(error).kind.status === serviceProblems.INTERNAL.status;
}

const internalDetail = 'Something went wrong in Sinete itself. The log of this instance tells more.';

const internalProblem: Problem = {
  kind: serviceProblems.INTERNAL,
  code: 'INTERNAL',
  detail: internalDetail,
  problems: [],
  headers: {},
};

/** The limit of attempts is reported without its size: an attempt counts only after the block has ended. */
function quotaOf(kind: ProblemKind, { quota, retryAfter }: ServiceError): Partial<Quota> | undefined {
  if (quota !== undefined || kind !== serviceProblems.TOO_MANY_ATTEMPTS || retryAfter === undefined) return quota;
  return { name: 'attempts', remaining: 0, resetsAfter: retryAfter };
}

/**
 * `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10): structured fields (RFC 9651), times in
 * seconds. Empty without a quota.
 */
export function quotaHeaders(quota: Partial<Quota> | undefined): Record<string, string> {
  if (quota?.name === undefined) return {};
  const { name, limit, window, remaining = 0, resetsAfter = 0 } = quota;
  return {
    RateLimit: `"${name}";r=${remaining};t=${Math.max(1, Math.ceil(resetsAfter))}`,
    ...(limit === undefined ? {} : { 'RateLimit-Policy': `"${name}";q=${limit};w=${window ?? 0}` }),
  };
}

function retryHeader(kind: ProblemKind, retryAfter: number | undefined): Record<string, string> {
  if (retryAfter !== undefined) return { 'Retry-After': String(Math.max(1, Math.ceil(retryAfter))) };
  if (kind === serviceProblems.NOT_SIGNED_YET) return { 'Retry-After': '1' };
  return kind.status === 503 ? { 'Retry-After': String(defaultRetryAfter) } : {};
}

/** The problem for an error of Express: an address that cannot be decoded. */
function expressProblem(error: unknown): Problem | undefined {
  if (error instanceof URIError) return problemOf(new HttpError('REQUEST_MALFORMED', 'The address is not UTF-8.'));
  return undefined;
}

function requestIdOf(request: Request): string {
  const requestId: unknown = request.res?.locals['requestId'];
  return typeof requestId === 'string' ? requestId : 'none';
}
