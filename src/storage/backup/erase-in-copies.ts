import SqliteDatabase from 'better-sqlite3';
import { copiesOf } from '../copies/database-copies.ts';

/**
 * Erases expired results from the copies of a database, too; their rows stay. Copies that cannot be written, or that
 * are older than the storage of results in the database, are skipped.
 */
export function eraseExpiredInCopies(databasePath: string, now: Date): void {
  for (const { path } of copiesOf(databasePath)) {
    try {
      eraseExpired(path, now.getTime());
    } catch {
      // A damaged copy cannot be restored anyway.
    }
  }
}

function eraseExpired(path: string, now: number): void {
  const connection = new SqliteDatabase(path, { fileMustExist: true });
  try {
    connection.pragma('secure_delete = ON');
    const expired = 'result_erased_at IS NULL AND result_expires_at <= ?';
    const { count } = connection.prepare(`SELECT count(*) AS count FROM documents WHERE ${expired}`).get(now) as {
      readonly count: number;
    };
    if (count === 0) return;
    connection.transaction(() => {
      connection
        .prepare(`DELETE FROM small_results WHERE key IN (SELECT key FROM documents WHERE ${expired})`)
        .run(now);
      connection
        .prepare(`UPDATE documents SET result_erased_at = ?, result_signature = NULL WHERE ${expired}`)
        .run(now, now);
    })();
  } finally {
    connection.close();
  }
}
