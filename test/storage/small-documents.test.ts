import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Storage } from '../../src/storage/index.ts';
import { itNeeding } from '../setup/needs.ts';
import { openTestStorage } from './engine.ts';

const key = (number: number): string => number.toString(16).padStart(32, '0');

let root: string;
let storage: Storage;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'sinete-small-'));
  storage = await openTestStorage(join(root, 'data'));
});
afterEach(async () => {
  await storage.close();
  rmSync(root, { recursive: true });
});

describe('SqlSmallDocumentStore', () => {
  it('gives back its documents, empty and with every byte, until removed', async () => {
    const { smallDocuments } = storage;
    const contents = [Buffer.alloc(0), Buffer.from([...Array(256).keys()]), randomBytes(64 * 1024)];
    await smallDocuments.keepOriginals(contents.map((bytes, number) => ({ key: key(number), bytes })));
    for (const [number, bytes] of contents.entries()) {
      expect(await smallDocuments.original(key(number))).toEqual(bytes);
    }
    await smallDocuments.removeOriginals([key(0), key(1), key(9)]);
    expect(await smallDocuments.original(key(0))).toBeUndefined();
    expect(await smallDocuments.original(key(2))).toEqual(contents[2]);
  });

  it('keeps all or none', async () => {
    const { smallDocuments } = storage;
    const originals = [1, 2, 1].map((number) => ({ key: key(number), bytes: Buffer.of(number) }));
    await expect(smallDocuments.keepOriginals(originals)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(await smallDocuments.original(key(2))).toBeUndefined();
  });

  it('removes documents without a row', async () => {
    await storage.smallDocuments.keepOriginals([{ key: key(1), bytes: Buffer.of(1) }]);
    expect(await storage.smallDocuments.removeUnneeded()).toBe(1);
    expect(await storage.smallDocuments.removeUnneeded()).toBe(0);
  });

  itNeeding('SQLite')('overwrites removed documents', async () => {
    const bytes = randomBytes(90_000);
    const pieces = Array.from({ length: 900 }, (_, index) => bytes.subarray(index * 100, index * 100 + 20));
    const found = async (): Promise<number> => {
      await storage.close();
      const database = readFileSync(join(root, 'data', 'sinete.db'));
      storage = await openTestStorage(join(root, 'data'));
      return pieces.filter((piece) => database.includes(piece)).length;
    };
    await storage.smallDocuments.keepOriginals([{ key: key(1), bytes }]);
    expect(await found()).toBeGreaterThan(850);
    await storage.smallDocuments.removeOriginals([key(1)]);
    expect(await found()).toBe(0);
  });
});

describe('statements prepared once', () => {
  it('survive changes of the tables and more texts than are kept', async () => {
    const { database, settings } = storage;
    await settings.write('a', 1);
    await sql`alter table settings add column extra text`.execute(database);
    for (let number = 0; number < 300; number++) {
      const { rows } = await sql<{ n: number }>`select ${sql.lit(number)} as n`.execute(database);
      expect(rows).toEqual([{ n: number }]);
    }
    expect(await settings.read('a')).toBe(1);
  });
});
