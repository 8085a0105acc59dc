import type { Administrator, AdministratorScope, AdministratorStore } from '../../../service/administration/index.ts';
import type { Database } from '../database-schema.ts';
import type { AdministratorRow } from '../identity-tables.ts';
import { storing } from '../../service-failure.ts';

/** Administrators and the hashes of their tokens. */
export class SqlAdministratorStore implements AdministratorStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert({ name, scopes, createdAt }: Administrator, hash: Buffer): Promise<boolean> {
    const row = { name, hash, scopes: JSON.stringify(scopes), created_at: createdAt.getTime(), last_used_at: null };
    const { numInsertedOrUpdatedRows: inserted = 0n } = await storing(() =>
      this.#database
        .insertInto('administrators')
        .values(row)
        .onConflict((conflict) => conflict.column('name').doNothing())
        .executeTakeFirst(),
    );
    return inserted > 0n;
  }

  async list(): Promise<readonly Administrator[]> {
    const rows = await storing(() => this.#database.selectFrom('administrators').selectAll().orderBy('name').execute());
    return rows.map(administratorOf);
  }

  async find(hash: Buffer): Promise<Administrator | undefined> {
    const row = await storing(() =>
      this.#database.selectFrom('administrators').selectAll().where('hash', '=', hash).executeTakeFirst(),
    );
    return row === undefined ? undefined : administratorOf(row);
  }

  async remove(name: string): Promise<boolean> {
    const { numDeletedRows } = await storing(() =>
      this.#database.deleteFrom('administrators').where('name', '=', name).executeTakeFirst(),
    );
    return numDeletedRows > 0n;
  }

  async noteUse(name: string, at: Date): Promise<void> {
    await storing(() =>
      this.#database
        .updateTable('administrators')
        .set({ last_used_at: at.getTime() })
        .where('name', '=', name)
        .execute(),
    );
  }
}

function administratorOf({ name, scopes, created_at, last_used_at }: AdministratorRow): Administrator {
  return {
    name,
    scopes: JSON.parse(scopes) as AdministratorScope[],
    createdAt: new Date(created_at),
    lastUsedAt: last_used_at === null ? null : new Date(last_used_at),
  };
}
