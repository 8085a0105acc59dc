import SqliteDatabase from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  hashAuditRow,
  verifyAudit,
  type AuditEvent,
  type AuditRow,
  type AuditVerdict,
} from '../../../src/service/audit/index.ts';
import { openStorage, SqlAuditLog } from '../../../src/storage/index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-audit-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const event = (n: number): AuditEvent => ({
  kind: 'trust-changed',
  subject: `root:${n}`,
  detail: { b: n, a: ['x', null] },
});
const rows = 12;

async function withLog<Result>(action: (log: SqlAuditLog) => Promise<Result>): Promise<Result> {
  const storage = await openStorage(folder);
  try {
    return await action(new SqlAuditLog(storage.database));
  } finally {
    await storage.close();
  }
}

async function fill(): Promise<void> {
  await withLog(async (log) => {
    for (let n = 1; n <= rows; n++) await log.append([event(n)], new Date(1_000 * n));
  });
}

/** Changes the database like a holder of its file, triggers and all. */
function tamper(...statements: readonly string[]): void {
  const database = new SqliteDatabase(join(folder, 'sinete.db'));
  for (const name of ['audit_log_no_update', 'audit_log_no_delete']) database.exec(`drop trigger if exists ${name}`);
  for (const statement of statements) database.exec(statement);
  database.close();
}

const verify = async (): Promise<AuditVerdict> => withLog(async (log) => verifyAudit(log, null));

