import { statSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryShortLivedStore, type ShortLivedStore } from '../service/short-lived/index.ts';
import { StorageError } from './errors.ts';
import { sql } from 'kysely';
import { DEFAULT_COPIES, startCopies, type CopiesKept } from './backup/daily-copies.ts';
import { runCopyJob } from './backup/copy-thread.ts';
import { removeOldSnapshots } from './backup/make-backup.ts';
import { bindFolder, bindSharedFolder, requireSqlite, sharedInFolder } from './database-of-folder.ts';
import { DatabaseMark } from './sqlite/database-mark.ts';
import { finishRestore } from './backup/swap-folder.ts';
import type { Database } from './sql/database-schema.ts';
import { DocumentSpace } from './sql/stores/document-space.ts';
import { BucketDocumentStore, type DocumentBucket } from './object-stores/index.ts';
import { sharedInBucket } from './object-stores/bound-bucket.ts';
import { FileDocumentStore } from './files/file-document-store.ts';
import { LocalUserFiles, type ResultModes } from './files/local-user-files.ts';
import { lockDataFolder } from './lock-data-folder.ts';
import type { CommitListener, Engine } from './sql/commits.ts';
import { openNodes, type OpenNodes } from './nodes/open-nodes.ts';
import { PostgresLocks } from './nodes/postgres-locks.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { connectionOf } from './postgres/postgres-pool.ts';
import { isExclusive, openForService, suspect } from './sqlite/open-database.ts';
import { openReader } from './sqlite/reader.ts';
import { SqlHealthProbe } from './sql/stores/sql-health-probe.ts';
import { SqlHistoryStore } from './sql/stores/sql-history-store.ts';
import { SqlNotificationStore } from './sql/stores/sql-notification-store.ts';
import { SqlRenewalStore } from './sql/renewals/sql-renewal-store.ts';
import { SqlRevocationCache } from './sql/stores/sql-revocation-cache.ts';
import { SqlShortLivedStore } from './nodes/sql-short-lived-store.ts';
import { SqlSettingsStore } from './sql/stores/sql-settings-store.ts';
import { SqlSmallDocumentStore } from './sql/stores/sql-small-document-store.ts';
import { SqlWebhookStore } from './sql/stores/sql-webhook-store.ts';
import { SqlTransactionStore } from './sql/stores/sql-transaction-store.ts';

/** The stores of a data folder, which this process uses exclusively until `close`. */
export interface Storage {
  readonly database: Database;
  /**
   * The same database for questions that take long: SQLite answers them in a thread of its own, PostgreSQL on any of its
   * connections. Never writes.
   */
  readonly reader: Database;
  readonly transactions: SqlTransactionStore;
  readonly settings: SqlSettingsStore;
  readonly documents: FileDocumentStore | BucketDocumentStore;
  readonly smallDocuments: SqlSmallDocumentStore;
  readonly shortLived: ShortLivedStore;
  readonly documentSpace: DocumentSpace;
  readonly files: LocalUserFiles;
  readonly history: SqlHistoryStore;
  readonly notifications: SqlNotificationStore;
  readonly webhooks: SqlWebhookStore;
  readonly renewals: SqlRenewalStore;
  readonly healthProbe: SqlHealthProbe;
  readonly revocationCache: SqlRevocationCache;
  readonly engine: Engine;
  /** The folder of the documents: the data folder, or the folder that several nodes share. */
  readonly documentsFolder: string;
  /** This node among several; undefined: a single instance. */
  readonly sharedWith: OpenNodes | undefined;
  /** Called after each commit of the audit log; `problem` describes how the database differs from its mark. */
  readonly mark: CommitListener & Pick<DatabaseMark, 'problem' | 'failure'>;
  /** `isFound`: a check beside the work has found the database damaged. Nothing is written any more. */
  readonly damage: { readonly isFound: boolean };
  /** False while the clock is in doubt: then nothing is deleted because of its age. */
  readonly mayErase: () => boolean;
  /** Refuses all writes until the next start. */
  freeze(): Promise<void>;
  close(): Promise<void>;
}

/** The documents of all nodes in a bucket; undefined: they are in a folder. */
export const bucketOf = ({ documents }: Pick<Storage, 'documents'>): BucketDocumentStore | undefined =>
  documents instanceof BucketDocumentStore ? documents : undefined;

/** Options of `openStorage`. */
export interface StorageOptions {
  readonly fileRoots?: readonly string[];
  /** Rights of results at the user's own paths. */
  readonly resultModes?: ResultModes;
  /** Daily copies of SQLite's file. */
  readonly copies?: CopiesKept;
  readonly mayErase?: () => boolean;
  /** `postgresql://…`, with its password; absent: SQLite in the data folder. */
  readonly databaseUrl?: string;
  /** Absolute path of a folder that all nodes on the database share; absent: a single instance. */
  readonly sharedFolder?: string;
  /** The bucket for the documents of all nodes, instead of a shared folder; closed with the storage. */
  readonly bucket?: DocumentBucket;
  /** True: no other node may use the database, although the folder is shared. */
  readonly alone?: boolean;
  /** Path of the second mark (`markBesideKey`); absent without a key file outside of the data folder. */
  readonly besideKey?: string;
}

