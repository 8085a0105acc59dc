/** Differences between what a file is and what a judge says, each with its reason. Any other difference fails the suite. */

/** A difference: the judge, the files by their names, what the judge says instead, and why. */
export interface ExplainedDifference {
  readonly judge: string;
  readonly files: RegExp;
  readonly says: RegExp;
  readonly why: string;
}

export const EXPLAINED_DIFFERENCES: readonly ExplainedDifference[] = [
  {
    judge: 'EU DSS',
    files: /ed25519|ed448/,
    says: /CRYPTO_CONSTRAINTS_FAILURE|INDETERMINATE|undetermined|failed/,
    why: 'ETSI TS 119 312 does not list EdDSA, and the default policy of DSS goes by that list (RFC 8419 defines it).',
  },
  {
    judge: 'EU DSS',
    files: /countersigned/,
    says: /^B-LTA passed, B-B undetermined OUT_OF_BOUNDS/,
    why: 'DSS takes no proof for a counter-signature from the archive time stamp that covers it (EN 319 122-1 §5.5.2: the index names every unsigned attribute).',
  },
  {
    judge: 'iText 5',
    files: /rsa-pss|ec-p|brainpool|ed25519|ed448/,
    says: /^ERROR .* not available$/,
    why: 'iText 5 finds no name for the algorithms of elliptic curves and of PSS: it verifies RSA with PKCS #1 v1.5 only.',
  },
  {
    judge: 'OpenSSL',
    files: /ed25519|ed448/,
    says: /failed/,
    why: 'OpenSSL 3.0 verifies no EdDSA signature with signed attributes (RFC 8419 §3.1): "invalid digest".',
  },
];
