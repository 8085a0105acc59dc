import { browserName, isPage, userLanguage } from './browser-facts.ts';
import type { SineteErrorCode, SineteErrorReason } from './error-codes.ts';
import { helpSection, userText, type UserText } from './words.ts';

export type { SineteErrorCode, SineteErrorReason } from './error-codes.ts';
export type { UserText } from './words.ts';

/** The helper's answer: the body of an error (RFC 9457), with its known fields. */
export interface SineteProblem {
  readonly status: number;
  /** The helper's own code: `CERTIFICATE_AMBIGUOUS`, `TSA_NOT_CONFIGURED`, … */
  readonly code: string;
  /** A sentence in English with the remedy. */
  readonly detail: string;
  readonly errors: readonly { readonly field: string; readonly code: string; readonly detail: string }[];
}

/** The single error class of this client. `message` is English, for a developer; `forUser` is for the page's user. */
export class SineteError extends Error {
  readonly code: SineteErrorCode;
  /** The cause of a `BLOCKED_BY_BROWSER`. */
  readonly reason: SineteErrorReason | undefined;
  /** A sentence with the remedy for the page's user, in English and Portuguese. */
  readonly forUser: UserText;
  /**
   * Address of a page that shows the user how to install Sinete, or how to allow the site in this browser: a section of
   * `sinete-help.html` beside this module, or of the page named by `Sinete.find({ help })`.
   */
  readonly help: string | undefined;
  /** True if `Sinete.find({ way: 'bridge' })`, called from a click, can help. */
  readonly offersBridge: boolean;
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
      readonly reason?: SineteErrorReason;
      readonly help?: string;
      readonly offersBridge?: boolean;
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'SineteError';
    this.code = code;
    this.reason = details.reason;
    this.forUser = userText(code, details.reason, browserName());
    this.help = helpAddress(code, details.reason, details.help);
    this.offersBridge = details.offersBridge ?? false;
    this.problem = details.problem;
    this.retryAfter = details.retryAfter;
  }
}

/** The address of the help page for an error, with its section; undefined outside of pages. */
function helpAddress(code: SineteErrorCode, reason?: SineteErrorReason, page?: string): string | undefined {
  const section = helpSection(code, reason, browserName());
  if (!isPage() || section === undefined) return undefined;
  const base = new URL(page ?? 'sinete-help.html', page === undefined ? import.meta.url : document.baseURI);
  base.hash = userLanguage() === 'en' ? section : `${section}-pt`;
  return base.href;
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
  if (code === 'BRIDGE_KEY_UNKNOWN') return 'BRIDGE_CLOSED';
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
