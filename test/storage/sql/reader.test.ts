import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Storage } from '../../../src/storage/index.ts';
import type { Database } from '../../../src/storage/sql/database-schema.ts';
import { openReader } from '../../../src/storage/sqlite/reader.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { placeMigratedDatabase } from '../migrated-database.ts';

let root: string;
let storage: Storage;
let reader: Database;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'sinete-reader-'));
  const folder = join(root, 'data');
  await placeMigratedDatabase(folder);
  storage = await openStorage(folder);
  reader = openReader(join(folder, 'sinete.db'));
});
afterEach(async () => {
  await reader.destroy();
  await storage.close();
  rmSync(root, { recursive: true });
});

/** A question that runs through a million rows. */
const long = sql<{ sum: number }>`
  with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 1000000)
  select sum(n) as sum from numbers`;

async function turnsDuring(question: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const done = question.finally(() => (isDone = true));
  while (!isDone) {
    await setImmediate();
    turns += 1;
  }
  await done;
  return turns;
}

describe('the reader of the database', () => {
  it('lets the loop of events turn during a long question, as the writing connection does not', async () => {
    await long.execute(reader);
    expect(await turnsDuring(long.execute(storage.database))).toBeLessThanOrEqual(2);
    expect(await turnsDuring(long.execute(reader))).toBeGreaterThan(20);
  });

  it('sees each commit that ended before the question', async () => {
    for (const value of ['one', 'two', 'three']) {
      await storage.settings.write('plain', value);
      const { rows } = await sql<{ value: string }>`select value from settings where key = 'plain'`.execute(reader);
      expect(rows.map((row) => row.value)).toEqual([JSON.stringify(value)]);
    }
  });

  it('gives bytes as buffers', async () => {
    const { rows } = await sql<{ bytes: Buffer }>`select x'0102' as bytes`.execute(reader);
    expect(rows).toEqual([{ bytes: Buffer.of(1, 2) }]);
  });

  it('refuses to write, and to begin a transaction', async () => {
    await expect(sql`delete from settings`.execute(reader)).rejects.toThrow();
    await expect(reader.transaction().execute(async () => Promise.resolve())).rejects.toThrow(/no transactions/);
    await storage.settings.write('plain', 1);
    expect(await storage.settings.read('plain')).toBe(1);
  });

  it('rejects with the code of SQLite, and answers the next question', async () => {
    await expect(sql`select * from nowhere`.execute(reader)).rejects.toMatchObject({ code: 'SQLITE_ERROR' });
    expect((await sql`select 1 as one`.execute(reader)).rows).toEqual([{ one: 1 }]);
  });

  it('rejects the open question when it is closed', async () => {
    await sql`select 1`.execute(reader);
    const failed = expect(long.execute(reader)).rejects.toMatchObject({ code: 'SQLITE_ABORT' });
    // The question leaves for the thread.
    await setImmediate();
    await reader.destroy();
    await failed;
  });
});
