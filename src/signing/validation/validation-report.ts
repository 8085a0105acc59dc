/** The result of a validation (ETSI EN 319 102-1): plain data, so that a worker can send it and a page can show it. */
import type { Hierarchy } from '../certificates/trust/trust-anchors.ts';
import type { RevocationReason, EvidenceOrigin } from '../revocation/revocation-result.ts';
import type { CheckArea, CheckOutcome, ValidationCheckCode } from './check-codes.ts';
import type { PdfChange, PdfChangeLevel } from '../pdf/differences/pdf-facts.ts';

/** EN 319 102-1 §5.1.3, table 5. */
export type Indication = 'TOTAL-PASSED' | 'TOTAL-FAILED' | 'INDETERMINATE';

/** EN 319 102-1 §5.1.3, table 6. */
export const SUB_INDICATIONS = [
  'FORMAT_FAILURE',
  'HASH_FAILURE',
  'SIG_CRYPTO_FAILURE',
  'REVOKED',
  'EXPIRED',
  'NOT_YET_VALID',
  'SIG_CONSTRAINTS_FAILURE',
  'CHAIN_CONSTRAINTS_FAILURE',
  'CERTIFICATE_CHAIN_GENERAL_FAILURE',
  'CRYPTO_CONSTRAINTS_FAILURE',
  'POLICY_PROCESSING_ERROR',
  'SIGNATURE_POLICY_NOT_AVAILABLE',
  'TIMESTAMP_ORDER_FAILURE',
  'NO_SIGNING_CERTIFICATE_FOUND',
  'NO_CERTIFICATE_CHAIN_FOUND',
  'NO_CERTIFICATE_CHAIN_FOUND_NO_POE',
  'REVOKED_NO_POE',
  'REVOKED_CA_NO_POE',
  'OUT_OF_BOUNDS_NOT_REVOKED',
  'OUT_OF_BOUNDS_NO_POE',
  'REVOCATION_OUT_OF_BOUNDS_NO_POE',
  'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
  'NO_POE',
  'TRY_LATER',
  'SIGNED_DATA_NOT_FOUND',
] as const;

/** The sub-indications of EN 319 102-1 §5.1.3. */
export type SubIndication = (typeof SUB_INDICATIONS)[number];

/**
 * A check and its finding. `code` is stable, from the closed list of `VALIDATION_CHECK_CODES`; the report adds a
 * sentence in the user's language with a remedy. `sentence` is English and may name certificates by their common names.
 */
export interface ValidationCheck {
  readonly area: CheckArea;
  readonly outcome: CheckOutcome;
  readonly code: ValidationCheckCode;
  readonly sentence: string;
}

/** A certificate of a chain with its findings. */
export interface ChainEntry {
  /** DER. */
  readonly certificate: Uint8Array;
  readonly commonName: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly isAnchor: boolean;
  /** True for an anchor trusted for time stamps only. */
  readonly isForTimestampsOnly?: boolean;
  /** Absent for the anchor, and when revocation was not checked. */
  readonly revocation?: {
    readonly status: 'good' | 'revoked' | 'unknown';
    readonly kind?: 'ocsp' | 'crl';
    readonly origin?: EvidenceOrigin;
    readonly thisUpdate?: Date;
    readonly nextUpdate?: Date;
    readonly revokedAt?: Date;
    readonly reason?: RevocationReason;
    /** A sentence about the reason for an unknown status. */
    readonly problem?: string;
  };
}

/** The best path of a signer or of a time-stamp authority. */
export interface ChainReport {
  readonly outcome: 'valid' | 'invalid' | 'incomplete';
  /** From the certificate itself; the anchor is last, if there is an anchor. */
  readonly entries: readonly ChainEntry[];
  readonly hierarchy?: Hierarchy;
}

/** `evidence-record`: an archive time stamp inside an evidence record (RFC 4998). */
export type TimestampRole = 'signature' | 'archive' | 'document' | 'content' | 'references' | 'evidence-record';

/** A time stamp over a signature or a PDF. */
export interface TimestampReport {
  readonly role: TimestampRole;
  /** Null for an unreadable time stamp. */
  readonly time: Date | null;
  readonly indication: Indication;
  readonly subIndication?: SubIndication;
  /** The hash function of the imprint; absent for an unreadable time stamp. */
  readonly imprintAlgorithm?: string;
  readonly authority?: string;
  readonly chain?: ChainReport;
  readonly checks: readonly ValidationCheck[];
}

/** The evidence inside a signature, as an ETSI baseline level. */
export type SignatureLevel = 'B-B' | 'B-T' | 'B-LT' | 'B-LTA' | 'none';

/** The end of a signature's protection, and the certificate or the algorithm that ends. */
export interface ProtectionEnd {
  readonly until: Date;
  readonly cause: 'certificate' | 'algorithm';
  /** The common name of the certificate's holder, or the algorithm's name. */
  readonly name: string;
}

