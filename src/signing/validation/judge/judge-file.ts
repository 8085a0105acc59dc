/** Judges everything in one file: time stamps first, because time stamps are proofs, then each signature by itself. */
import type { SignatureFacts, TimestampFacts } from '../facts.ts';
import { DEFAULT_ALGORITHM_POLICY } from './algorithm-tables.ts';
import { judgeSignature, type JudgedSignature, type SignatureRules } from './judge-signature.ts';
import { isValid, judgeTimestamps, type JudgedTimestamp } from './judge-timestamp.ts';
import { Proofs } from './slide-time.ts';

/** The facts of one file. */
export interface FileFacts {
  readonly signatures: readonly SignatureFacts[];
  readonly documentTimestamps: readonly TimestampFacts[];
}

export interface JudgedFile {
  readonly signatures: readonly JudgedSignature[];
  readonly documentTimestamps: readonly JudgedTimestamp[];
}

const withCounterSignatures = (facts: SignatureFacts): readonly SignatureFacts[] => [
  facts,
  ...facts.counterSignatures.flatMap(withCounterSignatures),
];

const present = <Item>(item: Item | undefined): readonly Item[] => (item === undefined ? [] : [item]);

/** The rules of a validation, with defaults for absent rules. */
export const rulesOf = ({ algorithms, unknownPolicy }: Partial<SignatureRules>): SignatureRules => ({
  algorithms: algorithms ?? DEFAULT_ALGORITHM_POLICY,
  unknownPolicy: unknownPolicy ?? 'indeterminate',
});

/** The verdict over a file as of `at`: a pure function. */
export function judgeFile({ signatures, documentTimestamps }: FileFacts, rules: SignatureRules, at: Date): JudgedFile {
  const context = { at, proofs: new Proofs() };
  const own = signatures.flatMap(withCounterSignatures).flatMap(({ timestamps }) => timestamps);
  const judged = judgeTimestamps([...own, ...documentTimestamps], rules.algorithms, context);
  // A record in an attribute of one signer covers the whole message.
  const records = own
    .filter(({ role }) => role === 'evidence-record')
    .flatMap((stamp) => present(judged.get(stamp)))
    .filter(isValid);
  const stampsOf = (facts: SignatureFacts): readonly JudgedTimestamp[] => {
    const isAround = ({ covers }: TimestampFacts): boolean => covers.includes(facts.key);
    const around = documentTimestamps.filter(isAround);
    const here = [...facts.timestamps, ...around].flatMap((stamp) => present(judged.get(stamp)));
    return [...here, ...records.filter((one) => isAround(one.facts) && !facts.timestamps.includes(one.facts))];
  };
  return {
    signatures: signatures.map((facts) => judgeSignature(facts, rules, context, stampsOf)),
    documentTimestamps: documentTimestamps.flatMap((stamp) => present(judged.get(stamp))),
  };
}
