/** Dates, revocations and proofs beside each other in the judgement of a path (EN 319 102-1 §5.2.6, §5.5.4, §5.6.2). */
import { describe, expect, it } from 'vitest';
import type { ChainFacts, LinkFacts, RevocationFact } from '../../../src/signing/validation/facts.ts';
import { judgeChain, type MadeWith } from '../../../src/signing/validation/judge/judge-chain.ts';
import type { Judgement } from '../../../src/signing/validation/judge/verdict.ts';
import {
  NOW,
  anchorLink,
  chainOf,
  codesOf,
  contextOf,
  dated,
  day,
  fact,
  fresh,
  leaf,
  made,
  person,
  policy,
  upper,
} from './judge-facts.ts';

const judge = (chain: ChainFacts, fields: Partial<MadeWith> = {}, context = contextOf()): Judgement =>
  judgeChain(chain, made(fields), policy, context);
const TRUSTED = ['CHAIN_TRUSTED', 'CERTIFICATE_PURPOSE_RIGHT'];
const broken = (...links: readonly LinkFacts[]): ChainFacts => ({
  ...chainOf(...links),
  problems: [{ code: 'NOT_AN_AUTHORITY', index: 1, sentence: 'A rule is broken.' }],
});
const revoked = (time: Date): Partial<LinkFacts> => ({
  evidence: [fresh({ revocation: { time, reason: 'keyCompromise' } })],
});

describe('an empty path', () => {
  it.each<[string, boolean, readonly string[]]>([
    ['that is trusted', true, TRUSTED],
    ['that leads nowhere', false, ['CHAIN_INCOMPLETE']],
  ])('%s tells nothing of dates', (_, reachesAnchor, codes) => {
    const empty: ChainFacts = { ...chainOf(), links: [], reachesAnchor };
    for (const fields of [{}, { proven: NOW, reference: NOW, after: NOW }]) {
      expect(codesOf(judge(empty, fields))).toEqual(codes);
    }
  });
});

describe('the date beside a broken rule', () => {
  it.each<[string, string, string, string | undefined, string]>([
    ['the certificate is valid', '2026-01-01', '2027-01-01', undefined, 'CERTIFICATE_IN_VALIDITY'],
    ['the certificate begins now', '2026-06-01', '2027-01-01', undefined, 'CERTIFICATE_IN_VALIDITY'],
    ['the certificate ends now', '2026-01-01', '2026-06-01', undefined, 'CERTIFICATE_IN_VALIDITY'],
    ['the certificate begins later', '2026-06-02', '2027-01-01', undefined, 'CERTIFICATE_NOT_YET_VALID'],
    ['the certificate has ended', '2024-01-01', '2025-01-01', undefined, 'CERTIFICATE_EXPIRED'],
    ['it was valid then', '2024-01-01', '2025-01-01', '2024-06-01', 'CERTIFICATE_WAS_VALID'],
    ['it began then', '2024-01-01', '2025-01-01', '2024-01-01', 'CERTIFICATE_WAS_VALID'],
    ['it ended then', '2024-01-01', '2025-01-01', '2025-01-01', 'CERTIFICATE_WAS_VALID'],
    ['it began after the proven time', '2024-01-01', '2025-01-01', '2023-12-31', 'CERTIFICATE_EXPIRED'],
    ['it ended before the proven time', '2024-01-01', '2025-01-01', '2025-01-02', 'CERTIFICATE_EXPIRED'],
  ])('is told where %s', (_, notBefore, notAfter, proven, code) => {
    const chain = broken(leaf({ certificate: dated('Ana', notBefore, notAfter) }), upper());
    const fields = proven === undefined ? {} : { proven: day(proven) };
    expect(codesOf(judge(chain, fields)).slice(0, 2)).toEqual(['CHAIN_RULE_BROKEN', code]);
  });

  it('is told once where the date itself is the failure, and the status of revocation beside it', () => {
    expect(codesOf(judge(chainOf(leaf({ certificate: person }), upper())))).toEqual([
      ...TRUSTED,
      'CERTIFICATE_EXPIRED',
      'NOT_REVOKED',
    ]);
  });
});