/** The signature policy that a signature names. */
export interface PolicyReport {
  /** Dotted OID. */
  readonly oid: string;
  /** If known: `AD-RB 2.3`. */
  readonly name?: string;
  /** True when Sinete knows the rules of the policy. */
  readonly recognised: boolean;
  /** True when all attributes demanded by the policy are present and belong to this signature, proven now or not. */
  readonly complete: boolean;
}

/** The signer's statements in signed attributes (EN 319 122-1 §5.2): unchecked claims. */
export interface SignerStatements {
  readonly claimedRoles: readonly string[];
  /** Country, locality and lines of an address, as far as given. */
  readonly place: readonly string[];
  /** `origin`, `receipt`, `delivery`, `sender`, `approval`, `creation`, or an OID. */
  readonly commitments: readonly string[];
  /** The description of the content, and its media type. */
  readonly contentHints: readonly string[];
}

/** A signature: a SignerInfo, a counter-signature, a signature field of a PDF. */
export interface SignatureReport {
  /** Unique in the report: `1`, `2`, `1.1` for a counter-signature on `1`. */
  readonly id: string;
  readonly format: 'CMS' | 'CAdES' | 'PDF' | 'PAdES';
  readonly indication: Indication;
  readonly subIndication?: SubIndication;
  /** All checks in their order; failed checks decide. */
  readonly checks: readonly ValidationCheck[];
  /** DER of the signer's certificate, if found. */
  readonly signerCertificate?: Uint8Array;
  readonly signerName?: string;
  readonly chain?: ChainReport;
  readonly claimedSigningTime?: Date;
  /** Absent: the signer states nothing. */
  readonly statements?: SignerStatements;
  /** Proven time of existence: the earliest valid time stamp over the signature. */
  readonly provenTime?: Date;
  /** The time of the verdict: `provenTime` or the time of validation. */
  readonly validationTime: Date;
  readonly digestAlgorithm?: string;
  readonly signatureAlgorithm?: string;
  /** The level by form: the highest level with complete and matching material, regardless of trust and age. */
  readonly level: SignatureLevel;
  /** The level that is proven at the time of validation; `none` for a signature that did not pass. */
  readonly levelProven: SignatureLevel;
  readonly policy?: PolicyReport;
  /**
   * The end of the signature's protection without any server: of the last valid time stamp over the signature, or of
   * the signer's own path without a time stamp. Only for signatures that passed.
   */
  readonly protection?: ProtectionEnd;
  /**
   * The end of the last time stamp over the signature, if already over and not renewed in time by another time stamp.
   */
  readonly protectionEnded?: ProtectionEnd;
  readonly timestamps: readonly TimestampReport[];
  readonly counterSignatures: readonly SignatureReport[];
  /** Only for signatures of a PDF. */
  readonly pdf?: PdfSignatureReport;
  /** The next level for a longer life; absent for B-LTA, or when the signature is not valid now. */
  readonly extendable?: 'B-T' | 'B-LT' | 'B-LTA';
}

/** The part of a report about a signature in a PDF. */
export interface PdfSignatureReport {
  readonly fieldName: string;
  readonly subFilter: string;
  readonly coversWholeFile: boolean;
  /** 1-based number of the revision closed by the signature. */
  readonly revision: number;
  readonly certification?: 1 | 2 | 3;
  readonly reason?: string;
  readonly location?: string;
  readonly contact?: string;
  /** 1-based; absent for invisible signatures. */
  readonly page?: number;
  /** Changes by later revisions, and the highest level among the changes. */
  readonly changes: readonly PdfChange[];
  readonly changeLevel: PdfChangeLevel;
  readonly changesAllowed: boolean;
  /** True when a later revision altered the visible document, further signatures apart. */
  readonly changedSince: boolean;
  /** The strictest `P` of DocMDP that binds later revisions; absent without a certification. */
  readonly permission?: 1 | 2 | 3;
  /** Bytes up to the end of the signed revision; absent for an unsound byte range. */
  readonly signedSize?: number;
}

/** The result of a validation. */
export interface ValidationReport {
  /** The kind of the input. */
  readonly kind: 'cms-attached' | 'cms-detached' | 'pdf' | 'timestamp' | 'evidence-record';
  /**
   * The worst of all signatures and counter-signatures; `INDETERMINATE` for a PDF without a signature, and where a limit
   * ended the work (`LIMIT_REACHED`).
   */
  readonly indication: Indication;
  readonly subIndication?: SubIndication;
  readonly signatures: readonly SignatureReport[];
  /** Only for PDFs: bytes up to the end of each revision, null for an unknown end. */
  readonly revisionEnds?: readonly (number | null)[];
  /** Only for PDFs: the standards that the file claims, such as `PDF/A-2b`. The claims are not checked. */
  readonly standards?: readonly string[];
  /** Document time stamps of a PDF; the time stamps of a file that is a token or an evidence record. */
  readonly documentTimestamps: readonly TimestampReport[];
  readonly validatedAt: Date;
  /** The end of the protection by an evidence record in a file of its own; only for a record that passed. */
  readonly protection?: ProtectionEnd;
  /** Findings about the file as a whole. */
  readonly checks: readonly ValidationCheck[];
  /** Lower-case hex SHA-256 of the signed content, if read. */
  readonly contentDigest?: string;
}
