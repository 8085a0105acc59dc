import type { Certificate } from '../certificate.ts';
import { Oid } from '../../der/oids.ts';
import type { PathPurpose } from '../path/path-result.ts';
import { pinnedRoot } from './icp-brasil-roots.ts';

/** The owner's settings for some anchors, by fingerprint (lower-case hex SHA-256). */
export interface AnchorMarks {
  /** Roots of test environments (homologation): their signatures have no legal value. */
  readonly homologation: ReadonlySet<string>;
  /** Anchors trusted for time stamps only. */
  readonly timeStampsOnly: ReadonlySet<string>;
}

/** Directly trusted certificates, and the known authorities below. */
export interface TrustAnchors {
  /** All anchors, including the anchors for time stamps only. */
  readonly anchors: readonly Certificate[];
  /** The anchors of a path for this purpose. */
  anchorsFor(purpose: PathPurpose): readonly Certificate[];
  /** Untrusted certificates, used to complete paths. */
  readonly intermediates: readonly Certificate[];
  /** Roots and authorities that the owner refuses; no path goes through one of their keys. */
  readonly refused: readonly Certificate[];
  isAnchor(certificate: Certificate, purpose: PathPurpose): boolean;
  readonly marks: AnchorMarks;
  hierarchyOf(anchor: Certificate): Hierarchy;
  /** The hierarchy of the anchor at the end of a path; undefined for a path without an anchor for this purpose. */
  hierarchyOfPath(path: readonly Certificate[], purpose: PathPurpose): Hierarchy | undefined;
}

function withoutRepetition(certificates: readonly Certificate[]): readonly Certificate[] {
  return [...new Map(certificates.map((certificate) => [certificate.fingerprint, certificate])).values()];
}

/**
 * Trusts the given certificates, chosen by an administrator or confirmed by a pinned fingerprint. A pinned root is
 * never a homologation root, even if listed in `marks`. An anchor is never refused, even if listed in `refused`.
 */
export function createTrustAnchors(
  anchors: readonly Certificate[],
  intermediates: readonly Certificate[] = [],
  { homologation = new Set<string>(), timeStampsOnly = new Set<string>() }: Partial<AnchorMarks> = {},
  refused: readonly Certificate[] = [],
): TrustAnchors {
  const fingerprints = new Set(anchors.map(({ fingerprint }) => fingerprint));
  const isFor = ({ fingerprint }: Certificate, purpose: PathPurpose): boolean =>
    purpose === 'time-stamping' || !timeStampsOnly.has(fingerprint);
  const isAnchor = (certificate: Certificate, purpose: PathPurpose): boolean =>
    fingerprints.has(certificate.fingerprint) && isFor(certificate, purpose);
  const ofAnchor = (anchor: Certificate): Hierarchy => {
    const own = hierarchyOf(anchor);
    return own === 'other' && homologation.has(anchor.fingerprint) ? 'test' : own;
  };
  const all = withoutRepetition(anchors);
  const unwanted = withoutRepetition(refused).filter(({ fingerprint }) => !fingerprints.has(fingerprint));
  const left = new Set([...fingerprints, ...unwanted.map(({ fingerprint }) => fingerprint)]);
  return {
    anchors: all,
    anchorsFor: (purpose) => all.filter((anchor) => isFor(anchor, purpose)),
    intermediates: withoutRepetition(intermediates).filter(({ fingerprint }) => !left.has(fingerprint)),
    refused: unwanted,
    isAnchor,
    marks: { homologation, timeStampsOnly },
    hierarchyOf: ofAnchor,
    hierarchyOfPath(path, purpose) {
      const last = path.at(-1);
      return last !== undefined && isAnchor(last, purpose) ? ofAnchor(last) : undefined;
    },
  };
}

/** The public key infrastructure of an anchor. */
export type Hierarchy = 'ICP-Brasil' | 'gov.br' | 'test' | 'other';

/** Text in the names of test certificates. A certificate gains nothing by claiming to be a test. */
const NO_LEGAL_VALUE = 'SEM VALOR LEGAL';

/** Decided by the anchor's fingerprint, never by its name, because anyone can write a name. */
export function hierarchyOf(anchor: Certificate): Hierarchy {
  const pinned = pinnedRoot(anchor.fingerprint);
  if (pinned !== undefined) return pinned.hierarchy;
  const isTest = anchor.subjectAttributes.some(
    ({ oid, value }) => oid === Oid.organizationalUnitName && value === NO_LEGAL_VALUE,
  );
  return isTest ? 'test' : 'other';
}
