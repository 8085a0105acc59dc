import type { Administrator, AdministratorStore } from '../../../service/administration/index.ts';
import type { Database } from '../database-schema.ts';
import { administratorColumns } from '../columns/identity.ts';
import { storing } from '../../service-failure.ts';

/** Administrators and the hashes of their tokens. */
export class SqlAdministratorStore implements AdministratorStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert(administrator: Administrator, hash: Buffer): Promise<boolean> {
    const { numInsertedOrUpdatedRows: inserted = 0n } = await storing(() =>
      this.#database
        .insertInto('administrators')
        .values({ ...administratorColumns.toRow({ ...administrator, lastUsedAt: null }), hash })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .executeTakeFirst(),
    );
    return inserted > 0n;
  }

  async list(): Promise<readonly Administrator[]> {
    const rows = await storing(() => this.#database.selectFrom('administrators').selectAll().orderBy('name').execute());
    return rows.map((row) => administratorColumns.fromRow(row));
  }

  async find(hash: Buffer): Promise<Administrator | undefined> {
    const row = await storing(() =>
      this.#database.selectFrom('administrators').selectAll().where('hash', '=', hash).executeTakeFirst(),
    );
    return row && administratorColumns.fromRow(row);
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
