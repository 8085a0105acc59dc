/**
 * Computes the end of a signature's protection: the end of its last time stamp, or of its own path without a time
 * stamp.
 */
import type { ChainFacts, SignatureFacts } from '../facts.ts';
import type { ProtectionEnd } from '../validation-report.ts';
import { reliabilityOf, type AlgorithmPolicy, type AlgorithmUse } from './algorithm-policy.ts';
import { isSound, isValid, type JudgedTimestamp } from './judge-timestamp.ts';
import { finding, passed, type Judgement } from './verdict.ts';

/** A protection that is over; `from` is the time of its time stamp. */
interface EndedProtection extends ProtectionEnd {
  readonly from: Date;
}

/** The algorithm's name, with the document that gives its end. */
function nameAlgorithm(use: AlgorithmUse, { name: table }: AlgorithmPolicy): string {
  const name = algorithmName(use);
  return table === undefined ? name : `${name} (${table})`;
}

function algorithmName(use: AlgorithmUse): string {
  switch (use.kind) {
    case 'padding':
      return use.name === 'pkcs1' ? 'RSA PKCS #1 v1.5' : 'RSA PSS';
    case 'key':
      return use.type === 'other' ? (use.name ?? '').toUpperCase() : `${use.type.toUpperCase()} ${use.bits}`;
    case 'hash':
    case 'unknown':
      return use.name.toUpperCase();
  }
}

function earlierEnd(
  end: ProtectionEnd | undefined,
  use: AlgorithmUse,
  policy: AlgorithmPolicy,
): ProtectionEnd | undefined {
  const reliability = reliabilityOf(use, policy);
  if (reliability === 'always') return end;
  const until = reliability === 'never' ? new Date(0) : reliability;
  return end !== undefined && end.until <= until
    ? end
    : { until, cause: 'algorithm', name: nameAlgorithm(use, policy) };
}

/** The first end among the certificates of a path, their algorithms and the algorithms of the object itself. */
export function endOf(
  chain: ChainFacts,
  algorithms: readonly AlgorithmUse[],
  policy: AlgorithmPolicy,
): ProtectionEnd | undefined {
  let first: ProtectionEnd | undefined;
  for (const { certificate } of chain.links) {
    const { notAfter: until, commonName: name } = certificate;
    if (first === undefined || until < first.until) first = { until, cause: 'certificate', name };
  }
  for (const use of algorithms) first = earlierEnd(first, use, policy);
  for (const link of chain.links) for (const use of link.algorithms) first = earlierEnd(first, use, policy);
  return first;
}

/** The time stamps over an object, the latest first. */
function over(key: string, stamps: readonly JudgedTimestamp[]): readonly JudgedTimestamp[] {
  if (stamps.length === 0) return stamps;
  const around = stamps.filter(({ facts }) => facts.covers.includes(key));
  return around.toSorted((left, right) => right.facts.time.getTime() - left.facts.time.getTime());
}

const endOfStamp = ({ facts }: JudgedTimestamp, policy: AlgorithmPolicy): ProtectionEnd | undefined =>
  facts.chain === undefined ? undefined : endOf(facts.chain, facts.algorithms, policy);

/** The end of the last valid time stamp over the signature or, without a time stamp, of the signer's own path. */
export function protectionOf(
  { key, chain, algorithms }: SignatureFacts,
  stamps: readonly JudgedTimestamp[],
  policy: AlgorithmPolicy,
): ProtectionEnd | undefined {
  const last = over(key, stamps).find(isValid);
  if (last !== undefined) return endOfStamp(last, policy);
  return chain === undefined ? undefined : endOf(chain, algorithms, policy);
}

/** The end of an evidence record: of its last time stamp, where every time stamp is valid. */
export function protectionOfRecord(
  stamps: readonly JudgedTimestamp[],
  policy: AlgorithmPolicy,
): ProtectionEnd | undefined {
  const last = stamps.at(-1);
  return last !== undefined && stamps.every(isValid) ? endOfStamp(last, policy) : undefined;
}

/** The end of the last time stamp over a signature, if before `at` and not renewed in time by another time stamp. */
export function endedProtectionOf(
  { key }: SignatureFacts,
  stamps: readonly JudgedTimestamp[],
  policy: AlgorithmPolicy,
  at: Date,
): EndedProtection | undefined {
  const around = over(key, stamps);
  const last = around.find(isSound);
  if (last === undefined || around.some(isValid)) return undefined;
  const end = endOfStamp(last, policy);
  return end === undefined || end.until >= at ? undefined : { ...end, from: last.facts.time };
}

/** A warning about a protection that is over. */
export function judgeProtection(ended: EndedProtection | undefined): Judgement {
  if (ended === undefined) return passed();
  const { name } = ended;
  const [made, until] = [ended.from, ended.until].map((time) => time.toISOString().slice(0, 10));
  const cause =
    ended.cause === 'certificate' ? `the certificate of ${name} expired` : `${name} stopped being strong enough`;
  const sentence = `The last time stamp, of ${made ?? ''}, protected the signature until ${until ?? ''}, when ${cause}. It was not renewed before.`;
  return passed(finding('PROTECTION_ENDED', sentence));
}
