/** The certificates that a list is about, and the reasons that it covers (RFC 5280 §5.2.5, §6.3.3). */
import { createHash } from 'node:crypto';
import {
  GeneralNameKind,
  generalNameText,
  isSameName,
  type GeneralName,
} from '../../certificates/path/distinguished-name.ts';
import type { Certificate } from '../../certificates/certificate.ts';
import { ALL_REASONS } from '../reasons.ts';
import { readRevocationSources, type DistributionPoint } from '../revocation-sources.ts';
import type { CrlExtensions } from './crl-head.ts';

function isSamePlace(left: GeneralName, right: GeneralName): boolean {
  if (left.kind !== right.kind) return false;
  if (left.kind === GeneralNameKind.directory) return isSameName(left.value, right.value);
  return left.value.equals(right.value) || generalNameText(left).trim() === generalNameText(right).trim();
}

const directory = (value: Buffer): GeneralName => ({ kind: GeneralNameKind.directory, value });

const points = new WeakMap<Certificate, readonly DistributionPoint[]>();

/** The points of the certificate and, as the last one, its issuer's own lists (RFC 5280 §6.3.3, last paragraph). */
function pointsOf(certificate: Certificate): readonly DistributionPoint[] {
  const found = points.get(certificate) ?? [
    ...readRevocationSources(certificate).points,
    { names: [directory(certificate.issuer)], reasons: ALL_REASONS, crlIssuers: undefined },
  ];
  points.set(certificate, found);
  return found;
}

/** True when this point of the certificate leads to lists of this issuer (RFC 5280 §6.3.3 (b) (1)). */
function isIssuer(point: DistributionPoint, certificate: Certificate, issuer: Buffer, isIndirect: boolean): boolean {
  if (point.crlIssuers === undefined) return isSameName(issuer, certificate.issuer);
  return isIndirect && point.crlIssuers.some((name) => isSameName(name, issuer));
}

/** True when a list of this issuer may be about the certificate. */
export const mayBeAbout = (certificate: Certificate, issuer: Buffer): boolean =>
  pointsOf(certificate).some((point) => isIssuer(point, certificate, issuer, true));

/** The reasons for which a list with this issuer answers about the certificate; 0: the list is about others. */
export function coveredReasons(certificate: Certificate, issuer: Buffer, { scope }: CrlExtensions): number {
  const { only, names, isIndirect, reasons } = scope;
  if (only === 'users' && certificate.isCertificateAuthority) return 0;
  if (only === 'authorities' && !certificate.isCertificateAuthority) return 0;
  const covered = pointsOf(certificate)
    .filter((point) => isIssuer(point, certificate, issuer, isIndirect))
    .filter((point) => {
      const places = point.names ?? (point.crlIssuers ?? []).map(directory);
      return names === undefined || names.some((name) => places.some((place) => isSamePlace(name, place)));
    });
  return covered.reduce((mask, point) => mask | (point.reasons & reasons), 0);
}

/** Equal for lists with the same scope (RFC 5280 §5.2.4: a delta and its base have the same one). */
export function scopeKey(issuer: Buffer, { scope, authorityKeyIdentifier }: CrlExtensions): string {
  const names = (scope.names ?? []).map(({ kind, value }) => `${kind} ${value.toString('hex')}`);
  const parts = [scope.only ?? '', String(scope.isIndirect), scope.reasons, scope.names === undefined, ...names];
  const identifier = authorityKeyIdentifier?.toString('hex') ?? '';
  return createHash('sha256')
    .update(issuer)
    .update(JSON.stringify([...parts, identifier]))
    .digest('hex');
}
