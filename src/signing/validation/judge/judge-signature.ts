/**
 * The whole verdict over one signature (EN 319 102-1 §5.3, §5.5, §5.6): a pure function of facts, policy and proofs.
 */
import { CLOCK_SKEW } from '../../revocation/revocation-result.ts';
import type { SignatureFacts } from '../facts.ts';
import type { ProtectionEnd, ValidationCheck } from '../validation-report.ts';
import type { AlgorithmPolicy } from './algorithm-policy.ts';
import { judgeAlgorithms } from './judge-algorithms.ts';
import { judgeChain } from './judge-chain.ts';
import { judgeChanges, judgeFormat, judgeIntegrity, judgeSigningCertificate } from './judge-integrity.ts';
import { judgePolicy } from './judge-policy.ts';
import { endedProtectionOf, judgeProtection, protectionOf } from './protection.ts';
import { contradict, isValid, type JudgedTimestamp } from './judge-timestamp.ts';
import type { JudgeContext } from './slide-time.ts';
import { combine, failed, failure, finding, passed, type Judgement } from './verdict.ts';

/** The rules for judging signatures. */
export interface SignatureRules {
  readonly algorithms: AlgorithmPolicy;
  readonly unknownPolicy: 'indeterminate' | 'accept';
}

/** A signature with its judgement. */
export interface JudgedSignature {
  readonly facts: SignatureFacts;
  readonly judgement: Judgement;
  /** The judgement of the certificate alone. */
  readonly chain: Judgement;
  readonly timestamps: readonly JudgedTimestamp[];
  readonly counterSignatures: readonly JudgedSignature[];
  readonly proven: Date | undefined;
  /** The end of the signature's protection; undefined when nothing is known about its certificate. */
  readonly protection: ProtectionEnd | undefined;
  /** The end of a protection that is already over. */
  readonly protectionEnded: ProtectionEnd | undefined;
}

/** The time of the latest valid content time stamp, before the signature. */
function madeAfter(stamps: readonly JudgedTimestamp[]): Date | undefined {
  if (stamps.length === 0) return undefined;
  const times = stamps
    .filter((stamp) => stamp.facts.role === 'content' && isValid(stamp))
    .map(({ facts }) => facts.time.getTime());
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}

function judgeOrder(stamps: readonly JudgedTimestamp[], proven: Date | undefined): Judgement {
  const after = madeAfter(stamps);
  const isReversed = after !== undefined && proven !== undefined && after.getTime() > proven.getTime() + CLOCK_SKEW;
  if (!isReversed && !contradict(stamps)) return passed();
  const sentence = 'The times of the time stamps contradict each other.';
  return failed(failure('TIMESTAMP_ORDER_FAILURE', 'TIMESTAMP_ORDER_WRONG', sentence));
}

/** A baseline signature of CAdES claims a time (EN 319 122-1 §6.3); a PDF has it in its dictionary. */
export const needsSigningTime = ({ pdf, isCounterSignature }: SignatureFacts): boolean =>
  pdf === undefined && !isCounterSignature;

function claimChecks(facts: SignatureFacts, claimed: Date | undefined, proven: Date | undefined, at: Date) {
  const checks: ValidationCheck[] = [];
  const isMissing = claimed === undefined && needsSigningTime(facts);
  if (proven !== undefined) {
    checks.push(finding('SIGNING_TIME_PROVEN', `The signature existed on ${proven.toISOString()}.`));
  } else if (!isMissing) {
    checks.push(finding('SIGNING_TIME_CLAIMED', 'No time stamp proves when the signature was made.'));
  }
  if (isMissing) {
    checks.push(finding('SIGNING_TIME_MISSING', 'The signature has no attribute signing-time that can be read.'));
  }
  if (claimed === undefined) return checks;
  if (claimed.getTime() > at.getTime() + CLOCK_SKEW) {
    checks.push(finding('CLAIMED_TIME_IN_FUTURE', 'The signer claims a time that has not come.'));
  } else if (proven !== undefined && claimed.getTime() > proven.getTime() + CLOCK_SKEW) {
    checks.push(finding('CLAIMED_TIME_AFTER_TIMESTAMP', 'The signer claims a later time than the time stamp tells.'));
  }
  const { certificate } = facts;
  if (certificate !== undefined && (claimed < certificate.notBefore || claimed > certificate.notAfter)) {
    const sentence = 'The signer claims a time at which the certificate was not valid.';
    checks.push(finding('CLAIMED_TIME_OUT_OF_VALIDITY', sentence));
  }
  return checks;
}

