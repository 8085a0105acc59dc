/** Paths of certificates as the judgement sees them (EN 319 102-1 §5.2.6, §5.5.4): each reason, and the boundaries of times. */
import { describe, expect, it } from 'vitest';
import type { PathProblemCode } from '../../../src/signing/index.ts';
import {
  CLOCK_SKEW,
  type RevocationProblemCode,
  type RevocationReason,
} from '../../../src/signing/revocation/revocation-result.ts';
import type { ChainFacts, LinkFacts, RevocationFact } from '../../../src/signing/validation/facts.ts';
import { judgeChain, type MadeWith } from '../../../src/signing/validation/judge/judge-chain.ts';
import type { Judgement } from '../../../src/signing/validation/judge/verdict.ts';
import {
  NOW,
  ana,
  anchorLink,
  authority,
  chainOf,
  codesOf,
  contextOf,
  dated,
  day,
  fact,
  fresh,
  later,
  leaf,
  link,
  made,
  person,
  policy,
  sha1,
  upper,
} from './judge-facts.ts';

const judgeLinks = (links: readonly LinkFacts[], fields: Partial<MadeWith> = {}, context = contextOf()): Judgement =>
  judgeChain(chainOf(...links), made(fields), policy, context);

describe('judgeChain, of a path breaking a rule', () => {
  const problem = (code: PathProblemCode, index: number): ChainFacts => ({
    ...chainOf(leaf(), upper()),
    problems: [{ code, index, sentence: 'A rule is broken.' }],
  });

  it.each<[PathProblemCode, number, string, string]>([
    ['ISSUER_NOT_FOUND', 0, 'NO_CERTIFICATE_CHAIN_FOUND', 'CHAIN_INCOMPLETE'],
    ['ROOT_NOT_TRUSTED', 1, 'NO_CERTIFICATE_CHAIN_FOUND', 'ROOT_NOT_TRUSTED'],
    ['AUTHORITY_REFUSED', 0, 'NO_CERTIFICATE_CHAIN_FOUND', 'AUTHORITY_REFUSED'],
    ['LIMIT_EXCEEDED', 0, 'CERTIFICATE_CHAIN_GENERAL_FAILURE', 'CHAIN_TOO_COMPLEX'],
    ['KEY_UNREADABLE', 1, 'CERTIFICATE_CHAIN_GENERAL_FAILURE', 'KEY_UNREADABLE'],
    ['ALGORITHM_UNSUPPORTED', 1, 'CRYPTO_CONSTRAINTS_FAILURE', 'ALGORITHM_UNKNOWN'],
    ['KEY_USAGE_NOT_ALLOWED', 0, 'CHAIN_CONSTRAINTS_FAILURE', 'CERTIFICATE_PURPOSE_WRONG'],
    ['KEY_USAGE_NOT_ALLOWED', 1, 'CERTIFICATE_CHAIN_GENERAL_FAILURE', 'CHAIN_RULE_BROKEN'],
    ['PURPOSE_NOT_ALLOWED', 0, 'CHAIN_CONSTRAINTS_FAILURE', 'CERTIFICATE_PURPOSE_WRONG'],
    ['PURPOSE_NOT_ALLOWED', 1, 'CERTIFICATE_CHAIN_GENERAL_FAILURE', 'CHAIN_RULE_BROKEN'],
    ['POLICY_NOT_ACCEPTABLE', 0, 'CHAIN_CONSTRAINTS_FAILURE', 'CHAIN_RULE_BROKEN'],
    ['PATH_TOO_LONG', 1, 'CHAIN_CONSTRAINTS_FAILURE', 'CHAIN_RULE_BROKEN'],
    ['NAME_NOT_PERMITTED', 0, 'CHAIN_CONSTRAINTS_FAILURE', 'CHAIN_RULE_BROKEN'],
    ['SIGNATURE_INVALID', 0, 'CERTIFICATE_CHAIN_GENERAL_FAILURE', 'CHAIN_RULE_BROKEN'],
    ['NOT_AN_AUTHORITY', 1, 'CERTIFICATE_CHAIN_GENERAL_FAILURE', 'CHAIN_RULE_BROKEN'],
    ['CRITICAL_EXTENSION_UNKNOWN', 0, 'CERTIFICATE_CHAIN_GENERAL_FAILURE', 'CHAIN_RULE_BROKEN'],
  ])('%s at %i is %s', (code, index, subIndication, check) => {
    const { failure: found, checks } = judgeChain(problem(code, index), made(), policy, contextOf());
    expect(found).toMatchObject({ subIndication, check: { code: check, sentence: 'A rule is broken.' } });
    // The rest is told as far as it was looked at.
    expect(checks.map((one) => one.code)).toEqual([check, 'CERTIFICATE_IN_VALIDITY', 'NOT_REVOKED']);
  });

  it('tells nothing of revocation without an anchor, and who is not known', () => {
    const open = { ...chainOf(leaf()), reachesAnchor: false, links: [leaf()] };
    const judgement = judgeChain(open, made(), policy, contextOf());
    expect(codesOf(judgement)).toEqual(['CHAIN_INCOMPLETE', 'CERTIFICATE_IN_VALIDITY']);
    expect(judgement.failure?.check.sentence).toContain('that issued Ana is not known');
  });

  it('tells of a revocation beside the rule', () => {
    const revocation = { time: day('2026-05-01'), reason: 'keyCompromise' } as const;
    const chain = {
      ...problem('NOT_AN_AUTHORITY', 1),
      links: [leaf({ evidence: [fresh({ revocation })] }), upper(), anchorLink],
    };
    expect(codesOf(judgeChain(chain, made(), policy, contextOf()))).toEqual([
      'CHAIN_RULE_BROKEN',
      'CERTIFICATE_IN_VALIDITY',
      'CERTIFICATE_REVOKED',
    ]);
    const unknown = { ...chain, links: [leaf(), upper({ evidence: [] }), anchorLink] };
    expect(codesOf(judgeChain(unknown, made(), policy, contextOf()))).toEqual([
      'CHAIN_RULE_BROKEN',
      'CERTIFICATE_IN_VALIDITY',
    ]);
  });
});

