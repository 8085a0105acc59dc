import type { Certificate } from '../certificates/certificate.ts';
import { isAmong } from '../certificates/path/build-path.ts';
import type { PathResult } from '../certificates/path/path-result.ts';
import { hasKeyOf, leavesKeyGood, otherPaths } from './other-paths.ts';
import { SigningError } from '../errors.ts';
import { createPathCompleter } from './complete-path.ts';
import { createRevocationChecker, type RevocationCheckerOptions } from './revocation-checker.ts';
import {
  isIssuedAfter,
  type RevocationEvidence,
  type RevocationResult,
  type MaterialCollector,
  type ValidationMaterial,
} from './revocation-result.ts';

/** Services and limits of a collector. */
export interface MaterialCollectorOptions extends RevocationCheckerOptions {
  readonly anchors: readonly Certificate[];
  /** Known authorities, besides the authorities in a signature. */
  readonly intermediates: readonly Certificate[];
  /** Refused authorities, which no path may contain. Default: none. */
  readonly refused?: readonly Certificate[];
}

/** The evidence of a certificate, or an error without evidence. */
function evidenceOf(certificate: Certificate, result: RevocationResult): RevocationEvidence {
  switch (result.status) {
    case 'good':
      return result.evidence;
    case 'revoked': {
      const when = result.time.toISOString();
      throw new SigningError(
        'CERTIFICATE_REVOKED',
        `The certificate of ${certificate.commonName} was revoked on ${when}.`,
      );
    }
    case 'unknown': {
      const reasons = [...new Set(result.reasons.map(({ sentence }) => sentence))].join(' ');
      throw new SigningError(
        'REVOCATION_UNKNOWN',
        `Whether the certificate of ${certificate.commonName} was revoked could not be determined. ${reasons}`,
      );
    }
  }
}

const withSupport = (evidence: RevocationEvidence): readonly RevocationEvidence[] =>
  evidence.supporting === undefined ? [evidence] : [evidence, ...withSupport(evidence.supporting)];

function materialOf(path: readonly Certificate[], evidence: readonly RevocationEvidence[]): ValidationMaterial {
  const all = evidence.flatMap(withSupport);
  const certificates = [...path, ...all.map(({ signer }) => signer)];
  const ofKind = (kind: RevocationEvidence['kind']): readonly Buffer[] => {
    const unique: Buffer[] = [];
    for (const { der } of all.filter((one) => one.kind === kind)) {
      if (!unique.some((known) => known.equals(der))) unique.push(der);
    }
    return unique;
  };
  return {
    certificates: [...new Map(certificates.map((certificate) => [certificate.fingerprint, certificate])).values()],
    ocspResponses: ofKind('ocsp'),
    crls: ofKind('crl'),
  };
}

function checkComplete(certificate: Certificate, { outcome, problems }: PathResult): void {
  if (outcome === 'valid') return;
  const sentence = problems[0]?.sentence ?? '';
  throw new SigningError(
    'CHAIN_INCOMPLETE',
    `There is no valid path from ${certificate.commonName} to a trusted root. ${sentence}`,
  );
}

/**
 * Throws `REVOCATION_TOO_OLD` for old data about the certificate itself. Data about authorities is not checked, because
 * their lists are months apart.
 */
function expectNewer({ commonName }: Certificate, evidence: RevocationEvidence | undefined, time: Date): void {
  if (evidence === undefined || isIssuedAfter(evidence.issuedAt, time)) return;
  const { issuedAt, nextUpdate } = evidence;
  const next = nextUpdate === undefined ? '' : ` The next data is announced for ${nextUpdate.toISOString()}.`;
  const message = `The revocation data about ${commonName} is of ${issuedAt.toISOString()}, older than the signature.${next}`;
  throw new SigningError('REVOCATION_TOO_OLD', message);
}

/** A certificate of a path with its state. */
interface CheckedLink {
  readonly subject: Certificate;
  readonly issuer: Certificate;
  readonly result: RevocationResult;
}

const certificatesOf = (links: readonly CheckedLink[]): readonly Certificate[] =>
  links.flatMap(({ subject, issuer }) => [subject, issuer]);

/**
 * Paths with only good certificates and without compromised keys. Several paths let readers trust any of their roots.
 * Without a good path, the result is a single path that shows the problem.
 */
function goodPaths(paths: readonly (readonly CheckedLink[])[]): readonly (readonly CheckedLink[])[] {
  const compromised = paths
    .flatMap((links) => links.slice(1))
    .flatMap(({ subject, result }) => (result.status === 'revoked' && !leavesKeyGood(result) ? [subject] : []));
  const good = paths.filter(
    (links) => links.every(({ result }) => result.status === 'good') && !hasKeyOf(certificatesOf(links), compromised),
  );
  if (good.length > 0) return good;
  const telling = paths.find((links) => links.some(({ result }) => result.status === 'revoked')) ?? paths[0];
  return telling === undefined ? [] : [telling];
}

/**
 * Creates a collector that builds the path, fetches missing issuers, and asks about every certificate below the anchor.
 * The material has further paths to other anchors, too, as far as their revocation data is available.
 */
export function createMaterialCollector(options: MaterialCollectorOptions): MaterialCollector {
  const complete = createPathCompleter(options);
  const checker = createRevocationChecker(options);
  return {
    async collect(certificate, known, at, signal, { newerThan, mustBeNewer = false } = {}) {
      const { anchors, intermediates, refused = [], allowLegacyAlgorithms = false } = options;
      const candidates = [...known, ...intermediates];
      const request = { certificate, intermediates: candidates, anchors, refused, at, allowLegacyAlgorithms };
      const result = await complete(request, signal);
      checkComplete(certificate, result);
      const accepted = candidates.filter((candidate) => !isAmong(refused, candidate));
      const embedded: ValidationMaterial = { certificates: accepted, ocspResponses: [], crls: [] };
      const more = { signal, newerThan };
      const others = otherPaths({ ...request, intermediates: [...candidates, ...result.path] }, result.path);
      const paths = await Promise.all(
        [result, ...others].map(async ({ path }) =>
          Promise.all(
            path.slice(0, -1).map(async (subject, index): Promise<CheckedLink> => {
              const [issuer = subject, ...above] = path.slice(index + 1);
              const checked = await checker.check({ certificate: subject, issuer, above, at, embedded, ...more });
              return { subject, issuer, result: checked };
            }),
          ),
        ),
      );
      const good = goodPaths(paths);
      const evidence = good.flatMap((links) => links.map(({ subject, result: found }) => evidenceOf(subject, found)));
      if (mustBeNewer && newerThan !== undefined) expectNewer(certificate, evidence[0], newerThan);
      return materialOf([certificate, ...good.flatMap(certificatesOf)], evidence);
    },
  };
}
