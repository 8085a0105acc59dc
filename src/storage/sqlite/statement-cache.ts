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
