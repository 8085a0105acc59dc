/**
 * The schema of a database, compared with the schema that the migrations make. A database of a stranger may have
 * triggers and views that act at every later write.
 */
import Sqlite from 'better-sqlite3';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { StorageError } from '../errors.ts';
import type { Database, Tables } from '../sql/database-schema.ts';
import { migrate } from '../sql/migrate.ts';

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string | null;
}

/** A column of a table (pragma table_xinfo): generated columns are hidden ones with an expression. */
interface ColumnRow {
  readonly tbl: string;
  readonly name: string;
  readonly type: string;
  readonly hidden: number;
}

let own: Promise<ReadonlySet<string>> | undefined;

/** Names of triggers, views, tables, indexes and columns that the migrations have not made. SQLite only. */
export async function foreignSchema(database: Database): Promise<readonly string[]> {
  const known = await (own ??= ownSchema());
  return [...(await describeSchema(database))].filter(([text]) => !known.has(text)).map(([, name]) => name);
}

/** Refuses a restored database with a foreign schema: `BACKUP_DAMAGED`. */
export async function refuseForeignSchema(database: Database): Promise<void> {
  const foreign = await foreignSchema(database);
  if (foreign.length === 0) return;
  const message = `The database in this backup has parts that Sinete does not make: ${foreign.slice(0, 10).join(', ')}.`;
  throw new StorageError('BACKUP_DAMAGED', message, {
    remedy: 'Nothing was changed. Somebody changed this backup: use another one.',
  });
}

async function ownSchema(): Promise<ReadonlySet<string>> {
  const dialect = new SqliteDialect({ database: new Sqlite(':memory:') });
  const database = new Kysely<Tables>({ dialect });
  try {
    await migrate(database);
    return new Set((await describeSchema(database)).keys());
  } finally {
    await database.destroy();
  }
}

/** What each part of a schema is, completely, with its short name. */
async function describeSchema(database: Database): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<SchemaRow>`select type, name, tbl_name, sql from sqlite_master`.execute(database);
  const columns = await sql<ColumnRow>`
    select m.name as tbl, c.name, c.type, c.hidden from sqlite_master m, pragma_table_xinfo(m.name) c
    where m.type = 'table'
  `.execute(database);
  // SQLite's own tables, such as statistics, have fixed names that nobody else can take.
  const parts = rows.filter(({ name }) => !name.startsWith('sqlite_'));
  return new Map([
    ...parts.map((row): [string, string] => [partOf(row), `${row.type} ${row.name}`]),
    ...columns.rows
      .filter(({ tbl }) => !tbl.startsWith('sqlite_'))
      .map(({ tbl, name, type, hidden }): [string, string] => [
        JSON.stringify(['column', tbl, name, type.toLowerCase(), hidden]),
        `column ${tbl}.${name}`,
      ]),
  ]);
}

/** Tables differ in their text after columns were added; their columns are compared one by one. */
const partOf = ({ type, name, tbl_name: table, sql: text }: SchemaRow): string =>
  JSON.stringify(
    type === 'table' ? [type, name, /^\s*create\s+virtual\b/i.test(text ?? '')] : [type, name, table, text],
  );
