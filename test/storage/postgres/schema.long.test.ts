/** The same migrations make the same tables on SQLite and on PostgreSQL. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../../src/storage/postgres/open-postgres.ts';
import { openDatabase } from '../../../src/storage/sqlite/open-database.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

let server: PostgresServer;
let folder: string;

beforeAll(async () => {
  server = await startPostgres();
  folder = mkdtempSync(join(tmpdir(), 'sinete-schema-'));
  await server.createDatabase('shared');
  await (await openPostgres(server.url('shared'))).close();
  await (await openDatabase(join(folder, 'sinete.db'))).destroy();
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** One line for each fact about the tables. */
type Facts = readonly string[];

const sorted = (lines: readonly string[]): Facts => [...new Set(lines)].sort();

function readSqlite(statement: string): readonly unknown[] {
  const database = new SqliteDatabase(join(folder, 'sinete.db'), { readonly: true });
  try {
    return database.prepare<[]>(statement).all();
  } finally {
    database.close();
  }
}

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly required: number | boolean;
}

const typeNames: Readonly<Record<string, string>> = { bigint: 'integer', bytea: 'blob' };

const lineOf = ({ table, name, type, required }: Column): string => {
  const plain = type.toLowerCase();
  return `${table}.${name} ${typeNames[plain] ?? plain}${Number(required) === 1 ? ' not null' : ''}`;
};

/** Tables of Kysely and of SQLite itself are no tables of ours. */
const isOurs = ({ table }: { readonly table: string }): boolean => !/^(kysely|sqlite)_/.test(table);

describe('the tables on PostgreSQL', () => {
  it('have the same columns as on SQLite, with the same types', async () => {
    // A primary key of SQLite may be null by mistake (https://sqlite.org/lang_createtable.html §3.5), never elsewhere.
    const here = (
      readSqlite(`select m.name as "table", c.name, c.type, c."notnull" or c.pk > 0 as required
      from sqlite_schema m join pragma_table_info(m.name) c where m.type = 'table'`) as readonly Column[]
    ).filter(isOurs);
    const there = await server.query<Column & { readonly [name: string]: unknown }>(
      `select table_name as "table", column_name as name, data_type as type, is_nullable = 'NO' as required
        from information_schema.columns where table_schema = 'public'`,
      'shared',
    );
    expect(here.length).toBeGreaterThan(150);
    expect(sorted(there.filter(isOurs).map(lineOf))).toEqual(sorted(here.map(lineOf)));
  });

  it('have the same defaults', async () => {
    const here = readSqlite(`select m.name as "table",
        m.name || '.' || c.name || ' ' || c.dflt_value as line
      from sqlite_schema m join pragma_table_info(m.name) c where m.type = 'table' and c.dflt_value is not null`) as readonly {
      table: string;
      line: string;
    }[];
    const there = await server.query<{ table: string; line: string }>(
      `select table_name as "table", table_name || '.' || column_name || ' ' || column_default as line
        from information_schema.columns where table_schema = 'public' and column_default is not null`,
      'shared',
    );
    // Casts say nothing that the type of the column does not say.
    const plain = ({ line }: { readonly line: string }): string => line.replace(/::[a-z]+$/, '');
    expect(here.length).toBeGreaterThan(3);
    expect(sorted(there.filter(isOurs).map(plain))).toEqual(sorted(here.filter(isOurs).map(plain)));
  });

  it('have the same keys and the same indexes', async () => {
    const here = readSqlite(`
      select m.name as "table", m.name || ' ' || group_concat(i.name) || ' unique' as line
        from sqlite_schema m join pragma_index_list(m.name) l join pragma_index_info(l.name) i
        where m.type = 'table' and l."unique" = 1 and l.partial = 0 group by m.name, l.name
      union select m.name, m.name || ' ' || c.name || ' unique' from sqlite_schema m join pragma_table_info(m.name) c
        where m.type = 'table' and c.pk = 1 and lower(c.type) = 'integer'
          and (select count(*) from pragma_table_info(m.name) where pk > 0) = 1
      union select m.name, m.name || ' ' || l.name from sqlite_schema m join pragma_index_list(m.name) l
        where m.type = 'table' and l.origin = 'c'`) as readonly { table: string; line: string }[];
    const there = await server.query<{ table: string; line: string }>(
      `select t.relname as "table", t.relname || ' ' || (select string_agg(a.attname, ',' order by k.place)
            from unnest(x.indkey) with ordinality k(number, place)
            join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number) || ' unique' as line
          from pg_index x join pg_class t on t.oid = x.indrelid join pg_namespace n on n.oid = t.relnamespace
          where n.nspname = 'public' and x.indisunique and x.indpred is null
        union select t.relname, t.relname || ' ' || i.relname
          from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
          join pg_namespace n on n.oid = t.relnamespace
          where n.nspname = 'public' and not exists (select from pg_constraint c where c.conindid = x.indexrelid
            and c.contype in ('p', 'u'))`,
      'shared',
    );
    const lines = (rows: readonly { table: string; line: string }[]): Facts =>
      sorted(rows.filter(isOurs).map(({ line }) => line));
    expect(lines(here).length).toBeGreaterThan(40);
    expect(lines(there)).toEqual(lines(here));
  });

  it('refer to each other in the same way', async () => {
    const here = readSqlite(`select m.name || '.' || f."from" || ' → ' || f."table" || '.' || f."to" ||
      ' ' || lower(f.on_delete) as line from sqlite_schema m join pragma_foreign_key_list(m.name) f where m.type = 'table'`) as readonly {
      line: string;
    }[];
    const there = await server.query<{ line: string }>(
      `select t.relname || '.' || a.attname || ' → ' || o.relname || '.' || b.attname || ' ' ||
          case c.confdeltype when 'c' then 'cascade' else 'no action' end as line
        from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class o on o.oid = c.confrelid
        join pg_attribute a on a.attrelid = t.oid and a.attnum = c.conkey[1]
        join pg_attribute b on b.attrelid = o.oid and b.attnum = c.confkey[1] where c.contype = 'f'`,
      'shared',
    );
    expect(here.length).toBeGreaterThan(8);
    expect(sorted(there.map(({ line }) => line))).toEqual(sorted(here.map(({ line }) => line)));
  });

  it('compare texts byte by byte', async () => {
    const others = await server.query(
      `select table_name, column_name from information_schema.columns where table_schema = 'public'
        and data_type = 'text' and collation_name is distinct from 'C' and table_name not like 'kysely%'`,
      'shared',
    );
    expect(others).toEqual([]);
  });

  it('keep the rows of the audit log', async () => {
    await server.query(`insert into audit_log values (1, 0, 'test', null, '{}', '0', '1')`, 'shared');
    for (const statement of ["update audit_log set kind = 'other'", 'delete from audit_log', 'truncate audit_log']) {
      await expect(server.query(statement, 'shared')).rejects.toThrow('rows of the audit log are never changed');
    }
  });
});
