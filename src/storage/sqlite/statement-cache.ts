import type { SqliteDatabase, SqliteStatement } from 'kysely';
import type { Database as Connection } from 'better-sqlite3';
import { takesManyRows } from '../sql/many-rows.ts';

const MOST_STATEMENTS = 200;
/** Longer statements contain lists of many rows, which rarely have the same length again. */
const LONGEST_TEXT = 4000;

/**
 * Makes a connection prepare each statement once, because preparing costs more than running most statements. SQLite
 * itself prepares a statement again after a change of the tables.
 */
export function cacheStatements(connection: Connection): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    prepare(text) {
      const known = statements.get(text);
      if (known !== undefined) return known;
      const statement = takesManyRows(connection.prepare(text));
      if (text.length > LONGEST_TEXT) return statement;
      const [oldest] = statements.size < MOST_STATEMENTS ? [] : statements.keys();
      if (oldest !== undefined) statements.delete(oldest);
      statements.set(text, statement);
      return statement;
    },
    close() {
      statements.clear();
      connection.close();
    },
  };
}

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