/** Findings for the reader about the time stamps in use. */
function stampNotes(stamps: readonly JudgedTimestamp[]): readonly ValidationCheck[] {
  const notes = stamps
    .filter(isValid)
    .flatMap(({ judgement }) => judgement.checks)
    .filter(({ code }) => code === 'REVOCATION_NOT_CHECKED_SINCE');
  return notes.length < 2 ? notes : [...new Map(notes.map((check) => [check.sentence, check])).values()];
}

function unusedStamps(stamps: readonly JudgedTimestamp[]): readonly ValidationCheck[] {
  return stamps
    .filter((stamp) => !isValid(stamp))
    .map(({ facts, judgement }) => {
      const reason = judgement.failure?.check.sentence ?? '';
      return facts.role === 'evidence-record'
        ? finding('EVIDENCE_RECORD_NOT_USED', `An evidence record proves nothing. ${reason}`.trim())
        : finding('TIMESTAMP_NOT_USED', `A time stamp proves nothing. ${reason}`.trim());
    });
}

function timeJudgement(facts: SignatureFacts, stamps: readonly JudgedTimestamp[], context: JudgeContext): Judgement {
  const proven = context.proofs.existedAt(facts.key);
  const claimed = facts.claimedTime ?? facts.pdf?.claimedTime;
  return combine(
    judgeOrder(stamps, proven),
    passed(...unusedStamps(stamps), ...stampNotes(stamps), ...claimChecks(facts, claimed, proven, context.at)),
  );
}

/** EdDSA signatures are secure (RFC 8419), but ETSI TS 119 312 lists EdDSA only since V2.1.1 (2026-06). */
function acceptance({ signatureAlgorithm: name }: SignatureFacts, { otherKeys = {} }: AlgorithmPolicy): Judgement {
  if ((name !== 'ed25519' && name !== 'ed448') || Object.hasOwn(otherKeys, name)) return passed();
  const kind = name === 'ed448' ? 'Ed448' : 'Ed25519';
  return passed(finding('ALGORITHM_NOT_LISTED', `ETSI TS 119 312 lists ${kind} only since V2.1.1 (2026-06).`));
}

/**
 * Judges a signature and its counter-signatures. `stampsOf` answers the judged time stamps of a signature, including
 * the file's time stamps around it; `context` holds the proofs of existence.
 */
export function judgeSignature(
  facts: SignatureFacts,
  rules: SignatureRules,
  context: JudgeContext,
  stampsOf: (facts: SignatureFacts) => readonly JudgedTimestamp[],
): JudgedSignature {
  const { at, proofs } = context;
  const timestamps = stampsOf(facts);
  const proven = proofs.existedAt(facts.key);
  const { chain: chainFacts, certificate, algorithms } = facts;
  const made = { kind: 'signature', proven, reference: proven, after: madeAfter(timestamps) } as const;
  const chain = chainFacts === undefined ? passed() : judgeChain(chainFacts, made, rules.algorithms, context);
  const signedAt = proven ?? facts.claimedTime ?? facts.pdf?.claimedTime ?? at;
  const existence = { notBefore: certificate?.notBefore, proven };
  const protectionEnded = endedProtectionOf(facts, timestamps, rules.algorithms, at);
  const judgement = combine(
    judgeFormat(facts),
    judgeIntegrity(facts),
    judgeChanges(facts),
    judgeSigningCertificate(facts),
    chain,
    judgeAlgorithms(algorithms, rules.algorithms, at, existence),
    acceptance(facts, rules.algorithms),
    judgePolicy({ facts, stamps: timestamps }, signedAt, rules.unknownPolicy),
    facts.damage === undefined ? timeJudgement(facts, timestamps, context) : passed(),
    judgeProtection(protectionEnded),
  );
  return {
    facts,
    judgement,
    chain,
    timestamps,
    proven,
    protection: protectionOf(facts, timestamps, rules.algorithms),
    protectionEnded,
    counterSignatures: facts.counterSignatures.map((one) => judgeSignature(one, rules, context, stampsOf)),
  };
}
