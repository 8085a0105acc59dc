/** Validation of time stamps (EN 319 102-1 §5.4), and the proofs of valid time stamps (§5.6.2.3). */
import { CLOCK_SKEW } from '../../revocation/revocation-result.ts';
import type { RecordProblem } from '../../evidence-records/index.ts';
import type { TimestampFacts } from '../facts.ts';
import type { AlgorithmPolicy } from './algorithm-policy.ts';
import { judgeAlgorithms } from './judge-algorithms.ts';
import { judgeChain } from './judge-chain.ts';
import type { JudgeContext, Proofs } from './slide-time.ts';
import { combine, failed, failure, finding, passed, type Failure, type Judgement } from './verdict.ts';

/** The failure of the evidence record around a time stamp (RFC 4998 §5.3): every step of the record has to be valid. */
function recordFailure({ kind, sentence }: RecordProblem): Failure {
  switch (kind) {
    case 'damaged':
      return failure('FORMAT_FAILURE', 'EVIDENCE_RECORD_DAMAGED', sentence);
    case 'data':
      return failure('HASH_FAILURE', 'EVIDENCE_RECORD_DATA_WRONG', sentence);
    case 'chain':
      return failure('HASH_FAILURE', 'EVIDENCE_RECORD_CHAIN_BROKEN', sentence);
    case 'unknown':
      return failure('SIGNED_DATA_NOT_FOUND', 'EVIDENCE_RECORD_DATA_UNKNOWN', sentence);
  }
}

/** Finds the first failure of the token itself and of its imprint. */
function findTokenFailure(facts: TimestampFacts): Failure | undefined {
  if (facts.recordProblem !== undefined) return recordFailure(facts.recordProblem);
  const { damage, integrity, imprint, indexProblem } = facts;
  const reason = integrity.reason ?? '';
  if (damage !== undefined) return failure('FORMAT_FAILURE', 'TIMESTAMP_DAMAGED', damage);
  if (integrity.problem === 'certificate-missing') {
    const sentence = 'The certificate of the time stamp authority is not to be had.';
    return failure('NO_SIGNING_CERTIFICATE_FOUND', 'SIGNER_CERTIFICATE_MISSING', sentence);
  }
  if (integrity.problem === 'certificate-not-named') {
    return failure('NO_SIGNING_CERTIFICATE_FOUND', 'SIGNER_CERTIFICATE_NOT_NAMED', reason);
  }
  if (integrity.outcome === 'unknown') return failure('CRYPTO_CONSTRAINTS_FAILURE', 'ALGORITHM_UNKNOWN', reason);
  if (integrity.outcome === 'broken') return failure('SIG_CRYPTO_FAILURE', 'SIGNATURE_VALUE_WRONG', reason);
  if (indexProblem !== undefined) return failure('HASH_FAILURE', 'TIMESTAMP_INDEX_WRONG', indexProblem);
  switch (imprint) {
    case 'right':
      return undefined;
    case 'wrong':
      return failure('HASH_FAILURE', 'TIMESTAMP_IMPRINT_WRONG', 'The time stamp belongs to other data.');
    case 'unknown':
      return failure(
        'SIGNED_DATA_NOT_FOUND',
        'TIMESTAMP_IMPRINT_UNKNOWN',
        'The data of the time stamp cannot be read. Give the content, if it is missing.',
      );
  }
}

/** Compares the token's time with the authority's certificate and the clock. */
function findTimeFailure({ time, certificate }: TimestampFacts, at: Date): Failure | undefined {
  if (time.getTime() > at.getTime() + CLOCK_SKEW) {
    return failure('TIMESTAMP_ORDER_FAILURE', 'TIMESTAMP_ORDER_WRONG', 'The time stamp is from the future.');
  }
  if (certificate === undefined || (certificate.notBefore <= time && time <= certificate.notAfter)) return undefined;
  return time < certificate.notBefore
    ? failure('NOT_YET_VALID', 'CERTIFICATE_NOT_YET_VALID', 'The authority stamped before its certificate was valid.')
    : failure('EXPIRED', 'SIGNED_AFTER_EXPIRY', 'The authority stamped after its certificate had expired.');
}

/** Judges a time stamp with the proofs known so far. */
export function judgeTimestamp(facts: TimestampFacts, policy: AlgorithmPolicy, context: JudgeContext): Judgement {
  const { at, proofs } = context;
  const own = findTokenFailure(facts) ?? findTimeFailure(facts, at);
  if (own !== undefined) return failed(own);
  const proven = proofs.existedAt(facts.key);
  const { chain, certificate, algorithms } = facts;
  const found =
    chain === undefined || certificate === undefined
      ? passed()
      : combine(
          judgeChain(chain, { kind: 'time stamp', proven, reference: facts.time, after: undefined }, policy, context),
          judgeAlgorithms(algorithms, policy, at, { notBefore: certificate.notBefore, proven }),
        );
  if (found.failure !== undefined) return found;
  const valid = finding('TIMESTAMP_VALID', `The time stamp of ${facts.time.toISOString()} is valid.`);
  return { checks: [...found.checks, valid], failure: undefined };
}

/** A time stamp with its judgement. */
export interface JudgedTimestamp {
  readonly facts: TimestampFacts;
  readonly judgement: Judgement;
}

/**
 * True when the token fits its data, and was made during the validity of its authority's certificate. Trust in the
 * authority, and the token's present value as a proof, are not checked.
 */
export const isSound = ({ facts }: JudgedTimestamp): boolean =>
  findTokenFailure(facts) === undefined && findTimeFailure(facts, facts.time) === undefined;

export const isValid = ({ judgement }: JudgedTimestamp): boolean => judgement.failure === undefined;

function prove({ time, covers }: TimestampFacts, proofs: Proofs): void {
  for (const key of covers) proofs.add(key, time);
}

/**
 * Judges all time stamps of a file, the latest first, because a time stamp may prove the evidence of an earlier stamp.
 * Fills the proofs of `context`.
 */
export function judgeTimestamps(
  all: readonly TimestampFacts[],
  policy: AlgorithmPolicy,
  context: JudgeContext,
): ReadonlyMap<TimestampFacts, JudgedTimestamp> {
  const judged = new Map<TimestampFacts, JudgedTimestamp>();
  for (const facts of all.toSorted((left, right) => right.time.getTime() - left.time.getTime())) {
    const judgement = judgeTimestamp(facts, policy, context);
    judged.set(facts, { facts, judgement });
    if (judgement.failure === undefined) prove(facts, context.proofs);
  }
  return judged;
}

/** True when a valid time stamp covers a stamp with a later time: the two contradict each other (§5.5.4). */
export function contradict(stamps: readonly JudgedTimestamp[]): boolean {
  const valid = stamps.filter(isValid).map(({ facts }) => facts);
  const isLate = (inner: TimestampFacts, outer: TimestampFacts): boolean =>
    outer.covers.includes(inner.key) && inner.time.getTime() > outer.time.getTime() + CLOCK_SKEW;
  return valid.some((outer) => valid.some((inner) => isLate(inner, outer)));
}
