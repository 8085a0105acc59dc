import type { Account, AccountStore, NewAccount, StoredAccount } from '../../../service/users/index.ts';
import { inOrder } from '../commits.ts';
import type { Database } from '../database-schema.ts';
import { accountColumns, type AccountRow } from '../columns/identity.ts';
import { storing } from '../../service-failure.ts';

/** Largest distance of time steps valid at the same moment; a larger distance comes from a clock that was ahead. */
const STEPS_AT_ONCE = 2;

/** Accounts and their recovery codes. */
export class SqlAccountStore implements AccountStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert(account: NewAccount): Promise<Account | undefined> {
    const { at, sealedSecret, lastStep, recoveryHashes } = account;
    return storing(() =>
      inOrder(this.#database, 'accounts', async (connection) => {
        const row = await connection
          .insertInto('accounts')
          .values({
            ...accountColumns.toRow({ ...account, createdAt: at, updatedAt: at }),
            sealed_secret: sealedSecret,
          })
          .onConflict((conflict) => conflict.column('username').doNothing())
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return undefined;
        await connection.insertInto('spent_steps').values({ account_id: row.id, step: lastStep }).execute();
        const codes = recoveryHashes.map((hash) => ({ account_id: row.id, hash }));
        if (codes.length > 0) await connection.insertInto('recovery_codes').values(codes).execute();
        return accountOf({ ...row, recovery_count: codes.length });
      }),
    );
  }

  async list(): Promise<readonly Account[]> {
    const rows = await storing(() => this.#select().orderBy('name').orderBy('id').execute());
    return rows.map(accountOf);
  }

  async find(username: string): Promise<StoredAccount | undefined> {
    const row = await storing(() => this.#select().where('username', '=', username).executeTakeFirst());
    return row === undefined ? undefined : { ...accountOf(row), sealedSecret: row.sealed_secret };
  }

  async change(
    id: number,
    change: { readonly name?: string; readonly photo?: string | null },
    at: Date,
  ): Promise<Account | undefined> {
    await storing(() =>
      this.#database
        .updateTable('accounts')
        .set(accountColumns.toChange({ ...change, updatedAt: at }))
        .where('id', '=', id)
        .execute(),
    );
    const row = await storing(() => this.#select().where('id', '=', id).executeTakeFirst());
    return row && accountOf(row);
  }

  async remove(id: number): Promise<Account | undefined> {
    return storing(() =>
      inOrder(this.#database, 'accounts', async (connection) => {
        const row = await connection.deleteFrom('accounts').where('id', '=', id).returningAll().executeTakeFirst();
        return row && accountOf({ ...row, recovery_count: 0 });
      }),
    );
  }

  async spendStep(id: number, step: number): Promise<boolean> {
    return storing(() =>
      inOrder(this.#database, 'accounts', async (connection) => {
        const account = await connection.selectFrom('accounts').select('id').where('id', '=', id).executeTakeFirst();
        const spent = await connection
          .selectFrom('spent_steps')
          .select('step')
          .where('account_id', '=', id)
          .where('step', '>=', step)
          .where('step', '<=', step + STEPS_AT_ONCE)
          .executeTakeFirst();
        if (account === undefined || spent !== undefined) return false;
        await connection.insertInto('spent_steps').values({ account_id: id, step }).execute();
        return true;
      }),
    );
  }

  async spendRecoveryCode(id: number, hash: Buffer): Promise<boolean> {
    const { numDeletedRows } = await storing(() =>
      this.#database
        .deleteFrom('recovery_codes')
        .where('account_id', '=', id)
        .where('hash', '=', hash)
        .executeTakeFirst(),
    );
    return numDeletedRows === 1n;
  }

  /** Removes every account after the loss of the master key. */
  async removeAll(): Promise<void> {
    await storing(() => this.#database.deleteFrom('accounts').execute());
  }

  #select() {
    return this.#database
      .selectFrom('accounts')
      .selectAll()
      .select((builder) =>
        builder
          .selectFrom('recovery_codes')
          .select(builder.fn.countAll().as('count'))
          .whereRef('recovery_codes.account_id', '=', 'accounts.id')
          .as('recovery_count'),
      );
  }
}

function accountOf(row: AccountRow & { readonly recovery_count: unknown }): Account {
  return { id: row.id, ...accountColumns.fromRow(row), recoveryCodes: Number(row.recovery_count) };
}
