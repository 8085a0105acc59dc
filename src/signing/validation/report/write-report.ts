/** The baseline level of a signature (EN 319 122-1 §6, EN 319 142-1 §6), by its valid parts. */
import type { ChainFacts, LinkFacts } from '../facts.ts';
import { isShownChange } from '../../pdf/differences/pdf-facts.ts';
import { needsSigningTime, type JudgedSignature } from '../judge/judge-signature.ts';
import { isSound, isValid, type JudgedTimestamp } from '../judge/judge-timestamp.ts';
import type {
  SignatureLevel,
  ChainEntry,
  ChainReport,
  PdfSignatureReport,
  SignatureReport,
  TimestampReport,
  ValidationReport,
} from '../validation-report.ts';
import type { Certificate } from '../../certificates/certificate.ts';
import { hasMaterialOf } from '../judge/judge-policy-material.ts';
import { policyName } from '../judge/judge-policy.ts';
import { finding, verdictOf, type Judgement } from '../judge/verdict.ts';
import { policyOfOid } from '../../policies/choose-icp-brasil-policy.ts';

/** The certificates of a path with a revocation status: all but the last, which has no status. */
const below = ({ links }: ChainFacts): readonly LinkFacts[] | undefined =>
  links.length > 1 || links[0]?.isAnchor === true ? links.slice(0, -1) : undefined;

/** True when the signature or its file carries revocation data for every certificate with a known issuer. */
const hasMaterial = (chain: ChainFacts | undefined): boolean =>
  chain !== undefined &&
  below(chain)?.every(({ evidence }) => evidence.some(({ origin }) => origin === 'embedded')) === true;

/** A time stamp over the long-term material. */
const isArchive = ({ facts: { role } }: JudgedTimestamp): boolean => role === 'archive' || role === 'document';

/** True for an archive time stamp that covers data about the signer's certificate. */
function coversMaterial(stamp: JudgedTimestamp, chain: ChainFacts): boolean {
  const covered = new Set(stamp.facts.covers);
  return below(chain)?.every(({ evidence }) => evidence.some(({ key }) => covered.has(key))) === true;
}

/**
 * The level by the time stamps accepted by `counts`. Archive time stamps of version 2 are over material in attributes.
 * Evidence records belong to no baseline level (EN 319 122-1 §6.3 names archive-time-stamp-v3).
 */
function levelBy({ facts, timestamps }: JudgedSignature, counts: (stamp: JudgedTimestamp) => boolean): SignatureLevel {
  if (facts.signingCertificate !== 'matches') return 'none';
  if (facts.claimedTime === undefined && needsSigningTime(facts)) return 'none';
  const stamps = timestamps.filter(
    (stamp) => stamp.facts.role !== 'evidence-record' && counts(stamp) && stamp.facts.covers.includes(facts.key),
  );
  if (stamps.length === 0) return 'B-B';
  const [first] = stamps.toSorted((left, right) => left.facts.time.getTime() - right.facts.time.getTime());
  const { chain } = facts;
  if (chain === undefined || !hasMaterial(chain)) return 'B-T';
  const archives = stamps.filter((stamp) => isArchive(stamp) && coversMaterial(stamp, chain));
  const isStampOfItsOwn = first !== undefined && !archives.includes(first);
  if (archives.length > 0) return 'B-LTA';
  return isStampOfItsOwn && !hasMaterial(first.facts.chain) ? 'B-T' : 'B-LT';
}

/** The level by form: the highest level with complete and matching material, regardless of trust and age. */
export const levelOf = (judged: JudgedSignature): SignatureLevel => levelBy(judged, isSound);

/** The level that is proven at the time of validation; `none` for a signature that did not pass. */
export const provenLevelOf = (judged: JudgedSignature): SignatureLevel =>
  judged.judgement.failure === undefined ? levelBy(judged, isValid) : 'none';

const NEXT = { 'B-B': 'B-T', 'B-T': 'B-LT', 'B-LT': 'B-LTA' } as const;

/** The next level for a longer life; undefined at the highest level, or when the signature is not valid. */
export function nextLevel(level: SignatureLevel, isPassed: boolean): 'B-T' | 'B-LT' | 'B-LTA' | undefined {
  return !isPassed || level === 'B-LTA' || level === 'none' ? undefined : NEXT[level];
}

// Facts and judgements as a report: plain data, nothing is decided here.

function revocationEntry({ evidence, problems, isAnchor }: LinkFacts, at: Date): ChainEntry['revocation'] {
  if (isAnchor) return undefined;
  const [latest] = evidence;
  if (latest === undefined) {
    const problem = problems[0]?.sentence;
    return problem === undefined ? undefined : { status: 'unknown', problem };
  }
  const { kind, origin, thisUpdate, nextUpdate, revocation } = latest;
  return {
    status: revocation !== undefined && revocation.time <= at ? 'revoked' : 'good',
    kind,
    origin,
    thisUpdate,
    nextUpdate,
    revokedAt: revocation?.time,
    reason: revocation?.reason,
  };
}

const copies = new WeakMap<Certificate, Uint8Array>();

/** A copy of the certificate's bytes, without the rest of the underlying buffer; copied once. */
function bytesOf(certificate: Certificate): Uint8Array {
  const copy = copies.get(certificate) ?? new Uint8Array(certificate.der);
  copies.set(certificate, copy);
  return copy;
}

