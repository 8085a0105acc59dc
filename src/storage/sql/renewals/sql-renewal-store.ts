import { sql } from 'kysely';
import type {
  ExtendedFile,
  FinishTimes,
  KeptFile,
  KeptPage,
  RenewalOutcome,
  RenewalState,
  RenewalStore,
} from '../../../service/renewals/index.ts';
import { appendAudit } from '../stores/audit-log.ts';
import { inOrder } from '../commits.ts';
import { renewalColumns } from '../columns/others.ts';
import type { Database } from '../database-schema.ts';
import { storing } from '../../service-failure.ts';
import { policiesWithoutStamp } from '../../../request/signature-policies.ts';

/** Paths in one statement: SQLite limits the number of parameters. */
const PATHS_AT_ONCE = 200;

/** The files that are kept valid, in the instance's own database. */
export class SqlRenewalStore implements RenewalStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async addFiles(paths: readonly string[], next: Date, origin: KeptFile['origin'] = 'folder'): Promise<void> {
    const empty = { outcome: null, checkedAt: null, renewedAt: null, troubledSince: null, replacement: null };
    await storing(() =>
      inOrder(this.#database, 'renewals', async (connection) => {
        for (let first = 0; first < paths.length; first += PATHS_AT_ONCE) {
          const rows = paths.slice(first, first + PATHS_AT_ONCE).map((path) => ({
            ...renewalColumns.toRow({ path, origin, nextAt: next, ...empty }),
            kept: 1,
          }));
          await connection
            .insertInto('renewals')
            .values(rows)
            .onConflict((conflict) => conflict.column('path').doNothing())
            .execute();
        }
      }),
    );
  }

  async addHistory(next: Date): Promise<void> {
    await storing(() =>
      this.#database
        .insertInto('renewals')
        .columns(['path', 'origin', 'kept', 'next_at'])
        .expression((query) =>
          query
            .selectFrom('documents')
            .innerJoin('transactions', 'transactions.tcn', 'documents.tcn')
            .select((column) => [
              column.ref('documents.destination_path').$notNull().as('path'),
              sql.lit('history').as('origin'),
              sql.lit(1).as('kept'),
              sql.lit(next.getTime()).as('next_at'),
            ])
            .distinct()
            .where('documents.destination_path', 'is not', null)
            .where('documents.status', '=', 'SIGNED')
            .where('documents.pending_level', 'is', null)
            .where('transactions.policy', 'not in', policiesWithoutStamp),
        )
        .onConflict((conflict) => conflict.column('path').doNothing())
        .execute(),
    );
  }

  async find(path: string): Promise<KeptFile | undefined> {
    const row = await storing(() =>
      this.#database
        .selectFrom('renewals')
        .selectAll()
        .where('path', '=', path)
        .where('kept', '=', 1)
        .executeTakeFirst(),
    );
    return row && renewalColumns.fromRow(row);
  }

  async due(now: Date, limit: number): Promise<readonly KeptFile[]> {
    const rows = await storing(() =>
      this.#database
        .selectFrom('renewals')
        .selectAll()
        .where('kept', '=', 1)
        .where('next_at', '<=', now.getTime())
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom('documents')
                .select('documents.key')
                .whereRef('documents.destination_path', '=', 'renewals.path')
                .where('documents.pending_level', 'is not', null),
            ),
          ),
        )
        .orderBy('next_at')
        .orderBy('path')
        .limit(limit)
        .execute(),
    );
    return rows.map((row) => renewalColumns.fromRow(row));
  }

  async nextAt(): Promise<Date | undefined> {
    const row = await storing(() =>
      this.#database
        .selectFrom('renewals')
        .select('next_at')
        .where('kept', '=', 1)
        .orderBy('next_at')
        .limit(1)
        .executeTakeFirst(),
    );
    return row === undefined ? undefined : new Date(row.next_at);
  }

  async list({ offset, limit }: { readonly offset: number; readonly limit: number }): Promise<KeptPage> {
    return storing(async () => {
      const kept = this.#database.selectFrom('renewals').where('kept', '=', 1);
      const { total } = await kept.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow();
      const rows = await kept
        .selectAll()
        .orderBy(sql`troubled_since is null`)
        .orderBy(sql`protected_until is null`)
        .orderBy('protected_until')
        .orderBy('path')
        .limit(limit)
        .offset(offset)
        .execute();
      return { total: Number(total), files: rows.map((row) => renewalColumns.fromRow(row)) };
    });
  }

  async counts(): Promise<Readonly<Partial<Record<RenewalState | 'new', number>>>> {
    const rows = await storing(() =>
      this.#database
        .selectFrom('renewals')
        .select(['state', ({ fn }) => fn.countAll().as('count')])
        .where('kept', '=', 1)
        .groupBy('state')
        .execute(),
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state ?? 'new', Number(count)]));
  }

  async noteReplacement(path: string, sha256: string): Promise<void> {
    await storing(() =>
      this.#database
        .updateTable('renewals')
        .set({ replacement: sha256, next_at: 0 })
        .where('path', '=', path)
        .execute(),
    );
  }

  async noteExtension(
    before: string,
    { path, sha256, size, sha256Before }: ExtendedFile,
    { checkedAt, nextAt }: Pick<FinishTimes, 'checkedAt' | 'nextAt'>,
  ): Promise<void> {
    await storing(() =>
      inOrder(this.#database, 'audit', async (connection) => {
        await connection
          .updateTable('renewals')
          .set(renewalColumns.toChange({ replacement: null, nextAt, renewedAt: checkedAt }))
          .where('path', '=', path)
          .execute();
        await replaceResult(connection, before, { path, sha256, size, sha256Before });
        const detail = { before: sha256Before, after: sha256, until: '' };
        await appendAudit(connection, [{ kind: 'file-renewed', subject: null, detail }], checkedAt);
      }),
    );
  }

  async finish(path: string, outcome: RenewalOutcome, times: FinishTimes): Promise<void> {
    const { checkedAt, nextAt, troubledSince } = times;
    const isRenewed = outcome.state === 'renewed';
    await storing(() =>
      inOrder(this.#database, 'audit', async (connection) => {
        await connection
          .updateTable('renewals')
          .set({
            ...renewalColumns.toChange({ outcome, checkedAt, nextAt, troubledSince, replacement: null }),
            ...(isRenewed && renewalColumns.toChange({ renewedAt: checkedAt })),
            state: outcome.state,
            protected_until: outcome.protectedUntil?.getTime() ?? null,
          })
          .where('path', '=', path)
          .execute();
        const { sha256, sha256Before } = outcome;
        if (!isRenewed || sha256 === null || sha256Before === undefined) return;
        await replaceResult(connection, path, { path, sha256, size: outcome.size, sha256Before });
        const detail = { before: sha256Before, after: sha256, until: outcome.protectedUntil?.toISOString() ?? '' };
        await appendAudit(connection, [{ kind: 'file-renewed', subject: null, detail }], checkedAt);
      }),
    );
  }

  async forget(path: string): Promise<void> {
    await storing(() => this.#database.updateTable('renewals').set({ kept: 0 }).where('path', '=', path).execute());
  }

  async forgetFolder(isInside: (path: string) => boolean): Promise<void> {
    await storing(() =>
      inOrder(this.#database, 'renewals', async (connection) => {
        const rows = await connection.selectFrom('renewals').select('path').where('origin', '=', 'folder').execute();
        const gone = rows.map(({ path }) => path).filter(isInside);
        for (let first = 0; first < gone.length; first += PATHS_AT_ONCE) {
          const some = gone.slice(first, first + PATHS_AT_ONCE);
          await connection.deleteFrom('renewals').where('path', 'in', some).execute();
        }
      }),
    );
  }
}

/** Replaces the result of documents whose result is this file by the extended file. */
async function replaceResult(
  connection: Database,
  before: string,
  after: Pick<ExtendedFile, 'path' | 'sha256' | 'sha256Before'> & { readonly size: number | undefined },
): Promise<void> {
  const { path, sha256, size, sha256Before } = after;
  await connection
    .updateTable('documents')
    .set((column) => ({
      destination_path: path,
      result_checksum: sha256,
      result_size: size,
      revision: column(column.fn.coalesce('revision', sql.lit(0)), '+', sql.lit(1)),
    }))
    .where('destination_path', '=', before)
    .where('status', '=', 'SIGNED')
    .where('result_checksum', '=', sha256Before)
    .execute();
}
