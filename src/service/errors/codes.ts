/**
 * The table of information codes for `detail` objects. The interface document names some; the others complete the
 * pairs. Codes and messages are part of the wire and never change their meaning.
 */

/** A code with its name and its message. */
export interface InformationCode {
  readonly code: number;
  /** `UPPER_SNAKE`, stable. */
  readonly status: string;
  readonly message: string;
}

/** Codes of the validator and of certificate information. Odd codes report success. */
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
    message: 'It could not be determined',
  },
  documentMissing: {
    code: 1194,
    status: 'DOCUMENT_MISSING',
    message: 'The document that the detached signature belongs to is missing',
  },
  policyKept: { code: 1195, status: 'POLICY_KEPT', message: 'The signature policy is kept' },
  policyNotKept: { code: 1196, status: 'POLICY_NOT_KEPT', message: 'The signature policy is not kept' },
} as const satisfies Record<string, InformationCode>;

export type FindingCode = keyof typeof findingCodes;

/** Codes of the assistant (endpoints 12 to 20); `message` is the default sentence. */
export const assistantCodes = {
  applicationCreated: { code: 1018, status: 'APPLICATION_CREATED', message: 'Application created successfully' },
  applicationExists: { code: 1019, status: 'APPLICATION_EXISTS', message: 'Application exists already' },
  applicationNotFound: { code: 1020, status: 'APPLICATION_NOT_FOUND', message: 'Application not found' },
  applicationListed: { code: 1021, status: 'APPLICATION_LISTED', message: 'Application listed' },
  applicationChanged: { code: 1022, status: 'APPLICATION_CHANGED', message: 'Application changed' },
  requestMalformed: { code: 1050, status: 'REQUEST_MALFORMED', message: 'Request cannot be read' },
  internalError: { code: 1051, status: 'INTERNAL_ERROR', message: 'Internal error' },
  serviceUnavailable: { code: 1052, status: 'SERVICE_UNAVAILABLE', message: 'Service unavailable' },
  tooManyAttempts: { code: 1053, status: 'TOO_MANY_ATTEMPTS', message: 'Too many attempts' },
  invalidFields: { code: 1055, status: 'INVALID_FIELDS', message: 'Invalid fields' },
  invalidCredentials: { code: 1056, status: 'INVALID_CREDENTIALS', message: 'Invalid credentials' },
  userNotFound: { code: 1057, status: 'USER_NOT_FOUND', message: 'User not found' },
  notAllowed: { code: 1058, status: 'NOT_ALLOWED', message: 'Not allowed' },
  userListed: { code: 1093, status: 'USER_LISTED', message: 'User listed' },
  selectedUserDetail: { code: 1124, status: 'SELECTED_USER_DETAIL', message: 'Selected user detail' },
  noSelectedUser: { code: 1125, status: 'NO_SELECTED_USER', message: 'No selected user' },
  selectedUserChanged: { code: 1126, status: 'SELECTED_USER_CHANGED', message: 'Selected user changed' },
  certificatesListed: { code: 1127, status: 'CERTIFICATES_LISTED', message: 'Certificates listed' },
  cacheCreated: { code: 1128, status: 'CACHE_CREATED', message: 'Cache created' },
  userRemoved: { code: 1129, status: 'USER_REMOVED', message: 'User removed' },
} as const satisfies Record<string, InformationCode>;

export type AssistantCode = keyof typeof assistantCodes;
