import { constants } from 'node:fs';
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { verifyAudit, type AuditVerdict } from '../../service/audit/index.ts';
import { SqlAuditLog } from '../sql/stores/audit-log.ts';
import type { Database } from '../sql/database-schema.ts';
import { compareWithMark, type DatabaseProblem } from '../sqlite/database-mark.ts';
import { acceptAtNextStart } from '../mark/mark-file.ts';
import { requireSqlite } from '../database-of-folder.ts';
import { StorageError } from '../errors.ts';
import { flushFolder, timeForFileName } from '../files/files.ts';
import { lockDataFolder } from '../lock-data-folder.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { readAgeFile, type BackupKey } from './age-file.ts';
import { readArchive } from './archive.ts';
import { readFirstArchive, readSealedFile } from './first-format.ts';
import { ArchiveDigest, MAKER_PROOF, readMakerKey, writeMakerKey } from './backup-maker.ts';
import { refuseForeignSchema } from '../recovery/own-schema.ts';
import { checkFolder, type FolderCheck } from '../recovery/check-folder.ts';
import { damagedBackup } from '../copies/backup-errors.ts';
import { formatOfBackup } from '../copies/newest-backup.ts';
import { countSmallDocuments, filesOfSnapshot } from './snapshot.ts';
import {
  cancelPendingRestore,
  finishRestore,
  isAwaited,
  pendRestore,
  removeAbandoned,
  stagingFolderOf,
  swapFolder,
  type PendingRestore,
} from './swap-folder.ts';

/** Source and destination of a restore. */
export interface RestoreRequest {
  readonly path: string;
  readonly key: BackupKey;
  /** Absolute. */
  readonly dataFolder: string;
  /** True if an existing data folder is set aside. */
  readonly replace: boolean;
  /**
   * Binds the restored database to this computer, for example by storing the master key of the backup here. Called with
   * the folder before it becomes the data folder; a rejection leaves everything unchanged.
   */
  readonly adopt: (restored: {
    readonly folder: string;
    readonly database: Database;
    readonly masterKey: Buffer;
    /** True if the instance of the data folder has made the backup itself; otherwise its maker is unknown. */
    readonly isOwn: boolean;
  }) => Promise<void>;
  readonly now: Date;
}

/** The restored contents. */
export interface RestoredBackup {
  readonly version: string;
  /** When the backup was made. */
  readonly createdAt: string;
  readonly documents: number;
  /** Where the earlier data folder is now. */
  readonly aside: string | null;
  readonly audit: AuditVerdict;
  /** Rows that were already missing when the backup was made, according to its mark; undefined if there are none. */
  readonly missing: DatabaseProblem | undefined;
}

/** Bytes of a manifest or key at most. */
const MOST_COLLECTED = 64 * 1024;

const manifestSchema = z.object({ format: z.literal(1), version: z.string(), createdAt: z.iso.datetime() });

/**
 * Makes a data folder from a backup. Everything is first unpacked, opened and checked next to the data folder; then the
 * folders are renamed. A failure before that leaves everything unchanged. Rejects with `StorageError`:
 * `BACKUP_UNKNOWN`, `BACKUP_DAMAGED`, `PASSPHRASE_INCORRECT`, `DATA_FOLDER_PRESENT`, `DATABASE_NEWER`,
 * `STORAGE_UNAVAILABLE`.
 */
