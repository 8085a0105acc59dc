import type { Database as Connection } from 'better-sqlite3';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

/**
 * Ignores a ROLLBACK after SQLite has rolled back itself, as it does on a full or failing disk
 * (https://sqlite.org/lang_transaction.html §3). The error of the second ROLLBACK would hide the reason.
 */
export function tolerateRollback(connection: Connection, database: SqliteDatabase): SqliteDatabase {
  return {
    prepare(text) {
      const statement = database.prepare(text);
      return text === 'rollback' ? onlyInTransaction(connection, statement) : statement;
    },
    close() {
      database.close();
    },
  };
}

function onlyInTransaction(connection: Connection, statement: SqliteStatement): SqliteStatement {
  return {
    reader: statement.reader,
    all: (parameters) => statement.all(parameters),
    iterate: (parameters) => statement.iterate(parameters),
    run: (parameters) => (connection.inTransaction ? statement.run(parameters) : { changes: 0, lastInsertRowid: 0 }),
  };
}
