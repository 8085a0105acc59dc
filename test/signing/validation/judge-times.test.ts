/** Signatures with their stamps, and the proof by the times of stamps (EN 319 102-1 §5.5.4, §5.6.2.3). */
import { describe, expect, it } from 'vitest';
import { Oid } from '../../../src/signing/der/oids.ts';
import { policyOfOid } from '../../../src/signing/policies/choose-icp-brasil-policy.ts';
import type { ChainFacts, SignatureFacts, TimestampFacts } from '../../../src/signing/validation/facts.ts';
import type { AlgorithmUse } from '../../../src/signing/validation/judge/algorithm-policy.ts';
import { judgeFile, rulesOf } from '../../../src/signing/validation/judge/judge-file.ts';
import { judgeTimestamp, judgeTimestamps } from '../../../src/signing/validation/judge/judge-timestamp.ts';
import { endOf } from '../../../src/signing/validation/judge/protection.ts';
import {
  NOW,
  anchorLink,
  chainOf,
  codesOf,
  contextOf,
  dated,
  day,
  link,
  pdf,
  policy,
  root,
  server,
  sha1,
  signatureFacts,
  stampFacts,
  without,
} from './judge-facts.ts';

const STAMPED = day('2024-06-01');
const over = (fields: Partial<TimestampFacts> = {}): TimestampFacts => stampFacts({ covers: ['sig:1'], ...fields });
const judge = (fields: Partial<SignatureFacts>, documentTimestamps: readonly TimestampFacts[] = []) => {
  const [judged] = judgeFile({ signatures: [signatureFacts(fields)], documentTimestamps }, rulesOf({}), NOW).signatures;
  if (judged === undefined) throw new Error('One signature gives one judgement.');
  return judged;
};

/** A lasting path of a time stamp authority, with a list of June 2024. */
const lastingServer = dated('TSA', '2024-01-01', '2030-01-01');
const lasting: ChainFacts = chainOf(link({ certificate: lastingServer, key: 'tsa' }));
const served = (fields: Partial<TimestampFacts> = {}): TimestampFacts =>
  over({ certificate: lastingServer, chain: lasting, ...fields });

describe('the findings of a signature with stamps', () => {
  it('are these of a signature without anything', () => {
    expect(codesOf(judge({}).judgement)).toEqual([
      'STRUCTURE_SOUND',
      'INTEGRITY_INTACT',
      'SIGNER_CERTIFICATE_FOUND',
      'SIGNING_CERTIFICATE_ATTRIBUTE_RIGHT',
      'ALGORITHMS_STRONG',
      'SIGNING_TIME_CLAIMED',
    ]);
  });

  it('say once since when nobody asked about the authority of valid stamps', () => {
    const notes = (...timestamps: readonly TimestampFacts[]) =>
      codesOf(judge({ timestamps }).judgement).filter((code) => code.startsWith('REVOCATION_'));
    expect(notes(served())).toEqual(['REVOCATION_NOT_CHECKED_SINCE']);
    expect(notes(served(), served({ key: 'other' }))).toEqual(['REVOCATION_NOT_CHECKED_SINCE']);
    expect(notes(over())).toEqual([]);
    expect(notes(served({ algorithms: [sha1] }))).toEqual([]);
    expect(codesOf(judge({ timestamps: [served()] }).judgement)).not.toContain('CHAIN_TRUSTED');
  });

  it('contain nothing of a claimed time where the certificate is not known', () => {
    const facts = without(signatureFacts({ claimedTime: day('2020-01-01') }), 'certificate');
    const [judged] = judgeFile({ signatures: [facts], documentTimestamps: [] }, rulesOf({}), NOW).signatures;
    expect(judged && codesOf(judged.judgement)).not.toContain('CLAIMED_TIME_OUT_OF_VALIDITY');
  });

  it('call a record without a reason no proof', () => {
    const { checks } = judge({ timestamps: [over({ role: 'evidence-record', damage: '' })] }).judgement;
    expect(checks.map(({ sentence }) => sentence)).toContain('An evidence record proves nothing.');
  });

  it('are told of counter-signatures as well', () => {
    const counter = signatureFacts({ id: '1.1', key: 'sig:1.1', hasBytesBehind: true });
    const { counterSignatures } = judge({ counterSignatures: [counter] });
    expect(counterSignatures.map(({ facts, judgement }) => [facts.id, judgement.failure?.check.code])).toEqual([
      ['1.1', 'BYTES_BEHIND_SIGNATURE'],
    ]);
  });
});

