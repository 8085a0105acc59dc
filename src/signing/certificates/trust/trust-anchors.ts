import type { Certificate } from '../certificate.ts';
import { Oid } from '../../der/oids.ts';
import { pinnedRoot } from './icp-brasil-roots.ts';

/** Directly trusted certificates, and the known authorities below. */
export interface TrustAnchors {
  readonly anchors: readonly Certificate[];
  /** Certificates without trust of their own, only for completing paths. */
  readonly intermediates: readonly Certificate[];
  isAnchor(certificate: Certificate): boolean;
  /** Fingerprints of anchors that their owner marked as roots for trying out. */
  readonly homologation: ReadonlySet<string>;
  hierarchyOf(anchor: Certificate): Hierarchy;
  /** The hierarchy of the anchor at the end of a path; undefined for a path without an anchor. */
  hierarchyOfPath(path: readonly Certificate[]): Hierarchy | undefined;
}

function withoutRepetition(certificates: readonly Certificate[]): readonly Certificate[] {
  return [...new Map(certificates.map((certificate) => [certificate.fingerprint, certificate])).values()];
}

/**
 * Creates trust in the given certificates, chosen by an administrator or confirmed by a pinned fingerprint.
 * `homologation`: fingerprints of anchors without legal value; a pinned root cannot be one of them.
 */
export function createTrustAnchors(
  anchors: readonly Certificate[],
  intermediates: readonly Certificate[] = [],
  homologation: ReadonlySet<string> = new Set(),
): TrustAnchors {
  const fingerprints = new Set(anchors.map(({ fingerprint }) => fingerprint));
  const isAnchor = ({ fingerprint }: Certificate): boolean => fingerprints.has(fingerprint);
  const ofAnchor = (anchor: Certificate): Hierarchy => {
    const own = hierarchyOf(anchor);
    return own === 'other' && homologation.has(anchor.fingerprint) ? 'test' : own;
  };
  return {
    anchors: withoutRepetition(anchors),
    intermediates: withoutRepetition(intermediates).filter((certificate) => !isAnchor(certificate)),
    isAnchor,
    homologation,
    hierarchyOf: ofAnchor,
    hierarchyOfPath(path) {
      const last = path.at(-1);
      return last !== undefined && isAnchor(last) ? ofAnchor(last) : undefined;
    },
  };
}

/** The public key infrastructure of an anchor. */
export type Hierarchy = 'ICP-Brasil' | 'gov.br' | 'test' | 'other';

/** The words in the names of test certificates; a certificate gains nothing by claiming to be a test. */
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
