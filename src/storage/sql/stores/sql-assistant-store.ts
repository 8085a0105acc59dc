import type {
  AssistantStore,
  CachedUser,
  ComputerApplication,
  NewCachedUser,
} from '../../../service/assistant/index.ts';
import type { Sealer } from '../../../service/secrets/index.ts';
import type { RowOf } from '../columns/columns.ts';
import { cachedUserColumns } from '../columns/consent.ts';
import { inOrder } from '../commits.ts';
import type { Database } from '../database-schema.ts';
import { storing } from '../../service-failure.ts';

/**
 * The users of this computer and its application. The application's secret is sealed for its client id.
 * Failures of the secret store are `StorageError`, others `ServiceError`.
 */
export class SqlAssistantStore implements AssistantStore {
  readonly #database: Database;
  readonly #sealer: Sealer;

  constructor(database: Database, sealer: Sealer) {
    this.#database = database;
    this.#sealer = sealer;
  }

  async putUser(user: NewCachedUser): Promise<CachedUser> {
    const fresh = cachedUserColumns.toChange(user);
    return storing(() =>
      inOrder(this.#database, 'users', async (connection) => {
        const anyone = await connection.selectFrom('cached_users').select('id').limit(1).executeTakeFirst();
        const row = await connection
          .insertInto('cached_users')
          .values({ ...fresh, selected: anyone === undefined ? 1 : 0 } as RowOf<typeof cachedUserColumns>)
          .onConflict((conflict) => conflict.column('username').doUpdateSet(fresh))
          .returningAll()
          .executeTakeFirstOrThrow();
        return cachedUserColumns.fromRow(row);
      }),
    );
  }

  async users(): Promise<readonly CachedUser[]> {
    const rows = await storing(() => this.#database.selectFrom('cached_users').selectAll().orderBy('id').execute());
    return rows.map((row) => cachedUserColumns.fromRow(row));
  }

  async removeUser(id: number): Promise<CachedUser | undefined> {
    const row = await storing(() =>
      this.#database.deleteFrom('cached_users').where('id', '=', id).returningAll().executeTakeFirst(),
    );
    return row && cachedUserColumns.fromRow(row);
  }

  async selectUser(username: string): Promise<CachedUser | undefined> {
    return storing(() =>
      inOrder(this.#database, 'users', async (connection) => {
        const user = await connection
          .selectFrom('cached_users')
          .selectAll()
          .where('username', '=', username)
          .executeTakeFirst();
        if (user === undefined) return undefined;
        await connection.updateTable('cached_users').set({ selected: 0 }).where('selected', '=', 1).execute();
        await connection.updateTable('cached_users').set({ selected: 1 }).where('id', '=', user.id).execute();
        return cachedUserColumns.fromRow({ ...user, selected: 1 });
      }),
    );
  }

  async linkedCertificates(userId: number): Promise<readonly string[]> {
    const rows = await storing(() =>
      this.#database
        .selectFrom('user_certificates')
        .select('fingerprint')
        .where('user_id', '=', userId)
        .orderBy('fingerprint')
        .execute(),
    );
    return rows.map(({ fingerprint }) => fingerprint);
  }

  async link(userId: number, fingerprint: string): Promise<void> {
    await storing(() =>
      this.#database
        .insertInto('user_certificates')
        .values({ user_id: userId, fingerprint })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
  }

  async unlink(userId: number, fingerprint: string): Promise<void> {
    await storing(() =>
      this.#database
        .deleteFrom('user_certificates')
        .where('user_id', '=', userId)
        .where('fingerprint', '=', fingerprint)
        .execute(),
    );
  }

  async computer(): Promise<ComputerApplication | undefined> {
    const row = await storing(() => this.#database.selectFrom('computer_application').selectAll().executeTakeFirst());
    if (row === undefined) return undefined;
    const secret = await this.#sealer.open(row.sealed_secret, place(row.client_id));
    return { clientName: row.client_name, clientId: row.client_id, clientSecret: secret.toString('utf8') };
  }

  async putComputer({ clientName, clientId, clientSecret }: ComputerApplication): Promise<void> {
    const sealed_secret = await this.#sealer.seal(Buffer.from(clientSecret, 'utf8'), place(clientId));
    const row = { id: 1, client_name: clientName, client_id: clientId, sealed_secret };
    await storing(() =>
      this.#database
        .insertInto('computer_application')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute(),
    );
  }

  /** Forgets an application with a secret sealed under a lost master key. */
  async forgetSealed(): Promise<void> {
    await storing(() => this.#database.deleteFrom('computer_application').execute());
  }
}

/** The seal's place: table and client id. */
const place = (clientId: string): string => `computer_application|${clientId}`;