describe('judgeFile', () => {
  it('judges the stamps of the document, too, in their order', () => {
    const stamps = [over({ key: 'a', role: 'document' }), over({ key: 'b', role: 'document', imprint: 'wrong' })];
    const { documentTimestamps } = judgeFile({ signatures: [], documentTimestamps: stamps }, rulesOf({}), NOW);
    expect(documentTimestamps.map(({ facts, judgement }) => [facts.key, judgement.failure === undefined])).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });

  it('takes the rules given, and the usual rules otherwise', () => {
    expect(rulesOf({})).toEqual({ algorithms: policy, unknownPolicy: 'indeterminate' });
    const own = { algorithms: { hashes: {}, rsa: [], curves: [] }, unknownPolicy: 'accept' } as const;
    expect(rulesOf(own)).toEqual(own);
  });
});

describe('the order of stamps', () => {
  const content = (fields: Partial<TimestampFacts> = {}): TimestampFacts =>
    stampFacts({ role: 'content', key: 'content', time: day('2024-08-01'), ...fields });

  it.each<[string, readonly TimestampFacts[], string | undefined]>([
    ['two stamps over the signature', [over(), over({ key: 'b', time: day('2024-08-01') })], undefined],
    ['a later content stamp', [over(), content()], 'TIMESTAMP_ORDER_FAILURE'],
    ['a later content stamp that is wrong', [over(), content({ imprint: 'wrong' })], undefined],
    ['a content stamp alone', [content()], undefined],
  ])('of %s', (_, timestamps, subIndication) => {
    expect(judge({ timestamps }).judgement.failure?.subIndication).toBe(subIndication);
  });
});

describe('the time of signing for the question to a policy', () => {
  const table = policyOfOid('2.16.76.1.7.1.1.2.4');
  const explicit = {
    kind: 'explicit',
    oid: table?.oid ?? '',
    hash: table?.hash ?? '',
    hashAlgorithm: Oid.sha256,
  } as const;
  const [early, good] = [day('2025-01-02'), day('2025-12-01')];
  const whole = { filter: '', subFilter: '', coversWholeFile: true };
  const lastingPerson = dated('Maria', '2024-01-01', '2030-01-01');

  it.each<[string, Partial<SignatureFacts>, boolean]>([
    ['now', {}, false],
    ['claimed', { claimedTime: early }, true],
    ['claimed in time', { claimedTime: good }, false],
    ['claimed in the PDF', pdf({ ...whole, claimedTime: early }), true],
    [
      'claimed in the signature, and otherwise in the PDF',
      { ...pdf({ ...whole, claimedTime: early }), claimedTime: good },
      false,
    ],
    ['proven', { timestamps: [over({ time: early, certificate: lastingServer })], claimedTime: good }, true],
    ['proven in time', { timestamps: [over({ time: good, certificate: lastingServer })], claimedTime: early }, false],
  ])('is %s', (_, fields, isWrong) => {
    const unclaimed = { claimedTime: undefined } as unknown as Partial<SignatureFacts>;
    const { judgement } = judge({ policy: explicit, certificate: lastingPerson, ...unclaimed, ...fields });
    expect(codesOf(judgement).includes('POLICY_PERIOD_WRONG')).toBe(isWrong);
  });
});

describe('weak algorithms', () => {
  it('fail for good under a certificate younger than the weakness, also of a stamp', () => {
    const weak = { algorithms: [sha1] };
    expect(judge(weak).judgement.failure?.subIndication).toBe('CRYPTO_CONSTRAINTS_FAILURE');
    const [unknown] = judgeFile(
      { signatures: [without(signatureFacts(weak), 'certificate')], documentTimestamps: [] },
      rulesOf({}),
      NOW,
    ).signatures;
    expect(unknown?.judgement.failure?.subIndication).toBe('CRYPTO_CONSTRAINTS_FAILURE_NO_POE');
    const stamp = judgeTimestamp(served(weak), policy, contextOf());
    expect(stamp.failure?.subIndication).toBe('CRYPTO_CONSTRAINTS_FAILURE');
  });
});

