/** Indications and findings as values (EN 319 102-1 §5.1.3). */
import { VALIDATION_CHECKS, type ValidationCheckCode } from '../check-codes.ts';
import type { Indication, SubIndication, ValidationCheck } from '../validation-report.ts';

/** A finding with its area and outcome from the table. */
export function finding(code: ValidationCheckCode, sentence: string): ValidationCheck {
  const [area, outcome] = VALIDATION_CHECKS[code];
  return { area, outcome, code, sentence };
}

/** A sub-indication with its finding. */
export interface Failure {
  readonly subIndication: SubIndication;
  readonly check: ValidationCheck;
}

export const failure = (subIndication: SubIndication, code: ValidationCheckCode, sentence: string): Failure => ({
  subIndication,
  check: finding(code, sentence),
});

/** Findings in their order, and the first deciding failure; undefined: no failure. */
export interface Judgement {
  readonly checks: readonly ValidationCheck[];
  readonly failure: Failure | undefined;
}

/**
 * Sub-indications of table 6 that prove the signature wrong; all others mean that the result could not be determined.
 */
const FAILED: ReadonlySet<SubIndication> = new Set([
  'FORMAT_FAILURE',
  'HASH_FAILURE',
  'SIG_CRYPTO_FAILURE',
  'REVOKED',
  'EXPIRED',
  'NOT_YET_VALID',
]);

/** The main indication of a sub-indication. */
export function indicationOf(subIndication: SubIndication | undefined): Indication {
  if (subIndication === undefined) return 'TOTAL-PASSED';
  return FAILED.has(subIndication) ? 'TOTAL-FAILED' : 'INDETERMINATE';
}

/** Joins several judgements: the first failure decides. */
export function combine(...judgements: readonly Judgement[]): Judgement {
  const checks: ValidationCheck[] = [];
  let first: Failure | undefined;
  for (const judgement of judgements) {
    for (const check of judgement.checks) checks.push(check);
    first ??= judgement.failure;
  }
  return { checks, failure: first };
}

export const passed = (...checks: readonly ValidationCheck[]): Judgement => ({ checks, failure: undefined });

export const failed = (found: Failure, ...before: readonly ValidationCheck[]): Judgement => ({
  checks: [...before, found.check],
  failure: found,
});

const SEVERITY: Readonly<Record<Indication, number>> = { 'TOTAL-PASSED': 0, INDETERMINATE: 1, 'TOTAL-FAILED': 2 };

/** A verdict in the form of reports. */
export interface Verdict {
  readonly indication: Indication;
  readonly subIndication?: SubIndication;
}

export const verdictOf = ({ failure: found }: Judgement): Verdict => ({
  indication: indicationOf(found?.subIndication),
  subIndication: found?.subIndication,
});

/** The worst of several verdicts; of equally bad verdicts the first. */
export function worstOf(verdicts: readonly Verdict[]): Verdict {
  const [worst] = verdicts.toSorted((left, right) => SEVERITY[right.indication] - SEVERITY[left.indication]);
  const { indication = 'INDETERMINATE', subIndication } = worst ?? {};
  return { indication, subIndication };
}
