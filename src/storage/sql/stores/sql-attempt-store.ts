import type { AttemptRecord, AttemptStore } from '../../../service/users/index.ts';
import { inOrder } from '../commits.ts';
import type { Database } from '../database-schema.ts';
import { attemptColumns } from '../columns/identity.ts';
import { storing } from '../../service-failure.ts';

/** Counts of failed attempts. Transactions run strictly in order on a single connection, so no count is lost. */
export class SqlAttemptStore implements AttemptStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async update<Answer>(
    keys: readonly string[],
    decide: (records: readonly (AttemptRecord | undefined)[]) => {
      readonly records: readonly (AttemptRecord | undefined)[];
      readonly answer: Answer;
    },
  ): Promise<Answer> {
    return storing(() =>
      inOrder(this.#database, 'attempts', async (connection) => {
        const rows = await connection
          .selectFrom('attempts')
          .selectAll()
          .where('key', 'in', [...keys])
          .execute();
        const byKey = new Map(rows.map((row) => [row.key, attemptColumns.fromRow(row)]));
        const { records, answer } = decide(keys.map((key) => byKey.get(key)));
        for (const [index, key] of keys.entries()) {
          const record = records[index];
          if (record === byKey.get(key)) continue;
          if (record === undefined) {
            await connection.deleteFrom('attempts').where('key', '=', key).execute();
            continue;
          }
          const row = attemptColumns.toRow({ ...record, key });
          await connection
            .insertInto('attempts')
            .values(row)
            .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
            .execute();
        }
        return answer;
      }),
    );
  }

  async pausedAt(time: Date): Promise<readonly (AttemptRecord & { readonly key: string })[]> {
    const rows = await storing(() =>
      this.#database
        .selectFrom('attempts')
        .selectAll()
        .where('blocked_until', '>', time.getTime())
        .orderBy('blocked_until', 'desc')
        .limit(100)
        .execute(),
    );
    return rows.map((row) => attemptColumns.fromRow(row));
  }

  async forgetBefore(time: Date): Promise<void> {
    await storing(() => this.#database.deleteFrom('attempts').where('last_at', '<', time.getTime()).execute());
  }
}
