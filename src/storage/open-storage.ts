import { join } from 'node:path';
import { sql } from 'kysely';
import { DEFAULT_COPIES, startCopies, type CopiesKept } from './backup/daily-copies.ts';
import { DatabaseMark } from './sqlite/database-mark.ts';
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
import { SqliteRenewalStore } from './sqlite/renewals/sqlite-renewal-store.ts';
import { SqliteRevocationCache } from './sqlite/stores/sqlite-revocation-cache.ts';
import { SqliteSettingsStore } from './sqlite/stores/sqlite-settings-store.ts';
import { SqliteSmallDocumentStore } from './sqlite/stores/sqlite-small-document-store.ts';
import { SqliteWebhookStore } from './sqlite/stores/sqlite-webhook-store.ts';
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
  readonly webhooks: SqliteWebhookStore;
  readonly renewals: SqliteRenewalStore;
  readonly healthProbe: SqliteHealthProbe;
  readonly revocationCache: SqliteRevocationCache;
  /** Noted after each commit of the audit log; its problem is how the database differs from its mark. */
  readonly mark: DatabaseMark;
  /** False while the clock is doubted: then nothing is erased because its time is over. */
  readonly mayErase: () => boolean;
  /** Refuses every further write until the next start. */
  freeze(): Promise<void>;
  close(): Promise<void>;
}

/** Rejects with `StorageError`; nothing stays open or claimed then. */
export async function openStorage(
  dataFolder: string,
  options: {
    readonly fileRoots?: readonly string[];
    readonly copies?: CopiesKept;
    readonly mayErase?: () => boolean;
  } = {},
): Promise<Storage> {
  await finishRestore(dataFolder);
  const lock = lockDataFolder(dataFolder);
  try {
    const path = join(dataFolder, 'sinete.db');
    const database = await openDatabase(path);
    const mark = await DatabaseMark.open(database, dataFolder);
    // Copies of a database with a problem would push out the good copies.
    const copies =
      mark.problem === undefined ? startCopies(path, options.copies ?? DEFAULT_COPIES, options.mayErase) : undefined;
    return {
      database,
      transactions: new SqliteTransactionStore(database, mark),
      settings: new SqliteSettingsStore(database),
      documents: new FileDocumentStore(dataFolder),
      smallDocuments: new SqliteSmallDocumentStore(database),
      documentSpace: new DocumentSpace(database),
      files: new LocalUserFiles(dataFolder, options.fileRoots),
      history: new SqliteHistoryStore(database),
      notifications: new SqliteNotificationStore(database),
      webhooks: new SqliteWebhookStore(database),
      renewals: new SqliteRenewalStore(database),
      healthProbe: new SqliteHealthProbe(database),
      revocationCache: new SqliteRevocationCache(database, () => new Date()),
      mark,
      mayErase: options.mayErase ?? (() => true),
      async freeze() {
        await sql`pragma query_only = on`.execute(database);
      },
      async close() {
        await copies?.close();
        await mark.close();
        await database.destroy();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