describe('the revocation beside another failure', () => {
  it('is told once as the failure itself', () => {
    expect(codesOf(judge(chainOf(leaf(revoked(NOW)), upper())))).toEqual([
      ...TRUSTED,
      'CERTIFICATE_REVOKED',
      'CERTIFICATE_IN_VALIDITY',
    ]);
  });

  it('is told of the authority where the person is good', () => {
    expect(codesOf(judge(broken(leaf(), upper(revoked(NOW)))))).toEqual([
      'CHAIN_RULE_BROKEN',
      'CERTIFICATE_IN_VALIDITY',
      'AUTHORITY_REVOKED',
    ]);
  });
});

describe('data of the past', () => {
  const old = { thisUpdate: day('2026-02-01'), issuedAt: day('2026-02-01'), nextUpdate: day('2026-02-08') };
  const reference = day('2026-02-03');

  it('tells enough where any of several data reaches the time in question', () => {
    const shorter = fact({ ...old, key: 'shorter', nextUpdate: day('2026-02-02') });
    const chain = chainOf(leaf({ evidence: [fact({ ...old, key: 'list' }), shorter] }), upper());
    const known = contextOf({ list: day('2026-02-01'), shorter: day('2026-02-01') });
    expect(judge(chain, { proven: reference, reference }, known).failure).toBeUndefined();
    expect(judge(chain, { kind: 'time stamp', reference }).failure).toBeUndefined();
  });

  it('needs no note about a fresh time stamp', () => {
    const chain = chainOf(leaf(), upper());
    expect(codesOf(judge(chain, { kind: 'time stamp', reference }))).toEqual([
      ...TRUSTED,
      'CERTIFICATE_IN_VALIDITY',
      'NOT_REVOKED',
    ]);
  });

  it('is missed, and nothing else, by a signature made after another time', () => {
    const { failure: found } = judge(chainOf(leaf({ evidence: [] }), upper()), { after: day('2026-02-01') });
    expect(found?.check.code).toBe('REVOCATION_UNREACHABLE');
  });
});

describe('an authority ended since', () => {
  const ended = upper({
    certificate: dated('CA', '2020-01-01', '2026-05-31'),
    evidence: [fact({ key: 'ca list', thisUpdate: day('2026-04-01'), nextUpdate: day('2026-04-08') })],
  });
  const earlier = fact({
    key: 'earlier',
    thisUpdate: day('2026-04-01'),
    issuedAt: day('2026-04-01'),
    nextUpdate: day('2026-04-08'),
  });
  const [proven, known] = [day('2026-04-03'), day('2026-04-02')];
  const proofs = contextOf({ ana: known, ca: known, 'ca list': known, earlier: known });

  it.each<[string, readonly RevocationFact[], string | undefined]>([
    ['holds by the data that is proven from before', [earlier], undefined],
    [
      'does not hold against later data that tells of an earlier revocation',
      [fresh({ key: 'now', revocation: { time: day('2026-03-01'), reason: 'keyCompromise' } }), earlier],
      'REVOKED_NO_POE',
    ],
    [
      'holds where the revocation is later than the signature',
      [fresh({ key: 'now', revocation: { time: day('2026-05-01'), reason: 'keyCompromise' } }), earlier],
      undefined,
    ],
  ])('%s', (_, evidence, subIndication) => {
    const judgement = judge(chainOf(leaf({ evidence }), ended), { proven }, proofs);
    expect(judgement.failure?.subIndication).toBe(subIndication);
  });

  it('asks for no proof of a time stamp without any proof', () => {
    const judgement = judge(chainOf(leaf(), ended), { kind: 'time stamp', reference: proven });
    expect(judgement.failure?.check.code).toBe('AUTHORITY_OUT_OF_VALIDITY');
    const trusted = { ...chainOf(), links: [leaf(), anchorLink] };
    expect(judge(trusted, { kind: 'time stamp', reference: proven }).failure).toBeUndefined();
  });
});
