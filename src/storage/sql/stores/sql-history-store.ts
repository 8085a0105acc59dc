import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type {
  DocumentStatus,
  HistoryDay,
  HistoryFilter,
  HistoryPage,
  HistoryStore,
  StoredDocument,
  StoredTransaction,
} from '../../../service/transactions/index.ts';
import type { Signer } from '../../../service/certificates/index.ts';
import type { Database, Tables } from '../database-schema.ts';
import { readNotificationStates } from './notification-rows.ts';
import { storing } from '../../service-failure.ts';
import { isSignedBy, noteSigner, readSigners } from '../signers/signer-rows.ts';
import { hasStatus } from './transaction-lists.ts';
import { fromDocumentRow, fromTransactionRow, joinRows } from './transaction-rows.ts';

const millisecondsPerDay = 86_400_000;

/** Looks back at the transactions of the instance's own database; changes nothing. */
export class SqlHistoryStore implements HistoryStore {
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

  async findDocuments(
    filter: HistoryFilter,
    { offset, limit }: HistoryPage,
  ): Promise<{ readonly total: number; readonly documents: readonly StoredDocument[] }> {
    return storing(async () => {
      const wanted = this.#database
        .selectFrom('documents')
        .innerJoin('transactions', 'transactions.tcn', 'documents.tcn')
        .where((where) => documentMatches(where, filter));
      const { total } = await wanted.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow();
      const places = await wanted
        .select(['documents.key', 'documents.tcn'])
        .orderBy('transactions.created_at', 'desc')
        .orderBy('documents.tcn')
        .orderBy('documents.position')
        .limit(limit)
        .offset(offset)
        .execute();
      const keys = places.map(({ key }) => key);
      const tcns = [...new Set(places.map(({ tcn }) => tcn))];
      const [documents, transactions, batches] = await Promise.all([
        this.#database.selectFrom('documents').selectAll().where('key', 'in', keys).execute(),
        this.#database.selectFrom('transactions').selectAll().where('tcn', 'in', tcns).execute(),
        this.#database
          .selectFrom('documents')
          .select(['tcn', ({ fn }) => fn.countAll().as('count')])
          .where('tcn', 'in', tcns)
          .groupBy('tcn')
          .execute(),
      ]);
      const byKey = new Map(documents.map((row) => [row.key, fromDocumentRow(row)]));
      const byTcn = new Map(transactions.map((row) => [row.tcn, fromTransactionRow(row)]));
      const signers = await readSigners(this.#database, [
        ...new Set(transactions.map(({ certificate_fingerprint }) => certificate_fingerprint)),
      ]);
      const sizes = new Map(batches.map(({ tcn, count }) => [tcn, Number(count)]));
      const found = places.flatMap(({ key, tcn }) => {
        const [document, transaction] = [byKey.get(key), byTcn.get(tcn)];
        if (document === undefined || transaction === undefined) return [];
        const signer = signers.get(transaction.certificateFingerprint) ?? null;
        return [{ document, transaction, batch: sizes.get(tcn) ?? 1, signer }];
      });
      return { total: Number(total), documents: found };
    });
  }

  async noteSigners(signers: ReadonlyMap<string, Signer>): Promise<void> {
    await storing(async () => {
      for (const [fingerprint, signer] of signers) await noteSigner(this.#database, fingerprint, signer);
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

type DocumentWhere = ExpressionBuilder<Tables, 'transactions' | 'documents'>;

/** Each word of the text is in the name, the place, the requester, the signer, the certificate or the TCN, or begins a hash. */
function documentMatches(where: DocumentWhere, filter: HistoryFilter): Expression<SqlBool> {
  const { text = '', status, type, from, before } = filter;
  const parts: Expression<SqlBool>[] = text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => {
      const begins = /^[0-9a-f]{6,64}$/i.test(word) ? [`${word.toLowerCase()}%`] : [];
      return where.or([
        ...documentColumns.map((column) => contains(column, word)),
        ...isSignedBy(where, word),
        ...begins.flatMap((pattern) => [
          where('documents.checksum', 'like', pattern),
          where('documents.result_checksum', 'like', pattern),
        ]),
      ]);
    });
  if (status !== undefined) parts.push(where('documents.status', '=', status));
  if (type !== undefined) parts.push(where('transactions.type', '=', type));
  if (from !== undefined) parts.push(where('transactions.created_at', '>=', from.getTime()));
  if (before !== undefined) parts.push(where('transactions.created_at', '<', before.getTime()));
  return where.and(parts);
}

const documentColumns = [
  'documents.original_file_name',
  'documents.destination_path',
  'documents.content_path',
  'transactions.requester_name',
  'transactions.certificate_alias',
  'transactions.tcn',
] as const;

/** Whether a column has the text, in any letter case. */
function contains(column: string, text: string): Expression<SqlBool> {
  const pattern = `%${text.replaceAll(/[%_\\]/g, (character) => escape + character)}%`;
  return sql<SqlBool>`lower(${sql.ref(column)}) like lower(${pattern}) escape ${sql.lit(escape)}`;
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
