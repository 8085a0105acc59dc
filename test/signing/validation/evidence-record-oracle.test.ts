/** Bouncy Castle makes evidence records judged here, and judges evidence records made here (RFC 4998). */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DIGEST_OIDS } from '../../../src/signing/algorithms/algorithms.ts';
import { answerTimestampRequest } from '../../../src/test-authority/index.ts';
import { isRecordOver, makeWithBouncyCastle } from '../../oracles/evidence-records.ts';
import { chainOf, digestOf, recordOf, rehashed, renewal, stampOver } from './craft-evidence-record.ts';
import { SIGNED_AT, ValidationWorld, date, verdict } from './validation-world.ts';

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'] as const;

let folder = '';
let world: ValidationWorld;
const path = (name: string): string => join(folder, name);
const dataOf = (name: string): Buffer => Buffer.from(`the document ${name}`);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-records-'));
  world = await ValidationWorld.open({ years: 20 });
  await Promise.all(NAMES.map((name) => writeFile(path(name), dataOf(name))));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Asks Bouncy Castle for a request, answers it as the authority, and asks again with the response. */
async function exchange(ask: (response: string) => Promise<readonly Buffer[]>): Promise<readonly Buffer[]> {
  const [request = Buffer.alloc(0)] = await ask('-');
  await writeFile(path('response'), answerTimestampRequest(world.tsa, request, { now: world.now }));
  return ask(path('response'));
}

const make = (...names: readonly string[]): Promise<readonly Buffer[]> =>
  exchange((response) => makeWithBouncyCastle('make', DIGEST_OIDS.sha256, response, ...names));

async function renew(record: Buffer): Promise<Buffer> {
  await writeFile(path('old.er'), record);
  const [renewed = Buffer.alloc(0)] = await exchange((response) =>
    makeWithBouncyCastle('renew', path('old.er'), response),
  );
  return renewed;
}

async function rehash(record: Buffer, name: string): Promise<Buffer> {
  await writeFile(path('old.er'), record);
  const [renewed = Buffer.alloc(0)] = await exchange((response) =>
    makeWithBouncyCastle('rehash', DIGEST_OIDS.sha512, path('old.er'), response, name),
  );
  return renewed;
}

const judge = async (record: Buffer, content: Buffer): Promise<string> =>
  verdict(await world.validate(record, { content }));

describe('an evidence record of Bouncy Castle', () => {
  it.each([1, 2, 3, 5, 7])('over %i documents is right for each of them, and for no other', async (count) => {
    world.now = SIGNED_AT;
    const names = NAMES.slice(0, count);
    const records = await make(...names.map(path));
    expect(records).toHaveLength(count);
    for (const name of names) {
      const verdicts = await Promise.all(records.map((record) => judge(record, dataOf(name))));
      expect(verdicts.filter((one) => one === 'TOTAL-PASSED')).toHaveLength(1);
      expect(verdicts.filter((one) => one === 'TOTAL-FAILED HASH_FAILURE')).toHaveLength(count - 1);
    }
  });

  it('over a group is right for each document of the group', async () => {
    world.now = SIGNED_AT;
    const records = await make([path('one'), path('two')].join(','), path('three'));
    for (const name of ['one', 'two', 'three']) {
      const verdicts = await Promise.all(records.map((record) => judge(record, dataOf(name))));
      expect(verdicts).toContain('TOTAL-PASSED');
    }
  });

  it('is right when it was renewed, with the same and with another hash function', async () => {
    world.now = SIGNED_AT;
    const records = await make(path('one'), path('two'), path('three'));
    const verdicts = await Promise.all(records.map((record) => judge(record, dataOf('two'))));
    const record = records[verdicts.indexOf('TOTAL-PASSED')] ?? Buffer.alloc(0);
    world.now = date('2026-05-01');
    const renewed = await renew(record);
    world.now = date('2026-06-01');
    const again = await rehash(renewed, path('two'));
    world.now = date('2026-07-01');
    const last = await renew(again);
    for (const [one, count] of [
      [renewed, 2],
      [again, 3],
      [last, 4],
    ] as const) {
      const report = await world.validate(one, { content: dataOf('two') });
      expect(verdict(report)).toBe('TOTAL-PASSED');
      expect(report.documentTimestamps).toHaveLength(count);
      expect(await judge(one, dataOf('three'))).toBe('TOTAL-FAILED HASH_FAILURE');
    }
  });
});

describe('an evidence record made by the tests', () => {
  it('is right for Bouncy Castle, renewed or not, and for no other document', async () => {
    world.now = SIGNED_AT;
    const data = await readFile(path('one'));
    const first = stampOver(world, [digestOf('sha256', data)], {
      beside: [digestOf('sha256', Buffer.from('a'))],
      above: [[digestOf('sha256', Buffer.from('b'))]],
      names: 'sha256',
    });
    const second = renewal(world, first, { names: 'sha256' });
    const chain = chainOf(first, second);
    const third = stampOver(world, [rehashed('sha512', data, [chain])], { algorithm: 'sha512', names: 'sha512' });
    for (const record of [recordOf(chainOf(first)), recordOf(chain), recordOf(chain, chainOf(third))]) {
      await writeFile(path('made.er'), record);
      expect(await isRecordOver(path('made.er'), path('one'))).toBe(true);
      expect(await isRecordOver(path('made.er'), path('two'))).toBe(false);
      expect(await judge(record, data)).toBe('TOTAL-PASSED');
    }
  });
});
