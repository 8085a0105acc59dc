import type { CallError } from '../../../src/ui-contract/ui-contract.ts';

/** Whether a document could not be read because its password is missing, or is not the right one. */
export const asksPassword = ({ code }: CallError): boolean =>
  ['DOCUMENT_ENCRYPTED', 'PDF_ENCRYPTED', 'PASSWORD_INCORRECT', 'PDF_PASSWORD_INCORRECT'].includes(code);

/** Whether the given password is not the right one. */
export const isPasswordWrong = ({ code }: CallError): boolean => code.endsWith('PASSWORD_INCORRECT');
