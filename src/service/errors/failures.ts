import { SigningError, type SigningErrorCode } from '../../signing/index.ts';
import { ServiceError, type ServiceErrorCode } from './errors.ts';

/** The service's code of each failure of the signing core. */
export const codeOfSigningError: Readonly<Record<SigningErrorCode, ServiceErrorCode>> = {
  DER_MALFORMED: 'DOCUMENT_UNREADABLE',
  CERTIFICATE_MALFORMED: 'CERTIFICATE_NOT_VALID',
  CMS_MALFORMED: 'DOCUMENT_UNREADABLE',
  CMS_UNSUPPORTED: 'FEATURE_NOT_SUPPORTED',
  PKCS12_MALFORMED: 'KEY_FILE_INVALID',
  PKCS12_UNSUPPORTED: 'KEY_FILE_INVALID',
  PASSWORD_INCORRECT: 'PASSWORD_INCORRECT',
  PDF_MALFORMED: 'DOCUMENT_UNREADABLE',
  PDF_DAMAGED: 'DOCUMENT_UNREADABLE',
  PDF_UNSUPPORTED: 'FEATURE_NOT_SUPPORTED',
  PDF_ENCRYPTED: 'DOCUMENT_ENCRYPTED',
  PDF_CHANGE_FORBIDDEN: 'DOCUMENT_CHANGE_FORBIDDEN',
  PDF_STANDARD_LOST: 'DOCUMENT_STANDARD_LOST',
  PDF_FIELD_NOT_FOUND: 'FIELD_NOT_FOUND',
  PDF_FIELD_REQUIRED: 'FIELD_REQUIRED',
  PDF_APPEARANCE_INVALID: 'REQUEST_INVALID',
  ALGORITHM_UNSUPPORTED: 'ALGORITHM_NOT_SUPPORTED',
  CERTIFICATE_EXPIRED: 'CERTIFICATE_NOT_VALID',
  CERTIFICATE_NOT_YET_VALID: 'CERTIFICATE_NOT_VALID',
  KEY_NOT_FOUND: 'CERTIFICATE_NOT_FOUND',
  KEY_AMBIGUOUS: 'CERTIFICATE_AMBIGUOUS',
  KEY_MISMATCH: 'CERTIFICATE_NOT_VALID',
  KEY_ABSENT: 'CERTIFICATE_NOT_VALID',
  KEY_SIGNS_NO_HASH: 'KEY_SIGNS_NO_HASH',
  PIN_REQUIRED: 'PIN_REQUIRED',
  PIN_INCORRECT: 'PIN_INCORRECT',
  PIN_LOCKED: 'PIN_LOCKED',
  PIN_INVALID: 'PIN_INCORRECT',
  TOKEN_REMOVED: 'KEY_SOURCE_UNAVAILABLE',
  TOKEN_ERROR: 'KEY_SOURCE_UNAVAILABLE',
  MODULE_BINDING_MISSING: 'KEY_SOURCE_UNAVAILABLE',
  MODULE_NOT_LOADABLE: 'KEY_SOURCE_UNAVAILABLE',
  MODULE_CRASHED: 'KEY_SOURCE_UNAVAILABLE',
  MODULE_TIMEOUT: 'KEY_SOURCE_UNAVAILABLE',
  MODULE_QUARANTINED: 'KEY_SOURCE_UNAVAILABLE',
  SIGNATURE_INVALID: 'SIGNING_FAILED',
  CONTENT_CHANGED: 'DOCUMENT_UNREADABLE',
  LIMIT_EXCEEDED: 'DOCUMENT_UNREADABLE',
  NETWORK_REFUSED: 'NETWORK_UNAVAILABLE',
  NETWORK_UNREACHABLE: 'NETWORK_UNAVAILABLE',
  NETWORK_ANSWER_TOO_LARGE: 'NETWORK_UNAVAILABLE',
  TIMESTAMP_REFUSED: 'TSA_UNAVAILABLE',
  TIMESTAMP_INVALID: 'TSA_UNAVAILABLE',
  CRL_MALFORMED: 'REVOCATION_UNAVAILABLE',
  CRL_UNSUPPORTED: 'REVOCATION_UNAVAILABLE',
  OCSP_MALFORMED: 'REVOCATION_UNAVAILABLE',
  REVOCATION_UNKNOWN: 'REVOCATION_UNAVAILABLE',
  REVOCATION_TOO_OLD: 'REVOCATION_UNAVAILABLE',
  CERTIFICATE_REVOKED: 'CERTIFICATE_REVOKED',
  CHAIN_INCOMPLETE: 'CERTIFICATE_NOT_VALID',
  QUEUE_FULL: 'BUSY',
  CANCELLED: 'SIGNING_FAILED',
};

/** The service's code of the operating system's errors for a document; others are `STORAGE_UNAVAILABLE`. */
const failureOfSystemError: ReadonlyMap<string, readonly [ServiceErrorCode, string]> = new Map([
  ['ENOSPC', ['STORAGE_FULL', 'The disk is full: make room and sign again.']],
  ['EDQUOT', ['STORAGE_FULL', 'The disk quota is used up: make room and sign again.']],
  ['EMFILE', ['BUSY', 'Too many files are open: the limit of the process is reached.']],
  ['ENFILE', ['BUSY', 'Too many files are open: the limit of this computer is reached.']],
  ['EAGAIN', ['BUSY', 'No further thread may run: the limit of processes is reached.']],
  ['EACCES', ['PATH_NOT_ALLOWED', 'The operating system does not allow reading or writing there.']],
  ['EPERM', ['PATH_NOT_ALLOWED', 'The operating system does not allow reading or writing there.']],
  ['EROFS', ['PATH_NOT_ALLOWED', 'The folder can only be read: choose another destination.']],
  ['ENOENT', ['DOCUMENT_UNREADABLE', 'The document, or the folder of its destination, is no longer there.']],
]);

/** Converts any failure to the service's own error; `INTERNAL` for an unknown error. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof SigningError) {
    return new ServiceError(codeOfSigningError[error.code], error.message, { cause: error });
  }
  if (error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string') {
    const [code, message] = failureOfSystemError.get(error.code) ?? [
      'STORAGE_UNAVAILABLE',
      'A file could not be read or written: see the health check.',
    ];
    return new ServiceError(code, message, { cause: error });
  }
  return new ServiceError('INTERNAL', 'The document could not be signed because of a fault in this application.', {
    cause: error,
  });
}

/**
 * True if a document can be tried again later, because the failure is temporary: space may be freed, or another file
 * closed.
 */
export function passesByItself(error: unknown): boolean {
  const { code } = toServiceError(error);
  return code === 'STORAGE_FULL' || code === 'BUSY';
}

/** The reason why a key could not be opened. Errors from outside of the signing core come from the key's store. */
export function toKeyFailure(error: unknown): ServiceError {
  if (error instanceof ServiceError || error instanceof SigningError) return toServiceError(error);
  const message = 'The key of this certificate cannot be read now: see the health check.';
  return new ServiceError('KEY_SOURCE_UNAVAILABLE', message, { cause: error });
}

const waiting: ReadonlySet<SigningErrorCode> = new Set(['PIN_REQUIRED', 'TOKEN_REMOVED', 'MODULE_QUARANTINED']);

/**
 * True if the document waits for its key: the user can insert a token or enter its PIN, or the quarantine of its driver
 * will end.
 */
export function waitsForPin(error: unknown): boolean {
  return error instanceof SigningError && waiting.has(error.code);
}
