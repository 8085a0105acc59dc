/**
 * Nodes of two neighbouring versions share a database, and so the newer version must leave all data read and written by
 * the older version.
 */
import SqliteDatabase from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../../src/storage/sql/migrate.ts';

/** The last migration before versions running side by side. Later ones only add. */
const FIRST_SHARED = '0053-shared-state';

interface Column {
  readonly type: string;
  readonly isRequired: boolean;
  readonly default: string | null;
}

interface Tables {
  /** By `table.column`. */
  readonly columns: ReadonlyMap<string, Column>;
  /** All refusing or changing rows: unique indexes, with their columns, and triggers. By `table: name`. */
  readonly rules: ReadonlyMap<string, readonly string[]>;
}

function readTables(database: SqliteDatabase.Database): Tables {
  const columns = database
    .prepare<[], { key: string; type: string; isRequired: number; default: string | null }>(
      `select m.name || '.' || c.name as key, c.type, c."notnull" as isRequired, c.dflt_value as "default"
        from sqlite_schema m join pragma_table_info(m.name) c
        where m.type = 'table' and m.name not like 'kysely%' and m.name not like 'sqlite%'`,
    )
    .all();
  const rules = database
    .prepare<[], { name: string; column: string | null }>(
      `select m.name || ': ' || i.name as name, m.name || '.' || c.name as "column"
        from sqlite_schema m join pragma_index_list(m.name) i join pragma_index_info(i.name) c
        where m.type = 'table' and i."unique" = 1
        union select tbl_name || ': ' || name, null from sqlite_schema where type = 'trigger'`,
    )
    .all();
  const byName = Map.groupBy(rules, ({ name }) => name);
  return {
    columns: new Map(columns.map(({ key, isRequired, ...rest }) => [key, { ...rest, isRequired: isRequired === 1 }])),
    rules: new Map([...byName].map(([name, of]) => [name, of.flatMap(({ column }) => column ?? [])])),
  };
}

const tableOf = (name: string): string => /^[^.:]+/.exec(name)?.[0] ?? name;

/** The changes of a migration breaking the version before: a line each. */
function breaksOf(before: Tables, after: Tables): readonly string[] {
  const known = new Set([...before.columns.keys()].map(tableOf));
  const removed = [...before.columns].flatMap(([name, column]) => {
    const now = after.columns.get(name);
    if (now === undefined) return [`${name} is gone`];
    return now.type === column.type && now.isRequired === column.isRequired ? [] : [`${name} has another type`];
  });
  const required = [...after.columns].flatMap(([name, { isRequired, default: value }]) =>
    !before.columns.has(name) && known.has(tableOf(name)) && isRequired && value === null
      ? [`${name} is required, and rows of the earlier version lack it`]
      : [],
  );
  // A unique index over a new column binds no row of the earlier version, because this version leaves the column empty.
  const rules = [...after.rules]
    .filter(([rule, columns]) => {
      const isNew = !before.rules.has(rule) && known.has(tableOf(rule));
      return isNew && columns.every((column) => before.columns.has(column));
    })
    .map(([rule]) => `${rule} is a new rule for rows of the earlier version`);
  const lost = [...before.rules.keys()].filter((rule) => !after.rules.has(rule)).map((rule) => `${rule} is gone`);
  return [...removed, ...required, ...rules, ...lost];
}

/** The lines of each migration after `FIRST_SHARED` breaking the version before. */
async function findBreaks(
  all: Readonly<Record<string, Migration>>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const memory = new SqliteDatabase(':memory:');
  const database = new Kysely<unknown>({ dialect: new SqliteDialect({ database: memory }) });
  const migrator = new Migrator({ db: database, provider: { getMigrations: () => Promise.resolve(all) } });
  const found: Record<string, readonly string[]> = {};
  try {
    for (const name of Object.keys(all)) {
      const before = readTables(memory);
      const { error } = await migrator.migrateTo(name);
      if (error !== undefined) throw new Error(`${name} failed`, { cause: error });
      const breaks = name > FIRST_SHARED ? breaksOf(before, readTables(memory)) : [];
      if (breaks.length > 0) found[name] = breaks;
    }
  } finally {
    await database.destroy();
  }
  return found;
}

describe('migrations after versions could run side by side', () => {
  it('only add', async () => {
    expect(migrations).toHaveProperty(FIRST_SHARED);
    expect(await findBreaks(migrations)).toEqual({});
  });

  it('are found out when doing more', async () => {
    const bad: Readonly<Record<string, Migration['up']>> = {
      '9001-drops-a-column': ({ schema }) => schema.alterTable('nodes').dropColumn('clock_offset').execute(),
      '9002-drops-a-table': ({ schema }) => schema.dropTable('short_lived').execute(),
      '9003-renames-a-column': ({ schema }) =>
        schema.alterTable('transactions').renameColumn('turn_owner', 'owner').execute(),
      '9004-adds-a-unique-index': ({ schema }) =>
        schema.createIndex('only_one').on('transactions').column('caller').unique().execute(),
      '9005-adds-a-trigger': async (database) => {
        await sql`create trigger watch before insert on transactions begin select 1; end`.execute(database);
      },
      '9006-makes-a-table-anew': async (database) => {
        await sql`create table made (key text not null, value text, b text not null) strict`.execute(database);
        await sql`drop table settings`.execute(database);
        await sql`alter table made rename to settings`.execute(database);
      },
    };
    const found = await findBreaks({
      ...migrations,
      ...Object.fromEntries(Object.entries(bad).map(([name, up]) => [name, { up }])),
    });
    expect(Object.keys(found)).toEqual(Object.keys(bad));
    expect(found['9001-drops-a-column']).toEqual(['nodes.clock_offset is gone']);
    expect(found['9002-drops-a-table']).toContain('short_lived.content is gone');
    expect(found['9003-renames-a-column']).toEqual(['transactions.turn_owner is gone']);
    expect(found['9004-adds-a-unique-index']).toEqual([
      'transactions: only_one is a new rule for rows of the earlier version',
    ]);
    expect(found['9005-adds-a-trigger']).toEqual(['transactions: watch is a new rule for rows of the earlier version']);
    expect(found['9006-makes-a-table-anew']).toContain(
      'settings.b is required, and rows of the earlier version lack it',
    );
  });
});
