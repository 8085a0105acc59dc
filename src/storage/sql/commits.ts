import { PostgresAdapter, sql, type Kysely, type Transaction } from 'kysely';
import type { AuditMark } from '../../service/audit/index.ts';
import type { TransactionChange } from '../../service/transactions/index.ts';
import type { Database, Tables } from './database-schema.ts';

/** Numbers that a commit adds. */
export interface CommittedNumbers {
  readonly transactions: number;
  readonly documents: number;
  readonly signed: number;
}

/** What a commit has added; absent numbers are zero. */
export interface CommittedChange extends Partial<CommittedNumbers> {
  /** The end of the audit log after the commit; absent for a commit without a row of the log. */
  readonly head?: AuditMark;
}

/**
 * Is informed of each commit of the audit log before the caller gets its answer, to record the commit outside the
 * database.
 */
export interface CommitListener {
  note(change: CommittedChange): Promise<void>;
}

const noNumbers: CommittedNumbers = { transactions: 0, documents: 0, signed: 0 };

/** The numbers that changes add to those of their commit. */
export function countChanges(
  changes: readonly TransactionChange[],
  { transactions, documents, signed } = noNumbers,
): CommittedNumbers {
  const count = (kind: TransactionChange['kind']): number => changes.filter((one) => one.kind === kind).length;
  return {
    transactions,
    documents: documents + count('document-added'),
    signed: signed + count('document-signed'),
  };
}

export type Engine = 'sqlite' | 'postgres';

/** The engine of a database, for the few statements that differ. */
export function engineOf(database: Pick<Kysely<unknown>, 'getExecutor'>): Engine {
  return database.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/** Milliseconds since 1970 by the clock of PostgreSQL, which all nodes share. */
export const databaseTime = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** The kinds of `inOrder` with their numbers, which are part of the agreement between nodes and never change. */
const orders = {
  /** Transactions that add rows to the audit log, or remove rows to which such a commit refers. */
  audit: 1,
  attempts: 2,
  accounts: 3,
  keys: 4,
  outbox: 5,
  consent: 6,
  users: 7,
  renewals: 8,
  'revocation-cache': 9,
  'short-lived': 10,
  history: 11,
} as const;

export type Order = keyof typeof orders;

/** The connection broke while its transaction was being committed, and the server could not report the outcome. */
export class OutcomeUnknown extends Error {
  constructor(options: ErrorOptions) {
    super('The PostgreSQL server cannot be reached. It is not known whether the change was stored.', options);
    this.name = 'OutcomeUnknown';
  }
}

/** First half of the key of an advisory lock; the second half is the number of the order. */
const LOCK_CLASS = 0x51_6e_65_74;
/** Maximum number of queries to the server about the outcome of a commit whose connection was lost. */
const QUESTIONS_ABOUT_COMMIT = 5;
const BETWEEN_QUESTIONS = 200;

/**
 * Runs a database transaction that sees every earlier transaction of the same order, on this node and on others, and no
 * part of a later one. It may therefore read rows and write what follows from them. SQLite runs all transactions one
 * after the other on its single connection. PostgreSQL gets an advisory lock until the commit: READ COMMITTED then
 * reads in each statement what the earlier holders of the lock have committed
 * (https://www.postgresql.org/docs/15/transaction-iso.html §13.2.1). A connection that breaks while it commits leaves
 * the outcome open; the server is asked for the outcome, so that a committed change is not reported as failed. Rejects
 * with `OutcomeUnknown` when the server does not tell the outcome within a second.
 */
export async function inOrder<Result>(
  database: Database,
  order: Order,
  action: (connection: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  if (engineOf(database) === 'sqlite') return database.transaction().execute(action);
  let id: string | undefined;
  let done: { readonly result: Result } | undefined;
  try {
    await database.transaction().execute(async (connection) => {
      id = await lockOrder(connection, order);
      done = { result: await action(connection) };
    });
  } catch (error) {
    if (done === undefined || id === undefined || isRefusal(error)) throw error;
    const outcome = await outcomeOf(database, id);
    if (outcome === 'unknown') throw new OutcomeUnknown({ cause: error });
    if (outcome === 'aborted') throw error;
  }
  if (done === undefined) throw new Error('A transaction has ended without its result.');
  return done.result;
}

/** True if the server itself has refused the commit: such errors have an SQLSTATE of five characters. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code));

/** Takes the lock of this kind of commit, and answers the id of the database transaction. */
async function lockOrder(connection: Transaction<Tables>, order: Order): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select pg_current_xact_id()::text as id
    from pg_advisory_xact_lock(${sql.lit(LOCK_CLASS)}, ${sql.lit(orders[order])})`.execute(connection);
  return rows[0]?.id ?? '';
}

/**
 * Asks PostgreSQL for the outcome of the transaction with this id, after its connection was lost. `unknown`: the server
 * does not answer, or is still committing.
 */
async function outcomeOf(database: Database, id: string): Promise<'committed' | 'aborted' | 'unknown'> {
  for (let question = 0; question < QUESTIONS_ABOUT_COMMIT; question++) {
    try {
      const { rows } = await sql<{ status: string | null }>`select pg_xact_status(${id}::xid8) as status`.execute(
        database,
      );
      const status = rows[0]?.status;
      if (status === 'committed' || status === 'aborted') return status;
    } catch {
      // The server is restarting or still unreachable.
    }
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_QUESTIONS));
  }
  return 'unknown';
}