describe('judgeTimestamps', () => {
  it.each([
    ['damaged', 'FORMAT_FAILURE', 'EVIDENCE_RECORD_DAMAGED'],
    ['data', 'HASH_FAILURE', 'EVIDENCE_RECORD_DATA_WRONG'],
    ['chain', 'HASH_FAILURE', 'EVIDENCE_RECORD_CHAIN_BROKEN'],
    ['unknown', 'SIGNED_DATA_NOT_FOUND', 'EVIDENCE_RECORD_DATA_UNKNOWN'],
  ] as const)('refuses a stamp if its record has the problem %s', (kind, subIndication, code) => {
    const { failure: found } = judgeTimestamp(
      stampFacts({ recordProblem: { kind, sentence: 'The record is wrong.' } }),
      policy,
      contextOf(),
    );
    expect(found).toMatchObject({ subIndication, check: { code, sentence: 'The record is wrong.' } });
  });

  it('judges the latest first, as a proof of the data of earlier stamps', () => {
    const old = served({
      key: 'old',
      time: day('2024-06-02'),
      certificate: server,
      chain: chainOf(link({ certificate: server, key: 'old tsa' })),
    });
    const renewal = served({ key: 'renewal', time: day('2024-06-03'), covers: ['old', 'old tsa', 'list'] });
    for (const stamps of [
      [old, renewal],
      [renewal, old],
    ]) {
      const judged = judgeTimestamps(stamps, policy, contextOf());
      expect(stamps.map((stamp) => judged.get(stamp)?.judgement.failure)).toEqual([undefined, undefined]);
    }
    expect(judgeTimestamps([old], policy, contextOf()).get(old)?.judgement.failure).toBeDefined();
  });

  it('proves nothing by a failed stamp', () => {
    const context = contextOf();
    judgeTimestamps([over({ imprint: 'wrong' })], policy, context);
    expect(context.proofs.existedAt('sig:1')).toBeUndefined();
    judgeTimestamps([over()], policy, context);
    expect(context.proofs.existedAt('sig:1')).toEqual(STAMPED);
  });
});

const rsa: AlgorithmUse = { kind: 'key', type: 'rsa', bits: 1024 };

describe('the end of a path', () => {
  const at = (...ends: readonly string[]): ChainFacts => ({
    ...chainOf(),
    links: ends.map((end, index) => link({ certificate: dated(`C${index}`, '2000-01-01', end) })),
  });

  it.each<[string, ChainFacts, readonly AlgorithmUse[], object | undefined]>([
    ['of nothing', at(), [], undefined],
    [
      'of the certificate that ends first',
      at('2031-01-01', '2030-01-01', '2032-01-01'),
      [],
      { until: day('2030-01-01'), cause: 'certificate', name: 'C1' },
    ],
    ['of a hash function', at('2031-01-01'), [sha1], { until: day('2014-01-01'), cause: 'algorithm', name: 'SHA1' }],
    ['of a key', at('2031-01-01'), [rsa], { until: day('2014-01-01'), cause: 'algorithm', name: 'RSA 1024' }],
    [
      'of what nobody knows',
      at('2031-01-01'),
      [{ kind: 'unknown', name: '1.2.x' }],
      { until: new Date(0), cause: 'algorithm', name: '1.2.X' },
    ],
    [
      'of an algorithm in the path',
      { ...chainOf(), links: [link({ certificate: root, algorithms: [sha1] })] },
      [{ kind: 'hash', name: 'sha256' }],
      { until: day('2014-01-01'), cause: 'algorithm', name: 'SHA1' },
    ],
    [
      'of the certificate before the algorithm',
      at('2010-01-01'),
      [sha1],
      { until: day('2010-01-01'), cause: 'certificate', name: 'C0' },
    ],
    [
      'of the certificate when the algorithm ends on the same day',
      at('2014-01-01'),
      [sha1],
      { until: day('2014-01-01'), cause: 'certificate', name: 'C0' },
    ],
    [
      'of the first of two certificates that end on the same day',
      at('2031-01-01', '2031-01-01'),
      [{ kind: 'hash', name: 'sha256' }],
      { until: day('2031-01-01'), cause: 'certificate', name: 'C0' },
    ],
    ['of an algorithm alone', at(), [sha1], { until: day('2014-01-01'), cause: 'algorithm', name: 'SHA1' }],
    ['of nothing with a good algorithm alone', at(), [{ kind: 'hash', name: 'sha256' }], undefined],
  ])('is that %s', (_, chain, algorithms, expected) => {
    expect(endOf(chain, algorithms, policy)).toEqual(expected);
  });
});

