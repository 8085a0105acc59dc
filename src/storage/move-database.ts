import { createHash, randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { databaseIdSetting, hasSqlite, releaseFolder, writeMarker } from './database-of-folder.ts';
import { StorageError } from './errors.ts';
import { flushFolder } from './files/files.ts';
import { openStorage } from './open-storage.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { engineOf } from './sql/commits.ts';
import type { Database, Tables } from './sql/database-schema.ts';
import { SqlSettingsStore } from './sql/stores/sql-settings-store.ts';
import type { MarkPlaces } from './sqlite/database-mark.ts';
import { openDatabase } from './sqlite/open-database.ts';

/** The numbers of the tables and rows that were moved. */
export interface MovedDatabase {
  readonly tables: number;
  readonly rows: number;
}

/** A database, or a transaction of one. */
type Connection = Kysely<Tables>;
type Row = Readonly<Record<string, unknown>>;

/** A table of the stores. */
interface Table {
  readonly name: string;
  /** Columns of the primary key, in its order. */
  readonly key: readonly string[];
  /** Tables whose rows must exist first. */
  readonly refersTo: readonly string[];
  /** True for a table that never uses a number twice, even after its row was removed. */
  readonly counts: boolean;
}

/** Rows that are read and written together: a small document has at most 64 kB. */
const ROWS_TOGETHER = 100;
const STILL_IN_FORCE = 'The earlier database is as it was and still in force.';
/** Tables that a new database fills itself: counters derived from other rows, and a probe. */
const rowsOfItsOwn = new Set(['document_space', 'health_probe']);

/**
 * Moves the rows of a data folder that is not in use from SQLite to an empty PostgreSQL database. Everything is copied,
 * read back and compared in one transaction; only then the folder names the new database. If the process ends before,
 * SQLite stays in use. `sinete.db` stays unchanged. Rejects with `StorageError`: the failures of both databases, and
 * `STORAGE_UNAVAILABLE` for a target with rows and for a copy that differs.
 */
export async function moveToPostgres(places: MarkPlaces, url: string): Promise<MovedDatabase> {
  const { dataFolder, besideKey } = places;
  const source = await openStorage(dataFolder, { besideKey });
  try {
    if (source.mark.problem !== undefined) {
      throw refusal('The database has lost rows.', '"sinete recover" tells which, and what can be done.');
    }
    const target = await openPostgres(url);
    try {
      const tables = await readTables(source.database);
      const id = randomBytes(16).toString('hex');
      const moved = await copyDatabase({ source: source.database, target: target.database, tables }, (connection) =>
        new SqlSettingsStore(connection).write(databaseIdSetting, id),
      );
      await writeMarker(dataFolder, id);
      return moved;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/**
 * Moves the rows of a data folder that is not in use from PostgreSQL into a new `sinete.db`, which gets its name when it
 * is complete. The PostgreSQL database stays as it was. Rejects as `moveToPostgres` does.
 *
 * @param url the address of the present database, with its password
 */
export async function moveToSqlite(dataFolder: string, url: string): Promise<MovedDatabase> {
  if (hasSqlite(dataFolder)) {
    throw refusal('The data folder has a file sinete.db already.', 'Move the file to another folder, and keep it.');
  }
  const source = await openStorage(dataFolder, { databaseUrl: url });
  const draft = join(dataFolder, 'sinete.db.moving');
  try {
    await removeDatabase(draft);
    const target = await openDatabase(draft);
    let moved: MovedDatabase;
    try {
      const tables = await readTables(target);
      moved = await copyDatabase({ source: source.database, target, tables }, () => Promise.resolve());
    } finally {
      await target.destroy();
    }
    await rename(draft, join(dataFolder, 'sinete.db'));
    await flushFolder(dataFolder);
    await releaseFolder(dataFolder);
    return moved;
  } finally {
    await source.close();
    await removeDatabase(draft);
  }
}

const refusal = (message: string, remedy: string): StorageError =>
  new StorageError('STORAGE_UNAVAILABLE', message, { remedy });

async function removeDatabase(path: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) await rm(path + suffix, { force: true });
}

/** The tables of the stores, by SQLite's description of them; a table comes after those that it refers to. */
async function readTables(sqlite: Connection): Promise<readonly Table[]> {
  const { rows } = await sql<{ name: string; key: string; refers: string; counts: number }>`
    select m.name, m.sql like '%autoincrement%' as counts,
      (select json_group_array(name) from (select name from pragma_table_info(m.name) where pk > 0 order by pk)) as key,
      (select json_group_array("table") from pragma_foreign_key_list(m.name)) as refers
    from sqlite_schema m where m.type = 'table' and m.name not like 'sqlite\\_%' escape '\\'
      and m.name not like 'kysely\\_%' escape '\\'`.execute(sqlite);
  const left = rows.map(({ name, key, refers, counts }): Table => ({
    name,
    key: JSON.parse(key) as string[],
    refersTo: (JSON.parse(refers) as string[]).filter((other) => other !== name),
    counts: counts === 1,
  }));
  const ordered: Table[] = [];
  while (left.length > 0) {
    const next = left.findIndex(({ refersTo }) => left.every(({ name }) => !refersTo.includes(name)));
    // Triggers count the space of documents, so the counter itself is copied behind them.
    ordered.push(...left.splice(next === -1 ? 0 : next, 1));
  }
  return [...ordered.filter(({ name }) => !rowsOfItsOwn.has(name)), ...ordered.filter(isOfItsOwn)];
}

const isOfItsOwn = ({ name }: Table): boolean => rowsOfItsOwn.has(name);

interface Copying {
  readonly source: Connection;
  readonly target: Database;
  readonly tables: readonly Table[];
}

/** Copies every table, and compares what the target then has, in one transaction of the target. */
async function copyDatabase(
  { source, target, tables }: Copying,
  finish: (connection: Connection) => Promise<void>,
): Promise<MovedDatabase> {
  const copyAll = async (connection: Connection): Promise<MovedDatabase> => {
    await refuseRows(connection, tables);
    let rows = 0;
    for (const table of tables) {
      const copied = await copyTable(source, connection, table);
      const found = await digestTable(connection, table);
      if (found.rows !== copied.rows || found.digest !== copied.digest) {
        throw refusal(`The table ${table.name} is not the same after it was copied.`, STILL_IN_FORCE);
      }
      rows += copied.rows;
    }
    await finish(connection);
    return { tables: tables.length, rows };
  };
  try {
    return await target.transaction().execute(copyAll);
  } catch (cause) {
    if (cause instanceof StorageError) throw cause;
    const remedy = `${STILL_IN_FORCE} Check both databases, and name an empty one.`;
    throw new StorageError('STORAGE_UNAVAILABLE', 'The rows could not be moved.', { cause, remedy });
  }
}

async function refuseRows(target: Connection, tables: readonly Table[]): Promise<void> {
  for (const table of tables.filter((one) => !isOfItsOwn(one))) {
    const { rows } = await sql<{ found: number | boolean }>`
      select exists (select 1 from ${sql.table(table.name)}) as found`.execute(target);
    if (Number(rows[0]?.found) !== 0) {
      throw refusal('The target database is not empty.', 'Name an empty database: nothing is ever overwritten.');
    }
  }
}

/** The id of a PostgreSQL database is its own and is neither copied nor compared. */
const isNoId = ({ name }: Table) => (name === 'settings' ? sql`key <> ${databaseIdSetting}` : sql`1 = 1`);

/** The number of rows and the sum of their digests, which is the same in any order. */
class TableDigest {
  rows = 0;
  #sum = 0n;

  add(row: Row): void {
    const hash = createHash('sha256');
    for (const [name, value] of Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1))) {
      const bytes = bytesOf(value);
      hash.update(`${name} ${bytes === null ? 'null' : `${typeof value} ${bytes.length}`}\n`).update(bytes ?? '');
    }
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${hash.digest('hex')}`));
    this.rows += 1;
  }

  get digest(): string {
    return this.#sum.toString(16);
  }
}

/** PostgreSQL cannot store the character NUL, so U+FFFD replaces it. */
function bytesOf(value: unknown): Buffer | null {
  if (value === null) return null;
  if (Buffer.isBuffer(value)) return value;
  return Buffer.from(typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : JSON.stringify(value));
}

async function copyTable(source: Connection, target: Connection, table: Table): Promise<TableDigest> {
  const digest = new TableDigest();
  if (isOfItsOwn(table)) await sql`delete from ${sql.table(table.name)}`.execute(target);
  for await (const rows of readRows(source, table)) {
    for (const row of rows) digest.add(row);
    await insertRows(target, table, rows);
  }
  if (table.counts) await copyCounter(source, target, table);
  return digest;
}

async function digestTable(database: Connection, table: Table): Promise<TableDigest> {
  const digest = new TableDigest();
  for await (const rows of readRows(database, table)) for (const row of rows) digest.add(row);
  return digest;
}

/** The rows of a table in the order of its key, in batches. */
async function* readRows(database: Connection, table: Table): AsyncGenerator<readonly Row[]> {
  const key = sql.join(table.key.map((column) => sql.ref(column)));
  let beyond = sql``;
  for (;;) {
    const { rows } = await sql<Row>`select * from ${sql.table(table.name)} where ${isNoId(table)} ${beyond}
      order by ${key} limit ${sql.lit(ROWS_TOGETHER)}`.execute(database);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_TOGETHER) return;
    const values = sql.join(table.key.map((column) => last[column]));
    beyond = sql`and (${key}) > (${values})`;
  }
}

async function insertRows(target: Connection, { name }: Table, rows: readonly Row[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const values = sql.join(rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`));
  await sql`insert into ${sql.table(name)} (${names}) values ${values}`.execute(target);
}

