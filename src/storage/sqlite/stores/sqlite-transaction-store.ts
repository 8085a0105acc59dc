import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { NotificationState } from '../../../service/notifications/index.ts';
import type {
  DocumentRecord,
  DocumentStatus,
  IdempotencyOwner,
  StoredTransaction,
  TransactionChange,
  TransactionFilter,
  TransactionRecord,
  TransactionStore,
} from '../../../service/transactions/index.ts';
import { auditCreation } from './audit-changes.ts';
import { applyChanges, insertDocuments } from './apply-changes.ts';
import type { Database, DocumentRow, Tables, TransactionRow } from '../database-schema.ts';
import { addNotification, readNotificationStates } from './notification-rows.ts';
import { storing } from '../../service-failure.ts';
import { fromDocumentRow, fromTransactionRow, joinRows, toTransactionRow } from './transaction-rows.ts';

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
        const row = toTransactionRow(transaction);
        await connection.insertInto('transactions').values(row).execute();
        await insertDocuments(connection, documents);
        await auditCreation(connection, { transaction, documents });
        const { tcn, finishedAt } = transaction;
        if (finishedAt !== null && row.callback !== null) {
          await addNotification(connection, tcn, row.callback, finishedAt);
        }
        if (idempotency !== undefined) {
          const { key, bodyDigest } = idempotency.claim;
          await connection.deleteFrom('idempotency_keys').where('key', '=', key).execute();
          const created_at = transaction.createdAt.getTime();
          const keyRow = { key, body_digest: bodyDigest, tcn, created_at };
          await connection.insertInto('idempotency_keys').values(keyRow).execute();
        }
        return undefined;
      }),
    );
  }

  async findIdempotent(key: string, keysSince: Date): Promise<IdempotencyOwner | undefined> {
    return storing(() => findOwner(this.#database, key, keysSince));
  }

  async read(tcn: string, documentId?: string): Promise<StoredTransaction | undefined> {
    return storing(async () => {
      const transaction = await this.#database
        .selectFrom('transactions')
        .selectAll()
        .where('tcn', '=', tcn)
        .executeTakeFirst();
      if (transaction === undefined) return undefined;
      return joinRows(
        [transaction],
        await this.#documentsOf([tcn], documentId),
        await this.#notificationsOf([transaction]),
      )[0];
    });
  }

  async readTransaction(tcn: string): Promise<TransactionRecord | undefined> {
    const row = await storing(() =>
      this.#database.selectFrom('transactions').selectAll().where('tcn', '=', tcn).executeTakeFirst(),
    );
    return row === undefined ? undefined : fromTransactionRow(row);
  }

  async isFinished(tcn: string): Promise<boolean> {
    const row = await storing(() =>
      this.#database.selectFrom('transactions').select('finished_at').where('tcn', '=', tcn).executeTakeFirst(),
    );
    return row !== undefined && row.finished_at !== null;
  }

  async apply(changes: readonly TransactionChange[], at: Date): Promise<void> {
    await storing(() => this.#database.transaction().execute((connection) => applyChanges(connection, changes, at)));
  }

  async list(filter: TransactionFilter): Promise<readonly TransactionRecord[]> {
    return storing(async () => {
      const rows = await this.#database
        .selectFrom('transactions')
        .selectAll()
        .where('finished_at', 'is', null)
        .where((where) => matches(where, filter))
        .orderBy('created_at')
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
        .orderBy('created_at', 'desc')
        .orderBy('tcn')
        .limit(limit)
        .execute();
      return joinRows(
        transactions,
        await this.#documentsOf(transactions.map(({ tcn }) => tcn)),
        await this.#notificationsOf(transactions),
      );
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
        .where('result_erased_at', 'is', null)
        .where('result_expires_at', '<=', time.getTime())
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
        .where('content_kind', '=', 'kept')
        .execute();
      const results = await this.#database
        .selectFrom('documents')
        .select('key')
        .where('status', '=', 'SIGNED')
        .where('destination_path', 'is', null)
        .where('destination_url', 'is', null)
        .where('result_erased_at', 'is', null)
        .execute();
      return { originals: new Set(originals.map(({ key }) => key)), results: new Set(results.map(({ key }) => key)) };
    });
  }

  async forgetIdempotencyKeys(time: Date): Promise<void> {
    await storing(() =>
      this.#database.deleteFrom('idempotency_keys').where('created_at', '<=', time.getTime()).execute(),
    );
  }

  /** Nothing is asked where no transaction has a callback, as most have none. */
  async #notificationsOf(
    transactions: readonly Pick<TransactionRow, 'tcn' | 'callback'>[],
  ): Promise<ReadonlyMap<string, NotificationState>> {
    const tcns = transactions.filter(({ callback }) => callback !== null).map(({ tcn }) => tcn);
    return readNotificationStates(this.#database, tcns);
  }

  async #documentsOf(tcns: readonly string[], documentId?: string): Promise<readonly DocumentRow[]> {
    if (tcns.length === 0) return [];
    return this.#database
      .selectFrom('documents')
      .selectAll()
      .where('tcn', 'in', tcns)
      .$if(documentId !== undefined, (query) => query.where('id', '=', documentId ?? ''))
      .orderBy('tcn')
      .orderBy('position')
      .execute();
  }
}

async function findOwner(database: Database, key: string, keysSince: Date): Promise<IdempotencyOwner | undefined> {
  return database
    .selectFrom('idempotency_keys')
    .select(['tcn', 'body_digest as bodyDigest'])
    .where('key', '=', key)
    .where('created_at', '>', keysSince.getTime())
    .executeTakeFirst();
}

function matches(where: ExpressionBuilder<Tables, 'transactions'>, filter: TransactionFilter): Expression<SqlBool> {
  switch (filter.kind) {
    case 'to-be-signed':
      return where('waiting_for', 'is', null);
    case 'waiting-for-user':
      return where('waiting_for', 'in', ['approval', 'pin']);
    case 'waiting-for-pin':
      return where('waiting_for', '=', 'pin');
    case 'uploads-before':
      return where.and([where('upload_open', '=', 1), where('created_at', '<=', filter.time.getTime())]);
  }
}
