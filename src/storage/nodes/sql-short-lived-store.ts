import type {
  ShortLivedEntry,
  ShortLivedKind,
  ShortLivedLimits,
  ShortLivedStore,
} from '../../service/short-lived/index.ts';
import { storing } from '../service-failure.ts';
import { inOrder } from '../sql/commits.ts';
import { shortLivedColumns } from '../sql/columns/others.ts';
import type { Database } from '../sql/database-schema.ts';

/** Short-lived entries of several nodes. Methods that read before they write run in the order `short-lived`. */
export class SqlShortLivedStore implements ShortLivedStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(
    kind: ShortLivedKind,
    entry: ShortLivedEntry,
    { most, mostOfOwner = most, whenFull }: ShortLivedLimits,
    now: Date,
  ): Promise<boolean> {
    return storing(() =>
      inOrder(this.#database, 'short-lived', async (connection) => {
        await connection.deleteFrom('short_lived').where('ends_at', '<=', now.getTime()).execute();
        const present = await connection
          .selectFrom('short_lived')
          .select(['key', 'owner'])
          .where('kind', '=', kind)
          .orderBy('ends_at')
          .orderBy('key')
          .execute();
        if (present.some((row) => row.key === entry.key)) return false;
        const ofOwner = present.filter((row) => row.owner === entry.owner).length;
        if (whenFull === 'refuse' && (present.length >= most || ofOwner >= mostOfOwner)) return false;
        const dropped = present.slice(0, Math.max(0, present.length + 1 - most)).map((row) => row.key);
        await connection.deleteFrom('short_lived').where('kind', '=', kind).where('key', 'in', dropped).execute();
        await connection
          .insertInto('short_lived')
          .values(shortLivedColumns.toRow({ ...entry, kind }))
          .execute();
        return true;
      }),
    );
  }

  async find(kind: ShortLivedKind, key: string, now: Date): Promise<ShortLivedEntry | undefined> {
    const row = await storing(() => this.#present(kind, now).where('key', '=', key).executeTakeFirst());
    return row && entryOf(row);
  }

  async list(kind: ShortLivedKind, now: Date): Promise<readonly ShortLivedEntry[]> {
    const rows = await storing(() => this.#present(kind, now).orderBy('ends_at').orderBy('key').execute());
    return rows.map(entryOf);
  }

  async change(
    kind: ShortLivedKind,
    key: string,
    now: Date,
    decide: (content: string) => string | null | undefined,
  ): Promise<boolean> {
    return storing(() =>
      inOrder(this.#database, 'short-lived', async (connection) => {
        const row = await connection
          .selectFrom('short_lived')
          .select('content')
          .where('kind', '=', kind)
          .where('key', '=', key)
          .where('ends_at', '>', now.getTime())
          .executeTakeFirst();
        const content = row === undefined ? undefined : decide(row.content);
        if (content === undefined) return false;
        if (content === null) {
          await connection.deleteFrom('short_lived').where('kind', '=', kind).where('key', '=', key).execute();
        } else {
          await connection
            .updateTable('short_lived')
            .set({ content })
            .where('kind', '=', kind)
            .where('key', '=', key)
            .execute();
        }
        return true;
      }),
    );
  }

  async take(kind: ShortLivedKind, key: string, now: Date): Promise<ShortLivedEntry | undefined> {
    const row = await storing(() =>
      this.#database
        .deleteFrom('short_lived')
        .where('kind', '=', kind)
        .where('key', '=', key)
        .where('ends_at', '>', now.getTime())
        .returningAll()
        .executeTakeFirst(),
    );
    return row && entryOf(row);
  }

  #present(kind: ShortLivedKind, now: Date) {
    return this.#database
      .selectFrom('short_lived')
      .selectAll()
      .where('kind', '=', kind)
      .where('ends_at', '>', now.getTime());
  }
}

/** An entry as its callers know it: they named the kind themselves. */
function entryOf(row: Parameters<typeof shortLivedColumns.fromRow>[0]): ShortLivedEntry {
  const { key, owner, content, endsAt } = shortLivedColumns.fromRow(row);
  return { key, owner, content, endsAt };
}
