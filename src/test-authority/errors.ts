/**
 * What a request for a test certificate can be refused for.
 *
 * - `TAXPAYER_NUMBER_INVALID`: a CPF or CNPJ whose check digits are wrong.
 * - `FIELD_INVALID`: another field that does not fit its place in the certificate.
 */
export type TestAuthorityErrorCode = 'TAXPAYER_NUMBER_INVALID' | 'FIELD_INVALID';

/** The one error class of the test authority. `message` is a sentence for a person; numbers in it are masked. */
export class TestAuthorityError extends Error {
  readonly code: TestAuthorityErrorCode;

  constructor(code: TestAuthorityErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'TestAuthorityError';
    this.code = code;
  }
}
