/**
 * Reasons for refusing a test certificate.
 *
 * - `TAXPAYER_NUMBER_INVALID`: a CPF or CNPJ with wrong check digits.
 * - `FIELD_INVALID`: another field that does not fit its place in the certificate.
 */
export type TestAuthorityErrorCode = 'TAXPAYER_NUMBER_INVALID' | 'FIELD_INVALID';

/** The single error class of the test authority. `message` is a sentence for the user; numbers are masked. */
export class TestAuthorityError extends Error {
  readonly code: TestAuthorityErrorCode;

  constructor(code: TestAuthorityErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'TestAuthorityError';
    this.code = code;
  }
}
