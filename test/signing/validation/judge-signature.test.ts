/**
 * Format, integrity and times of a single signature with its stamps, in the judgement (EN 319 102-1 §5.2, §5.3, §5.5).
 */
import { describe, expect, it } from 'vitest';
import { CLOCK_SKEW } from '../../../src/signing/revocation/revocation-result.ts';
import type { SignerProblem } from '../../../src/signing/signed-data/verify-signer.ts';
import type { SignatureFacts, TimestampFacts } from '../../../src/signing/validation/facts.ts';
import type { AlgorithmUse } from '../../../src/signing/validation/judge/algorithm-policy.ts';
import { judgeFile, rulesOf } from '../../../src/signing/validation/judge/judge-file.ts';
import {
  judgeChanges,
  judgeFormat,
  judgeIntegrity,
  judgeSigningCertificate,
} from '../../../src/signing/validation/judge/judge-integrity.ts';
import { passed } from '../../../src/signing/validation/judge/verdict.ts';
import {
  NOW,
  codesOf,
  day,
  later,
  pdf,
  person,
  sha1,
  signatureFacts,
  stampFacts,
  without,
  type PdfFacts,
} from './judge-facts.ts';

describe('format and integrity', () => {
  const unsound = pdf({
    problem: { code: 'BYTE_RANGE_UNSOUND', sentence: 'The byte range is odd.' } as unknown as NonNullable<
      PdfFacts['problem']
    >,
  });

  it.each<[string, Partial<SignatureFacts>, readonly string[]]>([
    ['is sound', {}, ['STRUCTURE_SOUND']],
    ['is stored in another order', { hasSortedAttributes: false }, ['STRUCTURE_SOUND', 'SIGNED_ATTRIBUTES_UNSORTED']],
    [
      'has oddities',
      { remarks: ['digest-info-without-null', 'content-type-in-counter-signature', 'issuer-serial-differs'] },
      [
        'STRUCTURE_SOUND',
        'DIGEST_INFO_WITHOUT_NULL',
        'COUNTER_SIGNATURE_CONTENT_TYPE',
        'SIGNING_CERTIFICATE_ISSUER_DIFFERS',
      ],
    ],
    ['repeats attributes', { repeatedAttributes: ['1.2', '1.3'] }, ['SIGNED_ATTRIBUTE_REPEATED']],
    ['has bytes behind', { hasBytesBehind: true }, ['BYTES_BEHIND_SIGNATURE']],
    ['replays attributes', { replaysAttributes: true }, ['SIGNED_ATTRIBUTES_REPLAYED']],
    ['is damaged', { damage: 'Broken.' }, ['STRUCTURE_DAMAGED']],
    ['is of an unknown kind', { damage: 'Odd.', isUnknownKind: true }, ['PDF_KIND_UNKNOWN']],
    ['is damaged inside', { integrity: { outcome: 'broken', problem: 'damaged' } }, []],
    ['stands in an odd PDF', unsound, ['PDF_STRUCTURE_UNSOUND']],
  ])('of a signature that %s', (_, fields, codes) => {
    const judgement = judgeFormat(signatureFacts(fields));
    expect(codesOf(judgement)).toEqual(codes);
    expect(judgement.failure === undefined).toBe(codes.length === 0 || codes[0] === 'STRUCTURE_SOUND');
    if (fields.repeatedAttributes !== undefined) expect(judgement.checks[0]?.sentence).toContain('1.2, 1.3.');
  });

  const md5: AlgorithmUse = { kind: 'hash', name: 'md5' };
  const unknown = { outcome: 'unknown', problem: 'algorithm-unknown', reason: 'Odd.' } as const;
  it.each<[string, Partial<SignatureFacts>, string | undefined, string | undefined]>([
    ['is intact', {}, 'INTEGRITY_INTACT', undefined],
    ['is damaged', { damage: 'x', integrity: { outcome: 'broken' } }, undefined, undefined],
    ['stands in an odd PDF', { ...unsound, integrity: { outcome: 'broken' } }, undefined, undefined],
    ['uses MD5', { integrity: unknown, algorithms: [sha1, md5] }, 'HASH_WEAK', undefined],
    [
      'uses what is not known',
      { integrity: unknown, algorithms: [sha1, { kind: 'unknown', name: 'md5' }] },
      'ALGORITHM_UNKNOWN',
      'Odd.',
    ],
    [
      'uses MD5 and was changed',
      { integrity: { outcome: 'broken', problem: 'content-changed', reason: 'New.' }, algorithms: [md5] },
      'CONTENT_CHANGED',
      'New.',
    ],
    [
      'is broken without a reason',
      { integrity: { outcome: 'broken' } },
      'STRUCTURE_DAMAGED',
      'The signature does not hold.',
    ],
  ])('and of the integrity of one that %s', (_, fields, code, sentence) => {
    const [check] = judgeIntegrity(signatureFacts(fields)).checks;
    expect(check?.code).toBe(code);
    if (sentence !== undefined) expect(check?.sentence).toBe(sentence);
  });

  it.each<[SignerProblem, string, string]>([
    ['content-changed', 'HASH_FAILURE', 'CONTENT_CHANGED'],
    ['content-differs', 'HASH_FAILURE', 'CONTENT_DIFFERS_FROM_ENCLOSED'],
    ['content-missing', 'SIGNED_DATA_NOT_FOUND', 'CONTENT_NOT_GIVEN'],
    ['content-needed', 'SIGNED_DATA_NOT_FOUND', 'INTEGRITY_UNKNOWN'],
    ['content-type', 'FORMAT_FAILURE', 'CONTENT_TYPE_WRONG'],
    ['signature-wrong', 'SIG_CRYPTO_FAILURE', 'SIGNATURE_VALUE_WRONG'],
    ['repeated-attribute', 'FORMAT_FAILURE', 'SIGNED_ATTRIBUTE_REPEATED'],
    ['damaged', 'FORMAT_FAILURE', 'STRUCTURE_DAMAGED'],
    ['certificate-missing', 'NO_SIGNING_CERTIFICATE_FOUND', 'SIGNER_CERTIFICATE_MISSING'],
    ['certificate-not-named', 'NO_SIGNING_CERTIFICATE_FOUND', 'SIGNER_CERTIFICATE_NOT_NAMED'],
    ['key-unreadable', 'CRYPTO_CONSTRAINTS_FAILURE', 'KEY_UNREADABLE'],
    ['algorithm-unknown', 'CRYPTO_CONSTRAINTS_FAILURE', 'ALGORITHM_UNKNOWN'],
  ])('and of the problem %s', (problem, subIndication, code) => {
    const integrity = { outcome: 'broken', problem, reason: 'So it is.' } as const;
    expect(judgeIntegrity(signatureFacts({ integrity })).failure).toMatchObject({
      subIndication,
      check: { code, sentence: 'So it is.' },
    });
  });

  it.each<[string, Partial<SignatureFacts>, readonly string[]]>([
    ['is named', {}, ['SIGNER_CERTIFICATE_FOUND', 'SIGNING_CERTIFICATE_ATTRIBUTE_RIGHT']],
    ['is another one', { signingCertificate: 'differs' }, ['SIGNER_CERTIFICATE_FOUND']],
    [
      'is not named',
      { signingCertificate: 'absent' },
      ['SIGNER_CERTIFICATE_FOUND', 'SIGNING_CERTIFICATE_ATTRIBUTE_MISSING'],
    ],
    [
      'is not named in PAdES',
      { signingCertificate: 'absent', ...pdf({ subFilter: 'ETSI.CAdES.detached' }) },
      ['SIGNER_CERTIFICATE_FOUND', 'SIGNING_CERTIFICATE_ATTRIBUTE_REQUIRED'],
    ],
    ['is part of a damaged signature', { damage: 'x' }, []],
  ])('and of a certificate that %s', (_, fields, codes) => {
    expect(codesOf(judgeSigningCertificate(signatureFacts(fields)))).toEqual(codes);
  });

  it('and of an unknown certificate', () => {
    expect(judgeSigningCertificate(without(signatureFacts(), 'certificate'))).toEqual(passed());
  });

  const change = (level: string, sentence: string) => ({ level, sentence });
  const changed = (changes: readonly object[]): Partial<SignatureFacts> =>
    pdf({ coversWholeFile: false, changesAllowed: false, changeLevel: 'other', changes } as unknown as PdfFacts);
  it.each<[string, Partial<SignatureFacts>, string | undefined, string?]>([
    ['no PDF', {}, undefined],
    ['an odd PDF', unsound, undefined],
    ['a whole PDF', pdf({ coversWholeFile: true }), 'PDF_WHOLE_FILE_COVERED'],
    ['allowed changes', pdf({ coversWholeFile: false, changesAllowed: true }), 'PDF_CHANGES_ALLOWED'],
    [
      'a forbidden change',
      changed([change('form-filling', 'Filled.'), change('other', 'New text.'), change('other', 'More.')]),
      'PDF_CHANGES_NOT_ALLOWED',
      'New text.',
    ],
    [
      'a change that nobody describes',
      changed([change('none', 'Nothing.')]),
      'PDF_CHANGES_NOT_ALLOWED',
      'The file was changed after it was signed.',
    ],
  ])('and of %s', (_, fields, code, sentence) => {
    const [check] = judgeChanges(signatureFacts(fields)).checks;
    expect(check?.code).toBe(code);
    if (sentence !== undefined) expect(check?.sentence).toBe(sentence);
  });
});

