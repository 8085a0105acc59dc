import type { Database } from './database-schema.ts';
import { storing } from './service-failure.ts';

/** How much the documents that rest here have together: a counter that triggers keep, in the commits that change it. */
export class DocumentSpace {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Rejects with `STORAGE_UNAVAILABLE`. */
  async keptOctets(): Promise<number> {
    const row = await storing(() =>
      this.#database.selectFrom('document_space').select('octets').where('id', '=', 1).executeTakeFirst(),
    );
    return row?.octets ?? 0;
  }
}
