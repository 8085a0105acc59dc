import type { RevocationCache, RevocationCacheEntry, RevocationCacheKey } from '../../../service/certificates/index.ts';
import { inOrder } from '../commits.ts';
import type { Database, RevocationCacheRow } from '../database-schema.ts';
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
    return row === undefined ? undefined : toEntry(row);
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

function toRow({ issuerKey, kind, locator }: RevocationCacheKey, entry: RevocationCacheEntry): RevocationCacheRow {
  return {
    issuer_key: issuerKey,
    kind,
    locator,
    der: entry.kind === 'data' ? entry.der : null,
    crl_index: entry.kind === 'data' ? (entry.index ?? null) : null,
    problem_code: entry.kind === 'failure' ? entry.code : null,
    problem_sentence: entry.kind === 'failure' ? entry.sentence : null,
    fresh_until: entry.freshUntil.getTime(),
  };
}

function toEntry(row: RevocationCacheRow): RevocationCacheEntry {
  const freshUntil = new Date(row.fresh_until);
  if (row.der !== null) {
    return { kind: 'data', der: row.der, index: row.crl_index ?? undefined, freshUntil };
  }
  type Failure = Extract<RevocationCacheEntry, { readonly kind: 'failure' }>;
  const code = row.problem_code as Failure['code'];
  return { kind: 'failure', code, sentence: row.problem_sentence ?? '', freshUntil };
}
