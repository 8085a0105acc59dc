import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { requireSqlite } from '../database-of-folder.ts';
import { StorageError } from '../errors.ts';
import type { FileDocumentStore } from '../files/file-document-store.ts';
import { flushFolder, systemCode } from '../files/files.ts';
import { markPathOf, readMark, renderMark, type MarkContent } from '../mark/mark-file.ts';
import { writeAgeFile, type BackupSeal } from './age-file.ts';
import { writeArchive, type ArchiveEntry } from './archive.ts';
import { ArchiveDigest, makeMakerKey, MAKER_PROOF } from './backup-maker.ts';
import { runCopyJob } from './copy-thread.ts';
import type { filesOfSnapshot } from './snapshot.ts';

/** Minimum length of a passphrase, in characters. */
export const SHORTEST_PASSPHRASE = 8;

/** Source and destination of a backup. */
export interface BackupRequest {
  readonly dataFolder: string;
  /** Path of the backup; no file may exist there. */
  readonly path: string;
  /** A passphrase, or public keys whose owners can open the backup. */
  readonly seal: BackupSeal;
  /**
   * 32 bytes, stored inside the backup, so that sealed values can be opened on another computer. The caller wipes the
   * key.
   */
  readonly masterKey: Buffer;
  readonly documents: Pick<FileDocumentStore, 'withoutRemovals'>;
  readonly version: string;
  readonly now: Date;
}

/** The finished backup. */
export interface MadeBackup {
  /** Bytes. */
  readonly size: number;
  /** Number of originals and results. */
  readonly documents: number;
}

const SNAPSHOT = '.snapshot-';

/**
 * Writes everything of a data folder in use into a sealed file: the database at the present moment, and its files,
 * which are kept until the end. A crash leaves no file with the requested name. Rejects with `StorageError`:
 * `PASSPHRASE_REQUIRED`, `BACKUP_PRESENT`, `STORAGE_UNAVAILABLE`.
 */
export async function makeBackup(request: BackupRequest): Promise<MadeBackup> {
  const { dataFolder, seal } = request;
  requireSqlite(dataFolder, 'Back it up with pg_dump, and the data folder with its documents after that.');
  const path = resolve(request.path);
  refuseWeak(seal);
  await expectNothingAt(path);
  const draft = `${path}.${randomUUID()}.tmp`;
  const snapshot = join(dataFolder, 'backups', `${SNAPSHOT}${randomUUID()}.db`);
  try {
    await mkdir(dirname(snapshot), { recursive: true, mode: 0o700 });
    await removeOldSnapshots(dirname(snapshot));
    // Read before the snapshot, so that the snapshot has every row of the mark.
    const mark = readMark(markPathOf(dataFolder));
    const documents = await request.documents.withoutRemovals(async () => {
      const databasePath = join(dataFolder, 'sinete.db');
      await runCopyJob({ kind: 'snapshot', databasePath, destination: snapshot, checked: false });
      return writeBackup({ ...request, mark }, snapshot, draft);
    });
    await giveName(draft, path);
    return { size: (await stat(path)).size, documents };
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw present(path);
    if (error instanceof StorageError) throw error;
    const remedy = 'Check that its folder is there, may be written and has room.';
    throw new StorageError('STORAGE_UNAVAILABLE', 'The backup could not be written.', { cause: error, remedy });
  } finally {
    await Promise.all(
      [draft, snapshot, `${snapshot}-wal`, `${snapshot}-shm`].map(async (one) => rm(one, { force: true })),
    );
  }
}

function refuseWeak(seal: BackupSeal): void {
  if ('recipients' in seal ? seal.recipients.length > 0 : seal.passphrase.length >= SHORTEST_PASSPHRASE) return;
  const remedy = `Choose one of at least ${SHORTEST_PASSPHRASE} characters: it protects your keys.`;
  throw new StorageError('PASSPHRASE_REQUIRED', 'The passphrase is too short.', { remedy });
}

/** Uses a link, which unlike a rename never replaces a file. Portable disks often have no links. */
async function giveName(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(systemCode(error))) throw error;
    await expectNothingAt(path);
    await rename(draft, path);
  }
  await flushFolder(dirname(path));
}

/** A request with the database's mark at the start of the backup; undefined without a readable mark. */
type MarkedRequest = BackupRequest & { readonly mark: MarkContent | undefined };

async function writeBackup(request: MarkedRequest, snapshot: string, draft: string): Promise<number> {
  const file = await open(draft, 'wx', 0o600);
  try {
    const { small, files } = await runCopyJob({ kind: 'contents', path: snapshot });
    let documents = small;
    const onAdded = (name: string): void => {
      if (name.includes('/')) documents++;
    };
    const digest = new ArchiveDigest();
    const key = await makeMakerKey(request.dataFolder);
    const entries = entriesOf(request, snapshot, files, () => digest.proof(key));
    await writeAgeFile(file, request.seal, writeArchive(entries, request.now, onAdded, digest));
    await file.sync();
    return documents;
  } finally {
    await file.close();
  }
}

function* entriesOf(
  { dataFolder, masterKey, version, now, mark }: MarkedRequest,
  snapshot: string,
  needed: ReturnType<typeof filesOfSnapshot>,
  proof: () => Buffer,
): Generator<ArchiveEntry, void> {
  const manifest = { format: 1, version, createdAt: now.toISOString() };
  yield { name: 'manifest.json', source: Buffer.from(JSON.stringify(manifest)) };
  yield { name: 'master.key', source: masterKey };
  if (mark !== undefined) yield { name: 'sinete.mark', source: renderMark(mark) };
  yield { name: 'sinete.db', source: { path: snapshot } };
  for (const name of ['sinete.toml', 'sinete.json']) yield { name, source: { path: join(dataFolder, name) } };
  for (const folder of ['documents', 'results'] as const) {
    for (const key of needed[folder]) {
      yield { name: `${folder}/${key}`, source: { path: join(dataFolder, folder, key) } };
    }
  }
  yield { name: MAKER_PROOF, source: proof };
}

/** Removes snapshots that a killed backup left: each is a copy of the whole database, which is not encrypted. */
export async function removeOldSnapshots(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.startsWith(SNAPSHOT)) await rm(join(folder, name), { force: true });
  }
}

async function expectNothingAt(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined) throw present(path);
}

function present(path: string): StorageError {
  return new StorageError('BACKUP_PRESENT', `"${basename(path)}" already exists.`, { remedy: 'Name another file.' });
}
