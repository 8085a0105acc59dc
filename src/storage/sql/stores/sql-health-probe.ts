import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../../service/errors/index.ts';
import type { Database } from '../database-schema.ts';
import { storing } from '../../service-failure.ts';

/** Tries the database out for the health check. */
export class SqlHealthProbe {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Rejects with `STORAGE_UNAVAILABLE` or `STORAGE_FULL`. */
  async writeAndReadBack(): Promise<void> {
    const value = randomUUID();
    const found = await storing(async () => {
      await this.#database
        .insertInto('health_probe')
        .values({ id: 1, value })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ value }))
        .execute();
      return this.#database.selectFrom('health_probe').select('value').where('id', '=', 1).executeTakeFirst();
    });
    if (found?.value !== value) {
      throw new ServiceError('STORAGE_UNAVAILABLE', 'The database did not give back what was written.');
    }
  }
}
