/** Reasons for a revocation, with the numbers of CRLs and OCSP responses (RFC 5280 §5.3.1). */
export const REVOCATION_REASONS = {
  unspecified: 0,
  keyCompromise: 1,
  caCompromise: 2,
  affiliationChanged: 3,
  superseded: 4,
  cessationOfOperation: 5,
  certificateHold: 6,
  removeFromCrl: 8,
  privilegeWithdrawn: 9,
  attributeAuthorityCompromise: 10,
} as const;

export type TestRevocationReason = keyof typeof REVOCATION_REASONS;

/** A revoked certificate. */
export interface TestRevocation {
  /** Unsigned bytes. */
  readonly serialNumber: Uint8Array;
  readonly at: Date;
  /** Absent: the revocation list and OCSP responses give no reason. */
  readonly reason?: TestRevocationReason;
}