export async function restoreBackup(request: RestoreRequest): Promise<RestoredBackup> {
  requireSqlite(request.dataFolder, 'Restore the backup into a data folder of its own.');
  const { dataFolder, replace } = request;
  await finishRestore(dataFolder);
  const isPresent = (await readdir(dataFolder).catch(() => [])).length > 0;
  if (isPresent && !replace) throw folderPresent();
  const lock = isPresent ? lockDataFolder(dataFolder) : undefined;
  const staging = stagingFolderOf(dataFolder);
  try {
    await mkdir(dirname(dataFolder), { recursive: true });
    await removeAbandoned(dataFolder);
    const makerKey = await readMakerKey(dataFolder);
    const unpacked = await unpack(request, staging, makerKey);
    const { audit, missing } = await check(request, staging, unpacked);
    const small = countSmallDocuments(join(staging, 'sinete.db'));
    const aside = (await isThere(dataFolder)) ? `${dataFolder}.replaced-${timeForFileName(request.now)}` : undefined;
    // Windows cannot rename a folder with an open file.
    lock?.release();
    await swapFolder(dataFolder, staging, aside);
    const { version, createdAt } = unpacked.manifest;
    return {
      version,
      createdAt,
      documents: unpacked.documents.size + small,
      aside: isPresent ? (aside ?? null) : null,
      audit,
      missing,
    };
  } catch (error) {
    throw asStorageError(error);
  } finally {
    lock?.release();
    if (!(await isAwaited(dataFolder, staging))) await rm(staging, { recursive: true, force: true });
  }
}

/**
 * Restores a backup into a temporary folder and checks everything there. The folder contains keys, and is removed
 * afterwards. Rejects as `restoreBackup` does.
 */
export async function verifyBackup(
  request: Pick<RestoreRequest, 'path' | 'key'> & { readonly temporaryFolder: string },
  onProgress: (checked: number, all: number) => void,
): Promise<FolderCheck> {
  await mkdir(request.temporaryFolder, { mode: 0o700 });
  try {
    const { masterKey } = await unpack(request, request.temporaryFolder);
    masterKey.fill(0);
    const database = await openDatabase(join(request.temporaryFolder, 'sinete.db')).catch((cause: unknown) => {
      throw cause instanceof StorageError && cause.code === 'DATABASE_DAMAGED' ? damagedBackup(cause) : cause;
    });
    try {
      return await checkFolder(database, request.temporaryFolder, { repair: false, onProgress });
    } finally {
      await database.destroy();
    }
  } catch (error) {
    throw asStorageError(error);
  } finally {
    await rm(request.temporaryFolder, { recursive: true, force: true });
  }
}

/**
 * Makes a data folder from a backup while another one is in use. The restored folder, complete and checked, waits next
 * to the data folder, and replaces it at the next `finishRestore` when the data folder is not in use. Errors as of
 * `restoreBackup`.
 */
export async function prepareRestore(request: Omit<RestoreRequest, 'replace'>): Promise<PendingRestore> {
  requireSqlite(request.dataFolder, 'Restore the backup into a data folder of its own.');
  const { dataFolder } = request;
  await cancelPendingRestore(dataFolder);
  await removeAbandoned(dataFolder);
  const staging = stagingFolderOf(dataFolder);
  try {
    const makerKey = await readMakerKey(dataFolder);
    const unpacked = await unpack(request, staging, makerKey);
    const { audit } = await check(request, staging, unpacked);
    const small = countSmallDocuments(join(staging, 'sinete.db'));
    const { createdAt } = unpacked.manifest;
    const pending = { createdAt, documents: unpacked.documents.size + small, auditIntact: audit.state === 'intact' };
    await pendRestore(dataFolder, staging, pending);
    return pending;
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw asStorageError(error);
  }
}

function asStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const remedy = 'Nothing was changed. Check that the backup can be read and that the disk has room.';
  return new StorageError('STORAGE_UNAVAILABLE', 'The backup could not be restored.', { cause: error, remedy });
}

interface Unpacked {
  readonly manifest: z.infer<typeof manifestSchema>;
  readonly masterKey: Buffer;
  /** Names below the folder. */
  readonly documents: ReadonlySet<string>;
  readonly isOwn: boolean;
}

