import { sql } from 'kysely';
import type { SmallDocument, SmallDocumentStore } from '../../../service/transactions/index.ts';
import type { Database } from '../database-schema.ts';
import { RepeatedStatement } from '../repeated-statement.ts';
import { inParts } from '../../../service/scheduling/index.ts';
import { storing } from '../../service-failure.ts';

const insertOriginal = new RepeatedStatement<SmallDocument>((database, place) =>
  database.insertInto('small_originals').values({ key: place('key'), octets: place('bytes') }),
);
const selectOriginal = new RepeatedStatement<{ key: string }, { octets: Buffer }>((database, place) =>
  database.selectFrom('small_originals').select('octets').where('key', '=', place('key')),
);
const selectResult = new RepeatedStatement<{ key: string }, { octets: Buffer }>((database, place) =>
  database.selectFrom('small_results').select('octets').where('key', '=', place('key')),
);

/**
 * Small documents in the instance's own database. A result comes with the change that makes its document SIGNED, and an
 * original is removed with the change that finishes its transaction.
 */
export class SqlSmallDocumentStore implements SmallDocumentStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async keepOriginals(originals: readonly SmallDocument[]): Promise<void> {
    await storing(() =>
      this.#database.transaction().execute(async (connection) => {
        await insertOriginal.runAll(connection, originals);
      }),
    );
  }

  async original(key: string): Promise<Buffer | undefined> {
    return (await storing(() => selectOriginal.run(this.#database, { key }))).rows[0]?.octets;
  }

  async result(key: string): Promise<Buffer | undefined> {
    return (await storing(() => selectResult.run(this.#database, { key }))).rows[0]?.octets;
  }

  async removeOriginals(keys: readonly string[]): Promise<void> {
    for await (const some of inParts(keys)) {
      await storing(() => this.#database.deleteFrom('small_originals').where('key', 'in', some).execute());
    }
  }

  async removeUnneeded(receivedBefore?: Date): Promise<number> {
    // A key begins with its time, as twelve hexadecimal digits.
    const end = receivedBefore?.getTime().toString(16).padStart(12, '0') ?? 'g';
    const { numDeletedRows } = await storing(() =>
      this.#database
        .deleteFrom('small_originals')
        .where('key', '<', end)
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom('documents')
                .select('documents.key')
                .whereRef('documents.key', '=', 'small_originals.key')
                .where('status', '=', sql.lit('WAITING'))
                .where('content_kind', '=', 'small'),
            ),
          ),
        )
        .executeTakeFirstOrThrow(),
    );
    return Number(numDeletedRows);
  }
}