function chainEntry(
  link: LinkFacts,
  { reachesAnchor, isForTimestampsOnly }: Pick<ChainFacts, 'reachesAnchor' | 'isForTimestampsOnly'>,
  at: Date,
): ChainEntry {
  const { certificate, isAnchor } = link;
  const revocation = reachesAnchor ? revocationEntry(link, at) : undefined;
  return {
    certificate: bytesOf(certificate),
    commonName: certificate.commonName,
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
    isAnchor,
    ...(isAnchor && isForTimestampsOnly ? { isForTimestampsOnly } : {}),
    revocation,
  };
}

function chainReport(chain: ChainFacts, isGood: boolean, at: Date): ChainReport {
  return {
    outcome: !chain.reachesAnchor ? 'incomplete' : isGood ? 'valid' : 'invalid',
    entries: chain.links.map((link) => chainEntry(link, chain, at)),
    hierarchy: chain.hierarchy,
  };
}

/** The judgement of a time stamp's path is part of the time stamp's judgement. */
const isChainGood = ({ failure }: Judgement): boolean =>
  failure === undefined || !['trust', 'date', 'revocation'].includes(failure.check.area);

/** The report over a time stamp. */
export function timestampReport({ facts, judgement }: JudgedTimestamp, at: Date): TimestampReport {
  const { role, time, imprintAlgorithm, certificate, chain } = facts;
  return {
    role,
    time: facts.damage === undefined ? time : null,
    ...verdictOf(judgement),
    imprintAlgorithm,
    authority: certificate?.commonName,
    chain: chain === undefined ? undefined : chainReport(chain, isChainGood(judgement), at),
    checks: judgement.checks,
  };
}

function pdfReport(pdf: NonNullable<JudgedSignature['facts']['pdf']>): PdfSignatureReport {
  const { fieldName, subFilter, coversWholeFile, revision, certification, reason, location, contact, page } = pdf;
  const { changes, changeLevel, changesAllowed, permission, problem, byteRange } = pdf;
  const [, , behind = 0, length = 0] = byteRange;
  return {
    fieldName,
    subFilter,
    coversWholeFile,
    revision,
    certification,
    reason,
    location,
    contact,
    page,
    changes,
    changeLevel,
    changesAllowed,
    changedSince: changes.some(isShownChange),
    permission,
    ...(problem === undefined ? { signedSize: behind + length } : {}),
  };
}

function policyReport({ facts, timestamps }: JudgedSignature): SignatureReport['policy'] {
  const { policy } = facts;
  if (policy?.kind !== 'explicit') return undefined;
  const name = policyName(policy.oid);
  const known = policyOfOid(policy.oid);
  return {
    oid: policy.oid,
    name,
    recognised: known !== undefined,
    complete: known !== undefined && hasMaterialOf(known.unsignedAttributes, { facts, stamps: timestamps }),
  };
}

/** A signature with its counter-signatures, recursively. */
export const withCounterSignatures = (signature: SignatureReport): readonly SignatureReport[] => [
  signature,
  ...signature.counterSignatures.flatMap(withCounterSignatures),
];

/** The report over a signature and its counter-signatures. `at` is the time of validation. */
export function signatureReport(judged: JudgedSignature, at: Date): SignatureReport {
  const { facts, judgement, chain, proven } = judged;
  const { certificate, pdf } = facts;
  const claimedSigningTime = facts.claimedTime ?? pdf?.claimedTime;
  const policy = policyReport(judged);
  const levelProven = provenLevelOf(judged);
  const extendable = nextLevel(levelProven, judgement.failure === undefined && !facts.isCounterSignature);
  return {
    id: facts.id,
    format: facts.format,
    ...verdictOf(judgement),
    checks: judgement.checks,
    signerCertificate: certificate && bytesOf(certificate),
    signerName: certificate?.commonName,
    chain: facts.chain === undefined ? undefined : chainReport(facts.chain, chain.failure === undefined, at),
    claimedSigningTime,
    statements: facts.statements,
    provenTime: proven,
    validationTime: proven ?? at,
    ...(facts.digestAlgorithm === '' ? {} : { digestAlgorithm: facts.digestAlgorithm }),
    ...(facts.signatureAlgorithm === '' ? {} : { signatureAlgorithm: facts.signatureAlgorithm }),
    level: levelOf(judged),
    levelProven,
    protection: judgement.failure === undefined ? judged.protection : undefined,
    protectionEnded: judged.protectionEnded,
    policy,
    timestamps: facts.timestamps.flatMap((own) => {
      const found = judged.timestamps.find((stamp) => stamp.facts === own);
      return found === undefined ? [] : [timestampReport(found, at)];
    }),
    counterSignatures: judged.counterSignatures.map((counter) => signatureReport(counter, at)),
    pdf: pdf === undefined ? undefined : pdfReport(pdf),
    extendable,
  };
}

/**
 * The report of a validation that a limit ended: no signature of the file was judged, and `sentence` names the limit.
 * `INDETERMINATE`: nothing was found wrong, and nothing was proven (EN 319 102-1 §5.1.3).
 */
export const unfinishedReport = (
  kind: ValidationReport['kind'],
  validatedAt: Date,
  sentence: string,
): ValidationReport => ({
  kind,
  indication: 'INDETERMINATE',
  signatures: [],
  documentTimestamps: [],
  validatedAt,
  checks: [finding('LIMIT_REACHED', sentence)],
});
