import type { Certificate, Hierarchy, PathResult, RevocationReason, RevocationResult } from '../../signing/index.ts';
import { findingCodes, type FindingCode } from '../errors/index.ts';
import type { CertificateFindings, Finding, TrustFinding } from './certificate-entry.ts';
import { maskNumberBehindName } from './holder-name.ts';
import { maskNumbersInText } from '../../text/taxpayer-number.ts';

/** Evidence about a certificate from elsewhere: anchors, missing issuers, revocation data. */
export interface CertificateEvidence {
  /** Builds a path to an anchor; `known` are certificates that the path may contain. Rejects with `CANCELLED` only. */
  buildPath(
    certificate: Certificate,
    known: readonly Certificate[],
    at: Date,
    signal?: AbortSignal,
  ): Promise<PathResult>;
  /** The infrastructure of an anchor. */
  hierarchyOf(anchor: Certificate): Hierarchy;
  /** The revocation status at a time: from the cache, then from the network. Rejects with `CANCELLED` only. */
  checkRevocation(
    certificate: Certificate,
    issuer: Certificate,
    at: Date,
    signal?: AbortSignal,
  ): Promise<RevocationResult>;
}

/** The state of a certificate. */
export interface CertificateStatus {
  readonly findings: CertificateFindings;
  /** The certificate first, and the anchor last, if there is one. */
  readonly path: readonly Certificate[];
  /** The issuer's certificate; for a root the root itself. */
  readonly issuer?: Certificate;
  readonly hierarchy?: Hierarchy;
}

/** A finding with the message of its code, followed by the reason as a sentence with masked taxpayer numbers. */
export function findingOf(name: FindingCode, isGood: boolean, reason?: string): Finding {
  const { code, message } = findingCodes[name];
  return { status: isGood, code, message: reason === undefined ? message : `${message}. ${maskNumbersInText(reason)}` };
}

/** Names from the certificate upwards, joined as the interface shows a chain; numbers of persons are masked. */
export const chainText = (path: readonly Certificate[]): string =>
  path.map(({ commonName }) => maskNumberBehindName(commonName)).join(' > ');

/**
 * Checks date, chain and revocation, each by itself: chain and revocation of an expired certificate are judged at the
 * last second of its validity, and of a future certificate at the first.
 */
export async function readCertificateStatus(
  certificate: Certificate,
  known: readonly Certificate[],
  {
    evidence,
    now,
    signal,
  }: { readonly evidence: CertificateEvidence; readonly now: Date; readonly signal?: AbortSignal },
): Promise<CertificateStatus> {
  const at = withinValidity(certificate, now);
  const result = await evidence.buildPath(certificate, known, at, signal);
  const { outcome, path } = result;
  const anchor = outcome === 'valid' ? path.at(-1) : undefined;
  const issuer = path[1] ?? (certificate.issuer.equals(certificate.subject) ? certificate : undefined);
  return {
    findings: {
      date: findDate(certificate, now),
      crl: await findRevocation(result, { evidence, at, signal }),
      trust: findTrust(result),
    },
    path,
    issuer,
    hierarchy: anchor === undefined ? undefined : evidence.hierarchyOf(anchor),
  };
}

/** A revocation or suspension of a certificate, or of an authority above it. */
export interface KnownRevocation {
  readonly time: Date;
  /** `certificateHold` for a suspension. */
  readonly reason: RevocationReason;
  readonly isOfAuthority: boolean;
}

/** The revocation as a sentence without names. */
export function revocationSentence({ time, reason, isOfAuthority }: KnownRevocation): string {
  const subject = isOfAuthority ? 'An authority of the certificate' : 'The certificate';
  const state = reason === 'certificateHold' ? 'suspended' : 'revoked';
  return `${subject} is known here as ${state} since ${time.toISOString()} (${reason}).`;
}

/**
 * The revocation that the evidence knows of as of `at`; undefined where all is good, and where nothing is known. The
 * certificate comes before its authorities.
 */
export async function findKnownRevocation(
  certificate: Certificate,
  known: readonly Certificate[],
  { evidence, at }: { readonly evidence: CertificateEvidence; readonly at: Date },
): Promise<KnownRevocation | undefined> {
  const built = await evidence.buildPath(certificate, known, at);
  if (built.outcome === 'incomplete') return undefined;
  const results = await askPath(built, { evidence, at, signal: undefined });
  const index = results.findIndex(({ status }) => status === 'revoked');
  const found = results[index];
  if (found?.status !== 'revoked') return undefined;
  return { time: found.time, reason: found.reason, isOfAuthority: index > 0 };
}

function withinValidity({ notBefore, notAfter }: Certificate, now: Date): Date {
  if (now < notBefore) return notBefore;
  return now > notAfter ? notAfter : now;
}

function findDate({ notBefore, notAfter }: Certificate, now: Date): Finding {
  if (now < notBefore) return findingOf('dateNotValid', false, `It begins on ${notBefore.toISOString()}.`);
  if (now > notAfter) return findingOf('dateNotValid', false, `It ended on ${notAfter.toISOString()}.`);
  return findingOf('dateValid', true);
}

function findTrust({ outcome, path, problems }: PathResult): TrustFinding {
  const chain = chainText(path);
  if (outcome === 'valid') return { ...findingOf('chainTrusted', true), chain };
  return { ...findingOf('chainNotTrusted', false, problems[0]?.sentence), chain };
}

interface PathQuestion {
  readonly evidence: CertificateEvidence;
  readonly at: Date;
  readonly signal: AbortSignal | undefined;
}

/** The revocation state of each certificate below the anchor, from the certificate itself upwards. */
async function askPath(
  { path }: Pick<PathResult, 'path'>,
  { evidence, at, signal }: PathQuestion,
): Promise<readonly RevocationResult[]> {
  const pairs = path.slice(0, -1).map((subject, index) => [subject, path[index + 1] ?? subject] as const);
  return Promise.all(pairs.map(([subject, issuer]) => evidence.checkRevocation(subject, issuer, at, signal)));
}

/**
 * The worst revocation state of all certificates below the anchor. Without a path to an anchor, and for a root itself,
 * no revocation data can be trusted, so the state is undetermined.
 */
async function findRevocation({ path, outcome }: PathResult, question: PathQuestion): Promise<Finding> {
  if (outcome === 'incomplete') {
    return findingOf('notDetermined', false, 'The issuer of the certificate is not known here, or not trusted.');
  }
  const results = await askPath({ path }, question);
  if (results.length === 0) return findingOf('notDetermined', false, 'No authority lists the revocation of a root.');
  const revoked = results.find((result) => result.status === 'revoked');
  if (revoked !== undefined) {
    const reason = `Revoked on ${revoked.time.toISOString()} (${revoked.reason}).`;
    return findingOf('revocationNotValid', false, reason);
  }
  const unknown = results.find((result) => result.status === 'unknown');
  if (unknown !== undefined) return findingOf('notDetermined', false, unknown.reasons[0]?.sentence);
  if (outcome === 'invalid') return findingOf('notDetermined', false, 'The chain of the certificate is not valid.');
  return findingOf('revocationValid', true);
}
