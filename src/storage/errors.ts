/**
 * What storing can fail with.
 *
 * - `STORAGE_UNAVAILABLE`: the database or the data folder cannot be opened or written.
 * - `DATABASE_DAMAGED`: the database fails its check and was set aside.
 * - `DATABASE_NEWER`: a newer version of this application has used the data folder.
 * - `SECRET_STORE_UNAVAILABLE`: the place of the master key cannot be reached, is locked, or no longer has the key.
 * - `SECRET_STORE_DAMAGED`: the file of the master key is there, but is not what this program wrote.
 * - `SECRET_UNREADABLE`: something sealed does not open: another master key, or a row that was changed.
 * - `BACKUP_UNKNOWN`, `BACKUP_DAMAGED`: a file is no backup, or not a whole one.
 * - `BACKUP_PRESENT`, `DATA_FOLDER_PRESENT`: something is where a backup, or what it restores, is to go.
 * - `PASSPHRASE_REQUIRED`, `PASSPHRASE_INCORRECT`: the passphrase that protects the master key, or a backup.
 */
export type StorageErrorCode =
  | 'STORAGE_UNAVAILABLE'
  | 'DATABASE_DAMAGED'
  | 'DATABASE_NEWER'
  | 'SECRET_STORE_UNAVAILABLE'
  | 'SECRET_STORE_DAMAGED'
  | 'SECRET_UNREADABLE'
  | 'BACKUP_UNKNOWN'
  | 'BACKUP_DAMAGED'
  | 'BACKUP_PRESENT'
  | 'DATA_FOLDER_PRESENT'
  | 'PASSPHRASE_REQUIRED'
  | 'PASSPHRASE_INCORRECT';

/** The one error class of the storage layer. `message` says what is wrong and holds no secret. */
export class StorageError extends Error {
  readonly code: StorageErrorCode;
  /** A sentence that says what the user can do; empty when there is nothing. */
  readonly remedy: string;

  constructor(
    code: StorageErrorCode,
    message: string,
    options: { readonly remedy?: string; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StorageError';
    this.code = code;
    this.remedy = options.remedy ?? '';
  }
}
