import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { Kysely, SqliteDialect, sql, type CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HistoryFilter } from '../../../src/service/transactions/index.ts';
import type { Storage } from '../../../src/storage/index.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { SqlAuditLog } from '../../../src/storage/sql/stores/audit-log.ts';
import type { Database, Tables } from '../../../src/storage/sql/database-schema.ts';
import { SqlHistoryStore } from '../../../src/storage/sql/stores/sql-history-store.ts';
import { SqlTransactionStore } from '../../../src/storage/sql/stores/sql-transaction-store.ts';
import { openTransaction } from '../../service/transactions/intake/intake-world.ts';
import { placeMigratedDatabase } from '../migrated-database.ts';

/** Documents of the history: more than a search begins with, of the frequent status. */
const DOCUMENTS = 2400;

let root: string;
let storage: Storage;
let recorded: CompiledQuery[];
let connection: SqliteDatabase.Database;
let database: Database;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'sinete-plans-'));
  const folder = join(root, 'data');
  await placeMigratedDatabase(folder);
  storage = await openStorage(folder);
  const transaction = openTransaction({ tcn: 'tcn-0', uploadOpen: false, waitingFor: null, finishedAt: new Date(0) });
  await storage.transactions.insert({ transaction, documents: [] });
  await copyRows();
  connection = new SqliteDatabase(join(folder, 'sinete.db'), { readonly: true });
  recorded = [];
  database = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: connection }),
    log: ({ query }) => void recorded.push(query),
  });
});
afterAll(async () => {
  await database.destroy();
  await storage.close();
  rmSync(root, { recursive: true });
});

/** Copies the transaction, each with a document: all of them signed but four. */
async function copyRows(): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info('transactions')`.execute(
    storage.database,
  );
  const others = rows.map(({ name }) => name).filter((name) => !['tcn', 'created_at'].includes(name));
  const list = sql.join(others.map((name) => sql.ref(name)));
  const numbers = sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${DOCUMENTS})`;
  await sql`${numbers} insert into transactions (tcn, created_at, ${list})
    select 'tcn-' || n, n, ${list} from transactions, numbers where tcn = 'tcn-0'`.execute(storage.database);
  await sql`${numbers} insert into documents
      (key, tcn, position, id, status, original_file_name, result_checksum, result_size, error_code)
    select printf('%032d', n), 'tcn-' || n, 0, '0', iif(n % 600 = 0, 'ERROR', 'SIGNED'), 'Contrato ' || n || '.pdf',
      iif(n % 600 = 0, null, 'abcdef'), iif(n % 600 = 0, null, 1), iif(n % 600 = 0, 'KEY_UNAVAILABLE', null)
    from numbers`.execute(storage.database);
  const event = { kind: 'master-key-moved', subject: null, detail: {} } as const;
  await new SqlAuditLog(storage.database).append([event], new Date(0));
}

interface Step {
  readonly detail: string;
}

/** The plan of each question that an action asked; `clause`: of those with this clause alone. */
async function plansOf(action: () => Promise<unknown>, clause = 'select'): Promise<Plans> {
  recorded.length = 0;
  await action();
  const questions = recorded.filter(({ sql: text }) => text.startsWith('select') && text.includes(clause));
  expect(questions).not.toEqual([]);
  return questions.map(({ sql: text, parameters }) =>
    connection
      .prepare<unknown[], Step>(`explain query plan ${text}`)
      .all(...parameters)
      .map(({ detail }) => detail),
  );
}

// The audit log is read in the order of its own keys.
const growing = 'transactions|documents|history_entries|notifications|result_blocks|small_results';
/** A step that reads a growing table from end to end, and not only an index that holds all that is asked for. */
const whole = new RegExp(
  String.raw`^SCAN (${growing})(?! USING COVERING INDEX)(?! USING INDEX (transactions_by_creation|documents_pending))`,
);
/** A step that reads all documents of a status, which most documents share. */
const byStatus = /^SEARCH (documents|hidden) USING INDEX documents_by_status/;

type Plans = readonly (readonly string[])[];

/** The plans that read all documents of a status for each of many transactions. */
const looping = (plans: Plans): Plans =>
  plans.filter((plan) => {
    const transactions = plan.findIndex((step) => /^(SCAN|SEARCH) transactions/.test(step));
    return transactions !== -1 && plan.slice(transactions).some((step) => byStatus.test(step));
  });

