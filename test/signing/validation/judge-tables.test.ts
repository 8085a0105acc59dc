/** The judgement as a pure function of facts: boundaries of times, and each reason by itself (EN 319 102-1 §5.2, §5.6). */
import { describe, expect, it } from 'vitest';
import { CLOCK_SKEW } from '../../../src/signing/revocation/revocation-result.ts';
import type { LinkFacts, TimestampFacts } from '../../../src/signing/validation/facts.ts';
import type { AlgorithmUse } from '../../../src/signing/validation/judge/algorithm-policy.ts';
import { findWeakness, judgeAlgorithms } from '../../../src/signing/validation/judge/judge-algorithms.ts';
import {
  contradict,
  isSound,
  judgeTimestamp,
  type JudgedTimestamp,
} from '../../../src/signing/validation/judge/judge-timestamp.ts';
import { slideTime } from '../../../src/signing/validation/judge/slide-time.ts';
import { failed, failure, passed, worstOf, type Judgement } from '../../../src/signing/validation/judge/verdict.ts';
import {
  NOW,
  anchorLink,
  chainOf,
  contextOf,
  dated,
  day,
  fact,
  later,
  link,
  policy,
  root,
  server,
  sha1,
  stampFacts,
} from './judge-facts.ts';

describe('Proofs', () => {
  it('keeps the earliest time of each object', () => {
    const { proofs } = contextOf();
    for (const text of ['2024-02-02', '2024-02-01', '2024-02-03']) proofs.add('a', day(text));
    expect([proofs.existedAt('a'), proofs.existedAt('b')]).toEqual([day('2024-02-01'), undefined]);
  });
});

describe('slideTime', () => {
  /** Everything is proven at once, a day after the list was made. */
  const proven = { person: day('2024-06-02'), list: day('2024-06-02') };
  const reference = day('2024-06-05');
  const slide = (one: LinkFacts, proofs: Readonly<Record<string, Date>> = proven): Date | undefined =>
    slideTime(chainOf(one), reference, policy, contextOf(proofs));
  const md5: readonly AlgorithmUse[] = [{ kind: 'hash', name: 'sha1' }];
  const revoked = (at: Date): LinkFacts =>
    link({ evidence: [fact({ revocation: { time: at, reason: 'keyCompromise' } })] });

  it.each<[string, LinkFacts, Date | undefined]>([
    ['to the end of the certificate', link(), day('2025-01-01')],
    [
      'to the validation without a certificate that ended',
      link({ certificate: dated('A', '2024-01-01', '2030-01-01') }),
      NOW,
    ],
    ['to the revocation', revoked(day('2024-03-01')), day('2024-03-01')],
    ['to the end of the certificate before the revocation', revoked(day('2025-03-01')), day('2025-01-01')],
    [
      'to data that does not reach the time in question',
      link({ evidence: [fact({ nextUpdate: day('2024-06-03') })] }),
      day('2024-06-01'),
    ],
    [
      'past data that just reaches it',
      link({ evidence: [fact({ nextUpdate: later(reference, -CLOCK_SKEW) })] }),
      day('2025-01-01'),
    ],
    [
      'to data that just misses it',
      link({ evidence: [fact({ nextUpdate: later(reference, -CLOCK_SKEW - 1) })] }),
      day('2024-06-01'),
    ],
    ['to the end of an algorithm of the certificate', link({ algorithms: md5 }), day('2014-01-01')],
    ['to the end of an algorithm of the data', link({ evidence: [fact({ algorithms: md5 })] }), day('2014-01-01')],
    ['nowhere without data', link({ evidence: [] }), undefined],
    ['nowhere with data of later', link({ evidence: [fact({ thisUpdate: later(NOW, CLOCK_SKEW + 1) })] }), undefined],
    [
      'past data of this moment',
      link({ certificate: root, evidence: [fact({ thisUpdate: later(NOW, CLOCK_SKEW) })] }),
      NOW,
    ],
    [
      'nowhere where the signer of the data had ended',
      link({ evidence: [fact({ signer: dated('R', '2024-01-01', '2024-06-01') })] }),
      undefined,
    ],
    [
      'past a signer of the data that ended then',
      link({ evidence: [fact({ signer: dated('R', '2024-01-01', '2024-06-02') })] }),
      day('2025-01-01'),
    ],
    [
      'by the second data where the first is of later',
      link({ evidence: [fact({ key: 'new', thisUpdate: later(NOW, CLOCK_SKEW + 1) }), fact()] }),
      day('2025-01-01'),
    ],
  ])('goes back %s', (_, one, expected) => {
    expect(slide(one)).toEqual(expected);
  });

  it('needs proofs from before the time of the link above', () => {
    const upper = link({
      certificate: dated('CA', '2016-01-01', '2024-06-02'),
      key: 'upper',
      evidence: [fact({ key: 'upper list' })],
    });
    const both = (proofs: Readonly<Record<string, Date>>): Date | undefined =>
      slideTime(
        chainOf(link(), upper),
        reference,
        policy,
        contextOf({ upper: day('2024-06-02'), 'upper list': day('2024-06-02'), ...proofs }),
      );
    expect(both(proven)).toEqual(day('2024-06-02'));
    expect(both({ ...proven, person: later(day('2024-06-02'), 1) })).toBeUndefined();
    expect(both({ ...proven, list: later(day('2024-06-02'), 1) })).toBeUndefined();
    expect(both({})).toBeUndefined();
    // Without data about the authority, data about the person below it proves nothing.
    const unknown = chainOf(link(), { ...upper, evidence: [] });
    expect(slideTime(unknown, reference, policy, contextOf(proven))).toBeUndefined();
  });

  it('begins at the end of the anchor', () => {
    const old = { ...anchorLink, certificate: dated('Root', '2000-01-01', '2020-01-01') };
    const chain = { ...chainOf(), links: [old] };
    expect(slideTime(chain, reference, policy, contextOf())).toEqual(day('2020-01-01'));
    expect(slideTime({ ...chain, links: [] }, reference, policy, contextOf())).toEqual(NOW);
  });
});

