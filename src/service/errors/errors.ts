/**
 * The closed list of the service's refusals and failures. The HTTP layer maps each to a status; a document with status
 * ERROR has one of these codes as `error.code`.
 */
export type ServiceErrorCode =
  | 'REQUEST_INVALID'
  | 'TYPE_NOT_SUPPORTED'
  | 'ALGORITHM_NOT_SUPPORTED'
  | 'POLICY_NOT_SUPPORTED'
  | 'TSA_NOT_CONFIGURED'
  | 'FEATURE_NOT_SUPPORTED'
  | 'STORE_NOT_CONFIGURED'
  | 'STORE_UNAVAILABLE'
  | 'STORE_REFUSED'
  | 'RESULT_DELIVERED'
  | 'CERTIFICATE_NOT_FOUND'
  | 'CERTIFICATE_AMBIGUOUS'
  | 'CERTIFICATE_NOT_VALID'
  | 'CERTIFICATE_REVOKED'
  | 'SIGNATURE_SETTING_REQUIRED'
  | 'SIGNATURE_SETTING_UNKNOWN'
  | 'NO_DOCUMENTS'
  | 'TOO_MANY_DOCUMENTS'
  | 'DOCUMENT_TOO_LARGE'
  | 'DOCUMENT_UNREADABLE'
  | 'DOCUMENT_NOT_A_PDF'
  | 'DOCUMENT_ENCRYPTED'
  | 'NOT_A_SIGNATURE'
  | 'DOCUMENT_CHANGE_FORBIDDEN'
  | 'DOCUMENT_STANDARD_LOST'
  | 'FIELD_NOT_FOUND'
  | 'FIELD_REQUIRED'
  | 'PATH_NOT_ALLOWED'
  | 'SOURCE_NOT_ALLOWED'
  | 'DESTINATION_NOT_ALLOWED'
  | 'DESTINATION_EXISTS'
  | 'FOLDER_NOT_FOUND'
  | 'TRANSACTION_NOT_FOUND'
  | 'DOCUMENT_NOT_FOUND'
  | 'UPLOAD_CLOSED'
  | 'DOCUMENT_NOT_ANNOUNCED'
  | 'DOCUMENT_ALREADY_UPLOADED'
  | 'UPLOAD_INCOMPLETE'
  | 'UPLOAD_EXPIRED'
  | 'NOT_SIGNED_YET'
  | 'SIGNING_FAILED'
  | 'LIFETIME_OVER'
  | 'RESULT_DAMAGED'
  | 'IDEMPOTENCY_CONFLICT'
  | 'APPROVAL_NOT_WAITING'
  | 'APPROVAL_REFUSED'
  | 'APPROVAL_EXPIRED'
  | 'CANCELLED'
  | 'PIN_REQUIRED'
  | 'PIN_INCORRECT'
  | 'PIN_LOCKED'
  | 'PASSWORD_INCORRECT'
  | 'KEY_FILE_INVALID'
  | 'KEY_SOURCE_UNAVAILABLE'
  | 'MODULE_INVALID'
  | 'NETWORK_UNAVAILABLE'
  | 'TSA_UNAVAILABLE'
  | 'REVOCATION_UNAVAILABLE'
  | 'EVIDENCE_UNAVAILABLE'
  | 'STORAGE_UNAVAILABLE'
  | 'STORAGE_FULL'
  | 'BUSY'
  | 'INVALID_CREDENTIALS'
  | 'TOO_MANY_ATTEMPTS'
  | 'APPLICATION_LIMIT_REACHED'
  | 'APPLICATION_OUT_OF_HOURS'
  | 'APPLICATION_EXISTS'
  | 'SCOPE_NOT_ALLOWED'
  | 'HASHES_NOT_ALLOWED'
  | 'RAW_NOT_ALLOWED'
  | 'KEY_SIGNS_NO_HASH'
  | 'USER_NOT_FOUND'
  | 'APPLICATION_NOT_FOUND'
  | 'AUTHORIZATION_UNAVAILABLE'
  | 'NOT_FOUND'
  | 'INTERNAL';

/** A problem of a request's field. */
export interface FieldProblem {
  /** Wire name with its path: `documents[0].data`. */
  readonly field: string;
  readonly code: string;
  /** A sentence that says which value to send. */
  readonly detail: string;
}

/** The remaining part of a limit over time. */
export interface Quota {
  /** Lower case with hyphens. */
  readonly name: string;
  /** Maximum number of units in a window. */
  readonly limit: number;
  /** Length of the window, in seconds. */
  readonly window: number;
  readonly remaining: number;
  /** Seconds until the next window. */
  readonly resetsAfter: number;
}

/** The single error class of the service. `message` is a sentence with the remedy, without secrets and paths. */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode;
  readonly problems: readonly FieldProblem[];
  /** Seconds until a retry makes sense, if known. */
  readonly retryAfter: number | undefined;
  /** The limit that caused the refusal, if it counts over time. */
  readonly quota: Quota | undefined;
  /** True if it is still unknown whether the change was stored: files that it refers to must not be removed. */
  readonly outcomeUnknown: boolean;

  constructor(
    code: ServiceErrorCode,
    message: string,
    options?: {
      readonly cause?: unknown;
      readonly problems?: readonly FieldProblem[];
      readonly retryAfter?: number;
      readonly quota?: Quota;
      readonly outcomeUnknown?: boolean;
    },
  ) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.problems = options?.problems ?? [];
    this.retryAfter = options?.retryAfter;
    this.quota = options?.quota;
    this.outcomeUnknown = options?.outcomeUnknown ?? false;
  }
}

/** The sentence of an error followed by those of its fields, for places that show only one text. */
export function wholeSentence({ message, problems }: ServiceError): string {
  const missing = problems.filter(({ detail }) => !message.includes(detail));
  return [message, ...missing.map(({ field, detail }) => `${field}: ${detail}`)].join(' ');
}

/** True for a failed change that may have been stored nevertheless. */
export const isOutcomeUnknown = (error: unknown): boolean => error instanceof ServiceError && error.outcomeUnknown;

/** A problem with a code of the service. */
export interface CodedProblem extends FieldProblem {
  readonly code: ServiceErrorCode;
}

/**
 * Rejects a request with all of its problems. The code is the problems' common code, else `REQUEST_INVALID`. Does
 * nothing without problems.
 */
export function refuseProblems(problems: readonly CodedProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const shared = problems.every(({ code }) => code === first.code) ? first.code : 'REQUEST_INVALID';
  const message =
    problems.length === 1 ? first.detail : `The request has ${problems.length} problems; the first: ${first.detail}`;
  throw new ServiceError(shared, message, { problems });
}