describe('the audit log', () => {
  it('is intact when empty, and with rows added singly and together', async () => {
    expect(await verify()).toMatchObject({ state: 'intact', rows: 0, head: '0'.repeat(64) });
    await fill();
    await withLog(async (log) => log.append([event(13), event(14)], new Date(0)));
    expect(await verify()).toMatchObject({ state: 'intact', rows: rows + 2 });
  });

  it('writes a detail in a single way', async () => {
    await fill();
    const [row] = await withLog(async (log) => log.page({ after: 0, limit: 1 }));
    expect(row?.detail).toBe('{"a":["x",null],"b":1}');
  });

  it.each(['update audit_log set at = 0', 'delete from audit_log'])(
    'refuses from our own code: %s',
    async (statement) => {
      await fill();
      const database = new SqliteDatabase(join(folder, 'sinete.db'));
      expect(() => database.exec(statement)).toThrow('never changed');
      database.close();
    },
  );

  it.each([
    ['a changed time', ['update audit_log set at = at + 1 where sequence = 5'], 5, 'ROW_CHANGED'],
    ['a changed kind', ["update audit_log set kind = 'backup-made' where sequence = 5"], 5, 'ROW_CHANGED'],
    ['a changed subject', ['update audit_log set subject = null where sequence = 1'], 1, 'ROW_CHANGED'],
    ['a changed detail', ["update audit_log set detail = '{}' where sequence = 12"], 12, 'ROW_CHANGED'],
    ['a row removed from the middle', ['delete from audit_log where sequence = 7'], 7, 'ROW_MISSING'],
    ['the first row removed', ['delete from audit_log where sequence = 1'], 1, 'ROW_MISSING'],
    ['the last row removed', ['delete from audit_log where sequence = 12'], 12, 'END_MISSING'],
    ['the last five removed', ['delete from audit_log where sequence > 7'], 8, 'END_MISSING'],
    ['everything removed', ['delete from audit_log'], 1, 'END_MISSING'],
    ['the head removed', ['delete from audit_head'], 12, 'HEAD_CHANGED'],
    ['a head of another row', ["update audit_head set hash = 'x'"], 12, 'HEAD_CHANGED'],
    [
      'two rows swapped',
      [
        'update audit_log set sequence = 99 where sequence = 4',
        'update audit_log set sequence = 4 where sequence = 5',
        'update audit_log set sequence = 5 where sequence = 99',
      ],
      4,
      'CHAIN_BROKEN',
    ],
    [
      'the numbers closed up after a removal',
      ['delete from audit_log where sequence = 3', 'update audit_log set sequence = sequence - 1 where sequence > 3'],
      3,
      'CHAIN_BROKEN',
    ],
  ])('names the first unfitting row: %s', async (_what, statements, row, reason) => {
    await fill();
    tamper(...statements);
    expect(await verify()).toEqual({ state: 'broken', row, reason, mark: null });
  });

  it('finds a chain made anew from some row on by its sealed mark only', async () => {
    await fill();
    const mark = await withLog(async (log) => log.head());
    const all = await withLog(async (log) => log.page({ after: 0, limit: 100 }));
    tamper(...madeAnew(all, 6));
    expect(await verify()).toMatchObject({ state: 'intact' });
    expect(await withLog(async (log) => verifyAudit(log, mark))).toMatchObject({
      state: 'broken',
      row: 12,
      reason: 'HISTORY_REPLACED',
    });
  });

  it('finds an end cut off together with its head by the sealed mark', async () => {
    await fill();
    const mark = await withLog(async (log) => log.head());
    const [ninth] = await withLog(async (log) => log.page({ after: 8, limit: 1 }));
    tamper(
      'delete from audit_log where sequence > 9',
      `update audit_head set sequence = 9, hash = '${ninth?.hash ?? ''}'`,
    );
    expect(await withLog(async (log) => verifyAudit(log, mark))).toMatchObject({ row: 10, reason: 'END_MISSING' });
  });

  it('finds any single byte changed in any column of any row', async () => {
    await fill();
    const all = await withLog(async (log) => log.page({ after: 0, limit: 100 }));
    await fc.assert(
      fc.asyncProperty(
        fc.nat(rows - 1),
        fc.constantFrom<keyof AuditRow>('kind', 'subject', 'detail', 'previous', 'hash'),
        fc.nat(1000),
        async (index, column, place) => {
          const verdict = await verifyAudit(
            inMemory(all.map((row, n) => (n === index ? altered(row, column, place) : row))),
            null,
          );
          expect(verdict).toMatchObject({ state: 'broken' });
          expect('row' in verdict && [index + 1, index + 2].includes(verdict.row)).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('reads pages from both ends, and pages of a single subject', async () => {
    await fill();
    await withLog(async (log) => {
      expect((await log.page({ limit: 2 })).map(({ sequence }) => sequence)).toEqual([12, 11]);
      expect((await log.page({ before: 11, limit: 2 })).map(({ sequence }) => sequence)).toEqual([10, 9]);
      expect((await log.page({ after: 2, limit: 2 })).map(({ sequence }) => sequence)).toEqual([3, 4]);
      expect((await log.page({ subject: 'root:7', limit: 9 })).map(({ sequence }) => sequence)).toEqual([7]);
    });
  });
});

function altered(row: AuditRow, column: keyof AuditRow, place: number): AuditRow {
  const text = String(row[column]);
  const at = place % text.length;
  return { ...row, [column]: `${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}` };
}

function inMemory(all: readonly AuditRow[]): Pick<SqlAuditLog, 'head' | 'page' | 'append'> {
  const last = all.at(-1);
  return {
    append: async () => Promise.resolve(),
    head: async () => Promise.resolve({ sequence: last?.sequence ?? 0, hash: last?.hash ?? '' }),
    page: async ({ after = 0, limit }) => Promise.resolve(all.filter((row) => row.sequence > after).slice(0, limit)),
  };
}

/** A chain fitting together; row `from` and all later rows say something else. */
function madeAnew(all: readonly AuditRow[], from: number): readonly string[] {
  let previous = all[from - 2]?.hash ?? '';
  const statements = all.slice(from - 1).map((row) => {
    const changed = { ...row, detail: '{"other":1}', previous };
    previous = hashAuditRow(changed);
    return `update audit_log set detail = '${changed.detail}', previous = '${changed.previous}', hash = '${previous}' where sequence = ${row.sequence}`;
  });
  return [...statements, `update audit_head set hash = '${previous}'`];
}
