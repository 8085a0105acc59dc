/** Fills the service's stores: SQLite, document files, secrets. Other layers import from here only. */
export { StorageError, type StorageErrorCode } from './errors.ts';
export { openStorage, type Storage } from './open-storage.ts';
export * from './object-stores/index.ts';
export * from './secrets/index.ts';
export { MasterKeySealer } from './secrets/master-key-sealer.ts';
export type { BackupKey } from './backup/age-file.ts';
export { makeBackup, SHORTEST_PASSPHRASE, type MadeBackup } from './backup/make-backup.ts';
export {
  prepareRestore,
  restoreBackup,
  verifyBackup,
  type RestoredBackup,
  type RestoreRequest,
} from './backup/restore-backup.ts';
export { cancelPendingRestore, finishRestore, readPendingRestore } from './backup/swap-folder.ts';
export { noteBackup } from './copies/newest-backup.ts';
export { listDatabaseCopies, listSetAside } from './copies/kept-files.ts';
export { listFound } from './files/lost-and-found.ts';
export type { FolderCheck, FolderFinding } from './recovery/check-folder.ts';
export {
  checkDataFolder,
  inspectDataFolder,
  recoverDataFolder,
  type Recovered,
  type RecoveryWay,
} from './recovery/recover.ts';
export { DEFAULT_COPIES } from './backup/daily-copies.ts';
export { copyWithoutSetting, isDatabaseCopy, putBackCopy, readSettingOfCopy } from './copies/database-copies.ts';
export { countQueued, countUnfinished } from './sqlite/stores/count-unfinished.ts';
export { SqliteSettingsStore } from './sqlite/stores/sqlite-settings-store.ts';
export { SqliteAuditLog } from './sqlite/stores/audit-log.ts';
export { SqliteAdministratorStore } from './sqlite/stores/sqlite-administrator-store.ts';
export { SqliteAccountStore } from './sqlite/stores/sqlite-account-store.ts';
export { SqliteAssistantStore } from './sqlite/stores/sqlite-assistant-store.ts';
export { SqliteApplicationStore } from './sqlite/stores/sqlite-application-store.ts';
export { SqliteAttemptStore } from './sqlite/stores/sqlite-attempt-store.ts';
export { SqliteConsentStore } from './sqlite/stores/sqlite-consent-store.ts';
export { SqliteTokenStore } from './sqlite/stores/sqlite-token-store.ts';
export { SqliteKeyVault } from './sqlite/stores/sqlite-key-vault.ts';
