import type {
  ConsentStore,
  FileGrant,
  GrantUses,
  SiteGrant,
  StandingApproval,
} from '../../../service/consent/index.ts';
import { fileGrantColumns, siteGrantColumns, standingApprovalColumns } from '../columns/consent.ts';
import { inOrder } from '../commits.ts';
import type { Database } from '../database-schema.ts';
import { storing } from '../../service-failure.ts';

/** Grants and standing approvals, a row each. */
export class SqlConsentStore implements ConsentStore {
  readonly #database: Database;
  readonly #mayErase: () => boolean;

  /** @param mayErase false while the clock is doubted: then expired rows stay, and count for nothing */
  constructor(database: Database, mayErase: () => boolean = () => true) {
    this.#database = database;
    this.#mayErase = mayErase;
  }

  async grants(): Promise<readonly SiteGrant[]> {
    const rows = await storing(() => this.#database.selectFrom('site_grants').selectAll().orderBy('origin').execute());
    return rows.map((row) => ({ ...siteGrantColumns.fromRow(row), source: 'user' }));
  }

  async save(grant: SiteGrant): Promise<void> {
    const row = siteGrantColumns.toRow(grant);
    await storing(() =>
      this.#database
        .insertInto('site_grants')
        .values(row)
        .onConflict((conflict) => conflict.column('origin').doUpdateSet(row))
        .execute(),
    );
  }

  async remove(origin: string): Promise<void> {
    await storing(() =>
      inOrder(this.#database, 'consent', async (connection) => {
        await connection.deleteFrom('site_grants').where('origin', '=', origin).execute();
        await connection.deleteFrom('standing_approvals').where('origin', '=', origin).execute();
      }),
    );
  }

  async addUses(uses: readonly GrantUses[]): Promise<void> {
    await storing(() =>
      inOrder(this.#database, 'consent', async (connection) => {
        for (const { origin, uses: added, lastUsedAt } of uses) {
          await connection
            .updateTable('site_grants')
            .set((row) => ({ uses: row('uses', '+', added), last_used_at: lastUsedAt.getTime() }))
            .where('origin', '=', origin)
            .execute();
        }
      }),
    );
  }

  async standingApprovals(now: Date): Promise<readonly StandingApproval[]> {
    const rows = await storing(() =>
      this.#database
        .selectFrom('standing_approvals')
        .selectAll()
        .where('expires_at', '>', now.getTime())
        .orderBy('origin')
        .execute(),
    );
    return rows.map((row) => standingApprovalColumns.fromRow(row));
  }

  async saveStandingApproval(approval: StandingApproval): Promise<void> {
    const row = standingApprovalColumns.toRow(approval);
    await storing(() =>
      inOrder(this.#database, 'consent', async (connection) => {
        await connection
          .insertInto('standing_approvals')
          .values(row)
          .onConflict((conflict) => conflict.columns(['origin', 'certificate_fingerprint']).doUpdateSet(row))
          .execute();
      }),
    );
  }

  async removeStandingApproval(origin: string, certificateFingerprint: string): Promise<void> {
    await storing(() =>
      this.#database
        .deleteFrom('standing_approvals')
        .where('origin', '=', origin)
        .where('certificate_fingerprint', '=', certificateFingerprint)
        .execute(),
    );
  }

  async takeSignatures(origin: string, certificateFingerprint: string, count: number, now: Date): Promise<boolean> {
    return storing(() =>
      inOrder(this.#database, 'consent', async (connection) => {
        if (this.#mayErase()) {
          await connection.deleteFrom('standing_approvals').where('expires_at', '<=', now.getTime()).execute();
        }
        const row = await connection
          .selectFrom('standing_approvals')
          .select('signatures_left')
          .where('expires_at', '>', now.getTime())
          .where('origin', '=', origin)
          .where('certificate_fingerprint', '=', certificateFingerprint)
          .executeTakeFirst();
        const left = (row?.signatures_left ?? 0) - count;
        if (row === undefined || left < 0) return false;
        const place = { origin, certificate_fingerprint: certificateFingerprint };
        if (left === 0) {
          await connection
            .deleteFrom('standing_approvals')
            .where((where) => where.and(place))
            .execute();
        } else {
          await connection
            .updateTable('standing_approvals')
            .set({ signatures_left: left })
            .where((where) => where.and(place))
            .execute();
        }
        return true;
      }),
    );
  }

  async fileGrants(): Promise<readonly FileGrant[]> {
    const rows = await storing(() =>
      this.#database.selectFrom('file_grants').selectAll().orderBy('caller').orderBy('root').execute(),
    );
    return rows.map((row) => ({ ...fileGrantColumns.fromRow(row), source: 'user' }));
  }

  async saveFileGrant(grant: FileGrant): Promise<void> {
    const row = fileGrantColumns.toRow(grant);
    await storing(() =>
      this.#database
        .insertInto('file_grants')
        .values(row)
        .onConflict((conflict) => conflict.columns(['caller', 'root']).doUpdateSet(row))
        .execute(),
    );
  }

  async removeFileGrant(caller: string, root: string): Promise<void> {
    await storing(() =>
      this.#database.deleteFrom('file_grants').where('caller', '=', caller).where('root', '=', root).execute(),
    );
  }

  async countFileUse(caller: string, root: string, at: Date): Promise<void> {
    await storing(() =>
      this.#database
        .updateTable('file_grants')
        .set((row) => ({ uses: row('uses', '+', 1), last_used_at: at.getTime() }))
        .where('caller', '=', caller)
        .where('root', '=', root)
        .execute(),
    );
  }
}
