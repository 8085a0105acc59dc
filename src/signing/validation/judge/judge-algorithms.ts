/** Cryptographic constraints (EN 319 102-1 §5.2.5.4): strong now, or strong at the proven time of existence. */
import type { ValidationCheckCode } from '../check-codes.ts';
import {
  areReliableAt,
  reliabilityOf,
  reliableUntil,
  type AlgorithmPolicy,
  type AlgorithmUse,
} from './algorithm-policy.ts';
import { failed, failure, finding, passed, type Failure, type Judgement } from './verdict.ts';

/** `holder`: the name in the certificate that has the weakness; undefined for the signature itself. */
function describe(use: AlgorithmUse, holder: string | undefined): readonly [ValidationCheckCode, string] {
  if (holder !== undefined) return describeOfCertificate(use, holder);
  switch (use.kind) {
    case 'hash':
      return use.name.includes('.')
        ? ['ALGORITHM_UNKNOWN', `The hash function ${use.name} is not known here.`]
        : ['HASH_WEAK', `The hash function ${use.name.toUpperCase()} is not strong enough.`];
    case 'key':
      return ['KEY_TOO_SHORT', `A key of ${use.bits} bits (${use.type.toUpperCase()}) is too short.`];
    case 'unknown':
      return ['ALGORITHM_UNKNOWN', `The signature algorithm ${use.name} is not known here.`];
  }
}

function describeOfCertificate(use: AlgorithmUse, holder: string): readonly [ValidationCheckCode, string] {
  switch (use.kind) {
    case 'hash':
      return ['CERTIFICATE_HASH_WEAK', `The certificate of ${holder} is signed with ${use.name.toUpperCase()}.`];
    case 'key':
      return [
        'CERTIFICATE_KEY_TOO_SHORT',
        `The ${use.type.toUpperCase()} key in the certificate of ${holder} has ${use.bits} bits: too short.`,
      ];
    case 'unknown':
      return ['ALGORITHM_UNKNOWN', `The certificate of ${holder} uses the algorithm ${use.name}, not known here.`];
  }
}

/** The earliest possible time of making, and the proven time of existence. */
export interface Existence {
  readonly notBefore: Date | undefined;
  readonly proven: Date | undefined;
}

/**
 * Finds the first use that is not reliable at `at`. An object younger than the weakness fails for good; otherwise only
 * a proof of existence is missing. `holder` names the certificate of the uses, and is absent for the signature itself:
 * a new signature does not repair a weak certificate.
 */
export function findWeakness(
  uses: readonly AlgorithmUse[],
  policy: AlgorithmPolicy,
  at: Date,
  { notBefore, proven }: Existence,
  holder?: string,
): Failure | undefined {
  const weak = uses.find((use) => !areReliableAt([use], policy, at));
  if (weak === undefined) return undefined;
  const until = reliableUntil(uses, policy);
  const isHopeless =
    reliabilityOf(weak, policy) === 'never' ||
    proven !== undefined ||
    (until !== undefined && notBefore !== undefined && notBefore >= until);
  return failure(
    isHopeless ? 'CRYPTO_CONSTRAINTS_FAILURE' : 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
    ...describe(weak, holder),
  );
}

/** Judges the algorithms of a signature or of a time stamp. */
export function judgeAlgorithms(
  uses: readonly AlgorithmUse[],
  policy: AlgorithmPolicy,
  at: Date,
  existence: Existence,
): Judgement {
  if (areReliableAt(uses, policy, at)) {
    return passed(finding('ALGORITHMS_STRONG', 'Hash function and key are strong enough.'));
  }
  const { proven } = existence;
  if (proven !== undefined && areReliableAt(uses, policy, proven)) {
    const sentence = 'Hash function and key were strong enough when the signature is proven to have existed.';
    return passed(finding('ALGORITHM_WAS_STRONG', sentence));
  }
  const found = findWeakness(uses, policy, at, existence);
  return found === undefined ? passed() : failed(found);
}
