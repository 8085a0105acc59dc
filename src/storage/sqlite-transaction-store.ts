import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type {
  DocumentRecord,
  DocumentStatus,
  IdempotencyOwner,
  StoredTransaction,
  TransactionChange,
  TransactionFilter,
  TransactionRecord,
  TransactionStore,
} from '../service/index.ts';
import { applyChanges } from './apply-changes.ts';
import type { Database, DocumentRow, Tables } from './database-schema.ts';
import { storing } from './service-failure.ts';
import { fromDocumentRow, fromTransactionRow, joinRows, toDocumentRow, toTransactionRow } from './transaction-rows.ts';

/** SQLite takes at most 32,766 parameters a statement; a row has about 25 columns. */
const ROWS_PER_STATEMENT = 500;

/** Transactions in the instance's own database. */
export class SqliteTransactionStore implements TransactionStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert(
    { transaction, documents }: StoredTransaction,
    idempotency?: Parameters<TransactionStore['insert']>[1],
  ): Promise<IdempotencyOwner | undefined> {
    return storing(() =>
      this.#database.transaction().execute(async (connection) => {
        if (idempotency !== undefined) {
          const { claim, keysSince } = idempotency;
          const owner = await findOwner(connection, claim.key, keysSince);
          if (owner !== undefined) return owner;
        }
        await connection.insertInto('transactions').values(toTransactionRow(transaction)).execute();
        for (let start = 0; start < documents.length; start += ROWS_PER_STATEMENT) {
          const rows = documents.slice(start, start + ROWS_PER_STATEMENT).map(toDocumentRow);
          await connection.insertInto('documents').values(rows).execute();
        }
        if (idempotency !== undefined) {
          const { key, bodyDigest } = idempotency.claim;
          await connection.deleteFrom('idempotencyKeys').where('key', '=', key).execute();
          const row = { key, bodyDigest, tcn: transaction.tcn, createdAt: transaction.createdAt.getTime() };
          await connection.insertInto('idempotencyKeys').values(row).execute();
        }
        return undefined;
      }),
    );
  }

  async findIdempotent(key: string, keysSince: Date): Promise<IdempotencyOwner | undefined> {
    return storing(() => findOwner(this.#database, key, keysSince));
  }

  async read(tcn: string): Promise<StoredTransaction | undefined> {
    return storing(async () => {
      const transaction = await this.#database
        .selectFrom('transactions')
        .selectAll()
        .where('tcn', '=', tcn)
        .executeTakeFirst();
      if (transaction === undefined) return undefined;
      return joinRows([transaction], await this.#documentsOf([tcn]))[0];
    });
  }

  async apply(changes: readonly TransactionChange[], at: Date): Promise<void> {
    await storing(() => this.#database.transaction().execute((connection) => applyChanges(connection, changes, at)));
  }

  async list(filter: TransactionFilter): Promise<readonly TransactionRecord[]> {
    return storing(async () => {
      const rows = await this.#database
        .selectFrom('transactions')
        .selectAll()
        .where('finishedAt', 'is', null)
        .where((where) => matches(where, filter))
        .orderBy('createdAt')
        .orderBy('tcn')
        .execute();
      return rows.map(fromTransactionRow);
    });
  }

  async recent(limit: number): Promise<readonly StoredTransaction[]> {
    return storing(async () => {
      const transactions = await this.#database
        .selectFrom('transactions')
        .selectAll()
        .orderBy('createdAt', 'desc')
        .orderBy('tcn')
        .limit(limit)
        .execute();
      return joinRows(transactions, await this.#documentsOf(transactions.map(({ tcn }) => tcn)));
    });
  }

  async countByStatus(): Promise<Record<DocumentStatus, number>> {
    const rows = await storing(() =>
      this.#database
        .selectFrom('documents')
        .select(['status', ({ fn }) => fn.countAll().as('count')])
        .groupBy('status')
        .execute(),
    );
    const count = (wanted: DocumentStatus): number => Number(rows.find(({ status }) => status === wanted)?.count ?? 0);
    return { WAITING: count('WAITING'), SIGNED: count('SIGNED'), ERROR: count('ERROR') };
  }

  async expiredResults(time: Date): Promise<readonly DocumentRecord[]> {
    return storing(async () => {
      const rows = await this.#database
        .selectFrom('documents')
        .selectAll()
        .where('resultErasedAt', 'is', null)
        .where('resultExpiresAt', '<=', time.getTime())
        .execute();
      return rows.map(fromDocumentRow);
    });
  }

  async neededFiles(): ReturnType<TransactionStore['neededFiles']> {
    return storing(async () => {
      const originals = await this.#database
        .selectFrom('documents')
        .select('key')
        .where('status', '=', 'WAITING')
        .where('contentKind', '=', 'kept')
        .execute();
      const results = await this.#database
        .selectFrom('documents')
        .select('key')
        .where('status', '=', 'SIGNED')
        .where('destinationPath', 'is', null)
        .where('resultErasedAt', 'is', null)
        .execute();
      return { originals: new Set(originals.map(({ key }) => key)), results: new Set(results.map(({ key }) => key)) };
    });
  }

  async forgetIdempotencyKeys(time: Date): Promise<void> {
    await storing(() =>
      this.#database.deleteFrom('idempotencyKeys').where('createdAt', '<=', time.getTime()).execute(),
    );
  }

  async #documentsOf(tcns: readonly string[]): Promise<readonly DocumentRow[]> {
    if (tcns.length === 0) return [];
    return this.#database
      .selectFrom('documents')
      .selectAll()
      .where('tcn', 'in', tcns)
      .orderBy('tcn')
      .orderBy('position')
      .execute();
  }
}

async function findOwner(database: Database, key: string, keysSince: Date): Promise<IdempotencyOwner | undefined> {
  return database
    .selectFrom('idempotencyKeys')
    .select(['tcn', 'bodyDigest'])
    .where('key', '=', key)
    .where('createdAt', '>', keysSince.getTime())
    .executeTakeFirst();
}

function matches(where: ExpressionBuilder<Tables, 'transactions'>, filter: TransactionFilter): Expression<SqlBool> {
  switch (filter.kind) {
    case 'to-be-signed':
      return where('waitingFor', 'is', null);
    case 'waiting-for-user':
      return where('waitingFor', 'in', ['approval', 'pin']);
    case 'waiting-for-pin':
      return where('waitingFor', '=', 'pin');
    case 'uploads-before':
      return where.and([where('uploadOpen', '=', 1), where('createdAt', '<=', filter.time.getTime())]);
  }
}
