import type { CallError } from '../../../src/ui-contract/ui-contract.ts';

/** True for the errors of a document whose password is missing or wrong. */
export const asksPassword = ({ code }: CallError): boolean =>
  ['DOCUMENT_ENCRYPTED', 'PDF_ENCRYPTED', 'PASSWORD_INCORRECT', 'PDF_PASSWORD_INCORRECT'].includes(code);

/** True for the errors of a document whose given password is wrong. */
export const isPasswordWrong = ({ code }: CallError): boolean => code.endsWith('PASSWORD_INCORRECT');
