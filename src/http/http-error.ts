import type { FieldProblem } from '../service/errors/index.ts';

/** The closed list of this layer's own refusals, before a request reaches the service. */
export type HttpErrorCode =
  | 'REQUEST_MALFORMED'
  | 'BODY_NOT_UTF8'
  | 'REQUEST_TOO_LARGE'
  | 'REQUEST_TOO_SLOW'
  | 'MEDIA_TYPE_NOT_SUPPORTED'
  | 'METHOD_NOT_ALLOWED'
  | 'ADDRESS_NOT_FOUND'
  | 'RANGE_NOT_SATISFIABLE'
  | 'PRECONDITION_FAILED'
  | 'EXPECTATION_FAILED'
  | 'HEADERS_TOO_LARGE'
  | 'REQUEST_TIMEOUT'
  | 'CREDENTIALS_INVALID'
  | 'SESSION_ENDED'
  | 'PAGE_NOT_BUILT'
  | 'HOST_NOT_OURS'
  | 'USER_NOT_ALLOWED'
  | 'PROOF_REQUIRED'
  | 'NAVIGATION_REFUSED'
  | 'ORIGIN_OPAQUE'
  | 'ORIGIN_NOT_SECURE'
  | 'ORIGIN_NOT_GRANTED'
  | 'SITE_SCOPE_MISSING'
  | 'CONSENT_REFUSED'
  | 'CONSENT_TIMEOUT'
  | 'CONSENT_UNAVAILABLE'
  | 'TOO_MANY_HELD_REQUESTS'
  | 'TOO_MANY_REQUESTS'
  | 'ADMINISTRATOR_REQUIRED'
  | 'ADMINISTRATOR_SCOPE_MISSING'
  | 'BLIND_REQUEST_REFUSED'
  | 'CROSS_SITE_REFUSED'
  | 'BRIDGE_KEY_UNKNOWN'
  | 'BRIDGE_BOUND'
  | 'BRIDGE_REFUSED';

/** The single error class of the HTTP layer. `message` is a sentence with the remedy. */
export class HttpError extends Error {
  readonly code: HttpErrorCode;
  readonly problems: readonly FieldProblem[];
  /** Response headers of this refusal: `Allow`, `WWW-Authenticate`, `Content-Range`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: HttpErrorCode,
    message: string,
    options: {
      readonly cause?: unknown;
      readonly problems?: readonly FieldProblem[];
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'HttpError';
    this.code = code;
    this.problems = options.problems ?? [];
    this.headers = options.headers ?? {};
  }
}
