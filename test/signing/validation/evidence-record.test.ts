/** Evidence records (RFC 4998): the reach and duration of the proof, and each kind of wrong record. */
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  derContext,
  derElement,
  derInteger,
  derNull,
  derOctetString,
  derOid,
  derSequence,
  validatePdf,
  validateSignature,
  type SignatureInput,
  type ValidationReport,
} from '../../../src/signing/index.ts';
import { withPdfFacts } from '../../../src/signing/pdf/differences/with-pdf-facts.ts';
import { findRecordProblem, readEvidenceRecord } from '../../../src/signing/evidence-records/index.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { attributeOf, craftCms } from './craft-cms.ts';
import { craftPdf } from './craft-pdf.ts';
import {
  algorithmOf,
  chainOf,
  digestOf,
  recordOf,
  rehashed,
  renewal,
  stampOver,
  tokenOver,
  withRecord,
  type CraftedStamp,
} from './craft-evidence-record.ts';
import { SIGNED_AT, ValidationWorld, codesOf, date, onlySignature, verdict } from './validation-world.ts';

const CONTENT = Buffer.from('content');
/** After the end of the person's certificate, and before the end of the first time stamp authority's certificate. */
const LATER = date('2027-06-01');

let world: ValidationWorld;
let person: TestIdentity;

beforeEach(async () => {
  world = await ValidationWorld.open({ years: 20 });
  person = await world.person();
});

/** A signature with the lists of its time inside. */
const signed = (attached = true): Buffer =>
  craftCms(person, { content: CONTENT, attached, revocations: [world.crl('issuing'), world.crl('root')] });

const offline = (signature: Buffer, content?: Buffer): Promise<ValidationReport> =>
  world.validate(signature, { offline: true, content });

/** Codes of the time stamps of the only signature. */
const stampCodes = (report: ValidationReport): readonly string[] =>
  onlySignature(report).timestamps.flatMap(({ checks }) => checks.map(({ code }) => code));

const other = (text: string): Buffer => digestOf('sha256', Buffer.from(text));

