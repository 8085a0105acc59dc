import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { ServiceError } from '../../../service/errors/index.ts';
import type { Database } from '../database-schema.ts';
import { storing } from '../../service-failure.ts';

/** Tries the database out for the health check. */
export class SqlHealthProbe {
  readonly #database: Database;
  readonly #isSqlite: boolean;

  constructor(database: Database, engine: 'sqlite' | 'postgres') {
    this.#database = database;
    this.#isSqlite = engine === 'sqlite';
  }

  /**
   * SQLite is not flushed: a flush would stop the event loop for as long as the disk takes. The try to write into the
   * data folder, on the same disk, flushes in a thread. Rejects with `STORAGE_UNAVAILABLE` or `STORAGE_FULL`.
   */
  async writeAndReadBack(): Promise<void> {
    const value = randomUUID();
    const found = await storing(async () =>
      this.#database.connection().execute(async (connection) => {
        // Nobody else has the connection, so that every other write is flushed.
        if (this.#isSqlite) await sql`pragma synchronous = normal`.execute(connection);
        try {
          return await writeAndRead(connection, value);
        } finally {
          if (this.#isSqlite) await sql`pragma synchronous = full`.execute(connection);
        }
      }),
    );
    if (found?.value !== value) {
      throw new ServiceError('STORAGE_UNAVAILABLE', 'The database did not return the value that was just written.');
    }
  }
}

async function writeAndRead(database: Database, value: string): Promise<{ readonly value: string } | undefined> {
  await database
    .insertInto('health_probe')
    .values({ id: 1, value })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ value }))
    .execute();
  return database.selectFrom('health_probe').select('value').where('id', '=', 1).executeTakeFirst();
}
