/** CRLReason (RFC 5280 §5.3.1) by number; 7 is not used. */
export const REVOCATION_REASONS = [
  'unspecified',
  'keyCompromise',
  'cACompromise',
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
  'certificateHold',
  undefined,
  'removeFromCRL',
  'privilegeWithdrawn',
  'aACompromise',
] as const;

/** Why a certificate was revoked, in the words of RFC 5280 §5.3.1; `unspecified` when its authority does not say. */
export type RevocationReason = NonNullable<(typeof REVOCATION_REASONS)[number]>;

/**
 * The reason with this number; a number outside of the standard is `unspecified`, because the certificate is still
 * revoked.
 */
export const reasonOf = (number: number | undefined): RevocationReason =>
  REVOCATION_REASONS[number ?? 0] ?? 'unspecified';
