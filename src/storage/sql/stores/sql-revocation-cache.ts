import type { RevocationCache, RevocationCacheEntry, RevocationCacheKey } from '../../../service/certificates/index.ts';
import { inOrder } from '../commits.ts';
import {
  cachedDataColumns,
  cachedFailureColumns,
  revocationKeyColumns,
  type RevocationCacheRow,
} from '../columns/others.ts';
import type { Database } from '../database-schema.ts';
import { storing } from '../../service-failure.ts';

/** Revocation data in the instance's database, so that a restart does not fetch megabytes of lists again. */
export class SqlRevocationCache implements RevocationCache {
  readonly #database: Database;
  readonly #now: () => Date;

  constructor(database: Database, now: () => Date) {
    this.#database = database;
    this.#now = now;
  }

  async get({ issuerKey, kind, locator }: RevocationCacheKey): Promise<RevocationCacheEntry | undefined> {
    const row = await storing(() =>
      this.#database
        .selectFrom('revocation_cache')
        .selectAll()
        .where('issuer_key', '=', issuerKey)
        .where('kind', '=', kind)
        .where('locator', '=', locator)
        .where('fresh_until', '>', this.#now().getTime())
        .executeTakeFirst(),
    );
    return row && toEntry(row);
  }

  /**
   * Stores the entry in place of an earlier entry, and removes stale entries. A failure only means another fetch: no
   * signature fails because of the cache.
   */
  async put(key: RevocationCacheKey, entry: RevocationCacheEntry): Promise<void> {
    const row = toRow(key, entry);
    const keeping = inOrder(this.#database, 'revocation-cache', async (connection) => {
      await connection.deleteFrom('revocation_cache').where('fresh_until', '<=', this.#now().getTime()).execute();
      await connection
        .insertInto('revocation_cache')
        .values(row)
        .onConflict((conflict) => conflict.columns(['issuer_key', 'kind', 'locator']).doUpdateSet(row))
        .execute();
    });
    await keeping.catch(() => undefined);
  }
}

function toRow(key: RevocationCacheKey, entry: RevocationCacheEntry): RevocationCacheRow {
  return {
    ...revocationKeyColumns.toRow({ ...key, freshUntil: entry.freshUntil }),
    ...cachedDataColumns.toRow(entry.kind === 'data' ? entry : undefined),
    ...cachedFailureColumns.toRow(entry.kind === 'failure' ? entry : undefined),
  };
}

function toEntry(row: RevocationCacheRow): RevocationCacheEntry | undefined {
  const { freshUntil } = revocationKeyColumns.fromRow(row);
  const data = cachedDataColumns.fromRow(row);
  if (data !== undefined) return { kind: 'data', ...data, freshUntil };
  const failure = cachedFailureColumns.fromRow(row);
  return failure && { kind: 'failure', ...failure, freshUntil };
}
