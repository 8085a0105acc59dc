import type { DocumentBytes } from '../../../service/space/index.ts';
import type { Database } from '../database-schema.ts';
import { storing } from '../../service-failure.ts';

/** The total bytes of the stored documents: counters kept by triggers in the same commits. */
export class DocumentSpace {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Rejects with `STORAGE_UNAVAILABLE`. */
  async bytes(): Promise<DocumentBytes> {
    const row = await storing(() =>
      this.#database
        .selectFrom('document_space')
        .select(['octets as kept', 'awaited'])
        .where('id', '=', 1)
        .executeTakeFirst(),
    );
    return row ?? { kept: 0, awaited: 0 };
  }
}
