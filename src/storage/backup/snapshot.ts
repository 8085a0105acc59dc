import SqliteDatabase from 'better-sqlite3';
import { open } from 'node:fs/promises';

const PAGES_AT_ONCE = 200;

/**
 * Copies the database at the present moment, while others write. The copy reads inside a single transaction,
 * independent of later commits, and page by page, so that no writer waits for the copy.
 */
export async function takeSnapshot(databasePath: string, destination: string): Promise<void> {
  await (await open(destination, 'wx', 0o600)).close();
  const connection = new SqliteDatabase(databasePath, { readonly: true });
  try {
    connection.exec('BEGIN');
    connection.prepare('SELECT count(*) FROM sqlite_schema').get();
    await connection.backup(destination, { progress: () => PAGES_AT_ONCE });
  } finally {
    connection.close();
  }
}

/** Number of originals and results stored in the database itself. */
export function countSmallDocuments(path: string): number {
  const connection = new SqliteDatabase(path, { readonly: true });
  try {
    const count = (table: string): number => Number(connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
    return count('small_originals') + count('small_results');
  } finally {
    connection.close();
  }
}

/** Possible file names of a snapshot's documents; small documents have no file. */
export function filesOfSnapshot(path: string): {
  readonly documents: readonly string[];
  readonly results: readonly string[];
} {
  const connection = new SqliteDatabase(path);
  try {
    const documents = connection
      .prepare(
        "SELECT key FROM documents WHERE (status = 'WAITING' OR pending_level IS NOT NULL) AND content_kind = 'kept'",
      )
      .pluck()
      .all() as string[];
    const results = connection
      .prepare(
        `SELECT CASE WHEN coalesce(revision, 0) = 0 THEN key ELSE key || '.r' || revision END FROM documents
          WHERE status = 'SIGNED' AND destination_path IS NULL AND result_erased_at IS NULL
        UNION ALL SELECT key || '.stamped' FROM documents WHERE status = 'WAITING' AND pending_level IS NOT NULL`,
      )
      .pluck()
      .all() as string[];
    return { documents, results };
  } finally {
    connection.close();
  }
}