describe('an evidence record in a signature', () => {
  it.each([
    ['over the message alone', {}],
    ['without a tree', { withoutTree: true }],
    ['in a tree with other documents', { beside: [other('a'), other('b')], above: [[other('c')], [other('d')]] }],
    ['with the name of its hash function', { names: 'sha256' }],
  ] as const)('%s proves the signature behind the end of its certificate', async (_, options) => {
    const message = signed();
    const stamp = stampOver(world, [digestOf('sha256', message)], options);
    world.now = LATER;
    expect(verdict(await offline(message))).toBe('INDETERMINATE OUT_OF_BOUNDS_NOT_REVOKED');
    const report = await offline(withRecord(message, recordOf(chainOf(stamp))));
    expect(verdict(report)).toBe('TOTAL-PASSED');
    expect(onlySignature(report)).toMatchObject({ provenTime: SIGNED_AT, level: 'B-B', levelProven: 'B-B' });
    expect(onlySignature(report).timestamps).toMatchObject([{ role: 'evidence-record', time: SIGNED_AT }]);
    expect(stampCodes(report)).toContain('TIMESTAMP_VALID');
  });

  it('may hash a first list of one value (RFC 4998 §4.3), or take the value (RFC 6283 §3.1.1)', async () => {
    const message = signed();
    const value = digestOf('sha256', message);
    for (const root of [digestOf('sha256', value), value]) {
      const record = recordOf(chainOf(stampOver(world, [value], { root })));
      expect(stampCodes(await offline(withRecord(message, record)))).toContain('TIMESTAMP_VALID');
    }
  });

  it('tells a level of its own time stamps only', async () => {
    const message = signed();
    const record = recordOf(chainOf(stampOver(world, [digestOf('sha256', message)])));
    expect(onlySignature(await offline(withRecord(message, record)))).toMatchObject({ level: 'B-B' });
  });

  it('is over other data when a bit of the message changed', async () => {
    const message = signed();
    const stamp = stampOver(world, [digestOf('sha256', message)]);
    const changed = craftCms(person, { content: CONTENT, revocations: [world.crl('issuing')] });
    const report = await offline(withRecord(changed, recordOf(chainOf(stamp))));
    expect(stampCodes(report)).toEqual(['EVIDENCE_RECORD_DATA_WRONG']);
    expect(codesOf(onlySignature(report))).toContain('EVIDENCE_RECORD_NOT_USED');
    expect(onlySignature(report).provenTime).toBeUndefined();
  });

  it('proves more when its time stamp was renewed in time, and says until when', async () => {
    const message = signed();
    const first = stampOver(world, [digestOf('sha256', message)]);
    world.now = date('2027-12-01');
    world.tsa = await world.anotherTsa('2027-06-01', '2040-01-01');
    const second = renewal(world, first);
    world.now = date('2036-03-01');
    expect(verdict(await offline(withRecord(message, recordOf(chainOf(first)))))).not.toBe('TOTAL-PASSED');
    const report = await offline(withRecord(message, recordOf(chainOf(first, second))));
    expect(verdict(report)).toBe('TOTAL-PASSED');
    expect(onlySignature(report)).toMatchObject({ provenTime: SIGNED_AT });
    expect(onlySignature(report).protection?.until).toEqual(date('2040-01-01'));
  });

  it('proves more with a new chain and another hash function', async () => {
    const message = signed();
    const first = chainOf(stampOver(world, [digestOf('sha256', message)]));
    world.now = date('2027-12-01');
    world.tsa = await world.anotherTsa('2027-06-01', '2040-01-01');
    const second = stampOver(world, [rehashed('sha512', message, [first])], { algorithm: 'sha512' });
    world.now = date('2036-03-01');
    const report = await offline(withRecord(message, recordOf(first, chainOf(second))));
    expect(verdict(report)).toBe('TOTAL-PASSED');
    expect(onlySignature(report)).toMatchObject({ provenTime: SIGNED_AT });
    expect(onlySignature(report).timestamps).toHaveLength(2);
  });

  it('over message and content needs both', async () => {
    const message = signed(false);
    const both = [digestOf('sha256', message), digestOf('sha256', CONTENT)];
    const record = recordOf(chainOf(stampOver(world, both)));
    world.now = LATER;
    const external = withRecord(message, record, true);
    expect(verdict(await offline(external, CONTENT))).toBe('TOTAL-PASSED');
    expect(stampCodes(await offline(external))).toEqual(['EVIDENCE_RECORD_DATA_UNKNOWN']);
    const alone = recordOf(chainOf(stampOver(world, both.slice(0, 1))));
    expect(stampCodes(await offline(withRecord(message, alone, true), CONTENT))).toEqual([
      'EVIDENCE_RECORD_DATA_WRONG',
    ]);
  });

  it('is left out of its own content, and so are later records', async () => {
    const message = signed();
    const one = withRecord(message, recordOf(chainOf(stampOver(world, [digestOf('sha256', message)]))));
    world.now = date('2026-04-01');
    const two = withRecord(one, recordOf(chainOf(stampOver(world, [digestOf('sha256', one)]))));
    const report = await offline(two);
    expect(onlySignature(report).timestamps.map(({ indication }) => indication)).toEqual([
      'TOTAL-PASSED',
      'TOTAL-PASSED',
    ]);
    expect(onlySignature(report).provenTime).toEqual(SIGNED_AT);
  });

  it('of the same time as another may be over the other, in either order', async () => {
    const message = signed();
    const recordOver = (data: Buffer): Buffer => recordOf(chainOf(stampOver(world, [digestOf('sha256', data)])));
    const one = withRecord(message, recordOver(message));
    const indications = async (record: Buffer): Promise<readonly string[]> =>
      onlySignature(await offline(withRecord(one, record))).timestamps.map(({ indication }) => indication);
    expect(await indications(recordOver(one))).toEqual(['TOTAL-PASSED', 'TOTAL-PASSED']);
    expect(await indications(recordOver(message))).toEqual(['TOTAL-PASSED', 'TOTAL-PASSED']);
  });

  it('does not break an older archive time stamp of version 2', async () => {
    const archived = await world.cms(person, 'AD-RA').signContent(CONTENT, SIGNED_AT);
    world.now = date('2026-04-01');
    const record = recordOf(chainOf(stampOver(world, [digestOf('sha256', archived)])));
    const { timestamps } = onlySignature(await offline(withRecord(archived, record)));
    const wanted = ['signature', 'archive', 'evidence-record'];
    expect(timestamps.map(({ role }) => role).toSorted()).toEqual(wanted.toSorted());
    expect(timestamps.map(({ indication }) => indication)).toEqual(wanted.map(() => 'TOTAL-PASSED'));
  });

  it('behind the eighth is told, and not passed over', async () => {
    const message = signed();
    const record = recordOf(chainOf(stampOver(world, [digestOf('sha256', message)])));
    const many = Array.from({ length: 10 }, () => record).reduce((whole, one) => withRecord(whole, one), message);
    const codes = stampCodes(await offline(many));
    expect(codes.filter((code) => code === 'TIMESTAMP_VALID')).toHaveLength(8);
    expect(codes.filter((code) => code === 'EVIDENCE_RECORD_DAMAGED')).toHaveLength(2);
  });
});