const page = { offset: 0, limit: 50 };
const filters: readonly HistoryFilter[] = [
  {},
  { status: 'SIGNED' },
  { status: 'ERROR' },
  { status: 'WAITING' },
  { status: 'SIGNED', type: 'PAdES' },
  { status: 'SIGNED', from: new Date(5), before: new Date(9) },
  { status: 'SIGNED', text: 'Contrato 7.pdf' },
];

describe('the plan of each statement of a long history', () => {
  it.each(filters)('finds a page of documents from the newest one on, or from a rare status on: %o', async (filter) => {
    const store = new SqlHistoryStore(database);
    const [plan = []] = await plansOf(async () => store.findDocuments(filter, page), 'order by');
    expect(plan.filter((step) => whole.test(step))).toEqual([]);
    expect(looping(await plansOf(async () => store.findDocuments(filter, page)))).toEqual([]);
  });

  it('counts the documents of a frequent status in an index', async () => {
    const store = new SqlHistoryStore(database);
    const [plan = []] = await plansOf(async () => store.findDocuments({ status: 'SIGNED' }, page), ') - (');
    expect(plan).toContain('SEARCH documents USING COVERING INDEX documents_by_status (status=?)');
    expect(plan.filter((step) => byStatus.test(step))).toEqual([]);
  });

  it.each(filters)('counts documents by day without a loop over a status: %o', async (filter) => {
    const store = new SqlHistoryStore(database);
    expect(looping(await plansOf(async () => store.countByDay(filter, 0)))).toEqual([]);
  });

  it('begins with the documents of a rare status', async () => {
    const store = new SqlHistoryStore(database);
    const plans = await plansOf(async () => store.findDocuments({ status: 'ERROR' }, page));
    const joined = plans.filter((plan) => plan.some((step) => step.includes('SEARCH transactions')));
    expect(joined.some(([first]) => first !== undefined && byStatus.test(first))).toBe(true);
    const { documents, total } = await store.findDocuments({ status: 'ERROR' }, page);
    expect([total, documents.map(({ document }) => document.tcn)]).toEqual([
      4,
      ['tcn-2400', 'tcn-1800', 'tcn-1200', 'tcn-600'],
    ]);
  });

  const store = (): SqlTransactionStore => new SqlTransactionStore(database);
  const lists: Readonly<Record<string, () => Promise<unknown>>> = {
    'the results that are checked in the background': async () => store().keptResults('', 50),
    'the results whose time is over': async () => store().expiredResults(new Date(0), 50),
    'the documents that wait for evidence': async () => store().pendingEvidence(50),
    'the newest transactions': async () => store().recent(10),
    'the newest creation': async () => store().newestCreation(),
    'a part of the audit log': async () => new SqlAuditLog(database).page({ after: 0, limit: 1000 }),
    'the newest part of the audit log': async () => new SqlAuditLog(database).page({ limit: 50 }),
  };
  it.each(Object.keys(lists))('finds a page by an index, and sorts no more than the page: %s', async (name) => {
    const steps = (await plansOf(async () => lists[name]?.())).flat();
    expect(steps.filter((step) => whole.test(step) || byStatus.test(step))).toEqual([]);
    expect(steps.filter((step) => step === 'USE TEMP B-TREE FOR ORDER BY')).toEqual([]);
  });

  it('finds the files that a start needs by the keys of the files that are there', async () => {
    const plans = await plansOf(async () => store().neededFiles(['0'.repeat(32)]));
    expect(plans).toEqual([['SEARCH documents USING INDEX sqlite_autoindex_documents_1 (key=?)']]);
  });

  it.each([
    ['open uploads', async () => store().list({ kind: 'uploads-before', time: new Date() }), 'transactions_unfinished'],
    ['interrupted insertions', async () => store().removeIncomplete(new Date()), 'transactions_incomplete'],
  ] as const)(
    'finds old %s by an index of these alone, although most transactions are old',
    async (_kind, ask, index) => {
      const [first = ''] = (await plansOf(ask)).flat();
      expect(first).toContain(`SEARCH transactions USING INDEX ${index} `);
    },
  );

  it('counts the documents by status in an index', async () => {
    const steps = (await plansOf(async () => store().countByStatus())).flat();
    expect(steps).toContain('SCAN documents USING COVERING INDEX documents_by_status');
    expect(steps.filter((step) => byStatus.test(step))).toEqual([]);
    expect(steps.filter((step) => whole.test(step))).toEqual([]);
    expect(await store().countByStatus()).toEqual({ WAITING: 0, SIGNED: 2396, ERROR: 4 });
  });
});
