/**
 * Evidence records around the signatures of a single message (RFC 4998 §5, RFC 5652 §5.3), and the end of their
 * protection.
 */
import { describe, expect, it } from 'vitest';
import type { TimestampFacts } from '../../../src/signing/validation/facts.ts';
import { judgeFile, rulesOf } from '../../../src/signing/validation/judge/judge-file.ts';
import { judgeTimestamp, type JudgedTimestamp } from '../../../src/signing/validation/judge/judge-timestamp.ts';
import { protectionOfRecord } from '../../../src/signing/validation/judge/protection.ts';
import { NOW, chainOf, contextOf, dated, day, link, policy, signatureFacts, stampFacts } from './judge-facts.ts';

/** A time stamp by an authority with a certificate ending on a day. */
const stampUntil = (end: string, fields: Partial<TimestampFacts> = {}): TimestampFacts => {
  const certificate = dated('TSA', '2024-01-01', end);
  return stampFacts({ certificate, chain: chainOf(link({ certificate, key: 'tsa' })), ...fields });
};
const record = (fields: Partial<TimestampFacts> = {}): TimestampFacts =>
  stampUntil('2030-01-01', { key: 'record', role: 'evidence-record', covers: ['sig:1', 'sig:2'], ...fields });

/** Two signers of a single message; the stamps stand in an attribute of the first. */
const judgeTwo = (...timestamps: readonly TimestampFacts[]) => {
  const own = { chain: chainOf(link()) };
  const signatures = [signatureFacts({ ...own, timestamps }), signatureFacts({ ...own, id: '2', key: 'sig:2' })];
  return judgeFile({ signatures, documentTimestamps: [] }, rulesOf({}), NOW).signatures;
};

describe('an evidence record in an attribute of the first signer', () => {
  it.each<[string, TimestampFacts, string]>([
    ['proves the second signature, which it covers', record(), '2030-01-01'],
    ['proves nothing that it does not cover', record({ covers: ['sig:1'] }), '2025-01-01'],
    ['proves nothing when it is wrong', record({ imprint: 'wrong' }), '2025-01-01'],
    ['alone proves it: not an archive time stamp', record({ role: 'archive' }), '2025-01-01'],
  ])('%s', (_, stamp, until) => {
    expect(judgeTwo(stamp)[1]?.protection?.until).toEqual(day(until));
  });

  it('is told once with each covered signer, and with no other when wrong', () => {
    const keys = (stamp: TimestampFacts) =>
      judgeTwo(stamp).map(({ timestamps }) => timestamps.map(({ facts }) => facts.key));
    expect(keys(record())).toEqual([['record'], ['record']]);
    expect(keys(record({ imprint: 'wrong' }))).toEqual([['record'], []]);
    expect(keys(record({ covers: ['sig:1'] }))).toEqual([['record'], []]);
    expect(keys(record({ role: 'archive' }))).toEqual([['record'], []]);
  });
});

describe('the protection by a record', () => {
  const judged = (...stamps: readonly TimestampFacts[]): readonly JudgedTimestamp[] =>
    stamps.map((facts) => ({ facts, judgement: judgeTimestamp(facts, policy, contextOf()) }));

  it.each<[string, readonly TimestampFacts[], string | undefined]>([
    ['nothing without a time stamp', [], undefined],
    [
      'its last time stamp ends',
      [stampUntil('2032-01-01'), stampUntil('2031-01-01'), stampUntil('2030-01-01')],
      '2030-01-01',
    ],
    ['nothing when the last is wrong', [stampUntil('2032-01-01'), record({ imprint: 'wrong' })], undefined],
    ['nothing when an earlier one is wrong', [record({ imprint: 'wrong' }), stampUntil('2030-01-01')], undefined],
    ['nothing when the last has no path', [stampUntil('2030-01-01'), stampFacts()], undefined],
  ])('lasts until %s', (_, stamps, until) => {
    expect(protectionOfRecord(judged(...stamps), policy)?.until).toEqual(until && day(until));
  });
});
