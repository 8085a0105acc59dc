/** Cryptographic constraints (EN 319 102-1 §5.2.5.4): strong now, or strong at the proven time of existence. */
import type { ValidationCheckCode } from '../check-codes.ts';
import {
  areReliableAt,
  refusalOfKey,
  reliabilityOf,
  reliableUntil,
  type AlgorithmPolicy,
  type AlgorithmUse,
} from './algorithm-policy.ts';
import { failed, failure, finding, passed, type Failure, type Judgement } from './verdict.ts';

/** `holder`: the name in the certificate that has the weakness; undefined for the signature itself. */
function describe(
  use: AlgorithmUse,
  policy: AlgorithmPolicy,
  holder: string | undefined,
): readonly [ValidationCheckCode, string] {
  const outside = notAllowed(use, policy, holder);
  if (outside !== undefined) return ['ALGORITHM_NOT_ALLOWED', outside];
  if (holder !== undefined) return describeOfCertificate(use, holder);
  switch (use.kind) {
    case 'padding':
    case 'unknown':
      return ['ALGORITHM_UNKNOWN', `The signature algorithm ${use.name} is not known here.`];
    case 'hash':
      return use.name.includes('.')
        ? ['ALGORITHM_UNKNOWN', `The hash function ${use.name} is not known here.`]
        : ['HASH_WEAK', `The hash function ${use.name.toUpperCase()} is not strong enough.`];
    case 'key':
      return ['KEY_TOO_SHORT', `A key of ${use.bits} bits (${use.type.toUpperCase()}) is too short.`];
  }
}

const PADDING_NAMES = { pkcs1: 'RSASSA-PKCS1-v1_5', pss: 'RSASSA-PSS' } as const;

/** The sentence for an algorithm that is not weak, but that the table does not list, or lists no longer. */
function notAllowed(use: AlgorithmUse, policy: AlgorithmPolicy, holder: string | undefined): string | undefined {
  const table = policy.name ?? 'The table of algorithms';
  const where = holder === undefined ? '' : ` (certificate of ${holder})`;
  if (use.kind === 'padding') return `${table} does not allow ${PADDING_NAMES[use.name]} at this time${where}.`;
  const refusal = use.kind === 'key' ? refusalOfKey(use, policy) : undefined;
  if (use.kind !== 'key' || refusal === undefined) return undefined;
  const { type, bits, name = '' } = use;
  if (refusal === 'not-listed') return `${table} does not list keys of the kind ${name}${where}.`;
  return `${table} allows no certificate of this day with an ${type.toUpperCase()} key of ${bits} bits${where}.`;
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
    case 'padding':
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
    ...describe(weak, policy, holder),
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
    const source = policy.name === undefined ? '' : ` by ${policy.name}`;
    return passed(finding('ALGORITHMS_STRONG', `Hash function and key are strong enough${source}.`));
  }
  const { proven } = existence;
  if (proven !== undefined && areReliableAt(uses, policy, proven)) {
    const sentence = 'Hash function and key were strong enough when the signature is proven to have existed.';
    return passed(finding('ALGORITHM_WAS_STRONG', sentence));
  }
  const found = findWeakness(uses, policy, at, existence);
  return found === undefined ? passed() : failed(found);
}
