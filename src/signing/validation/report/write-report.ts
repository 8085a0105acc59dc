/** The baseline level of a signature (EN 319 122-1 §6, EN 319 142-1 §6), by its valid parts. */
import type { ChainFacts, LinkFacts } from '../facts.ts';
import type { JudgedSignature } from '../judge/judge-signature.ts';
import { isValid, type JudgedTimestamp } from '../judge/judge-timestamp.ts';
import type {
  SignatureLevel,
  ChainEntry,
  ChainReport,
  PdfSignatureReport,
  SignatureReport,
  TimestampReport,
} from '../validation-report.ts';
import type { Certificate } from '../../certificates/certificate.ts';
import { policyName } from '../judge/judge-policy.ts';
import { verdictOf, type Judgement } from '../judge/verdict.ts';
import { policyOfOid } from '../../policies/choose-icp-brasil-policy.ts';

/** True when the signature or its file carries revocation data for every certificate below the anchor. */
function hasMaterial(chain: ChainFacts | undefined): boolean {
  if (chain === undefined || !chain.reachesAnchor) return false;
  return chain.links
    .filter(({ isAnchor }) => !isAnchor)
    .every(({ evidence }) => evidence.some(({ origin }) => origin === 'embedded'));
}

/** A time stamp over the long-term material. */
const isArchive = (stamp: JudgedTimestamp): boolean =>
  isValid(stamp) && (stamp.facts.role === 'archive' || stamp.facts.role === 'document');

/** True for an archive time stamp that covers data about the signer's certificate. */
function coversMaterial(stamp: JudgedTimestamp, chain: ChainFacts): boolean {
  const covered = new Set(stamp.facts.covers);
  return chain.links
    .filter(({ isAnchor }) => !isAnchor)
    .every(({ evidence }) => evidence.some(({ key }) => covered.has(key)));
}

/** The level of a signature. Archive time stamps of version 2 are over material in attributes, and count alike. */
export function levelOf({ facts, timestamps }: JudgedSignature): SignatureLevel {
  if (facts.signingCertificate !== 'matches') return 'none';
  const stamps = timestamps.filter((stamp) => isValid(stamp) && stamp.facts.covers.includes(facts.key));
  if (stamps.length === 0) return 'B-B';
  const [first] = stamps.toSorted((left, right) => left.facts.time.getTime() - right.facts.time.getTime());
  const { chain } = facts;
  if (chain === undefined || !hasMaterial(chain)) return 'B-T';
  const archives = stamps.filter(isArchive).filter((stamp) => coversMaterial(stamp, chain));
  const isStampOfItsOwn = first !== undefined && !archives.includes(first);
  if (archives.length > 0) return 'B-LTA';
  return isStampOfItsOwn && !hasMaterial(first.facts.chain) ? 'B-T' : 'B-LT';
}

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
    ...(nextUpdate === undefined ? {} : { nextUpdate }),
    ...(revocation === undefined ? {} : { revokedAt: revocation.time, reason: revocation.reason }),
  };
}

const copies = new WeakMap<Certificate, Uint8Array>();

/** A copy of the certificate's bytes, without the rest of the underlying buffer; copied once. */
function octetsOf(certificate: Certificate): Uint8Array {
  const copy = copies.get(certificate) ?? new Uint8Array(certificate.der);
  copies.set(certificate, copy);
  return copy;
}

function chainEntry(link: LinkFacts, at: Date): ChainEntry {
  const { certificate, isAnchor } = link;
  const revocation = revocationEntry(link, at);
  return {
    certificate: octetsOf(certificate),
    commonName: certificate.commonName,
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
    isAnchor,
    ...(revocation === undefined ? {} : { revocation }),
  };
}

function chainReport(chain: ChainFacts, isGood: boolean, at: Date): ChainReport {
  return {
    outcome: !chain.reachesAnchor ? 'incomplete' : isGood ? 'valid' : 'invalid',
    entries: chain.links.map((link) => chainEntry(link, at)),
    ...(chain.hierarchy === undefined ? {} : { hierarchy: chain.hierarchy }),
  };
}

/** The judgement of a time stamp's path is part of its own. */
const isChainGood = ({ failure }: Judgement): boolean =>
  failure === undefined || !['trust', 'date', 'revocation'].includes(failure.check.area);

/** The report over a time stamp. */
export function timestampReport({ facts, judgement }: JudgedTimestamp, at: Date): TimestampReport {
  const { role, time, certificate, chain } = facts;
  return {
    role,
    time,
    ...verdictOf(judgement),
    ...(certificate === undefined ? {} : { authority: certificate.commonName }),
    ...(chain === undefined ? {} : { chain: chainReport(chain, isChainGood(judgement), at) }),
    checks: judgement.checks,
  };
}

function pdfReport(pdf: NonNullable<JudgedSignature['facts']['pdf']>): PdfSignatureReport {
  const { fieldName, subFilter, coversWholeFile, revision, certification, reason, location, contact, page } = pdf;
  const { changes, changeLevel, changesAllowed } = pdf;
  return {
    fieldName,
    subFilter,
    coversWholeFile,
    revision,
    ...(certification === undefined ? {} : { certification }),
    ...(reason === undefined ? {} : { reason }),
    ...(location === undefined ? {} : { location }),
    ...(contact === undefined ? {} : { contact }),
    ...(page === undefined ? {} : { page }),
    changes,
    changeLevel,
    changesAllowed,
  };
}

function policyReport({ policy }: JudgedSignature['facts']): SignatureReport['policy'] {
  if (policy?.kind !== 'explicit') return undefined;
  const name = policyName(policy.oid);
  return {
    oid: policy.oid,
    ...(name === undefined ? {} : { name }),
    recognised: policyOfOid(policy.oid) !== undefined,
  };
}

/** The report over a signature and its counter-signatures. `at` is the time of validation. */
export function signatureReport(judged: JudgedSignature, at: Date): SignatureReport {
  const { facts, judgement, chain, proven } = judged;
  const { certificate, pdf } = facts;
  const claimedSigningTime = facts.claimedTime ?? pdf?.claimedTime;
  const policy = policyReport(facts);
  const level = levelOf(judged);
  const extendable = nextLevel(level, judgement.failure === undefined && !facts.isCounterSignature);
  return {
    id: facts.id,
    format: facts.format,
    ...verdictOf(judgement),
    checks: judgement.checks,
    ...(certificate === undefined
      ? {}
      : { signerCertificate: octetsOf(certificate), signerName: certificate.commonName }),
    ...(facts.chain === undefined ? {} : { chain: chainReport(facts.chain, chain.failure === undefined, at) }),
    ...(claimedSigningTime === undefined ? {} : { claimedSigningTime }),
    ...(proven === undefined ? {} : { provenTime: proven }),
    validationTime: proven ?? at,
    ...(facts.digestAlgorithm === '' ? {} : { digestAlgorithm: facts.digestAlgorithm }),
    ...(facts.signatureAlgorithm === '' ? {} : { signatureAlgorithm: facts.signatureAlgorithm }),
    level,
    ...(policy === undefined ? {} : { policy }),
    timestamps: facts.timestamps.flatMap((own) => {
      const found = judged.timestamps.find((stamp) => stamp.facts === own);
      return found === undefined ? [] : [timestampReport(found, at)];
    }),
    counterSignatures: judged.counterSignatures.map((counter) => signatureReport(counter, at)),
    ...(pdf === undefined ? {} : { pdf: pdfReport(pdf) }),
    ...(extendable === undefined ? {} : { extendable }),
  };
}
