import { join } from 'node:path';
import { sql } from 'kysely';
import { DEFAULT_COPIES, startCopies, type CopiesKept } from './backup/daily-copies.ts';
import { DatabaseMark } from './sqlite/database-mark.ts';
import { finishRestore } from './backup/swap-folder.ts';
import type { Database } from './sql/database-schema.ts';
import { DocumentSpace } from './sql/stores/document-space.ts';
import { FileDocumentStore } from './files/file-document-store.ts';
import { LocalUserFiles } from './files/local-user-files.ts';
import { lockDataFolder } from './lock-data-folder.ts';
import { openDatabase } from './sqlite/open-database.ts';
import { SqlHealthProbe } from './sql/stores/sql-health-probe.ts';
import { SqlHistoryStore } from './sql/stores/sql-history-store.ts';
import { SqlNotificationStore } from './sql/stores/sql-notification-store.ts';
import { SqlRenewalStore } from './sql/renewals/sql-renewal-store.ts';
import { SqlRevocationCache } from './sql/stores/sql-revocation-cache.ts';
import { SqlSettingsStore } from './sql/stores/sql-settings-store.ts';
import { SqlSmallDocumentStore } from './sql/stores/sql-small-document-store.ts';
import { SqlWebhookStore } from './sql/stores/sql-webhook-store.ts';
import { SqlTransactionStore } from './sql/stores/sql-transaction-store.ts';

/** The stores of a data folder, exclusively of this process until `close`. */
export interface Storage {
  readonly database: Database;
  readonly transactions: SqlTransactionStore;
  readonly settings: SqlSettingsStore;
  readonly documents: FileDocumentStore;
  readonly smallDocuments: SqlSmallDocumentStore;
  readonly documentSpace: DocumentSpace;
  readonly files: LocalUserFiles;
  readonly history: SqlHistoryStore;
  readonly notifications: SqlNotificationStore;
  readonly webhooks: SqlWebhookStore;
  readonly renewals: SqlRenewalStore;
  readonly healthProbe: SqlHealthProbe;
  readonly revocationCache: SqlRevocationCache;
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
      transactions: new SqlTransactionStore(database, mark),
      settings: new SqlSettingsStore(database),
      documents: new FileDocumentStore(dataFolder),
      smallDocuments: new SqlSmallDocumentStore(database),
      documentSpace: new DocumentSpace(database),
      files: new LocalUserFiles(dataFolder, options.fileRoots),
      history: new SqlHistoryStore(database),
      notifications: new SqlNotificationStore(database),
      webhooks: new SqlWebhookStore(database),
      renewals: new SqlRenewalStore(database),
      healthProbe: new SqlHealthProbe(database),
      revocationCache: new SqlRevocationCache(database, () => new Date()),
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