describe('an evidence record with a broken chain', () => {
  const cases: readonly (readonly [string, (message: Buffer, first: CraftedStamp) => Buffer])[] = [
    [
      'the renewal is over another time stamp',
      (_, first) => {
        const stranger = stampOver(world, [other('a')]);
        return recordOf(chainOf(first, renewal(world, stranger)));
      },
    ],
    [
      'the renewal is over nothing of its tree',
      (_, first) => recordOf(chainOf(first, renewal(world, first, { root: other('a') }))),
    ],
    [
      'the first time stamp is not over its tree',
      (message) => recordOf(chainOf(stampOver(world, [digestOf('sha256', message)], { root: other('a') }))),
    ],
    [
      'the renewal is with another hash function',
      (_, first) => recordOf(chainOf(first, renewal(world, first, { algorithm: 'sha512' }))),
    ],
    [
      'the renewal is older',
      (_, first) => {
        const before = world.now;
        world.now = date('2026-02-15');
        const old = renewal(world, first);
        world.now = before;
        return recordOf(chainOf(first, old));
      },
    ],
    [
      'the new chain is not over the data',
      (_, first) =>
        recordOf(
          chainOf(first),
          chainOf(stampOver(world, [rehashed('sha512', Buffer.from('x'), [chainOf(first)])], { algorithm: 'sha512' })),
        ),
    ],
    [
      'the new chain is not over the old chain',
      (message, first) =>
        recordOf(chainOf(first), chainOf(stampOver(world, [rehashed('sha512', message, [])], { algorithm: 'sha512' }))),
    ],
    [
      'the new chain is over the data alone',
      (message, first) =>
        recordOf(chainOf(first), chainOf(stampOver(world, [digestOf('sha512', message)], { algorithm: 'sha512' }))),
    ],
  ];

  it('demands a new chain for a renewal with another hash function (RFC 4998 §5.1)', async () => {
    const message = signed();
    const first = stampOver(world, [digestOf('sha256', message)]);
    const record = recordOf(chainOf(first, renewal(world, first, { algorithm: 'sha512' })));
    const { timestamps } = onlySignature(await offline(withRecord(message, record)));
    const sentences = timestamps.flatMap(({ checks }) => checks.map(({ sentence }) => sentence)).join(' ');
    expect(sentences).toContain('renews with another hash function, without a new chain');
  });

  it.each(cases)('proves nothing when %s', async (_, make) => {
    const message = signed();
    const first = stampOver(world, [digestOf('sha256', message)]);
    const report = await offline(withRecord(message, make(message, first)));
    const { timestamps, checks, provenTime } = onlySignature(report);
    const found = timestamps.flatMap((one) => one.checks.map(({ code }) => code));
    expect(new Set(found)).toEqual(new Set(['EVIDENCE_RECORD_CHAIN_BROKEN']));
    expect(checks.map(({ code }) => code)).toContain('EVIDENCE_RECORD_NOT_USED');
    expect(provenTime).toBeUndefined();
  });
});

