import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { AuditMark } from '../../../service/audit/index.ts';
import type { NotificationState } from '../../../service/notifications/index.ts';
import type {
  DocumentRecord,
  DocumentStatus,
  IdempotencyOwner,
  JobClaim,
  StoredTransaction,
  TransactionChange,
  TransactionFilter,
  TransactionRecord,
  TransactionState,
  TransactionStore,
} from '../../../service/transactions/index.ts';
import { auditCreation } from './audit-log.ts';
import { applyChanges } from './apply-changes.ts';
import { BegunTransactions, countBegun } from './begun-transactions.ts';
import { fromDocumentRow } from '../columns/documents.ts';
import {
  fromStateRow,
  fromTransactionRow,
  stateColumnNames,
  toTransactionRow,
  type StateRow,
  type TransactionRow,
} from '../columns/transactions.ts';
import { insertDocumentRows, joinRows, readDocuments } from '../rows/document-rows.ts';
import {
  completeTransaction,
  isComplete,
  removeAllIncomplete,
  removeIncomplete,
  storeIncomplete,
} from '../rows/incomplete-transactions.ts';
import { DOCUMENTS_AT_ONCE } from '../../../service/scheduling/index.ts';
import { isOutcomeUnknown } from '../../../service/errors/index.ts';
import { countChanges, engineOf, inOrder, type CommitListener } from '../commits.ts';
import type { Database, Tables } from '../database-schema.ts';
import { neededFiles } from '../rows/needed-files.ts';
import { addNotification, readNotificationStates } from '../rows/notification-rows.ts';
import { queueWebhookEvents } from './webhook-events.ts';
import { noteSigner } from '../signers/signer-rows.ts';
import { storing } from '../../service-failure.ts';
import { countsOf, listOf, overview, readEndedAgain } from './transaction-lists.ts';
import { RepeatedStatement } from '../repeated-statement.ts';
import { requireClaims } from '../require-claims.ts';

/** The end of the audit log after an insertion, or the owner of an idempotency key that was used before. */
type Inserted = { readonly owner: IdempotencyOwner } | { readonly head: AuditMark | undefined };

/** Transactions in the instance's own database. */
export class SqlTransactionStore implements TransactionStore {
  readonly #database: Database;
  readonly #mark: CommitListener | undefined;
  readonly #reader: Database;
  readonly #begun = new BegunTransactions();

  /**
   * @param mark called after each commit, before its answer; absent: none
   * @param reader answers what takes long in a large database; absent: `database`
   */
  constructor(database: Database, mark?: CommitListener, reader: Database = database) {
    this.#database = database;
    this.#mark = mark;
    this.#reader = reader;
  }

