import type { Certificate } from '../certificate.ts';
import { hierarchyOf, type Hierarchy } from './hierarchy.ts';

/** The certificates that are trusted for what they are, and the authorities below them that are known here. */
export interface TrustAnchors {
  readonly anchors: readonly Certificate[];
  /** Not trusted by themselves: they only complete paths. */
  readonly intermediates: readonly Certificate[];
  isAnchor(certificate: Certificate): boolean;
  /** The hierarchy of the anchor at the end of a path; undefined where the path does not end in one. */
  hierarchyOfPath(path: readonly Certificate[]): Hierarchy | undefined;
}

function withoutRepetition(certificates: readonly Certificate[]): readonly Certificate[] {
  return [...new Map(certificates.map((certificate) => [certificate.fingerprint, certificate])).values()];
}

/** Trust in these certificates, each of which an administrator chose or a pinned fingerprint vouches for. */
export function createTrustAnchors(
  anchors: readonly Certificate[],
  intermediates: readonly Certificate[] = [],
): TrustAnchors {
  const fingerprints = new Set(anchors.map(({ fingerprint }) => fingerprint));
  const isAnchor = ({ fingerprint }: Certificate): boolean => fingerprints.has(fingerprint);
  return {
    anchors: withoutRepetition(anchors),
    intermediates: withoutRepetition(intermediates).filter((certificate) => !isAnchor(certificate)),
    isAnchor,
    hierarchyOfPath(path) {
      const last = path.at(-1);
      return last !== undefined && isAnchor(last) ? hierarchyOf(last) : undefined;
    },
  };
}
