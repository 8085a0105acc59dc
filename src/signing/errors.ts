/**
 * The closed list of errors of the signing core. Callers branch on codes, never on messages.
 *
 * - `DER_MALFORMED`, `CERTIFICATE_MALFORMED`, `CMS_MALFORMED`, `PKCS12_MALFORMED`, `PDF_MALFORMED`: wrong data.
 * - `…_UNSUPPORTED`: well-formed data with a feature outside of this core.
 * - `PASSWORD_INCORRECT`: a PKCS#12 password or a PDF password does not open the file.
 * - `PIN_…`, `TOKEN_…`, `MODULE_…`: answers of a PKCS#11 token or its driver.
 * - `MODULE_BINDING_MISSING`: the package that calls drivers is not installed, or has no binary for this system.
 * - `PDF_APPEARANCE_INVALID`: the visible signature has no place on a page, or its picture cannot be used.
 * - `LIMIT_EXCEEDED`: reading the data took more time or memory than any honest document needs.
 * - `NETWORK_…`: data from the network was forbidden, unreachable, or too large.
 * - `TIMESTAMP_…`: an authority refused to stamp, or its answer is not a good stamp of the request.
 * - `CRL_MALFORMED`, `OCSP_MALFORMED`: unreadable revocation data.
 * - `CRL_UNSUPPORTED`: a list with an unsupported scope: indirect, delta, critical extensions.
 * - `REVOCATION_UNKNOWN`, `CERTIFICATE_REVOKED`, `CHAIN_INCOMPLETE`: evidence for a level is not available.
 * - `REVOCATION_TOO_OLD`: the only revocation data is older than the signature; newer data will come.
 * - `KEY_…`: the requested key does not exist, or must not be used for this.
 * - `CONTENT_CHANGED`: a file changed during reading; nothing was written.
 */
export type SigningErrorCode =
  | 'DER_MALFORMED'
  | 'CERTIFICATE_MALFORMED'
  | 'CMS_MALFORMED'
  | 'CMS_UNSUPPORTED'
  | 'PKCS12_MALFORMED'
  | 'PKCS12_UNSUPPORTED'
  | 'PASSWORD_INCORRECT'
  | 'PDF_MALFORMED'
  | 'PDF_DAMAGED'
  | 'PDF_UNSUPPORTED'
  | 'PDF_ENCRYPTED'
  | 'PDF_CHANGE_FORBIDDEN'
  | 'PDF_STANDARD_LOST'
  | 'PDF_FIELD_NOT_FOUND'
  | 'PDF_FIELD_REQUIRED'
  | 'PDF_APPEARANCE_INVALID'
  | 'LIMIT_EXCEEDED'
  | 'ALGORITHM_UNSUPPORTED'
  | 'CERTIFICATE_EXPIRED'
  | 'CERTIFICATE_NOT_YET_VALID'
  | 'KEY_NOT_FOUND'
  | 'KEY_AMBIGUOUS'
  | 'KEY_MISMATCH'
  | 'KEY_ABSENT'
  | 'KEY_SIGNS_NO_HASH'
  | 'PIN_REQUIRED'
  | 'PIN_INCORRECT'
  | 'PIN_LOCKED'
  | 'PIN_INVALID'
  | 'TOKEN_REMOVED'
  | 'TOKEN_ERROR'
  | 'MODULE_BINDING_MISSING'
  | 'MODULE_NOT_LOADABLE'
  | 'MODULE_CRASHED'
  | 'MODULE_TIMEOUT'
  | 'MODULE_QUARANTINED'
  | 'SIGNATURE_INVALID'
  | 'CONTENT_CHANGED'
  | 'NETWORK_REFUSED'
  | 'NETWORK_UNREACHABLE'
  | 'NETWORK_ANSWER_TOO_LARGE'
  | 'TIMESTAMP_REFUSED'
  | 'TIMESTAMP_INVALID'
  | 'CRL_MALFORMED'
  | 'CRL_UNSUPPORTED'
  | 'OCSP_MALFORMED'
  | 'REVOCATION_UNKNOWN'
  | 'REVOCATION_TOO_OLD'
  | 'CERTIFICATE_REVOKED'
  | 'CHAIN_INCOMPLETE'
  | 'QUEUE_FULL'
  | 'CANCELLED';

/** The single error class of the signing core. `message` is a sentence for the user and holds no secret. */
export class SigningError extends Error {
  readonly code: SigningErrorCode;

  constructor(code: SigningErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'SigningError';
    this.code = code;
  }
}

/**
 * True for an error that says something about the data that was read. A limit says nothing about the data: what ended
 * at a limit must not be remembered as a property of a certificate.
 */
export const isDataError = (error: unknown): error is SigningError =>
  error instanceof SigningError && error.code !== 'LIMIT_EXCEEDED';
