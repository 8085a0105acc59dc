import { SqliteAdapter, SqliteDialect, type DialectAdapter } from 'kysely';

/**
 * SQLite's true behaviour: changes of tables belong to a transaction like all others
 * (https://sqlite.org/lang_transaction.html), although Kysely's own dialect denies this. A killed migration therefore
 * has not happened, and the next start begins the migration again.
 */
export class TransactionalTables extends SqliteDialect {
  override createAdapter(): DialectAdapter {
    return new TransactionalAdapter();
  }
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
