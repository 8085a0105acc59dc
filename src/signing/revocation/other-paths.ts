/**
 * Further paths of a certificate. An authority with cross-certificates has several certificates for one key, below
 * several roots (RFC 4158 §1.5.2), and each path has revocation data of its own.
 */
import type { Certificate } from '../certificates/certificate.ts';
import { buildPath, type PathRequest } from '../certificates/path/build-path.ts';
import type { PathResult } from '../certificates/path/path-result.ts';
import type { RevocationReason } from './revocation-result.ts';

/** Maximum number of further paths; more would only cost time. */
const MOST_PATHS = 3;

/**
 * Valid paths that each avoid one of the authorities of `first`, the anchor included. Paths with the key of a
 * certificate in `compromised` are left out. Nothing is fetched.
 */
export function otherPaths(
  request: PathRequest,
  first: readonly Certificate[],
  compromised: readonly Certificate[] = [],
): readonly PathResult[] {
  const found = new Map<string, PathResult>([
    [keyOf(first), { outcome: 'valid', path: first, problems: [], policies: [] }],
  ]);
  for (const { fingerprint } of first.slice(1)) {
    if (found.size > MOST_PATHS) break;
    const result = buildPath({ ...request, without: new Set([fingerprint]) });
    if (result.outcome === 'valid' && !hasKeyOf(result.path, compromised)) found.set(keyOf(result.path), result);
  }
  return [...found.values()].slice(1);
}

const keyOf = (path: readonly Certificate[]): string => path.map(({ fingerprint }) => fingerprint).join(' ');

/** True for a path with the key of one of these certificates. */
export const hasKeyOf = (path: readonly Certificate[], compromised: readonly Certificate[]): boolean =>
  path.some(({ publicKeyInfo }) => compromised.some((one) => one.publicKeyInfo.equals(publicKeyInfo)));

/** Revocation reasons that affect only a certificate, not its key (RFC 5280 §5.3.1). */
const ABOUT_CERTIFICATE: ReadonlySet<RevocationReason> = new Set([
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
]);

/** False for a revocation that also makes other certificates for the same key unreliable. */
export const leavesKeyGood = ({ reason }: { readonly reason: RevocationReason }): boolean =>
  ABOUT_CERTIFICATE.has(reason);