/** Copies the last number that a table has used, which may belong to a removed row. */
async function copyCounter(source: Connection, target: Connection, { name, key }: Table): Promise<void> {
  const [column = ''] = key;
  const last = await readCounter(source, name, column);
  if (last === undefined) return;
  if (engineOf(target) === 'postgres') {
    await sql`select setval(pg_get_serial_sequence(${name}, ${column}), ${last}::bigint)`.execute(target);
    return;
  }
  // SQLite's table has neither a key nor a constraint (https://sqlite.org/autoinc.html).
  await sql`delete from sqlite_sequence where name = ${name}`.execute(target);
  await sql`insert into sqlite_sequence (name, seq) values (${name}, ${last})`.execute(target);
}

async function readCounter(database: Connection, name: string, column: string): Promise<number | undefined> {
  if (engineOf(database) === 'sqlite') {
    const { rows } = await sql<{ last: number }>`
      select seq as last from sqlite_sequence where name = ${name}`.execute(database);
    return rows[0]?.last;
  }
  const { rows: names } = await sql<{ sequence: string }>`
    select pg_get_serial_sequence(${name}, ${column}) as sequence`.execute(database);
  const { rows } = await sql<{ last: number | null }>`
    select case when is_called then last_value end as last from ${sql.raw(names[0]?.sequence ?? '')}`.execute(database);
  return rows[0]?.last ?? undefined;
}