describe('a signature with its stamps', () => {
  const judge = (fields: Partial<SignatureFacts>, documentTimestamps: readonly TimestampFacts[] = []) => {
    const [judged] = judgeFile(
      { signatures: [signatureFacts(fields)], documentTimestamps },
      rulesOf({}),
      NOW,
    ).signatures;
    if (judged === undefined) throw new Error('One signature gives one judgement.');
    return judged;
  };
  const codes = (
    fields: Partial<SignatureFacts>,
    documentTimestamps: readonly TimestampFacts[] = [],
  ): readonly string[] => codesOf(judge(fields, documentTimestamps).judgement);
  const STAMPED = day('2024-06-01');
  const over = (fields: Partial<TimestampFacts> = {}): TimestampFacts => stampFacts({ covers: ['sig:1'], ...fields });

  it.each<[string, Partial<SignatureFacts>, string, boolean]>([
    ['just ahead of the clock', { claimedTime: later(NOW, CLOCK_SKEW) }, 'CLAIMED_TIME_IN_FUTURE', false],
    ['in the future', { claimedTime: later(NOW, CLOCK_SKEW + 1) }, 'CLAIMED_TIME_IN_FUTURE', true],
    [
      'just behind the stamp',
      { claimedTime: later(STAMPED, CLOCK_SKEW), timestamps: [over()] },
      'CLAIMED_TIME_AFTER_TIMESTAMP',
      false,
    ],
    [
      'behind the stamp',
      { claimedTime: later(STAMPED, CLOCK_SKEW + 1), timestamps: [over()] },
      'CLAIMED_TIME_AFTER_TIMESTAMP',
      true,
    ],
    ['behind no stamp', { claimedTime: day('2024-07-01') }, 'CLAIMED_TIME_AFTER_TIMESTAMP', false],
    ['at the beginning of the certificate', { claimedTime: person.notBefore }, 'CLAIMED_TIME_OUT_OF_VALIDITY', false],
    ['before the certificate', { claimedTime: later(person.notBefore, -1) }, 'CLAIMED_TIME_OUT_OF_VALIDITY', true],
    ['at the end of the certificate', { claimedTime: person.notAfter }, 'CLAIMED_TIME_OUT_OF_VALIDITY', false],
    ['behind the certificate', { claimedTime: later(person.notAfter, 1) }, 'CLAIMED_TIME_OUT_OF_VALIDITY', true],
    ['of a damaged signature', { claimedTime: later(NOW, 1e9), damage: 'x' }, 'CLAIMED_TIME_IN_FUTURE', false],
  ])('is warned of for a claimed time %s', (_, fields, code, isWarned) => {
    expect(codes(fields).includes(code)).toBe(isWarned);
  });

  it('is proven by the earliest valid stamp over it', () => {
    const stamps = [
      over({ key: 'a' }),
      over({ key: 'b', time: day('2024-05-01') }),
      over({ key: 'c', time: day('2024-04-01'), imprint: 'wrong' }),
    ];
    const { proven, judgement } = judge({ timestamps: stamps });
    expect(proven).toEqual(day('2024-05-01'));
    expect(codesOf(judgement).filter((code) => code === 'TIMESTAMP_NOT_USED')).toHaveLength(1);
    expect(codesOf(judgement)).toContain('SIGNING_TIME_PROVEN');
    expect(codes({})).toContain('SIGNING_TIME_CLAIMED');
  });

  it('says why a record and a stamp prove nothing', () => {
    const sentences = (fields: Partial<TimestampFacts>): readonly string[] =>
      judge({ timestamps: [over(fields)] }).judgement.checks.map(({ sentence }) => sentence);
    expect(sentences({ damage: 'Broken.' })).toContain('A time stamp proves nothing. Broken.');
    expect(sentences({ role: 'evidence-record', damage: 'Broken.' })).toContain(
      'An evidence record proves nothing. Broken.',
    );
    expect(sentences({ damage: '' })).toContain('A time stamp proves nothing.');
  });

  it.each([
    [CLOCK_SKEW, undefined],
    [CLOCK_SKEW + 1, 'TIMESTAMP_ORDER_FAILURE'],
  ])('is made after its content stamp, by %i ms at most before', (milliseconds, expected) => {
    const content = (key: string, time: Date): TimestampFacts => stampFacts({ role: 'content', key, time });
    const timestamps = [over(), content('old', day('2024-03-01')), content('new', later(STAMPED, milliseconds))];
    expect(judge({ timestamps }).judgement.failure?.subIndication).toBe(expected);
  });

  it('takes the document stamps covering the signature, and no others', () => {
    const around = over({ role: 'document', key: 'd', time: day('2024-08-01') });
    expect(judge({}, [around]).timestamps).toHaveLength(1);
    expect(judge({}, [{ ...around, covers: ['sig:2'] }]).timestamps).toHaveLength(0);
    expect(judge({}, [around]).proven).toEqual(day('2024-08-01'));
  });

  it.each([
    ['ed25519', 'ETSI TS 119 312 lists Ed25519 only since V2.1.1 (2026-06).'],
    ['ed448', 'ETSI TS 119 312 lists Ed448 only since V2.1.1 (2026-06).'],
    ['ecdsa', undefined],
  ])('with %s is accepted or warned of', (signatureAlgorithm, sentence) => {
    const check = judge({ signatureAlgorithm }).judgement.checks.find(({ code }) => code === 'ALGORITHM_NOT_LISTED');
    expect(check?.sentence).toBe(sentence);
  });
});
