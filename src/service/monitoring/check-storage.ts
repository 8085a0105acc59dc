/** The checks of the storage: database, object store, data folder, and the documents in them. */
import { dropUndefined } from '../../values/drop-undefined.ts';
import type { Room, RoomView } from '../space/index.ts';
import { formatSize } from './describe-system.ts';
import { runCheck, well, wrong, type HealthCheck, type HealthValues } from './health-check.ts';
import type { SystemReader } from './read-system.ts';
import type { RecentTries } from './recent-tries.ts';

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
export async function checkStorage(parts: StorageParts): Promise<readonly HealthCheck[]> {
  const groups = await Promise.all([
    runCheck(
      'database',
      parts.databaseIsServer === true
        ? 'Check the PostgreSQL server: that it runs, its disk, and the network between. Nothing is lost by waiting.'
        : 'Check the disk of the data folder: its space, its cable, its errors. Nothing is lost by waiting.',
      () => checkDatabase(parts),
    ),
    checkDocumentStore(parts),
    runCheck('data-folder', 'Check the owner of the data folder and the disk.', () => checkDataFolder(parts)),
    runCheck('database-rows', 'Start the application again.', () => Promise.resolve(checkRows(parts))),
    runCheck('lost-and-found', 'Check the owner of the data folder.', () => checkFound(parts)),
    runCheck('results', 'Start the application again.', () => Promise.resolve(checkResults(parts))),
  ]);
  return groups.flat();
}

async function checkDatabase({ database, tries }: StorageParts): Promise<readonly HealthCheck[]> {
  await tries.run('database', async () => database.writeAndReadBack());
  return [well('database', 'database-works', 'The database can be written and read back.')];
}

async function checkDocumentStore({ documentStore, tries }: StorageParts): Promise<readonly HealthCheck[]> {
  const id = 'document-store';
  if (documentStore === undefined) return [];
  try {
    await tries.run(id, async () => documentStore.probe());
    return [well(id, 'store-works', 'The object store of the documents answers.')];
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The object store of the documents cannot be used now.';
    const remedy = 'Check the object store, its credentials and the network between. Nothing is lost by waiting.';
    return [wrong(id, 'store-fails', {}, { message, remedy })];
  }
}

async function checkDataFolder({ dataFolder, room, system, tries }: StorageParts): Promise<readonly HealthCheck[]> {
  const id = 'data-folder';
  await tries.run(id, async () => system.tryWriting(dataFolder));
  const view = await room.view();
  const message = describeRoom(view);
  // A nearly full quota prevents no signature, and may be intended.
  const isWell = view.state === 'enough' || (view.state === 'scarce' && view.cause === 'quota');
  const values = sizesOf(view);
  if (isWell) return [well(id, 'folder-works', `The data folder can be written; ${message}.`, values)];
  const refusing = view.state === 'none' ? ' Further documents are refused.' : '';
  const remedy =
    view.cause === 'quota'
      ? 'Wait until kept documents have ended, or raise limits.disk_quota in the configuration.'
      : 'Make room on the disk.';
  const finding = view.cause === 'quota' ? 'folder-quota' : view.state === 'none' ? 'folder-full' : 'folder-scarce';
  return [wrong(id, finding, values, { message: `In the data folder ${message}.${refusing}`, remedy })];
}

/** Sizes in bytes, as far as they are known. */
const sizesOf = ({ free, kept, awaited, quota }: RoomView): HealthValues => ({
  kept,
  awaited,
  ...dropUndefined({ free, quota }),
});

/** `23.5 GB are free`, `documents have 1.2 GB of 2.0 GB`: whichever is scarcer. */
function describeRoom({ free, kept, awaited, quota, cause }: RoomView): string {
  const ofQuota = quota === undefined ? '' : `documents have ${formatSize(kept)} of ${formatSize(quota)}`;
  if (cause === 'quota') return ofQuota;
  const amount = free === undefined ? 'an unknown amount' : formatSize(free);
  const promised = awaited === 0 ? '' : `, of which signatures under way need ${formatSize(awaited)}`;
  const onDisk = cause === 'disk' ? `only ${amount} are free${promised}` : `${amount} are free`;
  return ofQuota === '' || cause === 'disk' ? onDisk : `${onDisk}, and ${ofQuota}`;
}

function checkRows({ lostRows, markFailure }: StorageParts): readonly HealthCheck[] {
  const id = 'database-rows';
  const lost = lostRows();
  if (lost === undefined && markFailure() !== undefined) {
    const message = 'The mark of the database cannot be written: rows that are lost from now on would not be noticed.';
    const remedy = 'Make room on the disk, and check the owner of the data folder.';
    return [wrong(id, 'mark-unwritten', {}, { message, remedy })];
  }
  if (lost === undefined) return [well(id, 'rows-whole', 'The database has every row of its mark.')];
  const remedy = 'End the application and run "sinete recover": it explains what can be put back.';
  const message = `${describeLoss(lost)} Until a person has decided, this instance only reads.`;
  const { kind, ...counts } = lost;
  const finding = kind === 'rows-missing' && lost.rows === undefined ? 'rows-unknown' : kind;
  return [wrong(id, finding, dropUndefined(counts), { message, remedy })];
}

/** A sentence with the exact numbers, as far as they are known. */
export function describeLoss({ kind, rows, transactions, documents, signed }: LostRows): string {
  const state = {
    'rows-missing': 'The database has lost its last rows: its journal is damaged, or it is an older copy.',
    'other-history': 'The database is not the one that was used here last.',
    'database-gone': 'The database is empty, but another one was used here.',
  }[kind];
  if (rows === undefined) return `${state} How much is missing is not known.`;
  return `${state} Missing: ${transactions} transactions, ${documents} documents, of which ${signed} signed (${rows} rows of the audit log).`;
}

async function checkFound({ foundDocuments, tries }: StorageParts): Promise<readonly HealthCheck[]> {
  const id = 'lost-and-found';
  const { lost, unanswered } = await tries.run(id, foundDocuments, (found) => found.lost + found.unanswered === 0);
  if (lost > 0) {
    const message = `${lost} documents without a row in the database are in the folder "lost+found".`;
    const remedy = 'Look at "found.jsonl" in that folder, and move or remove the documents.';
    return [wrong(id, 'found-documents', { count: lost }, { message, remedy })];
  }
  if (unanswered === 0) return [well(id, 'found-none', 'Every document of the data folder has its row.')];
  const told = 'Their requests ended without an answer, so that nothing is missing.';
  const message = `${unanswered} documents in the folder "lost+found" may be removed. ${told}`;
  return [well(id, 'found-unanswered', message, { count: unanswered })];
}

function checkResults({ damagedResults }: StorageParts): readonly HealthCheck[] {
  const id = 'results';
  const all = damagedResults();
  if (all.length === 0) return [well(id, 'results-whole', 'No stored result is known to be missing or damaged.')];
  const missing = all.filter(({ reason }) => reason === 'missing').length;
  const message = `Of the stored results ${missing} are missing and ${all.length - missing} are damaged.`;
  const remedy = 'Restore a backup, or sign these documents again. The log names their transactions.';
  const values = { count: all.length, missing, damaged: all.length - missing };
  return [wrong(id, 'results-damaged', values, { message, remedy })];
}