async function unpack(
  { path, key }: Pick<RestoreRequest, 'path' | 'key'>,
  staging: string,
  makerKey?: Buffer,
): Promise<Unpacked> {
  const file = await open(path, constants.O_RDONLY).catch((cause: unknown) => {
    throw new StorageError('BACKUP_UNKNOWN', 'The backup cannot be read.', { cause, remedy: 'Check its name.' });
  });
  const kept = new Map<string, Buffer>();
  const documents = new Set<string>();
  const digest = new ArchiveDigest();
  let isOwn = false;
  try {
    for (const folder of ['', 'documents', 'results'])
      await mkdir(join(staging, folder), { recursive: true, mode: 0o700 });
    await readFiles(path, file, key, async (name, content) => {
      if (name === MAKER_PROOF) {
        isOwn = digest.isProof(makerKey, await collect(content));
        return;
      }
      // The proof covers the files before it only.
      isOwn = false;
      const digested = digest.through(name, content);
      if (name === 'manifest.json' || name === 'master.key') kept.set(name, await collect(digested));
      else await writeOut(join(staging, name), digested);
      if (name.includes('/')) documents.add(name);
    });
  } finally {
    await file.close();
  }
  for (const folder of ['documents', 'results', '']) await flushFolder(join(staging, folder));
  const masterKey = kept.get('master.key');
  if (masterKey?.length !== 32) throw damagedBackup();
  return { manifest: readManifest(kept.get('manifest.json')), masterKey, documents, isOwn };
}

/** Passes each file of a backup, in either format, to `take`. */
async function readFiles(
  path: string,
  file: FileHandle,
  key: BackupKey,
  take: Parameters<typeof readArchive>[1],
): Promise<void> {
  switch (formatOfBackup(path)) {
    case 'age':
      return readArchive(readAgeFile(file, key), take);
    case 'first': {
      if ('passphrase' in key) return readFirstArchive(readSealedFile(file, key.passphrase), take);
      const remedy = 'Nothing was changed. Type the passphrase that the backup was made with.';
      throw new StorageError('PASSPHRASE_INCORRECT', 'This backup opens with a passphrase, not with a key.', {
        remedy,
      });
    }
    case undefined: {
      const remedy = 'Name another file.';
      throw new StorageError('BACKUP_UNKNOWN', 'This file is not a backup of Sinete.', { remedy });
    }
  }
}

function readManifest(bytes: Buffer | undefined): Unpacked['manifest'] {
  try {
    return manifestSchema.parse(JSON.parse(bytes?.toString('utf8') ?? ''));
  } catch (cause) {
    throw damagedBackup(cause);
  }
}

async function collect(content: AsyncGenerator<Buffer, void>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of content) {
    size += part.length;
    if (size > MOST_COLLECTED) throw damagedBackup();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function writeOut(path: string, bytes: AsyncGenerator<Buffer, void>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const part of bytes) await file.writeFile(part);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Opens the database, which checks it and updates its tables, compares it with the mark of the backup, looks for its
 * originals, and calls `adopt`. The person has chosen these rows, so the first start marks them.
 */
async function check(
  request: Pick<RestoreRequest, 'adopt' | 'dataFolder' | 'now'>,
  staging: string,
  { masterKey, documents, isOwn }: Unpacked,
): Promise<Pick<RestoredBackup, 'audit' | 'missing'>> {
  const path = join(staging, 'sinete.db');
  if (!(await isThere(path))) throw damagedBackup();
  for (const key of filesOfSnapshot(path).documents) if (!documents.has(`documents/${key}`)) throw damagedBackup();
  const database = await openDatabase(path).catch((cause: unknown) => {
    throw cause instanceof StorageError && cause.code === 'DATABASE_DAMAGED' ? damagedBackup(cause) : cause;
  });
  try {
    const log = new SqlAuditLog(database);
    const audit = await verifyAudit(log, null);
    const missing = await compareWithMark(database, { dataFolder: staging, besideKey: undefined });
    await refuseForeignSchema(database);
    await request.adopt({ folder: staging, database, masterKey, isOwn });
    const makerKey = await readMakerKey(request.dataFolder);
    if (makerKey !== undefined) await writeMakerKey(staging, makerKey);
    const detail = { intact: audit.state === 'intact' };
    await log.append([{ kind: 'backup-restored', subject: null, detail }], request.now);
    acceptAtNextStart(staging);
    return { audit, missing };
  } finally {
    masterKey.fill(0);
    await database.destroy();
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function folderPresent(): StorageError {
  return new StorageError('DATA_FOLDER_PRESENT', 'There is a data folder already.', {
    remedy: 'Nothing was changed. Add --replace to set it aside, or choose another folder with --data.',
  });
}
