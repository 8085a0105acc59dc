/** Renewals of evidence records (RFC 4998 §5.2), judged years later with nobody to be asked. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addSigner,
  counterSign,
  raiseCms,
  readDer,
  type TimestampDigest,
  type ValidationReport,
} from '../../../src/signing/index.ts';
import { contextTag } from '../../../src/signing/der/reader.ts';
import {
  extendCmsFile,
  readEvidenceRecord,
  type ExtendCmsFileRequest,
} from '../../../src/signing/evidence-records/index.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { isRecordOver } from '../../oracles/evidence-records.ts';
import { craftCms } from '../validation/craft-cms.ts';
import { chainOf, digestOf, recordOf, stampOver, withRecord } from '../validation/craft-evidence-record.ts';
import { SIGNED_AT, ValidationWorld, date, onlySignature, verdict } from '../validation/validation-world.ts';

const CONTENT = Buffer.from('content');
const RENEWED = date('2027-12-01');
/** The first authority ends in 2028, the second in 2040. */
const TWO_YEARS = date('2028-03-01');
const TEN_YEARS = date('2036-03-01');
const SECOND_END = date('2040-01-01');

let world: ValidationWorld;
let person: TestIdentity;
let folder: string;

const path = (name: string): string => join(folder, name);

beforeEach(async () => {
  world = await ValidationWorld.open({ years: 20 });
  person = await world.person();
  folder = await mkdtemp(join(tmpdir(), 'sinete-record-renewals-'));
  await writeFile(path('content'), CONTENT);
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

interface Options extends Partial<Pick<ExtendCmsFileRequest, 'digest' | 'level' | 'contentPath'>> {
  readonly content?: false;
}

async function renew(bytes: Buffer, { content, ...options }: Options = {}): Promise<Buffer> {
  const [inputPath, outputPath] = [path('old'), path('new')];
  await writeFile(inputPath, bytes);
  await rm(outputPath, { force: true });
  const { timestamper, collector } = world;
  await extendCmsFile({
    inputPath,
    outputPath,
    level: 'B-LTA',
    timestamper,
    collector,
    now: () => world.now,
    ...(content === false ? {} : { contentPath: path('content') }),
    ...options,
  });
  return readFile(outputPath);
}

/** The authority's own material is left to the renewal. */
const firstRecord = (): Buffer =>
  recordOf(chainOf(stampOver(world, [digestOf('sha256', CONTENT)], { withoutLists: true })));

async function beginRenewing(): Promise<void> {
  world.now = RENEWED;
  world.tsa = await world.anotherTsa('2027-06-01', '2040-01-01');
}

const offline = (file: Buffer, content?: Buffer): Promise<ValidationReport> =>
  world.validate(file, { offline: true, content });

/** Stamps in each chain. */
const shapeOf = (record: Buffer): readonly number[] =>
  readEvidenceRecord(record).chains.map(({ stamps }) => stamps.length);

const byCastle = async (record: Buffer, content: string): Promise<boolean> => {
  await writeFile(path('judged.er'), record);
  return isRecordOver(path('judged.er'), path(content));
};

describe('a record in a file of its own', () => {
  it.each<[string, TimestampDigest | undefined, readonly number[]]>([
    ['by a time stamp in the same chain', undefined, [2]],
    ['by a time stamp in the same chain, whose hash function is named', 'sha256', [2]],
    ['by a new chain with a longer hash function', 'sha512', [1, 1]],
    ['by a new chain with SHA-3', 'sha3-256', [1, 1]],
  ])('is renewed %s, and proves its document two and ten years later', async (_, digest, shape) => {
    const old = firstRecord();
    await beginRenewing();
    const renewed = await renew(old, digest === undefined ? {} : { digest });
    expect(shapeOf(renewed)).toEqual(shape);
    for (const at of [TWO_YEARS, TEN_YEARS]) {
      world.now = at;
      const report = await offline(renewed, CONTENT);
      expect(verdict(report)).toBe('TOTAL-PASSED');
      expect(report.documentTimestamps.map(({ time }) => time)).toEqual([SIGNED_AT, RENEWED]);
      expect(report.protection).toMatchObject({ until: SECOND_END, cause: 'certificate' });
      expect(verdict(await offline(old, CONTENT))).not.toBe('TOTAL-PASSED');
      expect(verdict(await offline(renewed, Buffer.from('other')))).toBe('TOTAL-FAILED HASH_FAILURE');
    }
    await writeFile(path('other'), 'other');
    expect(await byCastle(renewed, 'content')).toBe(true);
    expect(await byCastle(renewed, 'other')).toBe(false);
  });

  it('is renewed again and again, and each byte of the older time stamps counts', async () => {
    const old = firstRecord();
    await beginRenewing();
    const once = await renew(old);
    world.now = date('2028-01-01');
    const twice = await renew(once, { digest: 'sha512' });
    world.now = date('2029-01-01');
    const thrice = await renew(twice);
    expect(shapeOf(thrice)).toEqual([2, 2]);
    expect(readEvidenceRecord(thrice).chains[1]?.stamps[1]?.algorithm).toBe('sha512');
    world.now = TEN_YEARS;
    expect(verdict(await offline(thrice, CONTENT))).toBe('TOTAL-PASSED');
    expect(await byCastle(thrice, 'content')).toBe(true);
    const [first] = readEvidenceRecord(thrice).chains[0].stamps;
    const at = thrice.indexOf(first.tokenBytes) + first.tokenBytes.length - 1;
    const tampered = Buffer.from(thrice);
    tampered[at] = (tampered[at] ?? 0) ^ 1;
    expect(verdict(await offline(tampered, CONTENT))).not.toBe('TOTAL-PASSED');
    expect(await byCastle(tampered, 'content')).toBe(false);
  });

  it('of a tree with other documents is renewed for its document', async () => {
    const beside = [digestOf('sha256', Buffer.from('a'))];
    const old = recordOf(chainOf(stampOver(world, [digestOf('sha256', CONTENT)], { beside })));
    await beginRenewing();
    for (const digest of ['sha256', 'sha512'] as const) {
      world.now = RENEWED;
      const renewed = await renew(old, { digest });
      world.now = TEN_YEARS;
      expect(verdict(await offline(renewed, CONTENT))).toBe('TOTAL-PASSED');
      expect(await byCastle(renewed, 'content')).toBe(true);
    }
  });

  it('gets the revocation data of its last authority, and the new time stamp is over it', async () => {
    const listsOf = (record: Buffer): readonly number[] =>
      readEvidenceRecord(record).chains[0].stamps.map(({ tokenBytes }) => {
        const token = readDer(tokenBytes).child(1, 'the signature').child(0, 'SignedData');
        return token.find(contextTag(1))?.children.length ?? 0;
      });
    const old = firstRecord();
    expect(listsOf(old)).toEqual([0]);
    await beginRenewing();
    const renewed = await renew(old);
    expect(listsOf(renewed)).toEqual([2, 2]);
    expect(verdict(await offline(renewed, CONTENT))).toBe('TOTAL-PASSED');
  });

  it('is left alone when it is broken, over other data, or without its document', async () => {
    const old = firstRecord();
    await beginRenewing();
    await expect(renew(old, { content: false })).rejects.toMatchObject({ code: 'CMS_UNSUPPORTED' });
    await writeFile(path('content'), 'other');
    await expect(renew(old)).rejects.toMatchObject({ code: 'SIGNATURE_INVALID' });
    await writeFile(path('content'), CONTENT);
    const stranger = stampOver(world, [digestOf('sha256', Buffer.from('a'))]);
    const broken = recordOf(chainOf(stampOver(world, [digestOf('sha256', CONTENT)]), stranger));
    await expect(renew(broken)).rejects.toMatchObject({ code: 'SIGNATURE_INVALID' });
    await expect(renew(old, { level: 'B-T' })).rejects.toThrow('has no level B-T');
  });
});

describe('a record in an attribute of a signature', () => {
  const signed = (attached: boolean): Buffer =>
    craftCms(person, { content: CONTENT, attached, revocations: [world.crl('issuing'), world.crl('root')] });
  const recorded = (attached: boolean, isExternal: boolean): Buffer => {
    const message = signed(attached);
    const data = [message, ...(isExternal ? [CONTENT] : [])].map((part) => digestOf('sha256', part));
    return withRecord(message, recordOf(chainOf(stampOver(world, data, { withoutLists: true }))), isExternal);
  };

  it.each([
    ['over an attached signature', true, false, 'sha256'],
    ['over a detached signature', false, false, 'sha256'],
    ['over a detached signature', false, false, 'sha512'],
    ['over a detached signature and its document', false, true, 'sha256'],
    ['over a detached signature and its document', false, true, 'sha512'],
  ] as const)('%s is renewed (attached: %s, external: %s, %s)', async (_, attached, isExternal, digest) => {
    const old = recorded(attached, isExternal);
    await beginRenewing();
    const renewed = await renew(old, { digest });
    world.now = TEN_YEARS;
    const content = attached ? undefined : CONTENT;
    const report = await offline(renewed, content);
    expect(verdict(report)).toBe('TOTAL-PASSED');
    expect(onlySignature(report)).toMatchObject({ provenTime: SIGNED_AT, protection: { until: SECOND_END } });
    expect(verdict(await offline(old, content))).not.toBe('TOTAL-PASSED');
    if (!attached) expect(verdict(await offline(renewed, Buffer.from('other')))).not.toBe('TOTAL-PASSED');
  });

  it('is the youngest one, which covers the others', async () => {
    const one = recorded(true, false);
    world.now = date('2026-06-01');
    const two = withRecord(one, recordOf(chainOf(stampOver(world, [digestOf('sha256', one)], { withoutLists: true }))));
    await beginRenewing();
    const renewed = await renew(two);
    world.now = TEN_YEARS;
    const { timestamps } = onlySignature(await offline(renewed));
    expect(timestamps.map(({ time }) => time)).toEqual([SIGNED_AT, date('2026-06-01'), RENEWED]);
    expect(timestamps.map(({ indication }) => indication)).toEqual(timestamps.map(() => 'TOTAL-PASSED'));
  });

  it('protects every signer of the message', async () => {
    const other = world.cms(await world.person());
    const both = await addSigner(signed(true), other, { signingTime: SIGNED_AT });
    const record = recordOf(chainOf(stampOver(world, [digestOf('sha256', both)], { withoutLists: true })));
    const old = withRecord(both, record);
    await beginRenewing();
    const renewed = await renew(old);
    world.now = TEN_YEARS;
    const { signatures } = await offline(renewed);
    expect(signatures.map(({ indication }) => indication)).toEqual(['TOTAL-PASSED', 'TOTAL-PASSED']);
    expect(signatures.map(({ protection }) => protection?.until)).toEqual([SECOND_END, SECOND_END]);
  });

  it('lets nothing else be added to the message', async () => {
    const old = recorded(true, false);
    const signer = world.cms(person);
    const refused = { code: 'CMS_UNSUPPORTED', message: expect.stringContaining('evidence record') as unknown };
    const services = { timestamper: world.timestamper, collector: world.collector, now: () => world.now };
    await expect(raiseCms(old, { level: 'B-T', ...services })).rejects.toMatchObject(refused);
    await expect(renew(old, { level: 'B-LT' })).rejects.toMatchObject(refused);
    await expect(addSigner(old, signer, { signingTime: SIGNED_AT })).rejects.toMatchObject(refused);
    const confirming = { signer: world.signerOf(person), signerIndex: 0, signingTime: SIGNED_AT } as const;
    await expect(counterSign(old, { ...confirming, digest: 'sha256', profile: 'cades' })).rejects.toMatchObject(
      refused,
    );
  });

  it('is not renewed in a signature that does not hold', async () => {
    const old = recorded(false, false);
    await beginRenewing();
    await writeFile(path('content'), 'other');
    await expect(renew(old)).rejects.toMatchObject({ code: 'SIGNATURE_INVALID' });
  });
});