describe('the protection of a signature', () => {
  const ended = { certificate: server, chain: chainOf(link({ certificate: server, key: 'tsa' })) };
  const own = { chain: chainOf(link()) };

  it.each<[string, Partial<SignatureFacts>, string | undefined]>([
    ['no stamp, and no path', {}, undefined],
    ['no stamp', own, '2025-01-01'],
    ['a valid stamp', { ...own, timestamps: [served()] }, '2030-01-01'],
    ['a stamp of something else', { ...own, timestamps: [served({ covers: ['sig:2'] })] }, '2025-01-01'],
    ['a stamp that proves nothing', { ...own, timestamps: [served({ imprint: 'wrong' })] }, '2025-01-01'],
    ['a stamp without a path', { ...own, timestamps: [over()] }, undefined],
    [
      'the latest of several',
      {
        ...own,
        timestamps: [
          served({ key: 'a', time: day('2024-06-03') }),
          served({
            key: 'b',
            time: day('2024-06-05'),
            chain: chainOf(link({ certificate: dated('TSA', '2024-01-01', '2028-01-01'), key: 'tsa' })),
          }),
          served({ key: 'c', time: day('2024-06-04') }),
        ],
      },
      '2028-01-01',
    ],
    ['a stamp by a weak key', { ...own, timestamps: [served({ algorithms: [sha1] })] }, '2025-01-01'],
  ])('with %s', (_, fields, until) => {
    expect(judge(fields).protection?.until).toEqual(until === undefined ? undefined : day(until));
  });

  const told = (fields: Partial<SignatureFacts>): string | undefined =>
    judge(fields).judgement.checks.find(({ code }) => code === 'PROTECTION_ENDED')?.sentence;

  it('tells its end, and the reason', () => {
    expect(told({ timestamps: [over(ended)] })).toBe(
      'The last time stamp, of 2024-06-01, protected the signature until 2025-01-01, when the certificate of TSA expired. It was not renewed before.',
    );
    const weak = served({ algorithms: [sha1], time: STAMPED });
    expect(told({ timestamps: [weak] })).toContain('until 2014-01-01, when SHA1 stopped being strong enough');
  });

  it.each<[string, readonly TimestampFacts[]]>([
    ['no stamp', []],
    ['a stamp that never was right', [over({ ...ended, imprint: 'wrong' })]],
    ['a valid stamp beside it', [over(ended), served({ key: 'new', time: day('2024-06-02') })]],
    ['an earlier stamp that lasts', [over({ ...ended, time: day('2024-06-02') }), served({ key: 'old' })]],
    ['a stamp of the future, without a path', [over({ time: day('2026-07-01'), certificate: lastingServer })]],
    ['a stamp of something else', [over({ ...ended, covers: [] })]],
    [
      'a path that is not trusted, and lasts',
      [served({ chain: { ...lasting, reachesAnchor: false, links: lasting.links.slice(0, 1) } })],
    ],
  ])('says nothing about an end with %s', (_, timestamps) => {
    expect(told({ timestamps })).toBeUndefined();
  });

  it('says nothing on the very day of the end', () => {
    const endsNow = dated('TSA', '2024-01-01', '2026-06-01');
    const stamp = (certificate: typeof endsNow): TimestampFacts =>
      over({
        certificate,
        chain: { ...chainOf(), reachesAnchor: false, links: [link({ certificate }), anchorLink] },
      });
    expect(told({ timestamps: [stamp(endsNow)] })).toBeUndefined();
    expect(told({ timestamps: [stamp(dated('TSA', '2024-01-01', '2026-05-31'))] })).toContain('until 2026-05-31');
  });

  it('speaks of the last right stamp', () => {
    const stamps = [
      over({ ...ended, key: 'a' }),
      over({ ...ended, key: 'b', time: day('2024-07-01') }),
      over({ ...ended, key: 'c', time: day('2024-08-01'), imprint: 'wrong' }),
      over({ ...ended, key: 'd', time: day('2024-06-15') }),
    ];
    expect(told({ timestamps: stamps })).toContain('of 2024-07-01');
  });
});
