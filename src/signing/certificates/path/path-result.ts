import type { Certificate } from '../certificate.ts';

/**
 * Problems of a path, ordered by severity: permanent defects first, then problems that a different certificate, time or
 * option could fix.
 */
export const PATH_PROBLEM_CODES = [
  'SIGNATURE_INVALID',
  'CERTIFICATE_MALFORMED',
  'AUTHORITY_REFUSED',
  'ISSUER_NOT_FOUND',
  'ROOT_NOT_TRUSTED',
  'CERTIFICATE_EXPIRED',
  'CERTIFICATE_NOT_YET_VALID',
  'KEY_UNREADABLE',
  'ALGORITHM_UNSUPPORTED',
  'ALGORITHM_WEAK',
  'KEY_USAGE_NOT_ALLOWED',
  'PURPOSE_NOT_ALLOWED',
  'NOT_AN_AUTHORITY',
  'PATH_TOO_LONG',
  'NAME_NOT_PERMITTED',
  'NAME_CONSTRAINT_UNSUPPORTED',
  'POLICY_NOT_ACCEPTABLE',
  'CRITICAL_EXTENSION_UNKNOWN',
  'LIMIT_EXCEEDED',
] as const;

/** A member of the closed list of path problems. */
export type PathProblemCode = (typeof PATH_PROBLEM_CODES)[number];

/** A problem of a path. */
export interface PathProblem {
  readonly code: PathProblemCode;
  /** Index of the certificate in `path`; 0 is the requested certificate. */
  readonly index: number;
  /** A sentence for the user. */
  readonly sentence: string;
}

/** The outcome of building and validating a path (RFC 5280 §6). */
export interface PathResult {
  /**
   * - `valid`: the path ends in an anchor and keeps every rule.
   * - `invalid`: every possible path breaks a rule.
   * - `incomplete`: no path reaches an anchor; more certificates or anchors could change the result.
   */
  readonly outcome: 'valid' | 'invalid' | 'incomplete';
  /** From the certificate itself; the anchor last, unless incomplete. The longest or least wrong path when not valid. */
  readonly path: readonly Certificate[];
  /** Empty when valid; else the most useful first. */
  readonly problems: readonly PathProblem[];
  /** The certificate policies of a valid path (RFC 5280 §6.1.6); `2.5.29.32.0` means any policy. */
  readonly policies: readonly string[];
}

/** The intended use of the first certificate of the path. */
export type PathPurpose =
  'document-signing' | 'time-stamping' | 'ocsp-signing' | 'crl-signing' | 'server-authentication' | 'any';

/** The inputs of RFC 5280 §6.1.1 about policies. */
export interface PathPolicies {
  /** user-initial-policy-set; any when absent. */
  readonly acceptable?: readonly string[];
  /** initial-explicit-policy */
  readonly requireExplicit?: boolean;
  /** initial-policy-mapping-inhibit */
  readonly inhibitMapping?: boolean;
  /** initial-any-policy-inhibit */
  readonly inhibitAny?: boolean;
}

/** The rules for judging a path. */
export interface PathRules {
  /** Every certificate has to be valid at this time. */
  readonly at: Date;
  /** By default `any`: key usage and extended key usage of the first certificate are not checked. */
  readonly purpose?: PathPurpose;
  readonly policies?: PathPolicies;
  /** Accepts SHA-1 and RSA keys from 1024 bits on, for old signatures whose date is proven by a time stamp. */
  readonly allowLegacyAlgorithms?: boolean;
}

const RANKS: ReadonlyMap<PathProblemCode, number> = new Map(PATH_PROBLEM_CODES.map((code, rank) => [code, rank]));

/** The problems in the order of `PATH_PROBLEM_CODES`, and for the same code from the first certificate up. */
export const rankProblems = (problems: readonly PathProblem[]): readonly PathProblem[] =>
  problems.toSorted((left, right) => {
    const difference = (RANKS.get(left.code) ?? 0) - (RANKS.get(right.code) ?? 0);
    return difference === 0 ? left.index - right.index : difference;
  });
