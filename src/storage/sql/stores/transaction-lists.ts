import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type {
  CountedTransaction,
  DocumentStatus,
  ListFilter,
  TransactionStore,
} from '../../../service/transactions/index.ts';
import type { TransactionRow } from '../columns/transactions.ts';
import type { Database, Tables } from '../database-schema.ts';
import { readNotificationStates } from '../rows/notification-rows.ts';
import { isComplete } from '../rows/incomplete-transactions.ts';
import { joinRows } from '../rows/document-rows.ts';

type Where = ExpressionBuilder<Tables, 'transactions'>;

/** `TransactionStore.listOf`. */
export async function listOf(
  database: Database,
  caller: string,
  { status, finishedSince, after, limit }: ListFilter,
): ReturnType<TransactionStore['listOf']> {
  const own = database
    .selectFrom('transactions')
    .where(isComplete)
    .where((where) => isOf(where, caller));
  const last =
    after === undefined
      ? undefined
      : await own.select(['created_at', 'tcn']).where('tcn', '=', after).executeTakeFirst();
  if (after !== undefined && last === undefined) return undefined;
  const rows = await own
    .selectAll()
    .where((where) =>
      where.and([
        ...(status === undefined ? [] : [hasStatus(where, status)]),
        ...(finishedSince === undefined ? [] : [where('finished_at', '>=', finishedSince.getTime())]),
        ...(last === undefined ? [] : [isBehind(where, last)]),
      ]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('tcn')
    .limit(limit)
    .execute();
  return withCounts(database, rows);
}

/** `TransactionStore.overview`. */
export async function overview(
  database: Database,
  tcns: readonly string[],
  caller: string | undefined,
): ReturnType<TransactionStore['overview']> {
  if (tcns.length === 0) return [];
  const rows = await database
    .selectFrom('transactions')
    .selectAll()
    .where(isComplete)
    .where('tcn', 'in', tcns)
    .$if(caller !== undefined, (query) => query.where((where) => isOf(where, caller ?? '')))
    .execute();
  return withCounts(database, rows);
}

/**
 * SQL condition: a transaction is in the list of a caller. An application also sees the transactions of its people:
 * `application <id> person <number>`. Client ids contain no space, and in ASCII `!` follows the space, so a range finds
 * these names.
 */
function isOf(where: Where, caller: string): Expression<SqlBool> {
  return where.or([
    where('transactions.caller', '=', caller),
    where.and([where('transactions.caller', '>=', `${caller} `), where('transactions.caller', '<', `${caller}!`)]),
  ]);
}

type Place = Pick<TransactionRow, 'created_at' | 'tcn'>;

function isBehind(where: Where, { created_at: createdAt, tcn }: Place): Expression<SqlBool> {
  return where.or([
    where('transactions.created_at', '<', createdAt),
    where.and([where('transactions.created_at', '=', createdAt), where('transactions.tcn', '>', tcn)]),
  ]);
}

async function withCounts(database: Database, rows: readonly TransactionRow[]): Promise<readonly CountedTransaction[]> {
  const tcns = rows.map(({ tcn }) => tcn);
  if (tcns.length === 0) return [];
  const counted = await database
    .selectFrom('documents')
    .select(['tcn', 'status', ({ fn }) => fn.countAll().as('count')])
    .where('tcn', 'in', tcns)
    .groupBy(['tcn', 'status'])
    .execute();
  const byTcn = Map.groupBy(counted, ({ tcn }) => tcn);
  const countsOfRow = (tcn: string): Record<DocumentStatus, number> => countsOf(byTcn.get(tcn) ?? []);
  const current = await readEndedAgain(database, rows, (tcn) => countsOfRow(tcn).WAITING === 0);
  const notified = current.filter(({ callback }) => callback !== null).map(({ tcn }) => tcn);
  const notifications = await readNotificationStates(database, notified);
  return joinRows(current, [], notifications).map((stored) => ({
    ...stored,
    counts: countsOfRow(stored.transaction.tcn),
  }));
}

/**
 * The rows, of which those are read again whose documents have ended since: another commit came between the two reads,
 * and a transaction that is told as ended must tell when it ended.
 */
export async function readEndedAgain(
  database: Database,
  rows: readonly TransactionRow[],
  hasEnded: (tcn: string) => boolean,
): Promise<readonly TransactionRow[]> {
  const early = rows.filter((row) => row.finished_at === null && row.upload_open === 0 && hasEnded(row.tcn));
  if (early.length === 0) return rows;
  const again = await database
    .selectFrom('transactions')
    .selectAll()
    .where(isComplete)
    .where(
      'tcn',
      'in',
      early.map(({ tcn }) => tcn),
    )
    .execute();
  const byTcn = new Map(again.map((row) => [row.tcn, row]));
  return rows.map((row) => byTcn.get(row.tcn) ?? row);
}

/** The numbers of documents by status, from rows of a count. */
export function countsOf(
  rows: readonly { readonly status: string; readonly count: number | string | bigint }[],
): Record<DocumentStatus, number> {
  const count = (wanted: DocumentStatus): number => Number(rows.find(({ status }) => status === wanted)?.count ?? 0);
  return { WAITING: count('WAITING'), SIGNED: count('SIGNED'), ERROR: count('ERROR') };
}

/** The status of a transaction, as in its view: a finished transaction without documents failed. */
export function hasStatus(where: Where, status: DocumentStatus): Expression<SqlBool> {
  const documents = where
    .selectFrom('documents as counted')
    .select('counted.key')
    .whereRef('counted.tcn', '=', 'transactions.tcn');
  const failed = where.exists(documents.where('counted.status', '=', 'ERROR'));
  const finished = where('transactions.finished_at', 'is not', null);
  switch (status) {
    case 'WAITING':
      return where('transactions.finished_at', 'is', null);
    case 'ERROR':
      return where.and([finished, where.or([failed, where.not(where.exists(documents))])]);
    case 'SIGNED':
      return where.and([finished, where.exists(documents), where.not(failed)]);
  }
}
