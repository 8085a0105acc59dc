/** The checks of the storage: database, object store, data folder, and the documents in them. */
import { dropUndefined } from '../../values/drop-undefined.ts';
import type { Room, RoomView } from '../space/index.ts';
import type { RecentTries, SystemReader } from '../monitoring/index.ts';
import { found, runCheck, type Check, type CheckValues } from './check.ts';

/** Rows that the database has lost, according to its mark; undefined numbers are unknown. */
export interface LostRows {
  readonly kind: 'rows-missing' | 'other-history' | 'database-gone';
  readonly rows: number | undefined;
  readonly transactions: number | undefined;
  readonly documents: number | undefined;
  readonly signed: number | undefined;
}

/** The checked parts of the storage. */
export interface StorageParts {
  /** Writes a value and reads it back; rejects on failure or for a different value. */
  readonly database: { writeAndReadBack(): Promise<void> };
  /** True if the database is a separate server instead of a file in the data folder. Default: false. */
  readonly databaseIsServer?: boolean;
  /** Reads from the object store of the documents; rejects on failure. Absent: the documents are in a folder. */
  readonly documentStore?: { probe(): Promise<void> };
  readonly dataFolder: string;
  readonly room: Pick<Room, 'view'>;
  /** Stored results that were found missing or changed. */
  readonly damagedResults: () => readonly { readonly reason: 'missing' | 'changed' }[];
  /** How the database differs from its mark; undefined when it does not. */
  readonly lostRows: () => LostRows | undefined;
  /** True once a check beside the work has found the database damaged. */
  readonly isDamaged: () => boolean;
  /** The last failure to write the mark of the database; undefined if the mark is up to date. */
  readonly markFailure: () => unknown;
  /**
   * Numbers of documents that were set aside: those without a row, and those of requests that ended without an answer.
   */
  readonly foundDocuments: () => Promise<{ readonly lost: number; readonly unanswered: number }>;
  readonly system: SystemReader;
  /** Cached trial writes of the last second. */
  readonly tries: Pick<RecentTries, 'run'>;
}

/** Checks the database, the documents and their folder. Never rejects: a failed check is a result. */
export async function checkStorage(parts: StorageParts): Promise<readonly Check[]> {
  const groups = await Promise.all([
    runCheck('database', parts.databaseIsServer === true ? 'database-server-fails' : 'database-fails', () =>
      checkDatabase(parts),
    ),
    checkDocumentStore(parts),
    runCheck('data-folder', 'folder-fails', () => checkDataFolder(parts)),
    runCheck('database-rows', 'check-failed', () => checkRows(parts), 'database-rows'),
    runCheck('lost-and-found', 'found-fails', () => checkFound(parts)),
    runCheck('results', 'check-failed', () => checkResults(parts), 'results'),
  ]);
  return groups.flat();
}

async function checkDatabase({ database, isDamaged, tries }: StorageParts): Promise<readonly Check[]> {
  if (isDamaged()) return [found('database', 'database-damaged')];
  await tries.run('database', async () => database.writeAndReadBack());
  return [found('database', 'database-works')];
}

async function checkDocumentStore({ documentStore, tries }: StorageParts): Promise<readonly Check[]> {
  const id = 'document-store';
  if (documentStore === undefined) return [];
  try {
    await tries.run(id, async () => documentStore.probe());
    return [found(id, 'store-works')];
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'The object store of the documents cannot be used now.';
    return [found(id, 'store-fails', { reason })];
  }
}

async function checkDataFolder({ dataFolder, room, system, tries }: StorageParts): Promise<readonly Check[]> {
  const id = 'data-folder';
  await tries.run(id, async () => system.tryWriting(dataFolder));
  const view = await room.view();
  // A nearly full quota prevents no signature, and may be intended.
  const isWell = view.state === 'enough' || (view.state === 'scarce' && view.cause === 'quota');
  if (isWell) return [found(id, 'folder-works', spaceValues(view))];
  const finding = view.cause === 'quota' ? 'folder-quota' : view.state === 'none' ? 'folder-full' : 'folder-scarce';
  return [found(id, finding, spaceValues(view))];
}

/** Sizes in bytes, as far as they are known, and the cause of a shortage. */
const spaceValues = ({ free, kept, awaited, quota, cause }: RoomView): CheckValues => ({
  kept,
  awaited,
  ...dropUndefined({ free, quota, cause }),
});

function checkRows({ lostRows, markFailure }: StorageParts): readonly Check[] {
  const id = 'database-rows';
  const lost = lostRows();
  if (lost === undefined && markFailure() !== undefined) {
    return [found(id, 'mark-unwritten')];
  }
  if (lost === undefined) return [found(id, 'rows-whole')];
  const { kind, ...counts } = lost;
  const finding = kind === 'rows-missing' && lost.rows === undefined ? 'rows-unknown' : kind;
  return [found(id, finding, dropUndefined(counts))];
}

async function checkFound({ foundDocuments, tries }: StorageParts): Promise<readonly Check[]> {
  const id = 'lost-and-found';
  const { lost, unanswered } = await tries.run(id, foundDocuments, (all) => all.lost + all.unanswered === 0);
  if (lost > 0) return [found(id, 'found-documents', { count: lost })];
  return [unanswered === 0 ? found(id, 'found-none') : found(id, 'found-unanswered', { count: unanswered })];
}

function checkResults({ damagedResults }: StorageParts): readonly Check[] {
  const id = 'results';
  const all = damagedResults();
  if (all.length === 0) return [found(id, 'results-whole')];
  const missing = all.filter(({ reason }) => reason === 'missing').length;
  return [found(id, 'results-damaged', { count: all.length, missing, damaged: all.length - missing })];
}
