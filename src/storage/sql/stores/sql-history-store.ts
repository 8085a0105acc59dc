import {
  expressionBuilder,
  sql,
  type Expression,
  type ExpressionBuilder,
  type SelectQueryBuilder,
  type SqlBool,
} from 'kysely';
import type {
  DocumentStatus,
  HistoryDay,
  HistoryDays,
  HistoryFilter,
  HistoryPage,
  HistoryStore,
  StoredDocument,
  StoredTransaction,
} from '../../../service/transactions/index.ts';
import type { Signer } from '../../../service/certificates/index.ts';
import type { Database, Tables } from '../database-schema.ts';
import { readNotificationStates } from '../rows/notification-rows.ts';
import { storing } from '../../service-failure.ts';
import { canMatch, contains, documentMatches, typedWords } from '../history/document-conditions.ts';
import { HistoryIndex } from '../history/history-index.ts';
import { noteSigner, readSigners } from '../signers/signer-rows.ts';
import { hasStatus } from './transaction-lists.ts';
import { isComplete } from '../rows/incomplete-transactions.ts';
import { fromDocumentRow } from '../columns/documents.ts';
import { fromTransactionRow } from '../columns/transactions.ts';
import { joinRows, readDocuments } from '../rows/document-rows.ts';

const millisecondsPerDay = 86_400_000;
/** Largest number of transactions that is looked up by the index; more frequent words are searched row by row. */
const FEW_TRANSACTIONS = 2000;
/** Largest number of documents of a status that a search reads before their transactions. */
const FEW_DOCUMENTS = 2000;
/** Largest number of documents that a search for text counts: counting all documents of a frequent word reads each. */
const MOST_COUNTED = 10_000;

/** Searches the past transactions in the instance's own database. */
export class SqlHistoryStore implements HistoryStore {
  readonly #database: Database;
  readonly #reader: Database;
  readonly #index: HistoryIndex;
  readonly #mostCounted: number;

  /**
   * @param reader answers searches, which take long in a large history; absent: `database`
   * @param mostCounted largest number of documents that a search for text counts
   */
  constructor(
    database: Database,
    {
      reader = database,
      mostCounted = MOST_COUNTED,
    }: { readonly reader?: Database; readonly mostCounted?: number } = {},
  ) {
    this.#database = database;
    this.#reader = reader;
    this.#mostCounted = mostCounted;
    this.#index = new HistoryIndex(database);
  }

