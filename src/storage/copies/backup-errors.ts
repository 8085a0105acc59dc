import { StorageError } from '../errors.ts';

/** The file is a backup, but incomplete or changed. */
export function damagedBackup(cause?: unknown): StorageError {
  return new StorageError('BACKUP_DAMAGED', 'The backup is damaged or not complete.', {
    cause,
    remedy: 'Nothing was changed. Copy the file again from where it was kept, or use another backup.',
  });
}
