/**
 * Reasons for a failure, in the form needed by a page:
 *
 * - `NOT_INSTALLED`: nothing answers on this computer: install Sinete, or start it.
 * - `BLOCKED_BY_BROWSER`: the browser does not let this page reach programs on the computer; its user can change this.
 * - `UNREACHABLE`: one of the two; this browser does not say which.
 * - `NOT_ALLOWED`: the user did not let this site in, or did not answer.
 * - `CREDENTIALS_REQUIRED`: a token is missing or expired.
 * - `CERTIFICATE_REQUIRED`: there is no certificate, or several without a choice; `problem` lists the certificates.
 * - `INPUT_INVALID`: the request was understood and cannot be fulfilled; `problem` has the reason.
 * - `BUSY`: a limit was reached, or a token or a server is unavailable: try again after `retryAfter` seconds.
 * - `CANCELLED`: the caller's own `AbortSignal`.
 * - `NOT_GENUINE`: a callback or an answer of the authorize page is not what it claims to be (`sinete-client/server`).
 * - `FAILED`: anything else.
 */
export type SineteErrorCode =
  | 'NOT_INSTALLED'
  | 'BLOCKED_BY_BROWSER'
  | 'UNREACHABLE'
  | 'NOT_ALLOWED'
  | 'CREDENTIALS_REQUIRED'
  | 'CERTIFICATE_REQUIRED'
  | 'INPUT_INVALID'
  | 'BUSY'
  | 'CANCELLED'
  | 'NOT_GENUINE'
  | 'FAILED';

/** The helper's answer: the body of an error (RFC 9457), with its known fields. */
export interface SineteProblem {
  readonly status: number;
  /** The helper's own code: `CERTIFICATE_AMBIGUOUS`, `TSA_NOT_CONFIGURED`, … */
  readonly code: string;
  /** A sentence in English with the remedy. */
  readonly detail: string;
  readonly errors: readonly { readonly field: string; readonly code: string; readonly detail: string }[];
}

/** The single error class of this client. `message` is English, for a developer; translate by `code` for users. */
export class SineteError extends Error {
  readonly code: SineteErrorCode;
  readonly problem: SineteProblem | undefined;
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined;

  constructor(
    code: SineteErrorCode,
    message: string,
    details: {
      readonly problem?: SineteProblem;
      readonly retryAfter?: number;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'SineteError';
    this.code = code;
    this.problem = details.problem;
    this.retryAfter = details.retryAfter;
  }
}

/**
 * The error for an answer of the helper.
 *
 * @internal
 */
export async function errorOfAnswer(answer: Response): Promise<SineteError> {
  const problem = readProblem(answer.status, await answer.json().catch(() => undefined));
  const retryAfter = Number(answer.headers.get('Retry-After') ?? undefined);
  return new SineteError(codeOf(problem), problem.detail, {
    problem,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}

/**
 * The error for a failed `fetch`.
 *
 * @internal
 */
export function errorOfFailure(failure: unknown): SineteError {
  if (failure instanceof SineteError) return failure;
  if (failure instanceof DOMException && failure.name === 'AbortError') {
    return new SineteError('CANCELLED', 'The page cancelled the request.', { cause: failure });
  }
  return new SineteError('UNREACHABLE', 'Sinete does not answer any more: it was closed, or the browser cut it off.', {
    cause: failure,
  });
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Also reads the forms of the assistant (`{"detail": {"code", "status", "message"}}`) and of RFC 6749. */
function readProblem(status: number, body: unknown): SineteProblem {
  const fields = isRecord(body) ? body : {};
  const assistant = isRecord(fields.detail) ? fields.detail : {};
  const code = assistant.status ?? fields.code ?? fields.error;
  const detail = assistant.message ?? fields.detail ?? fields.error_description;
  return {
    status,
    code: typeof code === 'string' ? code : `HTTP_${status}`,
    detail: typeof detail === 'string' ? detail : `Sinete answered with status ${status}.`,
    errors: Array.isArray(fields.errors) ? (fields.errors as SineteProblem['errors']) : [],
  };
}

function codeOf({ status, code }: SineteProblem): SineteErrorCode {
  if (code.startsWith('CERTIFICATE_AMBIGUOUS') || code.startsWith('CERTIFICATE_NOT_FOUND'))
    return 'CERTIFICATE_REQUIRED';
  switch (status) {
    case 401:
      return 'CREDENTIALS_REQUIRED';
    case 403:
      return 'NOT_ALLOWED';
    case 429:
    case 503:
      return 'BUSY';
    case 400:
    case 404:
    case 409:
    case 410:
    case 413:
    case 415:
    case 422:
      return 'INPUT_INVALID';
    default:
      return 'FAILED';
  }
}
