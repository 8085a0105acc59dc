/**
 * Errors of the storage layer.
 *
 * - `STORAGE_UNAVAILABLE`: the database or the data folder cannot be opened or written.
 * - `DATABASE_DAMAGED`: the database failed its check and was set aside.
 * - `DATABASE_NEWER`: a newer version of this application has used the data folder.
 * - `SECRET_STORE_UNAVAILABLE`: the place of the master key cannot be reached, is locked, or no longer has the key.
 * - `SECRET_STORE_DAMAGED`: the file of the master key exists, but was not written by this program.
 * - `SECRET_UNREADABLE`: a sealed value does not open: another master key, or a changed row.
 * - `BACKUP_UNKNOWN`, `BACKUP_DAMAGED`: a file is no backup, or an incomplete backup.
 * - `BACKUP_OPENS`: a backup lets others in or loads code, and nobody has decided about it.
 * - `BACKUP_PRESENT`, `DATA_FOLDER_PRESENT`: the destination of a backup or a restore already exists.
 * - `PASSPHRASE_REQUIRED`, `PASSPHRASE_INCORRECT`: the passphrase of the master key, or of a backup.
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
  | 'BACKUP_OPENS'
  | 'BACKUP_PRESENT'
  | 'DATA_FOLDER_PRESENT'
  | 'PASSPHRASE_REQUIRED'
  | 'PASSPHRASE_INCORRECT';

/** The single error class of the storage layer. `message` names the problem and holds no secret. */
export class StorageError extends Error {
  readonly code: StorageErrorCode;
  /** A sentence with the user's remedy; empty without a remedy. */
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
