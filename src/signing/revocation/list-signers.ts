/** Decides which keys may sign revocation lists in the name of an authority, for embedded and fetched lists alike. */
import { buildPath } from '../certificates/path/build-path.ts';
import { isSameName } from '../certificates/path/distinguished-name.ts';
import { KeyUsage } from '../certificates/path/purposes.ts';
import type { Certificate } from '../certificates/certificate.ts';
import { CLOCK_SKEW, type RevocationReason } from './revocation-result.ts';

/** A certificate whose key may sign lists, besides the authority's own key. */
export interface ListSigner {
  readonly certificate: Certificate;
  /** The path above the signer, from its issuer to the anchor; empty for the anchor itself. */
  readonly above: readonly Certificate[];
}

/** Maximum number of certificates that are tried; an authority has one or two keys for its lists. */
const MAX_CANDIDATES = 8;

const isSameKey = (left: Certificate, right: Certificate): boolean => left.publicKeyInfo.equals(right.publicKeyInfo);

/** True when KeyUsage is present with cRLSign: a certificate without KeyUsage is not meant to sign lists. */
const assertsListSigning = ({ keyUsage }: Certificate): boolean => keyUsage?.includes(KeyUsage.crlSign) === true;

/** The path of a signer below `anchor`, or undefined for a signer that breaks a rule of RFC 5280 §6.1. */
function asSigner(certificate: Certificate, path: readonly Certificate[], anchor: Certificate): ListSigner | undefined {
  const rules = { at: certificate.notBefore, purpose: 'crl-signing', allowLegacyAlgorithms: true } as const;
  const result = buildPath({ certificate, intermediates: path, anchors: [anchor], ...rules });
  return result.outcome === 'valid' ? { certificate, above: result.path.slice(1) } : undefined;
}

/**
 * Finds other keys for the lists of `issuer` (RFC 5280 §6.3.3 (f)): certificates with the issuer's name and cRLSign,
 * issued by the same authority as the issuer's certificate or, for a renewed key, by the issuer itself. So the path of
 * the signer ends at the anchor of the certificate in question. `above` is the path above the issuer, up to the
 * anchor. The caller asks for validity (`isValidFor`) and revocation of the signer.
 */
export function findListSigners(
  issuer: Certificate,
  above: readonly Certificate[],
  known: readonly Certificate[],
): readonly ListSigner[] {
  const path = [issuer, ...above];
  const isNamesake = ({ subject }: Certificate): boolean => isSameName(subject, issuer.subject);
  const parent = path.findIndex((member) => !isNamesake(member));
  const certifiers = parent === -1 ? path : path.slice(0, parent + 1);
  const candidates = [...above, ...known]
    .filter((candidate) => isNamesake(candidate) && !isSameKey(candidate, issuer) && assertsListSigning(candidate))
    .filter((candidate) => certifiers.some(({ subject }) => isSameName(subject, candidate.issuer)));
  const unique = new Map(candidates.map((candidate) => [candidate.fingerprint, candidate]));
  const anchor = path.at(-1) ?? issuer;
  return [...unique.values()].slice(0, MAX_CANDIDATES).flatMap((candidate) => {
    const signer = asSigner(candidate, path, anchor);
    return signer === undefined ? [] : [signer];
  });
}

/**
 * Finds the keys of another issuer of indirect lists, named by cRLIssuer in the certificate: certificates of this name
 * with cRLSign, below the same anchor (RFC 5280 §6.3.3 (f)).
 */
export function findIndirectSigners(
  name: Buffer,
  anchor: Certificate,
  known: readonly Certificate[],
): readonly ListSigner[] {
  const candidates = known.filter(({ subject }) => isSameName(subject, name)).filter(assertsListSigning);
  const unique = new Map(candidates.map((candidate) => [candidate.fingerprint, candidate]));
  return [...unique.values()].slice(0, MAX_CANDIDATES).flatMap((candidate) => {
    const signer = asSigner(candidate, known, anchor);
    return signer === undefined ? [] : [signer];
  });
}

/** True when the signer's certificate was valid when the list was made. */
export const isValidFor = ({ notBefore, notAfter }: Certificate, thisUpdate: Date): boolean =>
  notBefore.getTime() <= thisUpdate.getTime() + CLOCK_SKEW && thisUpdate.getTime() <= notAfter.getTime() + CLOCK_SKEW;

/** Reasons that also cast doubt on earlier signatures, because another person may have had the key. */
const COMPROMISES: readonly RevocationReason[] = ['keyCompromise', 'cACompromise', 'aACompromise'];

/** True when a revocation of the signer does not affect data made at `thisUpdate`. */
export const isAfter = (
  revocation: { readonly time: Date; readonly reason: RevocationReason },
  thisUpdate: Date,
): boolean => revocation.time > thisUpdate && !COMPROMISES.includes(revocation.reason);
