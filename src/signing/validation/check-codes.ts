/**
 * The closed list of what a validation finds, by area. A code says what was found, not only what was looked for, so
 * that each has its own words and its own remedy.
 */

/** The building blocks of a validation (EN 319 102-1 §5.2), and what PDF adds. */
export type CheckArea =
  | 'format'
  | 'certificate'
  | 'integrity'
  | 'date'
  | 'revocation'
  | 'trust'
  | 'policy'
  | 'timestamp'
  | 'algorithm'
  | 'changes';

/** `unknown`: could not tell. `warning`: something to know, which decides nothing. */
export type CheckOutcome = 'passed' | 'failed' | 'unknown' | 'warning';

/**
 * Every finding with its area and its outcome. A `warning` is something to know; it never decides a verdict. The
 * comment of an entry says more than its name where that is needed.
 */
export const VALIDATION_CHECKS = {
  // The input and its structure
  /** The signature was inside PEM. */
  PEM_UNWRAPPED: ['format', 'passed'],
  /** The signature was inside an S/MIME message (RFC 8551); its content came along where the message is clear-signed. */
  MIME_UNWRAPPED: ['format', 'passed'],
  /** BER where DER is usual; nothing is wrong with that. */
  ENCODING_NOT_DER: ['format', 'warning'],
  STRUCTURE_SOUND: ['format', 'passed'],
  STRUCTURE_DAMAGED: ['format', 'failed'],
  /** The type of content is missing, stands twice, or is another one (RFC 5652 §11.1). */
  CONTENT_TYPE_WRONG: ['format', 'failed'],
  /** An attribute that may stand once stands twice, or has two values. */
  SIGNED_ATTRIBUTE_REPEATED: ['format', 'failed'],
  /** Stored in another order than DER's; the signature is over the right one. */
  SIGNED_ATTRIBUTES_UNSORTED: ['format', 'warning'],
  /** The content is itself a set of signed attributes: a signature over them is passed off as one over content. */
  SIGNED_ATTRIBUTES_REPLAYED: ['format', 'failed'],
  /** The PDF has no signature. */
  PDF_NO_SIGNATURE: ['format', 'unknown'],
  /** A signature of a PDF whose kind is not checked here. */
  PDF_KIND_UNKNOWN: ['format', 'unknown'],
  /** Byte range, `Contents` or dictionary are as no honest signer makes them. */
  PDF_STRUCTURE_UNSOUND: ['format', 'failed'],
  /** Something odd about the file as a whole. */
  PDF_FILE_UNSOUND: ['format', 'warning'],

  // Integrity
  INTEGRITY_INTACT: ['integrity', 'passed'],
  /** The digest differs: the content is not what was signed. */
  CONTENT_CHANGED: ['integrity', 'failed'],
  /** The content given is not the one that the signature encloses. */
  CONTENT_DIFFERS_FROM_ENCLOSED: ['integrity', 'failed'],
  /** The value does not belong to what is signed and to the signer's key. */
  SIGNATURE_VALUE_WRONG: ['integrity', 'failed'],
  /** The signature is detached, and its content was not given. */
  CONTENT_NOT_GIVEN: ['integrity', 'unknown'],
  /** A rare kind of signature for which the whole content would have to be in memory. */
  INTEGRITY_UNKNOWN: ['integrity', 'unknown'],

  // The signer's certificate
  SIGNER_CERTIFICATE_FOUND: ['certificate', 'passed'],
  SIGNER_CERTIFICATE_MISSING: ['certificate', 'unknown'],
  /** The signed attributes name another certificate. */
  SIGNER_CERTIFICATE_NOT_NAMED: ['certificate', 'failed'],
  /** signingCertificate or signingCertificateV2 names the signer's certificate. */
  SIGNING_CERTIFICATE_ATTRIBUTE_RIGHT: ['certificate', 'passed'],
  SIGNING_CERTIFICATE_ATTRIBUTE_MISSING: ['certificate', 'warning'],
  /** It is missing where the kind of signature demands it (EN 319 142-1 §6.3). */
  SIGNING_CERTIFICATE_ATTRIBUTE_REQUIRED: ['certificate', 'unknown'],
  CERTIFICATE_PURPOSE_RIGHT: ['certificate', 'passed'],
  CERTIFICATE_PURPOSE_WRONG: ['certificate', 'failed'],

  // Trust
  CHAIN_TRUSTED: ['trust', 'passed'],
  /** The certificate of an issuer is not to be had. */
  CHAIN_INCOMPLETE: ['trust', 'unknown'],
  ROOT_NOT_TRUSTED: ['trust', 'unknown'],
  /** The root that is trusted has expired, and nothing proves that the signature is older. */
  ROOT_EXPIRED: ['trust', 'unknown'],
  /** An authority of the path had expired, or was not yet valid. */
  AUTHORITY_OUT_OF_VALIDITY: ['trust', 'unknown'],
  /** A rule of RFC 5280 is broken: names, lengths, key usage, policies, a wrong signature. */
  CHAIN_RULE_BROKEN: ['trust', 'failed'],
  /** There are too many possible paths to try them all. */
  CHAIN_TOO_COMPLEX: ['trust', 'unknown'],
  /** The anchor is one of ICP-Brasil's roots. */
  HIERARCHY_ICP_BRASIL: ['trust', 'passed'],
  /** The anchor is the federal government's: advanced, not qualified (Lei 14.063/2020, art. 4). */
  HIERARCHY_GOV_BR: ['trust', 'passed'],
  /** The anchor is one for tests: without any legal value. */
  HIERARCHY_TEST: ['trust', 'warning'],
  /** The anchor is one that was added here. */
  HIERARCHY_OTHER: ['trust', 'passed'],

  // Dates
  CERTIFICATE_IN_VALIDITY: ['date', 'passed'],
  /** It has expired, and it is proven that the signature is older. */
  CERTIFICATE_WAS_VALID: ['date', 'passed'],
  /** It has expired, and nothing proves that the signature is older. */
  CERTIFICATE_EXPIRED: ['date', 'unknown'],
  /** It is proven that the signature was made after the certificate expired. */
  SIGNED_AFTER_EXPIRY: ['date', 'failed'],
  /** The signature is older than the certificate, or the certificate's time has not come. */
  CERTIFICATE_NOT_YET_VALID: ['date', 'failed'],
  /** The signer claims a time after that of the time stamp. */
  CLAIMED_TIME_AFTER_TIMESTAMP: ['date', 'warning'],
  /** The signer claims a time that is not inside the certificate's validity. */
  CLAIMED_TIME_OUT_OF_VALIDITY: ['date', 'warning'],
  CLAIMED_TIME_IN_FUTURE: ['date', 'warning'],

  // Revocation
  NOT_REVOKED: ['revocation', 'passed'],
  /** Revoked, and it is proven that the signature is older. */
  REVOKED_AFTER_SIGNING: ['revocation', 'passed'],
  /** Revoked, and nothing proves that the signature is older. */
  CERTIFICATE_REVOKED: ['revocation', 'unknown'],
  /** It is proven that the signature was made after the revocation. */
  SIGNED_AFTER_REVOCATION: ['revocation', 'failed'],
  CERTIFICATE_ON_HOLD: ['revocation', 'unknown'],
  AUTHORITY_REVOKED: ['revocation', 'unknown'],
  /** Nobody answered, or the network may not be used. */
  REVOCATION_UNREACHABLE: ['revocation', 'unknown'],
  /** The revocation data that there is does not reach the time in question. */
  REVOCATION_STALE: ['revocation', 'unknown'],
  /** The certificate does not say where its revocation data is. */
  REVOCATION_SOURCE_MISSING: ['revocation', 'unknown'],
  /** Data that is damaged, wrongly signed, or about something else. */
  REVOCATION_DATA_UNUSABLE: ['revocation', 'unknown'],
  /** The certificate of whoever signed the revocation data has expired, and nothing proves that the data is older. */
  REVOCATION_SIGNER_EXPIRED: ['revocation', 'unknown'],

  // Algorithms
  ALGORITHMS_STRONG: ['algorithm', 'passed'],
  /** Weak by now, and it is proven that the signature is older than its weakness. */
  ALGORITHM_WAS_STRONG: ['algorithm', 'passed'],
  /** A hash function that can be forged: MD5, SHA-1. */
  HASH_WEAK: ['algorithm', 'unknown'],
  KEY_TOO_SHORT: ['algorithm', 'unknown'],
  ALGORITHM_UNKNOWN: ['algorithm', 'unknown'],
  /** A key of a kind that this run time cannot read. */
  KEY_UNREADABLE: ['algorithm', 'unknown'],

  // Signature policies
  POLICY_RECOGNISED: ['policy', 'passed'],
  POLICY_RULES_KEPT: ['policy', 'passed'],
  /** Its rules are not known here, so whether they are kept cannot be told. */
  POLICY_NOT_AVAILABLE: ['policy', 'unknown'],
  /** As above, where the caller accepts that. */
  POLICY_NOT_CHECKED: ['policy', 'warning'],
  /** The attribute cannot be read. */
  POLICY_DAMAGED: ['policy', 'unknown'],
  POLICY_HASH_WRONG: ['policy', 'unknown'],
  /** A policy for another format. */
  POLICY_FORMAT_WRONG: ['policy', 'unknown'],
  /** Signed outside the period in which one may sign under it. */
  POLICY_PERIOD_WRONG: ['policy', 'unknown'],
  POLICY_ATTRIBUTE_MISSING: ['policy', 'unknown'],
  POLICY_ATTRIBUTE_FORBIDDEN: ['policy', 'unknown'],
  POLICY_ALGORITHM_NOT_ALLOWED: ['policy', 'unknown'],
  POLICY_ROOT_NOT_ALLOWED: ['policy', 'unknown'],
  /** Nobody should sign under it any more, although its period lasts. */
  POLICY_WITHDRAWN: ['policy', 'warning'],

  // Time stamps
  TIMESTAMP_VALID: ['timestamp', 'passed'],
  TIMESTAMP_DAMAGED: ['timestamp', 'failed'],
  /** It stamps something else. */
  TIMESTAMP_IMPRINT_WRONG: ['timestamp', 'failed'],
  /** What it stamps could not be read: the content was not given. */
  TIMESTAMP_IMPRINT_UNKNOWN: ['timestamp', 'unknown'],
  /** The index in an archive time stamp does not agree with what the signature carries (EN 319 122-1 §5.5.2). */
  TIMESTAMP_INDEX_WRONG: ['timestamp', 'failed'],
  /** The times of the time stamps contradict each other (EN 319 102-1 §5.5.4). */
  TIMESTAMP_ORDER_WRONG: ['timestamp', 'failed'],
  /** A time stamp that proves nothing; the signature is judged without it. */
  TIMESTAMP_NOT_USED: ['timestamp', 'warning'],
  /** A valid time stamp proves when the signature existed. */
  SIGNING_TIME_PROVEN: ['timestamp', 'passed'],
  /** There is only what the signer claims. */
  SIGNING_TIME_CLAIMED: ['timestamp', 'warning'],
  /** Time stamps and revocation data do not reach back far enough, one proving the other (EN 319 102-1 §5.6.2). */
  PROOF_OF_EXISTENCE_MISSING: ['timestamp', 'unknown'],

  // What later revisions of a PDF changed
  PDF_WHOLE_FILE_COVERED: ['changes', 'passed'],
  PDF_CHANGES_ALLOWED: ['changes', 'passed'],
  PDF_CHANGES_NOT_ALLOWED: ['changes', 'failed'],
} as const satisfies Readonly<Record<string, readonly [CheckArea, CheckOutcome]>>;

export type ValidationCheckCode = keyof typeof VALIDATION_CHECKS;

/** All codes, in the order of the table. */
export const VALIDATION_CHECK_CODES = Object.keys(VALIDATION_CHECKS) as readonly ValidationCheckCode[];
