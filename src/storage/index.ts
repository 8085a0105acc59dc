/** Fills the stores that the service declares: SQLite, document files, secrets. The only door through which others enter. */
export { StorageError, type StorageErrorCode } from './errors.ts';
export { openStorage, type Storage } from './open-storage.ts';
export * from './object-stores/index.ts';
export * from './secrets/index.ts';
export { MasterKeySealer } from './master-key-sealer.ts';
export { makeBackup, type MadeBackup } from './backup/make-backup.ts';
export { restoreBackup, type RestoredBackup, type RestoreRequest } from './backup/restore-backup.ts';
export { finishRestore } from './backup/swap-folder.ts';
export { isDatabaseCopy, putBackCopy } from './backup/database-copies.ts';
export { SqliteSettingsStore } from './sqlite-settings-store.ts';
export { SqliteAuditLog } from './audit-log.ts';
export { SqliteAccountStore } from './sqlite-account-store.ts';
export { SqliteAssistantStore } from './sqlite-assistant-store.ts';
export { SqliteApplicationStore } from './sqlite-application-store.ts';
export { SqliteAttemptStore } from './sqlite-attempt-store.ts';
export { SqliteConsentStore } from './sqlite-consent-store.ts';
export { SqliteTokenStore } from './sqlite-token-store.ts';
export { SqliteKeyVault } from './sqlite-key-vault.ts';
