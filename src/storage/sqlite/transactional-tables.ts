import { SqliteAdapter, SqliteDialect, type DialectAdapter } from 'kysely';

/**
 * SQLite as it is: changes of tables belong to a transaction like all others (https://sqlite.org/lang_transaction.html),
 * which Kysely's own dialect denies. So a migration that is killed in its midst has not happened, and the next start
 * begins it anew.
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
