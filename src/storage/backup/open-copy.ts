import { chmodSync, copyFileSync } from 'node:fs';
import type { Database } from '../sql/database-schema.ts';
import { refuseForeignSchema } from '../recovery/own-schema.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { StorageError } from '../errors.ts';
import { damagedBackup } from '../copies/backup-errors.ts';

/**
 * Changes a copy of a database on a further copy at `target`, with its tables brought up to date. Rejects with
 * `BACKUP_DAMAGED` for a damaged copy and for one with a foreign schema.
 */
export async function openCopy(
  copy: string,
  target: string,
  change: (database: Database) => Promise<void>,
): Promise<void> {
  copyFileSync(copy, target);
  chmodSync(target, 0o600);
  const database = await openDatabase(target).catch((cause: unknown) => {
    throw cause instanceof StorageError && cause.code === 'DATABASE_DAMAGED' ? damagedBackup(cause) : cause;
  });
  try {
    await refuseForeignSchema(database);
    await change(database);
  } finally {
    // The last connection writes its journal into the database.
    await database.destroy();
  }
}