  /** Updates the index of words. Without it searches are correct, but slower. */
  async fillIndex(): Promise<void> {
    await storing(() => this.#index.fill());
  }

  /** Ends the work on the index. */
  async close(): Promise<void> {
    await this.#index.stop();
  }

  async find(
    filter: HistoryFilter,
    { offset, limit }: HistoryPage,
  ): Promise<{ readonly total: number; readonly transactions: readonly StoredTransaction[] }> {
    return storing(async () => {
      const wanted = this.#reader
        .selectFrom('transactions')
        .where(isComplete)
        .where((where) => matches(where, filter));
      const { total } = await wanted.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow();
      const rows = await wanted
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('tcn')
        .limit(limit)
        .offset(offset)
        .execute();
      const tcns = rows.map(({ tcn }) => tcn);
      const documents = await readDocuments(this.#reader, tcns);
      const notified = rows.filter(({ callback }) => callback !== null).map(({ tcn }) => tcn);
      const notifications = await readNotificationStates(this.#reader, notified);
      return { total: Number(total), transactions: joinRows(rows, documents, notifications) };
    });
  }

  async findDocuments(
    filter: HistoryFilter,
    { offset, limit }: HistoryPage,
  ): Promise<{ readonly total: number; readonly more: boolean; readonly documents: readonly StoredDocument[] }> {
    return storing(async () => {
      const wanted = await this.#matching(filter);
      // Indexing runs in the background; the next search can use the result.
      this.#index.fill().catch(() => undefined);
      const most = this.#mostOf(filter);
      const found = await this.#count(filter, wanted, most);
      const total = Math.min(found, most ?? found);
      const places = await wanted
        .select(['documents.key', 'documents.tcn'])
        .orderBy('transactions.created_at', 'desc')
        .orderBy('transactions.tcn')
        .orderBy('documents.position')
        .limit(limit)
        .offset(offset)
        .execute();
      if (places.length === 0) return { total, more: found > total, documents: [] };
      const keys = places.map(({ key }) => key);
      const tcns = [...new Set(places.map(({ tcn }) => tcn))];
      const [documents, transactions, batches] = await Promise.all([
        this.#reader.selectFrom('documents').selectAll().where('key', 'in', keys).execute(),
        this.#reader.selectFrom('transactions').selectAll().where('tcn', 'in', tcns).execute(),
        this.#reader
          .selectFrom('documents')
          .select(['tcn', ({ fn }) => fn.countAll().as('count')])
          .where('tcn', 'in', tcns)
          .groupBy('tcn')
          .execute(),
      ]);
      const byKey = new Map(documents.map((row) => [row.key, fromDocumentRow(row)]));
      const byTcn = new Map(transactions.map((row) => [row.tcn, fromTransactionRow(row)]));
      const signers = await readSigners(this.#reader, [
        ...new Set(transactions.map(({ certificate_fingerprint }) => certificate_fingerprint)),
      ]);
      const sizes = new Map(batches.map(({ tcn, count }) => [tcn, Number(count)]));
      const stored = places.flatMap(({ key, tcn }) => {
        const [document, transaction] = [byKey.get(key), byTcn.get(tcn)];
        if (document === undefined || transaction === undefined) return [];
        const signer = signers.get(transaction.certificateFingerprint) ?? null;
        return [{ document, transaction, batch: sizes.get(tcn) ?? 1, signer }];
      });
      return { total, more: found > total, documents: stored };
    });
  }

  /**
   * The documents that match, without an order. SQLite reads the tables of a cross join in their order: the documents of
   * a rare status first; else the transactions, where a page of the newest ones ends the search. There, SQLite must find
   * a transaction's documents by their transaction, never by their status, which most documents share.
   */
  async #matching(filter: HistoryFilter) {
    const few = await this.#fewThatCanMatch(filter);
    const rare = few === undefined && filter.status !== undefined && (await this.#isRare(filter.status));
    const tables: MatchingTables = rare
      ? this.#reader.selectFrom('documents').crossJoin('transactions')
      : this.#reader.selectFrom('transactions').crossJoin('documents');
    return tables
      .whereRef('documents.tcn', '=', 'transactions.tcn')
      .where('transactions.incomplete', 'is', null)
      .where((where) => documentMatches(where, filter, rare ? undefined : withoutIndex))
      .$if(few !== undefined, (query) => query.where('transactions.tcn', 'in', few ?? []));
  }

  /** True if so few documents have the status that the search begins with them. */
  async #isRare(status: DocumentStatus): Promise<boolean> {
    const some = this.#reader
      .selectFrom('documents')
      .select(one)
      .where('status', '=', status)
      .limit(FEW_DOCUMENTS + 1);
    return (await countRows(this.#reader, some)) <= FEW_DOCUMENTS;
  }

  /** Counts at most `most` + 1 matching documents. */
  async #count(filter: HistoryFilter, wanted: MatchingTables, most: number | undefined): Promise<number> {
    const { text = '', status, type, from, before } = filter;
    if (text.trim() !== '' || [type, from, before].some((limit) => limit !== undefined)) {
      return countRows(this.#reader, most === undefined ? wanted.select(one) : wanted.select(one).limit(most + 1));
    }
    // An index alone counts all documents; few have an incomplete transaction, and are found by it. One statement sees
    // one moment.
    const documents = this.#reader.selectFrom('documents').select(({ fn }) => fn.countAll().as('count'));
    const all = documents.$if(status !== undefined, (query) => query.where('status', '=', status ?? 'WAITING'));
    const hidden = documents
      .$if(status !== undefined, (query) => query.where(withoutIndex(status ?? 'WAITING')))
      .where('tcn', 'in', (where) =>
        where.selectFrom('transactions').select('tcn').where('incomplete', 'is not', null),
      );
    const { rows } = await sql<{ count: number | string }>`select (${all}) - (${hidden}) as count`.execute(
      this.#reader,
    );
    return Number(rows[0]?.count ?? 0);
  }

  /** How many matching documents are counted; undefined for all of them. */
  #mostOf(filter: HistoryFilter): number | undefined {
    return typedWords(filter).length === 0 ? undefined : this.#mostCounted;
  }

  /** The TCNs of all transactions that can match the text; undefined if there are many. */
  async #fewThatCanMatch(filter: HistoryFilter): Promise<readonly string[] | undefined> {
    const query = candidates(this.#reader, filter);
    const rows = (await query?.limit(FEW_TRANSACTIONS + 1).execute()) ?? [];
    if (query === undefined || rows.length > FEW_TRANSACTIONS) return undefined;
    return rows.map(({ tcn }) => tcn);
  }

  async noteSigners(signers: ReadonlyMap<string, Signer>): Promise<void> {
    await storing(async () => {
      for (const [fingerprint, signer] of signers) await noteSigner(this.#database, fingerprint, signer);
    });
  }

  async countByDay(filter: HistoryFilter, minutesAhead: number): Promise<HistoryDays> {
    const ahead = minutesAhead * 60_000;
    // Days are numbered from 1970 on, because every database divides integers alike.
    const day = sql<number>`(created_at + ${sql.lit(ahead)}) / ${sql.lit(millisecondsPerDay)}`;
    const most = this.#mostOf(filter);
    const rows = await storing(async () => {
      const wanted = await this.#matching(filter);
      const newest = wanted
        .select(['transactions.created_at as created_at', 'documents.status as status'])
        .$if(most !== undefined, (query) => query.orderBy('transactions.created_at', 'desc').limit(most ?? 0));
      return this.#reader
        .selectFrom(newest.as('newest'))
        .select([day.as('day'), 'status', ({ fn }) => fn.countAll().as('count')])
        .groupBy([day, 'status'])
        .orderBy(day)
        .execute();
    });
    const found = rows.reduce((sum, { count }) => sum + Number(count), 0);
    return { days: daysOf(rows), newestOnly: found === most };
  }
}

/** Transactions with their documents, whichever the engine reads first. */
type MatchingTables = SelectQueryBuilder<Tables, 'transactions' | 'documents', object>;

/**
 * SQL condition on the status of a document. Most documents share a status, so no index of the status may be chosen: an
 * expression has none (https://sqlite.org/optoverview.html §1).
 */
const withoutIndex = (status: DocumentStatus): Expression<SqlBool> =>
  sql<SqlBool>`coalesce(documents.status, '') = ${status}`;

/** Rows that are only counted need no column, so that an index alone can answer. */
const one = sql.lit(1).as('one');

async function countRows(
  database: Database,
  rows:
    | SelectQueryBuilder<Tables, 'transactions' | 'documents', { one: number }>
    | SelectQueryBuilder<Tables, 'documents', { one: number }>,
): Promise<number> {
  const { count } = await database
    .selectFrom(rows.as('rows'))
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

interface CountRow {
  readonly day: number;
  readonly status: string;
  readonly count: string | number | bigint;
}

function daysOf(rows: readonly CountRow[]): readonly HistoryDay[] {
  const byDay = Map.groupBy(rows, (row) => row.day);
  return [...byDay].map(([number, counts]) => ({
    day: new Date(number * millisecondsPerDay).toISOString().slice(0, 10),
    counts: {
      WAITING: countOf(counts, 'WAITING'),
      SIGNED: countOf(counts, 'SIGNED'),
      ERROR: countOf(counts, 'ERROR'),
    },
  }));
}

/** The transactions that can match the text of a filter; undefined if its words cannot be looked up. */
export function candidates(database: Database, filter: HistoryFilter) {
  const condition = canMatch(expressionBuilder<Tables, 'transactions'>(), filter);
  if (condition === undefined) return undefined;
  return database.selectFrom('transactions').select('tcn').where(condition);
}

function countOf(rows: readonly CountRow[], wanted: DocumentStatus): number {
  return Number(rows.find(({ status }) => status === wanted)?.count ?? 0);
}

type Where = ExpressionBuilder<Tables, 'transactions'>;

function matches(where: Where, { text, status, type, from, before }: HistoryFilter): Expression<SqlBool> {
  const parts: Expression<SqlBool>[] = [];
  if (text !== undefined && text !== '') parts.push(mentions(where, text));
  if (status !== undefined) parts.push(hasStatus(where, status));
  if (type !== undefined) parts.push(where('transactions.type', '=', type));
  if (from !== undefined) parts.push(where('transactions.created_at', '>=', from.getTime()));
  if (before !== undefined) parts.push(where('transactions.created_at', '<', before.getTime()));
  return where.and(parts);
}

function mentions(where: Where, text: string): Expression<SqlBool> {
  const like = (column: string): Expression<SqlBool> => contains(column, text);
  const named = where
    .selectFrom('documents as named')
    .select('named.key')
    .whereRef('named.tcn', '=', 'transactions.tcn')
    .where(() => like('named.original_file_name'));
  return where.or([
    like('transactions.requester_name'),
    like('transactions.certificate_alias'),
    like('transactions.tcn'),
    where.exists(named),
  ]);
}
