import SqliteDatabase from 'better-sqlite3';
import { closeSync, copyFileSync, existsSync, openSync, readSync, rmSync, writeSync } from 'node:fs';

/**
 * Header of a database of this application: magic, page size 4096, WAL, fractions (https://sqlite.org/fileformat.html
 * §1.3).
 */
const HEADER = Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.of(0x10, 0, 2, 2, 0, 64, 32, 32)]);

/** Rows of one table, with their rowid. */
type Row = Record<string, unknown>;

/**
 * Copies every row that can still be read from a damaged database into `target`, a database with the present tables.
 * Rows that `target` has already stay. The damaged file is not changed. Answers the number of rows added.
 */
export function salvageRows(damagedPath: string, target: string): number {
  const copy = `${target}.salvage`;
  copyFileSync(damagedPath, copy);
  if (existsSync(`${damagedPath}-wal`)) copyFileSync(`${damagedPath}-wal`, `${copy}-wal`);
  repairHeader(copy);
  try {
    const source = new SqliteDatabase(copy);
    const into = new SqliteDatabase(target);
    try {
      into.pragma('foreign_keys = OFF');
      return into.transaction(() => tablesOf(into).reduce((sum, table) => sum + copyTable(source, into, table), 0))();
    } finally {
      source.close();
      into.close();
    }
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(copy + suffix, { force: true });
  }
}

function repairHeader(path: string): void {
  const file = openSync(path, 'r+');
  try {
    const present = Buffer.alloc(HEADER.length);
    readSync(file, present, 0, present.length, 0);
    if (!present.equals(HEADER)) writeSync(file, HEADER, 0, HEADER.length, 0);
  } finally {
    closeSync(file);
  }
}

/** Tables that are not copied: triggers maintain the counters, and migrations belong to the target. */
const SKIPPED = new Set(['document_space', 'kysely_migration', 'kysely_migration_lock', 'audit_head', 'health_probe']);

function tablesOf(database: SqliteDatabase.Database): readonly string[] {
  const all = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid")
    .pluck()
    .all() as string[];
  return all.filter((name) => !SKIPPED.has(name));
}

function copyTable(source: SqliteDatabase.Database, into: SqliteDatabase.Database, table: string): number {
  const columns = new Set(columnsOf(into, table));
  let added = 0;
  const statements = new Map<string, SqliteDatabase.Statement>();
  for (const row of readableRows(source, table)) {
    const names = Object.keys(row).filter((name) => columns.has(name));
    const key = names.join(',');
    const statement =
      statements.get(key) ??
      into.prepare(
        `INSERT OR IGNORE INTO "${table}" (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      );
    statements.set(key, statement);
    try {
      added += statement.run(names.map((name) => row[name])).changes;
    } catch {
      // The table refuses the values of this row, so the row itself is damaged.
    }
  }
  return added;
}

const columnsOf = (database: SqliteDatabase.Database, table: string): readonly string[] =>
  (database.pragma(`table_info("${table}")`) as { readonly name: string }[]).map(({ name }) => name);

/** Reads rows from both ends up to the first unreadable page, and those in between one by one. */
function* readableRows(source: SqliteDatabase.Database, table: string): Generator<Row> {
  const order = orderOf(source, table);
  if (order === undefined) return;
  if (order === 'none') {
    yield* untilDamage(source, `SELECT * FROM "${table}"`);
    return;
  }
  const ascending = yield* rowsInOrder(source, table, 'ASC');
  if (ascending.isWhole) return;
  const descending = yield* rowsInOrder(source, table, 'DESC');
  yield* between(source, table, ascending.last, descending.last);
}

/** Yields rows until the first unreadable page; returns the rowid of the last one. */
function* rowsInOrder(
  source: SqliteDatabase.Database,
  table: string,
  order: 'ASC' | 'DESC',
): Generator<Row, { readonly last: number | undefined; readonly isWhole: boolean }> {
  let last: number | undefined;
  try {
    const query = `SELECT rowid AS "__rowid", * FROM "${table}" ORDER BY rowid ${order}`;
    for (const { __rowid: id, ...row } of source.prepare(query).iterate() as IterableIterator<Row>) {
      yield row;
      last = Number(id);
    }
    return { last, isWhole: true };
  } catch {
    return { last, isWhole: false };
  }
}

/** Maximum number of rowids tried one by one. */
const MOST_TRIED = 100_000;

function* between(
  source: SqliteDatabase.Database,
  table: string,
  last: number | undefined,
  first: number | undefined,
): Generator<Row> {
  if (last === undefined || first === undefined) return;
  for (let id = last + 1; id < first && id <= last + MOST_TRIED; id++) {
    yield* untilDamage(source, `SELECT * FROM "${table}" WHERE rowid = ${id}`);
  }
}

function* untilDamage(source: SqliteDatabase.Database, query: string): Generator<Row> {
  try {
    for (const row of source.prepare(query).iterate()) yield row as Row;
  } catch {
    // The remaining rows cannot be read.
  }
}

/** Undefined if the table cannot be read at all. */
function orderOf(source: SqliteDatabase.Database, table: string): 'rowid' | 'none' | undefined {
  for (const [query, order] of [
    [`SELECT rowid FROM "${table}" LIMIT 0`, 'rowid'],
    [`SELECT * FROM "${table}" LIMIT 0`, 'none'],
  ] as const) {
    try {
      source.prepare(query).all();
      return order;
    } catch {
      continue;
    }
  }
  return undefined;
}