  async insert(
    stored: StoredTransaction,
    idempotency?: Parameters<TransactionStore['insert']>[1],
  ): Promise<IdempotencyOwner | undefined> {
    const { transaction, documents } = stored;
    const isLong = documents.length > DOCUMENTS_AT_ONCE;
    let inserted: Inserted;
    try {
      if (isLong) await storing(() => storeIncomplete(this.#database, toTransactionRow(transaction), documents));
      inserted = await this.#insertAtOnce(stored, isLong, idempotency);
      if ('owner' in inserted && isLong) await storing(() => removeIncomplete(this.#database, transaction.tcn));
    } catch (error) {
      if (isLong && !isOutcomeUnknown(error)) await this.#removeLater(transaction.tcn);
      throw error;
    }
    if ('owner' in inserted) return inserted.owner;
    const signed = documents.filter(({ status }) => status === 'SIGNED').length;
    await this.#mark?.note({ transactions: 1, documents: documents.length, signed, ...inserted });
    return undefined;
  }

  begin(stored: StoredTransaction): boolean {
    // A commit of PostgreSQL may have an unknown outcome: its transactions are stored first.
    if (engineOf(this.#database) !== 'sqlite' || stored.transaction.callback !== undefined) return false;
    this.#begun.begin(stored);
    return true;
  }

  async settle(tcn: string): Promise<StoredTransaction | undefined> {
    return this.#begun.settle(tcn, this.#storeBegun);
  }

  readonly #storeBegun = async (stored: StoredTransaction): Promise<void> => {
    await this.insert(stored);
  };

  /** In one commit: the transaction, which may be stored already, and everything that follows from it. */
  async #insertAtOnce(
    { transaction, documents, signer }: StoredTransaction,
    isStored: boolean,
    idempotency: Parameters<TransactionStore['insert']>[1],
  ): Promise<Inserted> {
    const { tcn, finishedAt, createdAt } = transaction;
    return storing(() =>
      inOrder(this.#database, 'audit', async (connection) => {
        if (idempotency !== undefined) {
          const { claim, keysSince } = idempotency;
          const owner = await findOwner(connection, claim.key, keysSince);
          if (owner !== undefined) return { owner };
        }
        const row = toTransactionRow(transaction);
        if (isStored) {
          await completeTransaction(connection, tcn);
        } else {
          await connection.insertInto('transactions').values(row).execute();
          if (documents.length > 0) await insertDocumentRows(connection, documents);
        }
        if (signer !== undefined) await noteSigner(connection, transaction.certificateFingerprint, signer);
        const head = await auditCreation(connection, { transaction, documents });
        if (finishedAt !== null && row.callback !== null) {
          const { callback } = row;
          await addNotification(connection, tcn, callback, finishedAt);
        }
        // A transaction that waits for its documents has reached no event.
        if (transaction.waitingFor !== 'upload') await queueWebhookEvents(connection, [tcn], createdAt);
        if (idempotency !== undefined) {
          const { key, bodyDigest } = idempotency.claim;
          await connection.deleteFrom('idempotency_keys').where('key', '=', key).execute();
          const created_at = createdAt.getTime();
          const keyRow = { key, body_digest: bodyDigest, tcn, created_at };
          await connection.insertInto('idempotency_keys').values(keyRow).execute();
        }
        return { head };
      }),
    );
  }

  /** Nobody sees an incomplete transaction; what cannot be removed now is removed by `removeIncomplete`. */
  async #removeLater(tcn: string): Promise<void> {
    await storing(() => removeIncomplete(this.#database, tcn)).catch(() => undefined);
  }

  async removeIncomplete(begunBefore?: Date): Promise<number> {
    return storing(() => removeAllIncomplete(this.#database, begunBefore));
  }

  async findIdempotent(key: string, keysSince: Date): Promise<IdempotencyOwner | undefined> {
    return storing(() => findOwner(this.#database, key, keysSince));
  }

  async #rowOf(tcn: string) {
    return this.#database
      .selectFrom('transactions')
      .selectAll()
      .where('tcn', '=', tcn)
      .where(isComplete)
      .executeTakeFirst();
  }

  async read(tcn: string, documentId?: string): Promise<StoredTransaction | undefined> {
    const begun = documentId === undefined ? this.#begun.read(tcn) : undefined;
    if (begun !== undefined) return begun;
    return storing(async () => {
      const transaction = await this.#rowOf(tcn);
      if (transaction === undefined) return undefined;
      if (documentId === undefined) return (await this.#withDocuments([transaction]))[0];
      const documents = await this.#documentOf(tcn, documentId);
      return joinRows([transaction], documents, await this.#notificationsOf([transaction]))[0];
    });
  }

  async readPage(
    tcn: string,
    { after, limit }: Parameters<TransactionStore['readPage']>[1],
  ): ReturnType<TransactionStore['readPage']> {
    return storing(async () => {
      const early = await this.#rowOf(tcn);
      if (early === undefined) return undefined;
      const documents = this.#database.selectFrom('documents').where('tcn', '=', tcn);
      // Counted before the documents are read: another commit may come between, and a transaction that is told as final
      // must not have documents that wait.
      const counts = countsOf(
        await documents
          .select(['status', ({ fn }) => fn.countAll<number>().as('count')])
          .groupBy('status')
          .execute(),
      );
      const transactions = await readEndedAgain(this.#database, [early], () => counts.WAITING === 0);
      const before =
        after === undefined ? undefined : await documents.select('position').where('id', '=', after).executeTakeFirst();
      const rows =
        limit === 0
          ? []
          : await documents
              .selectAll()
              .where('position', '>', before?.position ?? -1)
              .orderBy('position')
              .limit(limit)
              .execute();
      const [stored] = joinRows(transactions, rows.map(fromDocumentRow), await this.#notificationsOf(transactions));
      const startIsUnknown = after !== undefined && before === undefined;
      return stored === undefined ? undefined : { ...stored, counts, startIsUnknown };
    });
  }

  async readState(tcn: string): Promise<TransactionState | undefined> {
    const begun = await this.#begun.readState(tcn);
    if (begun !== undefined) return begun;
    const { rows } = await storing(() => selectState.run(this.#database, { tcn }));
    return rows[0] === undefined ? undefined : fromStateRow(rows[0]);
  }

  async apply(changes: readonly TransactionChange[], at: Date, claims: readonly JobClaim[] = []): Promise<void> {
    await this.#begun.commit(changes, at, {
      one: this.#storeBegun,
      all: async (together, others) => {
        const head = await storing(() =>
          inOrder(this.#database, 'audit', async (connection) => {
            await requireClaims(connection, claims);
            const begun = await this.#begun.insert(connection, together, at);
            return (await applyChanges(connection, others, at)) ?? begun;
          }),
        );
        await this.#mark?.note({ ...countChanges(others, countBegun(together)), head });
      },
    });
  }

  async list(filter: TransactionFilter): Promise<readonly TransactionRecord[]> {
    return storing(async () => {
      const rows = await this.#database
        .selectFrom('transactions')
        .selectAll()
        .where(isComplete)
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
        .where(isComplete)
        .orderBy('created_at', 'desc')
        .orderBy('tcn')
        .limit(limit)
        .execute();
      return this.#withDocuments(transactions);
    });
  }

  async #withDocuments(rows: readonly TransactionRow[]): Promise<readonly StoredTransaction[]> {
    const documents = await readDocuments(
      this.#database,
      rows.map(({ tcn }) => tcn),
    );
    const waiting = new Set(documents.filter(({ status }) => status === 'WAITING').map(({ tcn }) => tcn));
    const current = await readEndedAgain(this.#database, rows, (tcn) => !waiting.has(tcn));
    return joinRows(current, documents, await this.#notificationsOf(current));
  }

  async listOf(
    caller: string,
    filter: Parameters<TransactionStore['listOf']>[1],
  ): ReturnType<TransactionStore['listOf']> {
    return storing(async () => listOf(this.#reader, caller, filter));
  }

  async overview(tcns: readonly string[], caller?: string): ReturnType<TransactionStore['overview']> {
    return storing(async () => overview(this.#database, tcns, caller));
  }

  async countByStatus(): Promise<Record<DocumentStatus, number>> {
    // An index alone counts all documents; few have an incomplete transaction, and are found by it: a status in
    // "coalesce" keeps SQLite from its index. One statement sees one moment.
    const hidden = sql`select count(*) from documents as hidden where coalesce(hidden.status, '') = documents.status
      and hidden.tcn in (select tcn from transactions where incomplete is not null)`;
    const rows = await storing(() =>
      this.#reader
        .selectFrom('documents')
        .select(['status', sql<number | string>`count(*) - (${hidden})`.as('count')])
        .groupBy('status')
        .execute(),
    );
    return countsOf(rows);
  }

  async newestCreation(): Promise<Date | undefined> {
    const row = await storing(() =>
      this.#database
        .selectFrom('transactions')
        .select('created_at')
        .where(isComplete)
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst(),
    );
    return row === undefined ? undefined : new Date(row.created_at);
  }

  async pendingEvidence(limit: number): Promise<readonly DocumentRecord[]> {
    return storing(async () => {
      const rows = await this.#database
        .selectFrom('documents')
        .selectAll()
        .where('pending_level', 'is not', null)
        .orderBy('pending_next')
        .orderBy('key')
        .limit(limit)
        .execute();
      return rows.map(fromDocumentRow);
    });
  }

  async expiredResults(time: Date, limit: number): Promise<readonly DocumentRecord[]> {
    return storing(async () => {
      const rows = await this.#database
        .selectFrom('documents')
        .selectAll()
        .where('result_erased_at', 'is', null)
        .where('pending_level', 'is', null)
        .where('result_expires_at', '<=', time.getTime())
        .limit(limit)
        .execute();
      return rows.map(fromDocumentRow);
    });
  }

  async keptResults(after: string, limit: number): Promise<readonly DocumentRecord[]> {
    return storing(async () => {
      const rows = await this.#reader
        .selectFrom('documents')
        .selectAll()
        .where('key', '>', after)
        .where('status', '=', sql.lit('SIGNED'))
        .where('result_erased_at', 'is', null)
        .where('destination_path', 'is', null)
        .where('destination_url', 'is', null)
        .orderBy('key')
        .limit(limit)
        .execute();
      return rows.map(fromDocumentRow);
    });
  }

  async resultBlocks(key: string): Promise<Buffer | undefined> {
    const row = await storing(() =>
      this.#database.selectFrom('result_blocks').select('hashes').where('key', '=', key).executeTakeFirst(),
    );
    return row?.hashes;
  }

  async neededFiles(keys: readonly string[]): ReturnType<TransactionStore['neededFiles']> {
    return storing(async () => neededFiles(this.#database, keys));
  }

  async forgetIdempotencyKeys(time: Date): Promise<void> {
    await storing(() =>
      this.#database.deleteFrom('idempotency_keys').where('created_at', '<=', time.getTime()).execute(),
    );
  }

  /** Needs no query if no transaction has a callback, which is the usual case. */
  async #notificationsOf(
    transactions: readonly Pick<TransactionRow, 'tcn' | 'callback'>[],
  ): Promise<ReadonlyMap<string, NotificationState>> {
    const tcns = transactions.filter(({ callback }) => callback !== null).map(({ tcn }) => tcn);
    return readNotificationStates(this.#database, tcns);
  }

  async #documentOf(tcn: string, id: string): Promise<readonly DocumentRecord[]> {
    const documents = this.#database.selectFrom('documents').selectAll();
    return (await documents.where('tcn', '=', tcn).where('id', '=', id).execute()).map(fromDocumentRow);
  }
}

const selectState = new RepeatedStatement<{ tcn: string }, StateRow>((database, place) =>
  database.selectFrom('transactions').select(stateColumnNames).where('tcn', '=', place('tcn')).where(isComplete),
);

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
    case 'approvals-before':
      return where.and([
        where('waiting_for', '=', 'approval'),
        where(where.fn.coalesce('waiting_since', 'created_at'), '<=', filter.time.getTime()),
      ]);
    case 'uploads-before':
      // An open upload waits for nothing else; the index of unfinished transactions begins with what they wait for.
      return where.and([
        where('waiting_for', '=', 'upload'),
        where('upload_open', '=', 1),
        where('created_at', '<=', filter.time.getTime()),
      ]);
  }
}
