/**
 * The table of information codes: what `detail` objects carry. The interface document names some; the others complete
 * its pairs. Codes and messages are part of the wire: they never change their meaning.
 */

/** One code with what it is called and what it says. */
export interface InformationCode {
  readonly code: number;
  /** `UPPER_SNAKE`, stable. */
  readonly status: string;
  readonly message: string;
}

/** Codes of the validator and of certificate information: odd ones are good news. */
export const findingCodes = {
  signaturesIntact: {
    code: 1185,
    status: 'SIGNATURES_INTACT',
    message: 'All digital signatures of the document are intact',
  },
  signatureBroken: {
    code: 1186,
    status: 'SIGNATURE_BROKEN',
    message: 'A digital signature of the document is broken or not conformant',
  },
  dateValid: { code: 1187, status: 'DATE_VALID', message: 'Date of certificate is valid' },
  dateNotValid: { code: 1188, status: 'DATE_NOT_VALID', message: 'Date of certificate is not valid' },
  chainTrusted: { code: 1189, status: 'CHAIN_TRUSTED', message: 'Chain of certificate is trusted' },
  chainNotTrusted: { code: 1190, status: 'CHAIN_NOT_TRUSTED', message: 'Chain of certificate is not trusted' },
  revocationValid: { code: 1191, status: 'CRL_VALID', message: 'CRL is valid' },
  revocationNotValid: {
    code: 1192,
    status: 'CRL_NOT_VALID',
    message: 'The certificate is revoked, or its revocation data is not valid',
  },
  notDetermined: {
    code: 1193,
    status: 'NOT_DETERMINED',
    message: 'It could not be determined: the revocation data is not to be had',
  },
  documentMissing: {
    code: 1194,
    status: 'DOCUMENT_MISSING',
    message: 'The document that the detached signature belongs to is missing',
  },
} as const satisfies Record<string, InformationCode>;

export type FindingCode = keyof typeof findingCodes;
