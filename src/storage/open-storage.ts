import { join } from 'node:path';
import { eraseExpiredInCopies } from './backup/erase-in-copies.ts';
import { finishRestore } from './backup/swap-folder.ts';
import type { Database } from './sqlite/database-schema.ts';
import { DocumentSpace } from './sqlite/stores/document-space.ts';
import { FileDocumentStore } from './files/file-document-store.ts';
import { LocalUserFiles } from './files/local-user-files.ts';
import { lockDataFolder } from './lock-data-folder.ts';
import { openDatabase } from './sqlite/open-database.ts';
import { SqliteHealthProbe } from './sqlite/stores/sqlite-health-probe.ts';
import { SqliteHistoryStore } from './sqlite/stores/sqlite-history-store.ts';
import { SqliteNotificationStore } from './sqlite/stores/sqlite-notification-store.ts';
import { SqliteRevocationCache } from './sqlite/stores/sqlite-revocation-cache.ts';
import { SqliteSettingsStore } from './sqlite/stores/sqlite-settings-store.ts';
import { SqliteSmallDocumentStore } from './sqlite/stores/sqlite-small-document-store.ts';
import { SqliteTransactionStore } from './sqlite/stores/sqlite-transaction-store.ts';

/** The stores of a data folder, exclusively of this process until `close`. */
export interface Storage {
  readonly database: Database;
  readonly transactions: SqliteTransactionStore;
  readonly settings: SqliteSettingsStore;
  readonly documents: FileDocumentStore;
  readonly smallDocuments: SqliteSmallDocumentStore;
  readonly documentSpace: DocumentSpace;
  readonly files: LocalUserFiles;
  readonly history: SqliteHistoryStore;
  readonly notifications: SqliteNotificationStore;
  readonly healthProbe: SqliteHealthProbe;
  readonly revocationCache: SqliteRevocationCache;
  close(): Promise<void>;
}

/** Milliseconds between two checks for expired results in copies of the database. */
const COPIES_INTERVAL = 3_600_000;

/** Rejects with `StorageError`; nothing stays open or claimed then. */
export async function openStorage(
  dataFolder: string,
  options: { readonly fileRoots?: readonly string[] } = {},
): Promise<Storage> {
  await finishRestore(dataFolder);
  const lock = lockDataFolder(dataFolder);
  try {
    const path = join(dataFolder, 'sinete.db');
    const database = await openDatabase(path);
    const eraseInCopies = (): void => eraseExpiredInCopies(path, new Date());
    eraseInCopies();
    const erasing = setInterval(eraseInCopies, COPIES_INTERVAL).unref();
    return {
      database,
      transactions: new SqliteTransactionStore(database),
      settings: new SqliteSettingsStore(database),
      documents: new FileDocumentStore(dataFolder),
      smallDocuments: new SqliteSmallDocumentStore(database),
      documentSpace: new DocumentSpace(database),
      files: new LocalUserFiles(dataFolder, options.fileRoots),
      history: new SqliteHistoryStore(database),
      notifications: new SqliteNotificationStore(database),
      healthProbe: new SqliteHealthProbe(database),
      revocationCache: new SqliteRevocationCache(database, () => new Date()),
      async close() {
        clearInterval(erasing);
        await database.destroy();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