describe('judgeChain, of a path now', () => {
  it.each([
    ['ICP-Brasil', 'HIERARCHY_ICP_BRASIL'],
    ['gov.br', 'HIERARCHY_GOV_BR'],
    ['test', 'HIERARCHY_TEST'],
    ['other', 'HIERARCHY_OTHER'],
  ] as const)('passes below a root of %s', (hierarchy, code) => {
    const judgement = judgeChain({ ...chainOf(leaf(), upper()), hierarchy }, made(), policy, contextOf());
    expect(judgement.failure).toBeUndefined();
    expect(codesOf(judgement)).toEqual([
      'CHAIN_TRUSTED',
      'CERTIFICATE_PURPOSE_RIGHT',
      code,
      'CERTIFICATE_IN_VALIDITY',
      'NOT_REVOKED',
    ]);
  });

  it('asks no list about an anchor', () => {
    expect(codesOf(judgeLinks([]))).toEqual(['CHAIN_TRUSTED', 'CERTIFICATE_PURPOSE_RIGHT', 'CERTIFICATE_IN_VALIDITY']);
  });

  it.each<[readonly RevocationProblemCode[], string, string]>([
    [['UNREACHABLE'], 'TRY_LATER', 'REVOCATION_UNREACHABLE'],
    [['NOT_ASKED'], 'TRY_LATER', 'REVOCATION_NOT_ASKED'],
    [['STALE'], 'TRY_LATER', 'REVOCATION_STALE'],
    [['ANSWERED_UNKNOWN'], 'TRY_LATER', 'REVOCATION_DATA_UNUSABLE'],
    [['SIGNATURE_INVALID'], 'TRY_LATER', 'REVOCATION_DATA_UNUSABLE'],
    [['MALFORMED'], 'TRY_LATER', 'REVOCATION_DATA_UNUSABLE'],
    [['UNSUPPORTED'], 'TRY_LATER', 'REVOCATION_DATA_UNUSABLE'],
    [['NOT_COVERED'], 'TRY_LATER', 'REVOCATION_DATA_UNUSABLE'],
    [['NO_SOURCE'], 'CERTIFICATE_CHAIN_GENERAL_FAILURE', 'REVOCATION_SOURCE_MISSING'],
    [['LDAP_ONLY'], 'CERTIFICATE_CHAIN_GENERAL_FAILURE', 'REVOCATION_SOURCE_NOT_ASKED'],
    [['NO_DATA'], 'TRY_LATER', 'REVOCATION_ANSWER_WITHOUT_DATA'],
    [['UNREACHABLE', 'NO_DATA'], 'TRY_LATER', 'REVOCATION_ANSWER_WITHOUT_DATA'],
    [['NO_SOURCE', 'MALFORMED', 'STALE', 'UNREACHABLE'], 'TRY_LATER', 'REVOCATION_UNREACHABLE'],
    [[], 'TRY_LATER', 'REVOCATION_UNREACHABLE'],
  ])('without data, for %j', (problems, subIndication, code) => {
    const told = problems.map((one) => ({ code: one, sentence: `It is ${one}.` }));
    const { failure: found } = judgeLinks([leaf({ evidence: [], problems: told }), upper()]);
    expect(found).toMatchObject({ subIndication, check: { code } });
    expect(found?.check.sentence).toBe(
      problems.length === 0
        ? 'Whether the certificate of Ana was revoked could not be determined.'
        : `It is ${problems.at(-1) ?? ''}.`,
    );
  });

  const revokedOn = (time: Date, reason: RevocationReason = 'keyCompromise') => ({
    evidence: [fresh({ revocation: { time, reason } })],
  });
  it.each<[string, readonly LinkFacts[], string | undefined, string]>([
    ['of the person', [leaf(revokedOn(NOW)), upper()], 'REVOKED_NO_POE', 'CERTIFICATE_REVOKED'],
    ['of the authority', [leaf(), upper(revokedOn(NOW))], 'REVOKED_CA_NO_POE', 'AUTHORITY_REVOKED'],
    ['for a while', [leaf(revokedOn(NOW, 'certificateHold')), upper()], 'TRY_LATER', 'CERTIFICATE_ON_HOLD'],
    ['that has not come', [leaf(revokedOn(later(NOW, 1))), upper()], undefined, 'REVOKED_AFTER_SIGNING'],
  ])('with a revocation %s', (_, links, subIndication, code) => {
    const judgement = judgeLinks(links);
    expect(judgement.failure?.subIndication).toBe(subIndication);
    expect(codesOf(judgement)).toContain(code);
  });

  it.each<[string, Partial<RevocationFact>, string | undefined, string | undefined]>([
    ['just fresh', { nextUpdate: later(NOW, -CLOCK_SKEW) }, undefined, undefined],
    ['just too old', { nextUpdate: later(NOW, -CLOCK_SKEW - 1) }, 'TRY_LATER', 'REVOCATION_STALE'],
    ['by an authority that ended now', { signer: dated('R', '2020-01-01', '2026-06-01') }, undefined, undefined],
    [
      'by an authority that ended before',
      { signer: dated('R', '2020-01-01', '2026-05-31') },
      'REVOCATION_OUT_OF_BOUNDS_NO_POE',
      'REVOCATION_SIGNER_EXPIRED',
    ],
  ])('with data %s', (_, fields, subIndication, code) => {
    const { failure: found } = judgeLinks([leaf({ evidence: [fresh(fields)] }), upper()]);
    expect([found?.subIndication, found?.check.code]).toEqual([subIndication, code]);
  });

  it.each<[string, LinkFacts, LinkFacts, string | undefined, string | undefined]>([
    [
      'the person has ended, known good',
      leaf({ certificate: person }),
      anchorLink,
      'OUT_OF_BOUNDS_NOT_REVOKED',
      'CERTIFICATE_EXPIRED',
    ],
    [
      'the person has ended, unknown',
      leaf({ certificate: person, evidence: [] }),
      anchorLink,
      'OUT_OF_BOUNDS_NO_POE',
      'CERTIFICATE_EXPIRED',
    ],
    [
      'the person ends now',
      leaf({ certificate: dated('A', '2026-01-01', '2026-06-01') }),
      anchorLink,
      undefined,
      undefined,
    ],
    [
      'the person begins now',
      leaf({ certificate: dated('A', '2026-06-01', '2027-01-01') }),
      anchorLink,
      undefined,
      undefined,
    ],
    [
      'the person begins later',
      leaf({ certificate: dated('A', '2026-06-02', '2027-01-01') }),
      anchorLink,
      'NOT_YET_VALID',
      'CERTIFICATE_NOT_YET_VALID',
    ],
    [
      'the root has ended',
      leaf(),
      { ...anchorLink, certificate: dated('R', '2020-01-01', '2026-05-31') },
      'NO_CERTIFICATE_CHAIN_FOUND_NO_POE',
      'ROOT_EXPIRED',
    ],
    [
      'the root ends now',
      leaf(),
      { ...anchorLink, certificate: dated('R', '2020-01-01', '2026-06-01') },
      undefined,
      undefined,
    ],
    [
      'the root begins later',
      leaf(),
      { ...anchorLink, certificate: dated('R', '2026-06-02', '2030-01-01') },
      'NO_CERTIFICATE_CHAIN_FOUND_NO_POE',
      'ROOT_EXPIRED',
    ],
    [
      'the root begins now',
      leaf(),
      { ...anchorLink, certificate: dated('R', '2026-06-01', '2030-01-01') },
      undefined,
      undefined,
    ],
  ])('where %s', (_, first, last, subIndication, code) => {
    const { failure: found } = judgeChain({ ...chainOf(), links: [first, last] }, made(), policy, contextOf());
    expect([found?.subIndication, found?.check.code]).toEqual([subIndication, code]);
  });

  it('where an authority has ended, or is weak', () => {
    const ended = judgeLinks([leaf(), upper({ certificate: dated('CA', '2020-01-01', '2026-05-31') })]);
    expect(ended.failure).toMatchObject({
      subIndication: 'CERTIFICATE_CHAIN_GENERAL_FAILURE',
      check: { code: 'AUTHORITY_OUT_OF_VALIDITY' },
    });
    expect(ended.failure?.check.sentence).toContain('is valid from 2020-01-01 to 2026-05-31');
    const weak = judgeLinks([leaf(), upper({ algorithms: [sha1] })]);
    // The certificate of CA is younger than the weakness, so no proof can mend it.
    expect(weak.failure).toMatchObject({
      subIndication: 'CRYPTO_CONSTRAINTS_FAILURE',
      check: { code: 'CERTIFICATE_HASH_WEAK' },
    });
    expect(weak.failure?.check.sentence).toContain('of CA is signed');
  });
});

