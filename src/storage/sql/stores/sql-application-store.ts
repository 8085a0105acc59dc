import { sql } from 'kysely';
import type {
  Application,
  ApplicationLimits,
  ApplicationStore,
  StoredApplication,
} from '../../../service/applications/index.ts';
import { inOrder } from '../commits.ts';
import type { Database } from '../database-schema.ts';
import type { ApplicationRow } from '../identity-tables.ts';
import { storing } from '../../service-failure.ts';

/** Applications with the hashes of their secrets. */
export class SqlApplicationStore implements ApplicationStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert(application: StoredApplication): Promise<boolean> {
    const { clientId, name, comments, email, redirectUris, secretHash, sealedWebhookSecret } = application;
    const row: ApplicationRow = {
      client_id: clientId,
      name,
      comments,
      email,
      redirect_uris: JSON.stringify(redirectUris),
      secret_hash: secretHash,
      sealed_webhook_secret: sealedWebhookSecret,
      created_at: application.createdAt.getTime(),
      last_used_at: application.lastUsedAt?.getTime() ?? null,
      limits: limitsText(application.limits),
    };
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
    return { ...applicationOf(row), secretHash: row.secret_hash, sealedWebhookSecret: row.sealed_webhook_secret };
  }

  async update(clientId: string, change: Parameters<ApplicationStore['update']>[1]): Promise<boolean> {
    const { name, comments, email, redirectUris, limits, secretHash, sealedWebhookSecret, lastUsedAt } = change;
    const { numUpdatedRows } = await storing(() =>
      this.#database
        .updateTable('applications')
        .set({
          // The key itself, so that an empty change is a valid statement too.
          client_id: clientId,
          name,
          comments,
          email,
          redirect_uris: redirectUris === undefined ? undefined : JSON.stringify(redirectUris),
          limits: limits === undefined ? undefined : limitsText(limits),
          secret_hash: secretHash,
          sealed_webhook_secret: sealedWebhookSecret,
          last_used_at: lastUsedAt === undefined ? undefined : (lastUsedAt?.getTime() ?? null),
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

const limitsText = (limits: ApplicationLimits): string | null =>
  Object.keys(limits).length === 0 ? null : JSON.stringify(limits);

function applicationOf(row: ApplicationRow): Application {
  return {
    clientId: row.client_id,
    name: row.name,
    comments: row.comments,
    email: row.email,
    redirectUris: JSON.parse(row.redirect_uris) as readonly string[],
    isPublic: row.secret_hash === null,
    limits: row.limits === null ? {} : (JSON.parse(row.limits) as ApplicationLimits),
    createdAt: new Date(row.created_at),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at),
  };
}