describe('an evidence record beside a signed file', () => {
  const judge = (
    signature: Buffer,
    records: readonly Buffer[],
    content?: Buffer,
    given: Pick<SignatureInput, 'signature'> = { signature },
  ): Promise<ValidationReport> => validateSignature({ ...given, records, content }, world.services({ offline: true }));
  const over = (...parts: readonly Buffer[]): Buffer =>
    recordOf(
      chainOf(
        stampOver(
          world,
          parts.map((part) => digestOf('sha256', part)),
          { beside: [other('a')] },
        ),
      ),
    );
  const recordCodes = ({ documentTimestamps }: ValidationReport): readonly string[] =>
    documentTimestamps.flatMap(({ checks }) => checks.map(({ code }) => code));

  it('proves the signature behind the end of its certificate', async () => {
    const message = signed();
    const record = over(message);
    world.now = LATER;
    expect(verdict(await offline(message))).toBe('INDETERMINATE OUT_OF_BOUNDS_NOT_REVOKED');
    const report = await judge(message, [record]);
    expect(report).toMatchObject({ kind: 'cms-attached', indication: 'TOTAL-PASSED' });
    expect(onlySignature(report)).toMatchObject({ provenTime: SIGNED_AT, level: 'B-B' });
    expect(report.documentTimestamps).toMatchObject([
      { role: 'evidence-record', time: SIGNED_AT, indication: 'TOTAL-PASSED' },
    ]);
    const inBase64 = Buffer.from(record.toString('base64'));
    expect(verdict(await judge(message, [inBase64]))).toBe('TOTAL-PASSED');
  });

  it('is over a detached signature alone, or with its content', async () => {
    const message = signed(false);
    const [alone, both, without] = [over(message), over(message, CONTENT), over(CONTENT)];
    world.now = LATER;
    expect(verdict(await judge(message, [alone], CONTENT))).toBe('TOTAL-PASSED');
    expect(verdict(await judge(message, [both], CONTENT))).toBe('TOTAL-PASSED');
    expect(recordCodes(await judge(message, [without], CONTENT))).toEqual(['EVIDENCE_RECORD_DATA_WRONG']);
  });

  it('proves what an attribute inside of the signature proves only later', async () => {
    const message = signed();
    const [own, late] = [over(message), date('2026-04-01')];
    world.now = late;
    const inside = withRecord(message, recordOf(chainOf(stampOver(world, [digestOf('sha256', message)]))));
    const report = await judge(inside, [over(inside)]);
    expect(onlySignature(report)).toMatchObject({ indication: 'TOTAL-PASSED', provenTime: late });
    expect(recordCodes(await judge(inside, [own]))).toEqual(['EVIDENCE_RECORD_DATA_WRONG']);
  });

  it.each<[string, (message: Buffer) => Buffer, string]>([
    ['over another file', () => over(Buffer.from('another')), 'EVIDENCE_RECORD_DATA_WRONG'],
    ['over the content alone', () => over(CONTENT), 'EVIDENCE_RECORD_DATA_WRONG'],
    ['that is damaged', () => derSequence(derInteger(1)), 'EVIDENCE_RECORD_DAMAGED'],
    ['that is none', () => Buffer.from('nothing'), 'EVIDENCE_RECORD_DAMAGED'],
    [
      'whose renewal covers nothing',
      (message) => {
        const first = stampOver(world, [digestOf('sha256', message)]);
        return recordOf(chainOf(first, stampOver(world, [other('x')])));
      },
      'EVIDENCE_RECORD_CHAIN_BROKEN',
    ],
  ])('%s is told as broken, and the signature is judged without it', async (_, make, code) => {
    const message = signed();
    const record = make(message);
    world.now = LATER;
    const report = await judge(message, [record]);
    expect(recordCodes(report)).toContain(code);
    // An unreadable record has no time.
    const times = report.documentTimestamps.map(({ time }) => time);
    expect(times.every((time) => (code === 'EVIDENCE_RECORD_DAMAGED' ? time === null : time !== null))).toBe(true);
    expect(verdict(report)).toBe('INDETERMINATE OUT_OF_BOUNDS_NOT_REVOKED');
    expect(codesOf(onlySignature(report))).toContain('EVIDENCE_RECORD_NOT_USED');
    expect(onlySignature(report).provenTime).toBeUndefined();
  });

  it('takes nothing from a signature good without the record', async () => {
    const message = signed();
    const report = await judge(message, [over(Buffer.from('another')), over(message)]);
    expect(report.documentTimestamps.map(({ indication }) => indication)).toEqual(['TOTAL-FAILED', 'TOTAL-PASSED']);
    expect(verdict(report)).toBe('TOTAL-PASSED');
  });

  it('is judged beside signatures only', async () => {
    const record = over(CONTENT);
    const token = tokenOver(world, digestOf('sha256', CONTENT), 'sha256');
    for (const file of [record, token]) {
      await expect(judge(file, [record], CONTENT)).rejects.toMatchObject({ code: 'CMS_UNSUPPORTED' });
    }
  });

  it('proves the signature of a PDF, and reads both from files', async () => {
    const pdf = await craftPdf('ETSI.CAdES.detached', (content) =>
      craftCms(person, { content, attached: false, revocations: [world.crl('issuing'), world.crl('root')] }),
    );
    const folder = await mkdtemp(join(tmpdir(), 'sinete-records-'));
    try {
      const [path, good, bad] = ['a.pdf', 'a.er', 'b.er'].map((name) => join(folder, name)) as [string, string, string];
      await Promise.all([writeFile(path, pdf), writeFile(good, over(pdf)), writeFile(bad, over(pdf.subarray(1)))]);
      world.now = LATER;
      const of = (record: string): Promise<ValidationReport> =>
        validatePdf({ path, records: [{ path: record }] }, world.services({ offline: true }), {}, withPdfFacts);
      expect(verdict(await of(good))).toBe('TOTAL-PASSED');
      expect(onlySignature(await of(good)).provenTime).toEqual(SIGNED_AT);
      expect(verdict(await of(bad))).toBe('INDETERMINATE OUT_OF_BOUNDS_NOT_REVOKED');
      expect(recordCodes(await of(bad))).toEqual(['EVIDENCE_RECORD_DATA_WRONG']);
      await writeFile(path, signed());
      const cms = await judge(pdf, [over(signed())], undefined, { signature: { path } });
      expect(cms.documentTimestamps).toHaveLength(1);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('an evidence record in a file', () => {
  it('of more than 16 MiB is refused unread', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sinete-records-'));
    try {
      const [path, content] = [join(folder, 'long.er'), Buffer.from('content')];
      await writeFile(path, '');
      await truncate(path, 2 ** 24 + 1);
      const signature = craftCms(person, { content, attached: false });
      await expect(
        validateSignature({ signature, content, records: [{ path }] }, world.services({ offline: true })),
      ).rejects.toMatchObject({ code: 'CMS_UNSUPPORTED', message: 'The evidence record is too long to be read.' });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('an evidence record of a file', () => {
  it('is judged over its data', async () => {
    const record = recordOf(chainOf(stampOver(world, [digestOf('sha256', CONTENT)], { beside: [other('a')] })));
    const report = await offline(record, CONTENT);
    expect(report).toMatchObject({ kind: 'evidence-record', indication: 'TOTAL-PASSED', signatures: [] });
    expect(report.documentTimestamps).toMatchObject([{ role: 'evidence-record', time: SIGNED_AT }]);
    expect(report.contentDigest).toBe(digestOf('sha256', CONTENT).toString('hex'));
    expect(verdict(await offline(record, Buffer.from('other')))).toBe('TOTAL-FAILED HASH_FAILURE');
    expect(verdict(await offline(record))).toBe('INDETERMINATE SIGNED_DATA_NOT_FOUND');
  });

  it('without a tree is over its data alone, not over a group and not over other data (RFC 4998 §4.3)', async () => {
    const value = digestOf('sha256', CONTENT);
    const record = readEvidenceRecord(recordOf(chainOf(stampOver(world, [value], { withoutTree: true }))));
    const problemOver = async (...group: readonly Buffer[]): Promise<string | undefined> =>
      (await findRecordProblem(record, () => Promise.resolve([group])))?.kind;
    expect(await problemOver(value)).toBeUndefined();
    expect(await problemOver(other('a'))).toBe('data');
    expect(await problemOver(value, other('a'))).toBe('data');
    expect(await problemOver()).toBe('data');
  });

  it('over encrypted data cannot be judged without the data', async () => {
    const stamp = chainOf(stampOver(world, [other('ciphertext')]));
    const encrypted = derContext(1, derOid('1.2.3'), derNull());
    const record = derSequence(derInteger(1), derSequence(algorithmOf('sha256')), encrypted, derSequence(stamp));
    expect(verdict(await offline(record, CONTENT))).toBe('INDETERMINATE SIGNED_DATA_NOT_FOUND');
  });

  it('is taken for one in base64 too', async () => {
    const record = recordOf(chainOf(stampOver(world, [digestOf('sha256', CONTENT)])));
    const text = Buffer.from(record.toString('base64'));
    expect(verdict(await offline(text, CONTENT))).toBe('TOTAL-PASSED');
  });
});

describe('a damaged evidence record', () => {
  const algorithms = (): Buffer => derSequence(algorithmOf('sha256'));
  const chain = (): Buffer => chainOf(stampOver(world, [digestOf('sha256', CONTENT)]));
  const token = (): Buffer => tokenOver(world, digestOf('sha256', CONTENT), 'sha256');
  const inChain = (...fields: readonly Buffer[]): Buffer => recordOf(derSequence(derSequence(...fields)));
  const list = (...values: readonly Buffer[]): Buffer => derSequence(...values.map((value) => derOctetString(value)));

  const cases: readonly (readonly [RegExp, () => Buffer])[] = [
    [/version is 2/, () => derSequence(derInteger(2), algorithms(), derSequence(chain()))],
    [/the list of hash algorithms is empty/, () => derSequence(derInteger(1), derSequence(), derSequence(chain()))],
    [/sequence of archive time stamp chains is missing/, () => derSequence(derInteger(1), algorithms())],
    [/sequence of archive time stamp chains is empty/, () => derSequence(derInteger(1), algorithms(), derSequence())],
    [/an archive time stamp chain is empty/, () => recordOf(derSequence())],
    [/the time stamp is missing/, () => inChain()],
    [/no time stamp|not a time stamp/, () => inChain(derSequence(derInteger(1)))],
    [/the hash tree is empty/, () => inChain(derContext(2), token())],
    [/a list of hash values is empty/, () => inChain(derContext(2, derSequence()), token())],
    [/a hash value is not one of sha256/, () => inChain(derContext(2, list(Buffer.alloc(20))), token())],
    [/a hash value has tag/, () => inChain(derContext(2, derSequence(derNull())), token())],
    [
      /names sha512, and its time stamp uses sha256/,
      () => inChain(derContext(0, algorithmOf('sha512').subarray(2)), token()),
    ],
    [/names 1\.2\.3/, () => inChain(derContext(0, derOid('1.2.3')), token())],
    [/a field that does not belong there/, () => inChain(token(), derNull())],
    [/the list of attributes is empty/, () => inChain(derContext(1), token())],
    [
      /the values of an attribute has tag/,
      () => inChain(derContext(1, derSequence(derOid('1.2.3'), derNull())), token()),
    ],
    [
      /the evidence record has a field/,
      () => derSequence(derInteger(1), algorithms(), derSequence(chain()), derNull()),
    ],
    [
      /encryption information has no value/,
      () => derSequence(derInteger(1), algorithms(), derContext(1, derOid('1.2.3')), derSequence(chain())),
    ],
    [
      /list of validation data is empty/,
      () => derSequence(derInteger(1), algorithms(), derContext(0), derSequence(chain())),
    ],
    [/more than 64 time stamps/, () => recordOf(...Array.from({ length: 65 }, () => chain()))],
    [/something follows/, () => Buffer.concat([recordOf(chain()), Buffer.of(0)])],
    [
      /hash algorithm has more than two fields/,
      () =>
        derSequence(
          derInteger(1),
          derSequence(derSequence(derOid('1.2.3'), derNull(), derNull())),
          derSequence(chain()),
        ),
    ],
  ];

  it.each(cases)('is refused with %s', (sentence, make) => {
    expect(() => readEvidenceRecord(make())).toThrow(sentence);
  });

  it('in a signature is told with the reason', async () => {
    const report = await offline(withRecord(signed(), derSequence(derInteger(1))));
    const [stamp] = onlySignature(report).timestamps;
    expect(stamp).toMatchObject({
      role: 'evidence-record',
      indication: 'TOTAL-FAILED',
      subIndication: 'FORMAT_FAILURE',
    });
    expect(stamp?.checks).toMatchObject([{ code: 'EVIDENCE_RECORD_DAMAGED' }]);
    expect(stamp?.checks[0]?.sentence).toContain('missing');
  });

  it('of 100 kB of hashes is read', () => {
    const values = Array.from({ length: 3000 }, (_, index) => other(String(index)));
    expect(readEvidenceRecord(inChain(derContext(2, list(...values)), token())).chains).toHaveLength(1);
  });

  it('of more than 100,000 hashes is refused', () => {
    const one = list(...Array.from({ length: 1000 }, () => other('a')));
    const lists = [...Array.from({ length: 100 }, () => one), list(other('a'))];
    expect(() => readEvidenceRecord(inChain(derContext(2, ...lists), token()))).toThrow('more than 100000 hash values');
  });

  it('keeps the data for its validation', () => {
    const info = attributeOf('1.2.3', derNull());
    const record = derSequence(derInteger(1), algorithms(), derElement(0xa0, info), derSequence(chain()));
    expect(readEvidenceRecord(record).infos).toMatchObject([{ oid: '1.2.3' }]);
  });
});
