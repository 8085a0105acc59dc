/** One behaviour of the stores of a single instance and of several nodes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  keyOf,
  MemoryShortLivedStore,
  type ShortLivedEntry,
  type ShortLivedLimits,
  type ShortLivedStore,
} from '../../../src/service/short-lived/index.ts';
import { SqlShortLivedStore, type Storage } from '../../../src/storage/index.ts';
import { openTestStorage } from '../../storage/engine.ts';

let folder: string;
let storage: Storage;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-short-lived-'));
  storage = await openTestStorage(folder);
});
afterAll(async () => {
  await storage.close();
  await rm(folder, { recursive: true });
});

const now = new Date('2026-03-01T12:00:00Z');
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const kind = 'pushed-request';
const limits: ShortLivedLimits = { most: 3, mostOfOwner: 2, whenFull: 'refuse' };
const entry = (key: string, owner = 'crm', seconds = 90): ShortLivedEntry => ({
  key,
  owner,
  content: `{"of":"${key}"}`,
  endsAt: later(seconds),
});

describe.each([
  ['memory', () => new MemoryShortLivedStore()],
  ['the database', () => new SqlShortLivedStore(storage.database)],
] as const)('short-lived entries in %s', (_name, open) => {
  let store: ShortLivedStore;
  beforeEach(async () => {
    await storage.database.deleteFrom('short_lived').execute();
    store = open();
  });

  it('are found until their end, by their kind', async () => {
    expect(await store.add(kind, entry('a'), limits, now)).toBe(true);
    expect(await store.find(kind, 'a', later(89))).toEqual(entry('a'));
    expect(await store.find('enrolment', 'a', now)).toBeUndefined();
    expect(await store.find(kind, 'a', later(90))).toBeUndefined();
    expect(await store.take(kind, 'a', later(90))).toBeUndefined();
  });

  it('are refused beyond the limits of an owner and of all', async () => {
    const added = [];
    for (const [key, owner] of [['a'], ['b'], ['c'], ['d', 'portal'], ['e', 'other']] as const) {
      added.push(await store.add(kind, entry(key, owner), limits, now));
    }
    expect(added).toEqual([true, true, false, true, false]);
    expect(await store.add(kind, entry('f', 'crm', 300), limits, later(90))).toBe(true);
  });

  it('make room where the oldest is dropped', async () => {
    const dropping: ShortLivedLimits = { most: 2, whenFull: 'drop-oldest' };
    for (const [index, key] of ['a', 'b', 'c'].entries()) {
      await store.add(kind, entry(key, 'crm', 90 + index), dropping, now);
    }
    expect((await store.list(kind, now)).map(({ key }) => key)).toEqual(['b', 'c']);
  });

  it('are changed by one caller at a time, and taken by one', async () => {
    await store.add(kind, { ...entry('a'), content: '0' }, limits, now);
    const counts = Array.from({ length: 10 }, async () =>
      store.change(kind, 'a', now, (content) => String(Number(content) + 1)),
    );
    expect(await Promise.all(counts)).toEqual(Array.from({ length: 10 }, () => true));
    expect((await store.find(kind, 'a', now))?.content).toBe('10');
    expect(await store.change(kind, 'a', now, () => undefined)).toBe(false);
    const taken = await Promise.all([store.take(kind, 'a', now), store.take(kind, 'a', now)]);
    expect(taken.filter((one) => one !== undefined)).toHaveLength(1);
    expect(await store.change(kind, 'a', now, () => 'b')).toBe(false);
  });

  it('are removed by a change to nothing', async () => {
    await store.add(kind, entry('a'), limits, now);
    expect(await store.change(kind, 'a', now, () => null)).toBe(true);
    expect(await store.list(kind, now)).toEqual([]);
  });
});

it('keeps no id in the database that opens an entry', () => {
  expect(keyOf('an id')).toMatch(/^[0-9a-f]{64}$/);
});
