/** Rules every answer must follow, for any request. */
import { assistantCodes } from '../../src/service/errors/index.ts';
import { bareType, type DocumentedAnswer, type Operation } from './operations.ts';
import type { RawAnswer } from './raw-exchange.ts';
import type { FuzzRequest } from './requests.ts';

/** Statuses allowed at any address without being documented for each operation. */
const anywhere: Readonly<Record<number, readonly string[]>> = {
  404: ['ADDRESS_NOT_FOUND'],
  405: ['METHOD_NOT_ALLOWED'],
  415: ['MEDIA_TYPE_NOT_SUPPORTED'],
};

/** A request unreadable for the HTTP parser is a 400 at any address, and nobody knows the intended address. */
const unreadable = { status: 400, code: 'REQUEST_MALFORMED' } as const;

const isAssistant = (path: string): boolean => /^\/(user|selected-user|application)(\/|$)/.test(path);

/** Why an answer is wrong; empty for a right answer. `forbidden`: texts forbidden in all answers. */
export function faultsOf(
  operation: Operation,
  request: FuzzRequest,
  answer: RawAnswer,
  forbidden: readonly string[],
): readonly string[] {
  const { status, headers, body } = answer;
  if (status === 0) return request.isBrokenOnTheWire ? [] : ['The connection ended without an answer.'];
  return [
    ...(headers.has('x-request-id') ? [] : ['It has no X-Request-Id.']),
    ...forbidden.filter((text) => body.includes(text)).map((text) => `The body shows ${JSON.stringify(text)}.`),
    ...(/\n?\s+at [^\n]+:\d+:\d+\)?/.test(body) ? ['The body shows a stack.'] : []),
    ...(request.isOtherMethod ? otherMethodFaults(answer) : documentedFaults(operation, request, answer)),
  ];
}

function otherMethodFaults({ status, headers }: RawAnswer): readonly string[] {
  if (status >= 500) return [`${status} for another method.`];
  return status === 405 && !headers.has('allow') ? ['A 405 without Allow.'] : [];
}

function documentedFaults(operation: Operation, request: FuzzRequest, answer: RawAnswer): readonly string[] {
  const { status, headers, body } = answer;
  if (status >= 500 && status !== 503) return [`${status}: ${body.slice(0, 500)}`];
  const type = bareType(headers.get('content-type') ?? '');
  const documented = operation.answers.get(status);
  const path = request.target;
  if (documented === undefined || (documented.bodies.size > 0 && !documented.bodies.has(type))) {
    const isUnreadable = request.isBrokenOnTheWire && isProblem(answer, unreadable);
    const isGeneral = generalFaults(status, type, body, path).length === 0;
    return isUnreadable || isGeneral ? [] : [`${status} ${type} is not documented: ${body.slice(0, 500)}`];
  }
  return bodyFaults(documented, type, body, path);
}

function isProblem({ status, headers, body }: RawAnswer, expected: { status: number; code: string }): boolean {
  const { code } = (parsed(body) ?? {}) as { readonly code?: unknown };
  const isOne = bareType(headers.get('content-type') ?? '') === 'application/problem+json';
  return isOne && status === expected.status && code === expected.code;
}

function bodyFaults({ bodies, codes }: DocumentedAnswer, type: string, body: string, path: string): readonly string[] {
  const check = bodies.get(type);
  if (check === undefined) return [];
  const value = parsed(body);
  const result = check.safeParse(value);
  if (!result.success) return [`The body is not as documented: ${result.error.message} in ${body.slice(0, 500)}`];
  if (isAssistant(path) && type === 'application/json') return assistantFaults(value);
  const { code } = (value ?? {}) as { readonly code?: unknown };
  if (type !== 'application/problem+json' || codes.has(String(code))) return [];
  return isAnywhere(body) ? [] : [`The code ${String(code)} is not documented for this status.`];
}

/** Refusals needing not stand at the operation: in the usual forms, with a code allowed at any address. */
function generalFaults(status: number, type: string, body: string, path: string): readonly string[] {
  // RFC 9110 §13.1.2: `If-None-Match: *` is false wherever there is something.
  if (status === 304) return body === '' ? [] : ['A 304 with a body.'];
  if (status === 204) return body === '' ? [] : ['A 204 with a body.'];
  if (isAssistant(path)) return status in anywhere ? assistantFaults(parsed(body)) : ['not documented'];
  return type === 'application/problem+json' && isAnywhere(body) ? [] : ['not documented'];
}

function isAnywhere(body: string): boolean {
  const { status, code } = (parsed(body) ?? {}) as { readonly status?: unknown; readonly code?: unknown };
  return anywhere[Number(status)]?.includes(String(code)) === true;
}

/** `{"detail": {code, status, message}}` with a code of the interface document, and its own status text. */
function assistantFaults(value: unknown): readonly string[] {
  const { detail } = (value ?? {}) as { readonly detail?: { readonly code?: unknown; readonly status?: unknown } };
  const isKnown = Object.values(assistantCodes).some(
    ({ code, status }) => code === detail?.code && status === detail.status,
  );
  return isKnown ? [] : [`No such detail: ${JSON.stringify(detail)}`];
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