const shortKey: AlgorithmUse = { kind: 'key', type: 'rsa', bits: 512 };
const END = day('2014-01-01');

describe('the judgement of algorithms', () => {
  const nobody = { notBefore: undefined, proven: undefined };

  it.each<[string, AlgorithmUse, string, string, string?]>([
    ['a weak hash function', sha1, 'HASH_WEAK', 'The hash function SHA1 is not strong enough.'],
    [
      'a hash function without a name',
      { kind: 'hash', name: '1.2.3' },
      'ALGORITHM_UNKNOWN',
      'The hash function 1.2.3 is not known here.',
    ],
    ['a short key', shortKey, 'KEY_TOO_SHORT', 'A key of 512 bits (RSA) is too short.'],
    [
      'an algorithm that nobody knows',
      { kind: 'unknown', name: '1.2.3' },
      'ALGORITHM_UNKNOWN',
      'The signature algorithm 1.2.3 is not known here.',
    ],
    [
      'a weak hash function in a certificate',
      sha1,
      'CERTIFICATE_HASH_WEAK',
      'The certificate of A is signed with SHA1.',
      'A',
    ],
    [
      'a short key in a certificate',
      shortKey,
      'CERTIFICATE_KEY_TOO_SHORT',
      'The RSA key in the certificate of A has 512 bits: too short.',
      'A',
    ],
    [
      'an unknown algorithm in a certificate',
      { kind: 'unknown', name: '1.2.3' },
      'ALGORITHM_UNKNOWN',
      'The certificate of A uses the algorithm 1.2.3, not known here.',
      'A',
    ],
  ])('names %s', (_, use, code, sentence, holder) => {
    expect(findWeakness([use], policy, NOW, nobody, holder)?.check).toMatchObject({ code, sentence });
  });

  it.each([
    ['a proof may come', sha1, nobody, 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE'],
    [
      'the object is older than the weakness',
      sha1,
      { notBefore: later(END, -1), proven: undefined },
      'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
    ],
    ['the object is as old as the weakness', sha1, { notBefore: END, proven: undefined }, 'CRYPTO_CONSTRAINTS_FAILURE'],
    ['the proof is there', sha1, { notBefore: undefined, proven: NOW }, 'CRYPTO_CONSTRAINTS_FAILURE'],
    ['it never was strong', shortKey, nobody, 'CRYPTO_CONSTRAINTS_FAILURE'],
  ] as const)('says of a weak algorithm whether %s', (_, use, existence, expected) => {
    expect(findWeakness([use], policy, NOW, existence)?.subIndication).toBe(expected);
  });

  it('accepts an algorithm strong at the proven time', () => {
    const judge = (proven: Date | undefined): Judgement =>
      judgeAlgorithms([sha1], policy, NOW, { notBefore: undefined, proven });
    expect(judge(later(END, -1)).checks[0]?.code).toBe('ALGORITHM_WAS_STRONG');
    expect(judge(END).failure?.subIndication).toBe('CRYPTO_CONSTRAINTS_FAILURE');
    expect(judge(undefined).failure?.subIndication).toBe('CRYPTO_CONSTRAINTS_FAILURE_NO_POE');
    expect(judgeAlgorithms([], policy, NOW, nobody).checks[0]?.code).toBe('ALGORITHMS_STRONG');
    expect(findWeakness([], policy, NOW, nobody)).toBeUndefined();
  });
});

describe('worstOf', () => {
  it('is the worst indication, the first of equals, and undetermined without any', () => {
    const [good, open, bad] = [
      { indication: 'TOTAL-PASSED' },
      { indication: 'INDETERMINATE', subIndication: 'NO_POE' },
      { indication: 'TOTAL-FAILED', subIndication: 'REVOKED' },
    ] as const;
    expect(worstOf([good, open, bad])).toEqual(bad);
    expect(worstOf([bad, open, good])).toEqual(bad);
    expect(worstOf([good, open])).toEqual(open);
    expect(worstOf([open, good])).toEqual(open);
    expect(worstOf([{ ...open, subIndication: 'TRY_LATER' }, open])).toMatchObject({ subIndication: 'TRY_LATER' });
    expect(worstOf([])).toEqual({ indication: 'INDETERMINATE' });
  });
});

const stamp = (fields: Partial<TimestampFacts>, judgement: Judgement = passed()): JudgedTimestamp => ({
  facts: stampFacts(fields),
  judgement,
});
const BAD = failed(failure('HASH_FAILURE', 'TIMESTAMP_IMPRINT_WRONG', 'It is for something else.'));

describe('judgeTimestamp', () => {
  it.each<[string, Partial<TimestampFacts>, string | undefined, string]>([
    ['is damaged', { damage: 'Broken.' }, 'FORMAT_FAILURE', 'TIMESTAMP_DAMAGED'],
    [
      'has no certificate',
      { integrity: { outcome: 'unknown', problem: 'certificate-missing' } },
      'NO_SIGNING_CERTIFICATE_FOUND',
      'SIGNER_CERTIFICATE_MISSING',
    ],
    [
      'does not name its certificate',
      { integrity: { outcome: 'broken', problem: 'certificate-not-named', reason: 'Other.' } },
      'NO_SIGNING_CERTIFICATE_FOUND',
      'SIGNER_CERTIFICATE_NOT_NAMED',
    ],
    [
      'has an unknown algorithm',
      { integrity: { outcome: 'unknown', reason: 'Odd.' } },
      'CRYPTO_CONSTRAINTS_FAILURE',
      'ALGORITHM_UNKNOWN',
    ],
    [
      'is broken',
      { integrity: { outcome: 'broken', reason: 'Wrong.' } },
      'SIG_CRYPTO_FAILURE',
      'SIGNATURE_VALUE_WRONG',
    ],
    ['has a wrong index', { indexProblem: 'Wrong.' }, 'HASH_FAILURE', 'TIMESTAMP_INDEX_WRONG'],
    ['is for something else', { imprint: 'wrong' }, 'HASH_FAILURE', 'TIMESTAMP_IMPRINT_WRONG'],
    ['is for something unknown', { imprint: 'unknown' }, 'SIGNED_DATA_NOT_FOUND', 'TIMESTAMP_IMPRINT_UNKNOWN'],
    ['is from the future', { time: later(NOW, CLOCK_SKEW + 1) }, 'TIMESTAMP_ORDER_FAILURE', 'TIMESTAMP_ORDER_WRONG'],
    [
      'is older than its certificate',
      { time: later(day('2024-01-01'), -1) },
      'NOT_YET_VALID',
      'CERTIFICATE_NOT_YET_VALID',
    ],
    ['is younger than its certificate', { time: later(day('2025-01-01'), 1) }, 'EXPIRED', 'SIGNED_AFTER_EXPIRY'],
    ['is of the first second of its certificate', { time: day('2024-01-01') }, undefined, 'TIMESTAMP_VALID'],
    ['is of the last second of its certificate', { time: day('2025-01-01') }, undefined, 'TIMESTAMP_VALID'],
    [
      'is of this moment by another clock',
      { time: later(NOW, CLOCK_SKEW), certificate: root },
      undefined,
      'TIMESTAMP_VALID',
    ],
  ])('of a stamp that %s', (_, fields, subIndication, code) => {
    const judgement = judgeTimestamp(stampFacts(fields), policy, contextOf());
    expect(judgement.failure?.subIndication).toBe(subIndication);
    expect(judgement.checks.at(-1)?.code).toBe(code);
    const reason = fields.integrity?.reason ?? fields.damage ?? fields.indexProblem;
    if (reason !== undefined) expect(judgement.checks.at(-1)?.sentence).toBe(reason);
  });

  it('asks the path and the algorithms where both are known', () => {
    const weak = stampFacts({
      chain: chainOf(link({ certificate: server, key: 'tsa', evidence: [] })),
      algorithms: [sha1],
    });
    expect(judgeTimestamp(weak, policy, contextOf()).failure).toBeDefined();
    const without = (part: 'certificate' | 'chain'): TimestampFacts =>
      Object.fromEntries(Object.entries(weak).filter(([name]) => name !== part)) as unknown as TimestampFacts;
    expect(judgeTimestamp(without('certificate'), policy, contextOf()).failure).toBeUndefined();
    expect(judgeTimestamp(without('chain'), policy, contextOf()).failure).toBeUndefined();
  });

  it('calls a stamp sound by its own time, under any trust', () => {
    expect(isSound(stamp({}, BAD))).toBe(true);
    expect(isSound(stamp({ time: day('2026-01-01') }))).toBe(false);
    expect(isSound(stamp({ imprint: 'wrong' }))).toBe(false);
  });

  it('finds contradictions among the valid stamps', () => {
    const inner = (milliseconds: number): JudgedTimestamp =>
      stamp({ key: 'inner', time: later(day('2024-06-01'), milliseconds) });
    const outer = stamp({ key: 'outer', covers: ['inner'] });
    expect(contradict([inner(CLOCK_SKEW), outer])).toBe(false);
    expect(contradict([inner(CLOCK_SKEW + 1), outer])).toBe(true);
    expect(contradict([inner(CLOCK_SKEW + 1), stamp({ key: 'outer' })])).toBe(false);
    expect(contradict([inner(CLOCK_SKEW + 1), { ...outer, judgement: BAD }])).toBe(false);
    expect(contradict([])).toBe(false);
  });
});
