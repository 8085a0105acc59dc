import { join } from 'node:path';
import { sql } from 'kysely';
import { GENESIS } from '../../service/audit/index.ts';
import { newestGoodCopy, putBackDatabase } from '../copies/database-copies.ts';
import { listSetAside } from '../copies/kept-files.ts';
import { requireSqlite } from '../database-of-folder.ts';
import { StorageError } from '../errors.ts';
import { countFound } from '../files/lost-and-found.ts';
import { lockDataFolder } from '../lock-data-folder.ts';
import { acceptDatabase, compareWithMark, type DatabaseProblem, type MarkPlaces } from '../sqlite/database-mark.ts';
import type { Database } from '../sql/database-schema.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { SqlAuditLog } from '../sql/stores/audit-log.ts';
import { checkFolder, type FolderCheck, type FolderCheckOptions } from './check-folder.ts';
import { salvageRows } from './salvage-rows.ts';

/**
 * - `restore-copy`: the newest good copy of the database takes the place of the present one.
 * - `rebuild`: readable rows of the newest damaged database are added to the present one.
 * - `accept-loss`: the present database stays as it is.
 */
export type RecoveryWay = 'restore-copy' | 'rebuild' | 'accept-loss';

/** The facts that a person needs for a decision. */
export interface DataFolderState {
  /** Undefined: the database has every row of its mark. */
  readonly problem: DatabaseProblem | undefined;
  /** The newest good copy. */
  readonly copy: { readonly path: string; readonly time: string } | undefined;
  /** Absolute path of the newest damaged database that was set aside. */
  readonly damaged: string | undefined;
  /** Documents in `lost+found/` that have lost their row. */
  readonly found: number;
  /** Documents in `lost+found/` whose request ended without an answer. */
  readonly unanswered: number;
}

export interface Recovered {
  /** Rows that are still missing according to the mark; undefined if none are. */
  readonly missing: DatabaseProblem | undefined;
  /** Rows that were added from a damaged database. */
  readonly rebuiltRows: number;
  /** The new path of the previous database; null if it is unchanged. */
  readonly aside: string | null;
}

/** Looks at a data folder that is not in use. Rejects with `StorageError`. */
export async function inspectDataFolder(places: MarkPlaces): Promise<DataFolderState> {
  const { dataFolder } = places;
  const problem = await withDatabase(dataFolder, async (database) => compareWithMark(database, places));
  const [aside, found] = await Promise.all([listSetAside(dataFolder), countFound(dataFolder)]);
  const copy = newestGoodCopy(join(dataFolder, 'sinete.db'));
  return {
    problem,
    copy: copy === undefined ? undefined : { path: copy.path, time: copy.time },
    damaged: aside.find(({ kind }) => kind === 'damaged')?.path,
    found: found.lost,
    unanswered: found.unanswered,
  };
}

/** Carries out a person's decision. Rejects with `StorageError`; nothing is changed in this case. */
export async function recoverDataFolder(places: MarkPlaces, way: RecoveryWay, now: Date): Promise<Recovered> {
  const { dataFolder } = places;
  const state = await inspectDataFolder(places);
  let aside: string | null = null;
  let rebuiltRows = 0;
  if (way === 'restore-copy') aside = restoreNewestCopy(dataFolder, state, now);
  if (way === 'rebuild') rebuiltRows = await rebuild(dataFolder, state);
  const missing = await withDatabase(dataFolder, async (database) => {
    const accepted = await acceptDatabase(database, places);
    const { rows, transactions, documents, signed } = accepted ?? state.problem ?? noLoss;
    const numbers = { rows: rows ?? null, transactions: transactions ?? null, documents: documents ?? null };
    const detail = { way, rebuiltRows, ...numbers, signed: signed ?? null };
    await new SqlAuditLog(database).append([{ kind: 'database-recovered', subject: null, detail }], now);
    return accepted;
  });
  return { missing, rebuiltRows, aside };
}

const noLoss = { rows: 0, transactions: 0, documents: 0, signed: 0 };

function restoreNewestCopy(dataFolder: string, { copy }: DataFolderState, now: Date): string | null {
  if (copy === undefined) {
    throw new StorageError('BACKUP_UNKNOWN', 'There is no good copy of the database here.', {
      remedy: 'Choose another way, or restore a backup with "sinete restore FILE --replace".',
    });
  }
  // The marks stay, so that they show which rows the copy lacks.
  return putBackDatabase(dataFolder, copy.path, true, now);
}

async function rebuild(dataFolder: string, { damaged }: DataFolderState): Promise<number> {
  if (damaged === undefined) {
    throw new StorageError('BACKUP_UNKNOWN', 'No damaged database was set aside here.', {
      remedy: 'Choose another way: "sinete recover" lists them.',
    });
  }
  const rows = salvageRows(damaged, join(dataFolder, 'sinete.db'));
  await withDatabase(dataFolder, repairReferences);
  return rows;
}

/** Removes rows that refer to a lost row, and sets the head of the audit log to its last row. */
async function repairReferences(database: Database): Promise<void> {
  for (let broken = true; broken;) {
    const { rows } = await sql<{ table: string; rowid: number }>`select * from pragma_foreign_key_check`.execute(
      database,
    );
    broken = rows.length > 0;
    for (const { table, rowid } of rows) {
      await sql`delete from ${sql.table(table)} where rowid = ${rowid}`.execute(database);
    }
  }
  const last = await database
    .selectFrom('audit_log')
    .select(['sequence', 'hash'])
    .orderBy('sequence', 'desc')
    .executeTakeFirst();
  const head = last ?? { sequence: 0, hash: GENESIS };
  await database
    .insertInto('audit_head')
    .values({ id: 1, ...head })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(head))
    .execute();
}

/** Checks everything in a data folder that is not in use. Rejects with `StorageError`. */
export async function checkDataFolder(dataFolder: string, options: FolderCheckOptions): Promise<FolderCheck> {
  return withDatabase(dataFolder, async (database) => checkFolder(database, dataFolder, options));
}

/**
 * Runs `action` on the database of a folder that is locked meanwhile. A damaged database is set aside, and an empty
 * database is opened in its place.
 */
async function withDatabase<Result>(
  dataFolder: string,
  action: (database: Database) => Promise<Result>,
): Promise<Result> {
  requireSqlite(dataFolder, 'Check and repair it with the means of PostgreSQL.');
  const lock = lockDataFolder(dataFolder);
  try {
    const path = join(dataFolder, 'sinete.db');
    const database = await openDatabase(path).catch((error: unknown) => {
      if (error instanceof StorageError && error.code === 'DATABASE_DAMAGED') return openDatabase(path);
      throw error;
    });
    try {
      return await action(database);
    } finally {
      await database.destroy();
    }
  } finally {
    lock.release();
  }
}
