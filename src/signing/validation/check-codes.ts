/**
 * The closed list of findings of a validation, by area. Each finding has its own code, so that it has its own words and
 * its own remedy.
 */

/** The building blocks of a validation (EN 319 102-1 §5.2), and the additions for PDF. */
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

/** `unknown`: could not be determined. `warning`: information only, without effect on the verdict. */
export type CheckOutcome = 'passed' | 'failed' | 'unknown' | 'warning';

/**
 * Every finding with its area and its outcome. A `warning` never decides a verdict. An entry has a comment where its
 * name is not enough.
 */
export const VALIDATION_CHECKS = {
  // The input and its structure
  /** The signature was inside PEM. */
  PEM_UNWRAPPED: ['format', 'passed'],
  /** The signature was inside an S/MIME message (RFC 8551); a clear-signed message also gives the content. */
  MIME_UNWRAPPED: ['format', 'passed'],
  /** BER instead of DER, which is allowed. */
  ENCODING_NOT_DER: ['format', 'warning'],
  STRUCTURE_SOUND: ['format', 'passed'],
  STRUCTURE_DAMAGED: ['format', 'failed'],
  /** The content-type attribute is missing, repeated or wrong (RFC 5652 §11.1). */
  CONTENT_TYPE_WRONG: ['format', 'failed'],
  /**
   * A counter-signature has a content-type attribute, which RFC 5652 §11.4 forbids; some programs write this attribute.
   */
  COUNTER_SIGNATURE_CONTENT_TYPE: ['format', 'warning'],
  /** An attribute that may occur once occurs twice, or has two values. */
  SIGNED_ATTRIBUTE_REPEATED: ['format', 'failed'],
  /** Stored in another order than DER's; the signature covers the right order. */
  SIGNED_ATTRIBUTES_UNSORTED: ['format', 'warning'],
  /** RSA with a DigestInfo without NULL, which verifiers may accept (RFC 8017 §9.2, note 2). */
  DIGEST_INFO_WITHOUT_NULL: ['format', 'warning'],
  /** Zeros or white space after the signature. */
  PADDING_BEHIND_SIGNATURE: ['format', 'warning'],
  /** Other bytes after the signature. */
  BYTES_BEHIND_SIGNATURE: ['format', 'failed'],
  /**
   * The content is itself a set of signed attributes: a signature over attributes is presented as a signature over
   * content.
   */
  SIGNED_ATTRIBUTES_REPLAYED: ['format', 'failed'],
  /** The enclosed content is itself a signed file; its signatures are in the report. */
  CONTENT_SIGNED: ['format', 'passed'],
  /** The enclosed content has signatures that were not examined. */
  CONTENT_NOT_EXAMINED: ['format', 'unknown'],
  /** The PDF has no signature. */
  PDF_NO_SIGNATURE: ['format', 'unknown'],
  /** Reading the file took more than its budget, so nothing about its signatures is known. */
  LIMIT_REACHED: ['format', 'unknown'],
  /** A PDF signature of an unsupported kind. */
  PDF_KIND_UNKNOWN: ['format', 'unknown'],
  /** Byte range, `Contents` or dictionary have a form that no honest signer writes. */
  PDF_STRUCTURE_UNSOUND: ['format', 'failed'],
  /** The last version of the PDF was cut off, and perhaps a signature with it. */
  PDF_INCOMPLETE: ['format', 'failed'],
  /** The PDF is Reader-extended: its signature of usage rights is no signature of a person (ISO 32000-2 §12.8.2.3). */
  PDF_USAGE_RIGHTS: ['format', 'passed'],
  /** An earlier version of the PDF has a signature missing from the last version. */
  PDF_SIGNATURE_REMOVED: ['format', 'unknown'],
  /** A page shows a signature field that the form of the PDF does not list, so that programs judge it or pass over it. */
  PDF_FIELD_NOT_LISTED: ['format', 'warning'],
  /** Bytes other than zeros follow the signature in `Contents`; these bytes are neither signed nor read. */
  PDF_PADDING_UNUSUAL: ['format', 'warning'],
  /** A second value in the encoding of signatures follows the signature in `Contents`, neither signed nor read. */
  PDF_VALUE_BEHIND_SIGNATURE: ['format', 'warning'],
  /** An oddity of the file as a whole. */
  PDF_FILE_UNSOUND: ['format', 'warning'],

  // Integrity
  INTEGRITY_INTACT: ['integrity', 'passed'],
  /** The digest differs: the content was changed after signing. */
  CONTENT_CHANGED: ['integrity', 'failed'],
  /** The given content differs from the content inside the signature. */
  CONTENT_DIFFERS_FROM_ENCLOSED: ['integrity', 'failed'],
  /** The value does not match the signed data and the signer's key. */
  SIGNATURE_VALUE_WRONG: ['integrity', 'failed'],
  /** The signature is detached, and its content was not given. */
  CONTENT_NOT_GIVEN: ['integrity', 'unknown'],
  /** A rare kind of signature, whose check needs the whole content in memory. */
  INTEGRITY_UNKNOWN: ['integrity', 'unknown'],

  // The signer's certificate
  SIGNER_CERTIFICATE_FOUND: ['certificate', 'passed'],
  SIGNER_CERTIFICATE_MISSING: ['certificate', 'unknown'],
  /** The signed attributes name another certificate. */
  SIGNER_CERTIFICATE_NOT_NAMED: ['certificate', 'failed'],
  /** signingCertificate or signingCertificateV2 names the signer's certificate. */
  SIGNING_CERTIFICATE_ATTRIBUTE_RIGHT: ['certificate', 'passed'],
  /** The hash matches, but the IssuerSerial names another certificate (RFC 5035 §4). */
  SIGNING_CERTIFICATE_ISSUER_DIFFERS: ['certificate', 'warning'],
  SIGNING_CERTIFICATE_ATTRIBUTE_MISSING: ['certificate', 'warning'],
  /** The attribute is missing although this kind of signature demands it (EN 319 142-1 §6.3). */
  SIGNING_CERTIFICATE_ATTRIBUTE_REQUIRED: ['certificate', 'unknown'],
  CERTIFICATE_PURPOSE_RIGHT: ['certificate', 'passed'],
  CERTIFICATE_PURPOSE_WRONG: ['certificate', 'failed'],

  // Trust
  CHAIN_TRUSTED: ['trust', 'passed'],
  /** The certificate of an issuer is not available. */
  CHAIN_INCOMPLETE: ['trust', 'unknown'],
  ROOT_NOT_TRUSTED: ['trust', 'unknown'],
  /** The owner refuses an authority of the path. */
  AUTHORITY_REFUSED: ['trust', 'unknown'],
  /** The trusted root has expired, and nothing proves an earlier time of signing. */
  ROOT_EXPIRED: ['trust', 'unknown'],
  /** An authority of the path had expired, or was not yet valid. */
  AUTHORITY_OUT_OF_VALIDITY: ['trust', 'unknown'],
  /** A rule of RFC 5280 is broken: names, lengths, key usage, policies, a wrong signature. */
  CHAIN_RULE_BROKEN: ['trust', 'failed'],
  /** Too many possible paths to try all of them. */
  CHAIN_TOO_COMPLEX: ['trust', 'unknown'],
  /** The anchor is a root of ICP-Brasil. */
  HIERARCHY_ICP_BRASIL: ['trust', 'passed'],
  /** The anchor is the federal government's: advanced, not qualified (Lei 14.063/2020, art. 4). */
  HIERARCHY_GOV_BR: ['trust', 'passed'],
  /** The anchor is a test root, without any legal value. */
  HIERARCHY_TEST: ['trust', 'warning'],
  /** The anchor was imported by the owner. */
  HIERARCHY_OTHER: ['trust', 'passed'],

  // Dates
  CERTIFICATE_IN_VALIDITY: ['date', 'passed'],
  /** The certificate has expired, and the signature is proven to be older. */
  CERTIFICATE_WAS_VALID: ['date', 'passed'],
  /** The certificate has expired, and nothing proves that the signature was made before. */
  CERTIFICATE_EXPIRED: ['date', 'unknown'],
  /** The signature was provably made after the certificate expired. */
  SIGNED_AFTER_EXPIRY: ['date', 'failed'],
  /** The signature is older than the certificate, or the certificate's time has not come. */
  CERTIFICATE_NOT_YET_VALID: ['date', 'failed'],
  /** The signer claims a later time than the time stamp. */
  CLAIMED_TIME_AFTER_TIMESTAMP: ['date', 'warning'],
  /** The signer claims a time outside the certificate's validity. */
  CLAIMED_TIME_OUT_OF_VALIDITY: ['date', 'warning'],
  CLAIMED_TIME_IN_FUTURE: ['date', 'warning'],

  // Revocation
  NOT_REVOKED: ['revocation', 'passed'],
  /** Revoked, and the signature is proven to be older. */
  REVOKED_AFTER_SIGNING: ['revocation', 'passed'],
  /** Revoked, and nothing proves an earlier time of signing. */
  CERTIFICATE_REVOKED: ['revocation', 'unknown'],
  /** The signature was provably made after the revocation. */
  SIGNED_AFTER_REVOCATION: ['revocation', 'failed'],
  CERTIFICATE_ON_HOLD: ['revocation', 'unknown'],
  AUTHORITY_REVOKED: ['revocation', 'unknown'],
  /** The network is not used, so that no server of revocation data was asked. */
  REVOCATION_NOT_ASKED: ['revocation', 'unknown'],
  /** No server answered. */
  REVOCATION_UNREACHABLE: ['revocation', 'unknown'],
  /** The available revocation data does not reach the time in question. */
  REVOCATION_STALE: ['revocation', 'unknown'],
  /** A server answered with an empty body or a page instead of revocation data. */
  REVOCATION_ANSWER_WITHOUT_DATA: ['revocation', 'unknown'],
  /** The certificate names its revocation data only by protocols that are not asked, such as LDAP. */
  REVOCATION_SOURCE_NOT_ASKED: ['revocation', 'unknown'],
  /** The certificate does not say where to find its revocation data. */
  REVOCATION_SOURCE_MISSING: ['revocation', 'unknown'],
  /** Data with damage, with a wrong signature, or about something else. */
  REVOCATION_DATA_UNUSABLE: ['revocation', 'unknown'],
  /** The certificate of the signer of the revocation data has expired, and nothing proves that the data is older. */
  REVOCATION_SIGNER_EXPIRED: ['revocation', 'unknown'],
  /** Revocation data about a time-stamp authority dates from the time stamp, and was not renewed since. */
  REVOCATION_NOT_CHECKED_SINCE: ['revocation', 'warning'],
  /** Revocation data is older than the signature, so a revocation in between is unknown (EN 319 102-1 §5.2.5). */
  REVOCATION_OLDER_THAN_SIGNATURE: ['revocation', 'warning'],

  // Algorithms
  ALGORITHMS_STRONG: ['algorithm', 'passed'],
  /** Weak now, but the signature is proven to be older than the weakness. */
  ALGORITHM_WAS_STRONG: ['algorithm', 'passed'],
  /** A hash function with known collisions: MD5, SHA-1. */
  HASH_WEAK: ['algorithm', 'unknown'],
  KEY_TOO_SHORT: ['algorithm', 'unknown'],
  /** A certificate of the path is signed with MD5 or SHA-1. */
  CERTIFICATE_HASH_WEAK: ['algorithm', 'unknown'],
  /** The key in a certificate of the path. */
  CERTIFICATE_KEY_TOO_SHORT: ['algorithm', 'unknown'],
  ALGORITHM_UNKNOWN: ['algorithm', 'unknown'],
  /** Not weak, but outside of the table of algorithms: a curve, a kind of key, a padding, a certificate's day of issue. */
  ALGORITHM_NOT_ALLOWED: ['algorithm', 'unknown'],
  /** EdDSA: ETSI TS 119 312 lists it since V2.1.1 (2026-06), so validators in the EU may not accept it yet. */
  ALGORITHM_NOT_LISTED: ['algorithm', 'warning'],
  /** A kind of key that Node cannot read. */
  KEY_UNREADABLE: ['algorithm', 'unknown'],

  // Signature policies
  POLICY_RECOGNISED: ['policy', 'passed'],
  POLICY_RULES_KEPT: ['policy', 'passed'],
  /** The policy's rules are unknown, so the signature cannot be checked against the policy. */
  POLICY_NOT_AVAILABLE: ['policy', 'unknown'],
  /** As above, and the caller accepts unknown policies. */
  POLICY_NOT_CHECKED: ['policy', 'warning'],
  /** The attribute cannot be read. */
  POLICY_DAMAGED: ['policy', 'unknown'],
  POLICY_HASH_WRONG: ['policy', 'unknown'],
  /** A policy for another format. */
  POLICY_FORMAT_WRONG: ['policy', 'unknown'],
  /** Signed outside the policy's signing period. */
  POLICY_PERIOD_WRONG: ['policy', 'unknown'],
  POLICY_ATTRIBUTE_MISSING: ['policy', 'unknown'],
  /** An attribute that the policy demands belongs to another signature, or is broken. */
  POLICY_ATTRIBUTE_FOREIGN: ['policy', 'unknown'],
  /** An attribute demanded by the policy is present, but cannot be proven now. */
  POLICY_ATTRIBUTE_UNPROVEN: ['policy', 'unknown'],
  POLICY_ATTRIBUTE_FORBIDDEN: ['policy', 'unknown'],
  POLICY_ALGORITHM_NOT_ALLOWED: ['policy', 'unknown'],
  POLICY_ROOT_NOT_ALLOWED: ['policy', 'unknown'],
  /** The dictionary of the PDF signature has other names than the policy's (DOC-ICP-15.03, tables A.14 to A.22). */
  POLICY_DICTIONARY: ['policy', 'warning'],
  /** The policy was withdrawn before the end of its signing period. */
  POLICY_WITHDRAWN: ['policy', 'warning'],

  // Time stamps
  TIMESTAMP_VALID: ['timestamp', 'passed'],
  TIMESTAMP_DAMAGED: ['timestamp', 'failed'],
  /** The imprint belongs to other data. */
  TIMESTAMP_IMPRINT_WRONG: ['timestamp', 'failed'],
  /** The stamped data could not be read: the content was not given. */
  TIMESTAMP_IMPRINT_UNKNOWN: ['timestamp', 'unknown'],
  /** The index in an archive time stamp does not match the signature's contents (EN 319 122-1 §5.5.2). */
  TIMESTAMP_INDEX_WRONG: ['timestamp', 'failed'],
  /** The times of the time stamps contradict each other (EN 319 102-1 §5.5.4). */
  TIMESTAMP_ORDER_WRONG: ['timestamp', 'failed'],
  /** A time stamp that proves nothing; the signature is judged without the time stamp. */
  TIMESTAMP_NOT_USED: ['timestamp', 'warning'],
  /** An evidence record that cannot be read (RFC 4998). */
  EVIDENCE_RECORD_DAMAGED: ['timestamp', 'failed'],
  /** The record's first list does not contain the hash of the data. */
  EVIDENCE_RECORD_DATA_WRONG: ['timestamp', 'failed'],
  /** A renewal does not cover the earlier time stamps or the data, or breaks another rule (RFC 4998 §5.3). */
  EVIDENCE_RECORD_CHAIN_BROKEN: ['timestamp', 'failed'],
  /** The data under the record is not available. */
  EVIDENCE_RECORD_DATA_UNKNOWN: ['timestamp', 'unknown'],
  /** An evidence record that proves nothing; the signature is judged without the record. */
  EVIDENCE_RECORD_NOT_USED: ['timestamp', 'warning'],
  /** The last time stamp expired, with a certificate or an algorithm, before a renewal. */
  PROTECTION_ENDED: ['timestamp', 'warning'],
  /** A valid time stamp proves a time at which the signature already existed. */
  SIGNING_TIME_PROVEN: ['timestamp', 'passed'],
  /** The signing time is only claimed by the signer. */
  SIGNING_TIME_CLAIMED: ['timestamp', 'warning'],
  /** A CMS signature without a readable signing-time has no baseline level (EN 319 122-1 §6.3). */
  SIGNING_TIME_MISSING: ['timestamp', 'warning'],
  /** Time stamps and revocation data do not prove each other far enough back (EN 319 102-1 §5.6.2). */
  PROOF_OF_EXISTENCE_MISSING: ['timestamp', 'unknown'],

  // Changes made by later revisions of a PDF
  PDF_WHOLE_FILE_COVERED: ['changes', 'passed'],
  PDF_CHANGES_ALLOWED: ['changes', 'passed'],
  PDF_CHANGES_NOT_ALLOWED: ['changes', 'failed'],
} as const satisfies Readonly<Record<string, readonly [CheckArea, CheckOutcome]>>;

/** The closed list of the checks that a report names. */
export type ValidationCheckCode = keyof typeof VALIDATION_CHECKS;

/** All codes, in the order of the table. */
export const VALIDATION_CHECK_CODES = Object.keys(VALIDATION_CHECKS) as readonly ValidationCheckCode[];
