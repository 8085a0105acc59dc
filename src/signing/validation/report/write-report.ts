/** Facts and judgements as a report: plain data, nothing is decided here. */
import type { Certificate } from '../../certificates/certificate.ts';
import type { ChainFacts, LinkFacts } from '../facts.ts';
import { policyName } from '../judge/judge-policy.ts';
import type { JudgedSignature } from '../judge/judge-signature.ts';
import type { JudgedTimestamp } from '../judge/judge-timestamp.ts';
import { verdictOf, type Judgement } from '../judge/verdict.ts';
import { policyOfOid } from '../../policies/icp-brasil-policies.ts';
import type {
  ChainEntry,
  ChainReport,
  PdfSignatureReport,
  SignatureReport,
  TimestampReport,
} from '../validation-report.ts';
import { levelOf, nextLevel } from './level.ts';

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
