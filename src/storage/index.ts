/** Fills the service's stores: a database, document files, secrets. Other layers import from here only. */
export { StorageError, type StorageErrorCode } from './errors.ts';
export { bucketOf, openStorage, type Storage } from './open-storage.ts';
export { moveToPostgres, moveToSqlite, type MovedDatabase } from './move-database.ts';
export * from './object-stores/index.ts';
export * from './secrets/index.ts';
export { MasterKeySealer } from './secrets/master-key-sealer.ts';
export type { BackupKey } from './backup/age-file.ts';
export { countNssKeys } from './sqlite/count-nss-keys.ts';
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
export { countFound } from './files/lost-and-found.ts';
export type { FolderCheck, FolderFinding } from './recovery/check-folder.ts';
export {
  checkDataFolder,
  inspectDataFolder,
  recoverDataFolder,
  type Recovered,
  type RecoveryWay,
} from './recovery/recover.ts';
export { markBesideKey } from './mark/mark-file.ts';
export type { MarkPlaces } from './sqlite/database-mark.ts';
export { DEFAULT_COPIES } from './backup/daily-copies.ts';
export { isDatabaseCopy, putBackCopy, readSettingOfCopy } from './copies/database-copies.ts';
export { openCopy } from './backup/open-copy.ts';
export { dropRows, reachOfTables } from './backup/reach-of-tables.ts';
export type { Database } from './sql/database-schema.ts';
export { countQueued, countUnfinished } from './sql/stores/count-unfinished.ts';
export { resealDatabase, sealedColumns, type SealedSettings } from './sql/reseal-database.ts';
export { SqlSettingsStore } from './sql/stores/sql-settings-store.ts';
export { SqlAuditLog } from './sql/stores/audit-log.ts';
export { SqlAdministratorStore } from './sql/stores/sql-administrator-store.ts';
export { SqlAccountStore } from './sql/stores/sql-account-store.ts';
export { SqlAssistantStore } from './sql/stores/sql-assistant-store.ts';
export { SqlApplicationStore } from './sql/stores/sql-application-store.ts';
export { SqlAttemptStore } from './sql/stores/sql-attempt-store.ts';
export { SqlShortLivedStore } from './nodes/sql-short-lived-store.ts';
export { SqlConsentStore } from './sql/stores/sql-consent-store.ts';
export { SqlHashCallStore } from './sql/stores/sql-hash-call-store.ts';
export { SqlTokenStore } from './sql/stores/sql-token-store.ts';
export { SqlKeyVault } from './sql/stores/sql-key-vault.ts';
