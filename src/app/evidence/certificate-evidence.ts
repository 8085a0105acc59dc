import type { CertificateEvidence } from '../../service/certificates/index.ts';
import {
  createPathCompleter,
  createRevocationChecker,
  type HttpClient,
  type RevocationCache,
} from '../../signing/index.ts';
import type { Trust } from './trust.ts';

/**
 * Anchors, issuers and revocation data for judging certificates; fetched data is shared through the cache. Without
 * `http`, only the cache is asked.
 */
export function openCertificateEvidence(parts: {
  readonly http?: HttpClient;
  readonly trust: Pick<Trust, 'present' | 'intermediates'>;
  readonly cache: RevocationCache;
  readonly now: () => Date;
}): CertificateEvidence {
  const { trust, ...ways } = parts;
  const complete = createPathCompleter(ways);
  const checker = createRevocationChecker(ways);
  return {
    async buildPath(certificate, known, at, signal) {
      const purpose = 'any';
      const anchors = trust.present.anchorsFor(purpose);
      const intermediates = [...known, ...trust.intermediates];
      const { refused } = trust.present;
      return complete({ certificate, intermediates, anchors, refused, at, purpose }, signal);
    },
    hierarchyOf: (anchor) => trust.present.hierarchyOf(anchor),
    checkRevocation: async (certificate, issuer, at, signal) => checker.check({ certificate, issuer, at, signal }),
  };
}