describe('judgeChain, of a proven time', () => {
  const revocation = { time: day('2026-03-01'), reason: 'keyCompromise' } as const;
  const revoked = leaf({ evidence: [fresh({ revocation })] });
  const proofs = { ana: day('2026-02-01'), ca: day('2026-02-01'), list: day('2026-02-01') };
  const old = { thisUpdate: day('2026-02-01'), issuedAt: day('2026-02-01'), nextUpdate: day('2026-02-08') };

  it.each<[string, Date, string | undefined]>([
    ['before the revocation', later(revocation.time, -1), undefined],
    ['at the revocation', revocation.time, undefined],
    ['after the revocation', later(revocation.time, 1), 'REVOKED_NO_POE'],
  ])('%s', (_, proven, subIndication) => {
    const { failure: found } = judgeLinks(
      [revoked, upper()],
      { proven },
      contextOf({ ana: proven, ca: proven, list: proven }),
    );
    expect(found?.subIndication).toBe(subIndication);
  });

  it.each<[string, Partial<MadeWith>, LinkFacts, string | undefined]>([
    ['after the revocation', { after: revocation.time }, revoked, 'REVOKED'],
    ['just before the revocation', { after: later(revocation.time, -1) }, revoked, 'REVOKED_NO_POE'],
    [
      'after the beginning of a hold',
      { after: NOW },
      leaf({ evidence: [fresh({ revocation: { ...revocation, reason: 'certificateHold' } })] }),
      'TRY_LATER',
    ],
    [
      'after the end of the certificate',
      { after: later(person.notAfter, 1) },
      leaf({ certificate: person }),
      'EXPIRED',
    ],
    [
      'at the end of the certificate',
      { after: person.notAfter },
      leaf({ certificate: person }),
      'OUT_OF_BOUNDS_NOT_REVOKED',
    ],
    ['before the certificate', { proven: later(ana.notBefore, -1) }, leaf(), 'NOT_YET_VALID'],
    ['at the beginning of the certificate', { proven: ana.notBefore }, leaf(), undefined],
  ])('provably made %s', (_, fields, one, subIndication) => {
    expect(judgeLinks([one, upper()], fields).failure?.subIndication).toBe(subIndication);
  });

  it('holds for an expired certificate with everything proven in time, and says so', () => {
    const proven = day('2024-06-02');
    const known = contextOf({ person: proven, ca: proven, list: proven });
    const links = [link(), link({ certificate: authority, key: 'ca' })];
    const good = judgeLinks(links, { proven }, known);
    expect(good.failure).toBeUndefined();
    expect(codesOf(good)).toContain('CERTIFICATE_WAS_VALID');
    const late = contextOf({ person: proven, ca: proven, list: day('2025-06-01') });
    expect(judgeLinks(links, { proven: day('2025-02-01') }, late).failure?.subIndication).toBe(
      'OUT_OF_BOUNDS_NOT_REVOKED',
    );
  });

  it('misses a proof where an authority has ended since', () => {
    const ended = upper({ certificate: dated('CA', '2020-01-01', '2026-05-31') });
    const judgement = judgeLinks([leaf(), ended], { proven: day('2026-05-30') });
    expect(judgement.failure).toMatchObject({ subIndication: 'NO_POE', check: { code: 'PROOF_OF_EXISTENCE_MISSING' } });
    expect(codesOf(judgement)).toEqual([
      'CHAIN_TRUSTED',
      'CERTIFICATE_PURPOSE_RIGHT',
      'AUTHORITY_OUT_OF_VALIDITY',
      'PROOF_OF_EXISTENCE_MISSING',
    ]);
  });

  it.each<[string, Partial<MadeWith>, string | undefined]>([
    ['data from before the signature', { proven: day('2026-02-03') }, 'REVOCATION_OLDER_THAN_SIGNATURE'],
    ['data of the very second of the signature', { proven: later(day('2026-02-01'), 999) }, undefined],
    [
      'data about a time stamp, since when nobody asked',
      { kind: 'time stamp', reference: day('2026-02-03') },
      'REVOCATION_NOT_CHECKED_SINCE',
    ],
  ])('warns of %s, or not', (_, { kind = 'signature', proven, reference = proven }, code) => {
    const links = [leaf({ evidence: [fact(old)] }), upper()];
    const judgement = judgeLinks(links, { kind, proven, reference }, contextOf(proofs));
    expect(judgement.failure).toBeUndefined();
    expect(codesOf(judgement).filter((one) => one.startsWith('REVOCATION_'))).toEqual(code === undefined ? [] : [code]);
  });

  it('is not told by data that does not reach the time in question, or whose signer had ended', () => {
    const links = (fields: Partial<RevocationFact>): readonly LinkFacts[] => [
      leaf({ evidence: [fact({ ...old, ...fields })] }),
      upper(),
    ];
    const reference = later(day('2026-02-08'), CLOCK_SKEW);
    const now = contextOf();
    expect(
      judgeLinks(links({}), { proven: reference, reference }, contextOf({ list: day('2026-02-01') })).failure,
    ).toBeUndefined();
    expect(
      judgeLinks(links({}), { proven: later(reference, 1), reference: later(reference, 1) }, now).failure?.check.code,
    ).toBe('REVOCATION_STALE');
    const signer = dated('R', '2020-01-01', '2026-03-01');
    expect(
      judgeLinks(links({ signer }), { proven: day('2026-02-03'), reference: day('2026-02-03') }, now).failure
        ?.subIndication,
    ).toBe('TRY_LATER');
    expect(
      judgeLinks(links({ signer }), { kind: 'time stamp', reference: day('2026-02-03') }, now).failure,
    ).toBeUndefined();
  });
});
