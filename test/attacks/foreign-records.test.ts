/** Evidence records (RFC 4998) that belong to other files, or that prove less than they say. */
import { beforeEach, describe, expect, it } from 'vitest';
import { validateSignature, type ValidationReport } from '../../src/signing/validation/index.ts';
import type { TestIdentity } from '../../src/test-authority/index.ts';
import { craftCms } from '../signing/validation/craft-cms.ts';
import { chainOf, digestOf, recordOf, renewal, stampOver } from '../signing/validation/craft-evidence-record.ts';
import { date, onlySignature, ValidationWorld } from '../signing/validation/validation-world.ts';

const CONTENT = Buffer.from('Pay 100 EUR');
const OTHER = Buffer.from('Pay 999 EUR');

let world: ValidationWorld;
let person: TestIdentity;
let message: Buffer;

beforeEach(async () => {
  world = await ValidationWorld.open({ years: 20 });
  person = await world.person();
  message = craftCms(person, { content: CONTENT });
});

const recordFor = (data: Buffer, options: Parameters<typeof stampOver>[2] = {}, on = world): Buffer =>
  recordOf(chainOf(stampOver(on, [digestOf('sha256', data)], options)));

async function judge(signature: Buffer, ...records: readonly Buffer[]): Promise<ValidationReport> {
  return validateSignature({ signature, records }, world.services({ offline: true }));
}

/** Codes of the signature and of the records beside it. */
const codesOf = (report: ValidationReport): readonly string[] =>
  [...report.documentTimestamps, onlySignature(report)].flatMap(({ checks }) => checks.map(({ code }) => code));

describe('an evidence record that belongs to another file', () => {
  it('is a proof for its own signature', async () => {
    expect(codesOf(await judge(message, recordFor(message)))).not.toContain('EVIDENCE_RECORD_NOT_USED');
  });

  it.each([
    ['another signature of the same person', () => recordFor(craftCms(person, { content: OTHER }))],
    ['the content without the signature', () => recordFor(CONTENT)],
    ['the signature with a byte behind it', () => recordFor(Buffer.concat([message, Buffer.of(0)]))],
    ['the signature without its last byte', () => recordFor(message.subarray(0, -1))],
    ['nothing', () => recordFor(Buffer.alloc(0))],
    ['its own hash', () => recordFor(digestOf('sha256', message))],
  ])('proves nothing when it is over %s', async (_what, record) => {
    const report = await judge(message, record());
    expect(codesOf(report)).toContain('EVIDENCE_RECORD_DATA_WRONG');
    expect(codesOf(report)).toContain('EVIDENCE_RECORD_NOT_USED');
  });

  it.each([
    ['only above the first list', () => recordFor(OTHER, { above: [[digestOf('sha256', message)]] })],
    ['a root that its lists do not give', () => recordFor(message, { root: digestOf('sha256', OTHER) })],
    ['another hash function than its lists', () => recordFor(message, { names: 'sha512' })],
    ['the hash beside others that its root leaves out', () => recordFor(message, { beside: [digestOf('sha256', OTHER)], root: digestOf('sha256', message) })], // prettier-ignore
  ])('proves nothing with %s', async (_what, record) => {
    expect(codesOf(await judge(message, record()))).toContain('EVIDENCE_RECORD_NOT_USED');
  });

  it('proves nothing by a time-stamp authority of its own', async () => {
    const stranger = await ValidationWorld.open({ years: 20 });
    const report = await judge(message, recordFor(message, {}, stranger));
    expect(codesOf(report)).toContain('EVIDENCE_RECORD_NOT_USED');
  });

  it('takes no renewal from the chain of another file', async () => {
    const own = stampOver(world, [digestOf('sha256', message)]);
    const foreign = stampOver(world, [digestOf('sha256', craftCms(person, { content: OTHER }))]);
    world.now = date('2027-12-01');
    const report = await judge(message, recordOf(chainOf(own, renewal(world, foreign))));
    expect(codesOf(report)).toContain('EVIDENCE_RECORD_CHAIN_BROKEN');
  });

  it('changes nothing for a good record beside it', async () => {
    const report = await judge(message, recordFor(OTHER), recordFor(message));
    const outcomes = report.documentTimestamps.map(({ indication }) => indication);
    expect(outcomes.filter((indication) => indication === 'TOTAL-PASSED')).toHaveLength(1);
    expect(outcomes).toHaveLength(2);
  });

  it('never turns a signature over other content into a valid one', async () => {
    const tampered = Buffer.from(message);
    tampered[tampered.indexOf('100')] = 0x39;
    const report = await judge(tampered, recordFor(tampered));
    expect(report.indication).toBe('TOTAL-FAILED');
  });

  it('costs bounded work with a thousand hashes in each of many lists', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => digestOf('sha256', Buffer.from(String(index))));
    const record = recordFor(message, { beside: many, above: Array.from({ length: 50 }, () => many) });
    const report = await judge(message, record);
    expect(report.signatures).toHaveLength(1);
  });
});