/** Rejects with `StorageError`; nothing stays open or claimed then. */
export async function openStorage(dataFolder: string, options: StorageOptions = {}): Promise<Storage> {
  await finishRestore(dataFolder);
  const lock = lockDataFolder(dataFolder);
  try {
    const { databaseUrl } = options;
    const opened =
      databaseUrl === undefined
        ? await openOnSqlite(dataFolder, options)
        : await openOnPostgres(dataFolder, databaseUrl, options);
    const { database, reader, mark, documentsFolder } = opened;
    const history = new SqlHistoryStore(database, { reader });
    const { bucket } = options;
    const documents =
      bucket === undefined ? new FileDocumentStore(documentsFolder) : new BucketDocumentStore(dataFolder, bucket);
    return {
      ...opened,
      transactions: new SqlTransactionStore(database, mark, reader),
      settings: new SqlSettingsStore(database, (key) => opened.sharedWith?.signals.tell({ stale: [key] })),
      documents,
      smallDocuments: new SqlSmallDocumentStore(database),
      // A single instance uses memory, so that opening a page needs no write to disk.
      shortLived: opened.sharedWith === undefined ? new MemoryShortLivedStore() : new SqlShortLivedStore(database),
      documentSpace: new DocumentSpace(database),
      files: new LocalUserFiles(dataFolder, options.fileRoots, options.resultModes),
      history,
      notifications: new SqlNotificationStore(database, opened.sharedWith !== undefined),
      webhooks: new SqlWebhookStore(database),
      renewals: new SqlRenewalStore(database),
      healthProbe: new SqlHealthProbe(database, opened.engine),
      revocationCache: new SqlRevocationCache(database, () => new Date()),
      mayErase: options.mayErase ?? (() => true),
      async close() {
        await history.close();
        await bucketOf({ documents })?.close();
        await opened.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

type OpenEngine = Pick<
  Storage,
  'engine' | 'database' | 'reader' | 'mark' | 'damage' | 'freeze' | 'close' | 'documentsFolder' | 'sharedWith'
>;

async function openOnSqlite(dataFolder: string, options: StorageOptions): Promise<OpenEngine> {
  requireSqlite(dataFolder, 'Name it in database.url.');
  await removeOldSnapshots(join(dataFolder, 'backups'));
  const path = join(dataFolder, 'sinete.db');
  const { database, isChecked } = await openForService(path);
  const freeze = async (): Promise<void> => {
    await sql`pragma query_only = on`.execute(database);
  };
  const mark = await DatabaseMark.open(database, { dataFolder, besideKey: options.besideKey });
  const reader = (await isExclusive(database)) ? database : openReader(path);
  // While the database has a problem, new copies would replace the good ones.
  const damage = { isFound: false };
  const check = isChecked ? undefined : checkBeside(path, damage, freeze);
  const copies =
    mark.problem === undefined ? startCopies(path, options.copies ?? DEFAULT_COPIES, options.mayErase) : undefined;
  return {
    engine: 'sqlite',
    documentsFolder: dataFolder,
    sharedWith: undefined,
    database,
    reader,
    mark,
    damage,
    freeze,
    async close() {
      await check;
      await copies?.close();
      await mark.close();
      if (reader !== database) await reader.destroy();
      await database.destroy();
    },
  };
}

/**
 * Checks a large database while it is used. A damaged one is not written any more, and the next start sets it aside. A
 * check that cannot run tells nothing: the copy of the day has a check of its own. Never rejects.
 */
async function checkBeside(path: string, damage: { isFound: boolean }, freeze: () => Promise<void>): Promise<void> {
  try {
    if ((await runCopyJob({ kind: 'check', path })) === 'good') return;
    damage.isFound = true;
    suspect(path);
    await freeze();
  } catch {
    // Seen again at the next start.
  }
}

/** PostgreSQL keeps its own journal. There is no mark in the data folder, so nothing is ever frozen. */
async function openOnPostgres(
  dataFolder: string,
  url: string,
  { sharedFolder, bucket, alone = false }: StorageOptions,
): Promise<OpenEngine> {
  const isNode = sharedFolder !== undefined || bucket !== undefined;
  const { database, close } = await openPostgres(url, isNode && !alone ? 'shared' : 'alone');
  try {
    const sharedWith = isNode ? await joinNodes(database, { dataFolder, url, sharedFolder, bucket }) : undefined;
    if (sharedWith === undefined) await bindFolder(database, dataFolder);
    const mark = { problem: undefined, failure: undefined, note: () => Promise.resolve() };
    return {
      engine: 'postgres',
      documentsFolder: sharedFolder ?? dataFolder,
      sharedWith,
      database,
      reader: database,
      mark,
      damage: { isFound: false },
      freeze: () => Promise.resolve(),
      async close() {
        await sharedWith?.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Runs for one node at a time: the first one binds the folder to the database. */
async function joinNodes(
  database: Database,
  {
    dataFolder,
    url,
    sharedFolder,
    bucket,
  }: { readonly dataFolder: string; readonly url: string } & Record<'sharedFolder', string | undefined> &
    Record<'bucket', DocumentBucket | undefined>,
): Promise<OpenNodes> {
  if (sharedFolder !== undefined) requireSharedFolder(sharedFolder);
  const shared = bucket === undefined ? sharedInFolder(sharedFolder ?? '') : sharedInBucket(bucket, dataFolder);
  const locks = await PostgresLocks.open(connectionOf(url));
  const home = await locks.run('start', () => bindSharedFolder(database, { dataFolder, shared }));
  return openNodes(database, { url, locks, home });
}

/** Requires that the administrator has created the folder: an unmounted share must not look like an empty folder. */
function requireSharedFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new StorageError('STORAGE_UNAVAILABLE', 'The shared folder of documents is not there.', {
    remedy: 'Mount the share, or make the folder, owned by the user of Sinete, on every node.',
  });
}
