import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MarkWriter, readMark, resetMark, type MarkContent } from '../../src/storage/mark/mark-file.ts';
import { arm, installFaults } from '../anomalies/faults.ts';
import { openTransaction } from '../service/transactions/intake/intake-world.ts';
import { itNeeding } from '../setup/needs.ts';
import { openTestStorage } from './engine.ts';

const content: MarkContent = { generation: 'g', sequence: 1, hash: 'h', transactions: 1, documents: 1, signed: 1 };
let folder: string;
let path: string;

beforeEach(async () => {
  await installFaults();
  folder = mkdtempSync(join(tmpdir(), 'sinete-mark-'));
  path = join(folder, 'sinete.mark');
  resetMark(path, content);
});
afterEach(() => rmSync(folder, { recursive: true }));

it.each(['write', 'flush'] as const)('a mark is written again after a failed %s', async (kind) => {
  const writer = await MarkWriter.open(path);
  const disarm = arm({ kind, n: 1, lasting: false, folder });
  await expect(writer.write({ ...content, sequence: 2 })).rejects.toThrow('EIO');
  expect(disarm()).toBeDefined();
  await writer.write({ ...content, sequence: 3 });
  await writer.close();
  expect(readMark(path)?.sequence).toBe(3);
});

itNeeding('SQLite').each([
  { place: 'the data folder', besideKey: false, flushed: 'data' },
  { place: 'the folder of the key', besideKey: true, flushed: 'keys' },
])('each commit waits for the flush of the mark in $place', async ({ besideKey, flushed }) => {
  const [data, keys] = [join(folder, 'data'), join(folder, 'keys')];
  const storage = await openTestStorage(data, besideKey ? { besideKey: join(keys, 'one.mark') } : {});
  try {
    for (const [number, place] of ['data', 'keys'].entries()) {
      const disarm = arm({ kind: 'flush', n: 1, lasting: true, folder: join(folder, place) });
      await storage.transactions.insert({ transaction: openTransaction({ tcn: `tcn-${number}` }), documents: [] });
      disarm();
      expect(storage.mark.failure !== undefined, place).toBe(place === flushed);
    }
    for (const path of [join(data, 'sinete.mark'), ...(besideKey ? [join(keys, 'one.mark')] : [])]) {
      expect(readMark(path)?.transactions).toBe(2);
    }
  } finally {
    await storage.close();
  }
});
