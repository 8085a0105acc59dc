import { sql } from 'kysely';
import type { Application, ApplicationStore, StoredApplication } from '../../../service/applications/index.ts';
import { inOrder } from '../commits.ts';
import type { Database } from '../database-schema.ts';
import { applicationColumns, applicationSecretColumns, type ApplicationRow } from '../columns/identity.ts';
import { storing } from '../../service-failure.ts';

/** Applications with the hashes of their secrets. */
export class SqlApplicationStore implements ApplicationStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert(application: StoredApplication): Promise<boolean> {
    const row = { ...applicationColumns.toRow(application), ...applicationSecretColumns.toRow(application) };
    const { numInsertedOrUpdatedRows } = await storing(() =>
      this.#database
        .insertInto('applications')
        .values(row)
        .onConflict((conflict) => conflict.column('client_id').doNothing())
        .executeTakeFirst(),
    );
    return numInsertedOrUpdatedRows === 1n;
  }

  async list(): Promise<readonly Application[]> {
    const rows = await storing(() =>
      this.#database.selectFrom('applications').selectAll().orderBy('name').orderBy('client_id').execute(),
    );
    return rows.map(applicationOf);
  }

  async find(clientId: string): Promise<StoredApplication | undefined> {
    const row = await storing(() =>
      this.#database.selectFrom('applications').selectAll().where('client_id', '=', clientId).executeTakeFirst(),
    );
    if (row === undefined) return undefined;
    return { ...applicationOf(row), ...applicationSecretColumns.fromRow(row) };
  }

  async update(clientId: string, change: Parameters<ApplicationStore['update']>[1]): Promise<boolean> {
    const { numUpdatedRows } = await storing(() =>
      this.#database
        .updateTable('applications')
        .set({
          // The key itself, so that an empty change is a valid statement too.
          client_id: clientId,
          ...applicationColumns.toChange(change),
          ...applicationSecretColumns.toChange(change),
        })
        .where('client_id', '=', clientId)
        .executeTakeFirst(),
    );
    return numUpdatedRows === 1n;
  }

  async remove(clientId: string): Promise<boolean> {
    const { numDeletedRows } = await storing(() =>
      inOrder(this.#database, 'audit', (connection) =>
        connection.deleteFrom('applications').where('client_id', '=', clientId).executeTakeFirst(),
      ),
    );
    return numDeletedRows === 1n;
  }

  async countDocuments(
    clientId: string,
    { day, documents, most }: Parameters<ApplicationStore['countDocuments']>[1],
  ): Promise<boolean> {
    if (documents > most) return false;
    const [storedDay, storedDocuments] = [sql.ref('application_use.day'), sql.ref('application_use.documents')];
    const sum = sql<number>`case when ${storedDay} = ${day} then ${storedDocuments} else 0 end + ${sql.lit(documents)}`;
    const { numInsertedOrUpdatedRows } = await storing(() =>
      this.#database
        .insertInto('application_use')
        .values({ client_id: clientId, day, documents: Math.max(0, documents) })
        .onConflict((conflict) =>
          conflict
            .column('client_id')
            .doUpdateSet({ day, documents: sql<number>`case when ${sum} > 0 then ${sum} else 0 end` })
            .where(sql<boolean>`${sum} <= ${sql.lit(Math.min(most, Number.MAX_SAFE_INTEGER))}`),
        )
        .executeTakeFirst(),
    );
    return numInsertedOrUpdatedRows === 1n;
  }

  async documentsOn(clientId: string, day: string): Promise<number> {
    const row = await storing(() =>
      this.#database
        .selectFrom('application_use')
        .select('documents')
        .where('client_id', '=', clientId)
        .where('day', '=', day)
        .executeTakeFirst(),
    );
    return row?.documents ?? 0;
  }

  /** Removes every application with its codes and tokens, after the loss of the master key of their webhook secrets. */
  async removeAll(): Promise<void> {
    await storing(() =>
      inOrder(this.#database, 'audit', async (connection) => {
        await connection.deleteFrom('applications').execute();
      }),
    );
  }
}

function applicationOf(row: ApplicationRow): Application {
  return { ...applicationColumns.fromRow(row), isPublic: row.secret_hash === null };
}
