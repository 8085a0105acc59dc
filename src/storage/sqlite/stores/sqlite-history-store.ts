import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type {
  DocumentStatus,
  HistoryDay,
  HistoryFilter,
  HistoryPage,
  HistoryStore,
  StoredTransaction,
} from '../../../service/transactions/index.ts';
import type { Database, Tables } from '../database-schema.ts';
import { readNotificationStates } from './notification-rows.ts';
import { storing } from '../../service-failure.ts';
import { hasStatus } from './transaction-lists.ts';
import { joinRows } from './transaction-rows.ts';

const millisecondsPerDay = 86_400_000;

/** Looks back at the transactions of the instance's own database; changes nothing. */
export class SqliteHistoryStore implements HistoryStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(
    filter: HistoryFilter,
    { offset, limit }: HistoryPage,
  ): Promise<{ readonly total: number; readonly transactions: readonly StoredTransaction[] }> {
    return storing(async () => {
      const wanted = this.#database.selectFrom('transactions').where((where) => matches(where, filter));
      const { total } = await wanted.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow();
      const rows = await wanted
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('tcn')
        .limit(limit)
        .offset(offset)
        .execute();
      const tcns = rows.map(({ tcn }) => tcn);
      const documents = await this.#database
        .selectFrom('documents')
        .selectAll()
        .where('tcn', 'in', tcns)
        .orderBy('tcn')
        .orderBy('position')
        .execute();
      const notified = rows.filter(({ callback }) => callback !== null).map(({ tcn }) => tcn);
      const notifications = await readNotificationStates(this.#database, notified);
      return { total: Number(total), transactions: joinRows(rows, documents, notifications) };
    });
  }

  async countByDay(filter: HistoryFilter, minutesAhead: number): Promise<readonly HistoryDay[]> {
    const ahead = minutesAhead * 60_000;
    // Days are numbered from 1970 on, because every database divides integers alike.
    const day = sql<number>`(transactions.created_at + ${sql.lit(ahead)}) / ${sql.lit(millisecondsPerDay)}`;
    const rows = await storing(() =>
      this.#database
        .selectFrom('transactions')
        .innerJoin('documents', 'documents.tcn', 'transactions.tcn')
        .where((where) => matches(where, filter))
        .select([day.as('day'), 'documents.status as status', ({ fn }) => fn.countAll().as('count')])
        .groupBy([day, 'documents.status'])
        .orderBy(day)
        .execute(),
    );
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
}

interface CountRow {
  readonly status: string;
  readonly count: string | number | bigint;
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

const escape = String.fromCodePoint(92);

function mentions(where: Where, text: string): Expression<SqlBool> {
  const pattern = `%${text.replaceAll(/[%_\\]/g, (character) => escape + character)}%`;
  const like = (column: Parameters<typeof sql.ref>[0]): Expression<SqlBool> =>
    sql<SqlBool>`lower(${sql.ref(column)}) like lower(${pattern}) escape ${sql.lit(escape)}`;
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
