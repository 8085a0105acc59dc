import type { Certificate } from '../../certificates/certificate.ts';
import { isSameName } from '../../certificates/path/distinguished-name.ts';
import {
  GeneralNameKind,
  generalNameText,
  readGeneralName,
  type GeneralName,
} from '../../certificates/path/general-name.ts';
import { readDer } from '../../der/reader.ts';
import { findFreshnessProblem } from '../freshness.ts';
import type { Revocation, RevocationProblem } from '../revocation-result.ts';
import { readRevocationSources } from '../revocation-sources.ts';
import type { CrlScope } from './crl-head.ts';
import type { CrlIndex } from './crl-index.ts';

function isSamePlace(left: GeneralName, right: GeneralName): boolean {
  if (left.kind !== right.kind) return false;
  if (left.kind === GeneralNameKind.directory) return isSameName(left.value, right.value);
  return left.value.equals(right.value) || generalNameText(left).trim() === generalNameText(right).trim();
}

/** The distribution points of the certificate; without the extension, its issuer's name (RFC 5280 §6.3.3). */
function placesOf(certificate: Certificate): readonly GeneralName[] {
  const { distributionPoints } = readRevocationSources(certificate);
  return distributionPoints.length > 0
    ? distributionPoints
    : [{ kind: GeneralNameKind.directory, value: certificate.issuer }];
}

/** RFC 5280 §6.3.3 (b). */
function isInScope(certificate: Certificate, { only, distributionPoint }: CrlScope): boolean {
  if (only === 'users' && certificate.isCertificateAuthority) return false;
  if (only === 'authorities' && !certificate.isCertificateAuthority) return false;
  if (distributionPoint === undefined) return true;
  const places = placesOf(certificate);
  return distributionPoint
    .map((name) => readGeneralName(readDer(name)))
    .some((name) => places.some((place) => isSamePlace(name, place)));
}

/**
 * The answer of a verified CRL about a certificate of its issuer: the revocation, none, or the reason for no answer.
 */
export function judgeCrl(
  index: CrlIndex,
  certificate: Certificate,
  at: Date,
  now: Date,
): { readonly revocation: Revocation | undefined } | { readonly problem: RevocationProblem } {
  const { thisUpdate, nextUpdate, extensions } = index;
  const period = { thisUpdate, nextUpdate, expiredSince: extensions.expiredSince };
  const entry = index.find(certificate.serialNumber);
  const isCovered = isSameName(index.issuer, certificate.issuer) && isInScope(certificate, extensions.scope);
  const stale = findFreshnessProblem(period, certificate, at, now);
  if (!isCovered) {
    return { problem: { code: 'NOT_COVERED', sentence: 'The revocation list is about other certificates.' } };
  }
  // Missing expired certificates do not matter for a certificate on the list.
  if (stale !== undefined && !(stale.code === 'NOT_COVERED' && entry !== undefined)) return { problem: stale };
  return { revocation: entry && { time: entry.revokedAt, reason: entry.reason } };
}
