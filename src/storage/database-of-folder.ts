import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { StorageError } from './errors.ts';
import { flushFolder } from './files/files.ts';
import type { Database } from './sql/database-schema.ts';
import { SqlSettingsStore } from './sql/stores/sql-settings-store.ts';

/** The file of a data folder whose rows are in PostgreSQL: JSON with the id of the database. */
const MARKER = 'postgresql.json';
/** The setting of a PostgreSQL database with its id: 32 hexadecimal digits. */
export const databaseIdSetting = 'storage.database_id';
/** The setting of a database whose documents are in a folder that several nodes share: `shared`. */
const documentsSetting = 'storage.documents';

const markerOf = (dataFolder: string): string => join(dataFolder, MARKER);

/** Throws `STORAGE_UNAVAILABLE` if the rows of a folder are in PostgreSQL; for work that needs SQLite's file. */
export function requireSqlite(dataFolder: string, remedy: string): void {
  if (!existsSync(markerOf(dataFolder))) return;
  throw new StorageError('STORAGE_UNAVAILABLE', 'The database of this data folder is in PostgreSQL.', { remedy });
}

/**
 * Holds a data folder and a PostgreSQL database together: documents are in the one, their rows in the other, and
 * documents without a row would be moved to `lost+found`. The first start writes the id of the database into the folder.
 *
 * Rejects with `STORAGE_UNAVAILABLE` for another database than before, for a folder with a database of its own, and for
 * a database with the rows of another folder.
 */
export async function bindFolder(database: Database, dataFolder: string): Promise<void> {
  const settings = new SqlSettingsStore(database);
  if ((await settings.read(documentsSetting)) === 'shared') {
    throw refusal(
      'The documents of this database are in a folder that several nodes share.',
      'Start it as one of these nodes, or name another database in database.url.',
    );
  }
  const id = await idOf(settings);
  if (isBound(dataFolder, id)) return;
  if (await hasRows(database)) {
    const remedy = 'Put that folder back with its documents, or name an empty database in database.url.';
    throw refusal('The PostgreSQL database has the rows of another data folder.', remedy);
  }
  await settings.write(databaseIdSetting, id);
  await writeMarker(dataFolder, id);
}

/**
 * Holds a PostgreSQL database and the folder of documents that its nodes share together, and notes the database in the
 * data folder of this node. Answers the name of the data folder among the nodes.
 *
 * Rejects with `STORAGE_UNAVAILABLE` as `bindFolder` does. A single instance becomes a node when its `documents`,
 * `results` and `postgresql.json` were moved to the shared folder.
 */
export async function bindSharedFolder(
  database: Database,
  { dataFolder, shared }: { readonly dataFolder: string; readonly shared: SharedPlace },
): Promise<string> {
  const settings = new SqlSettingsStore(database);
  const id = await idOf(settings);
  const bound = await shared.boundTo();
  const isShared = isSame(bound, id);
  if (!isShared && (await hasRows(database))) {
    const remedy =
      'Check that the share is mounted, or the address of the bucket. To make nodes of a single instance, stop it and move "documents", "results" and "postgresql.json" of its data folder there.';
    throw refusal(`The shared ${shared.kind} of documents is not the one of this PostgreSQL database.`, remedy);
  }
  const isKnown = isBound(dataFolder, id);
  await settings.write(databaseIdSetting, id);
  await settings.write(documentsSetting, 'shared');
  if (bound === undefined) await shared.bind(id);
  const known = isKnown ? readMarker(dataFolder)?.node : undefined;
  if (known !== undefined) return known;
  const node = randomBytes(16).toString('hex');
  await writeMarker(dataFolder, id, node);
  return node;
}

async function idOf(settings: SqlSettingsStore): Promise<string> {
  const stored = await settings.read(databaseIdSetting);
  return typeof stored === 'string' ? stored : randomBytes(16).toString('hex');
}

/** The place of the documents of all nodes. */
export interface SharedPlace {
  readonly kind: 'folder' | 'bucket';
  /** The id of the database to which the place belongs; undefined for a new place. */
  boundTo(): Promise<string | undefined>;
  bind(id: string): Promise<void>;
}

/** A folder that all nodes mount. */
export const sharedInFolder = (folder: string): SharedPlace => ({
  kind: 'folder',
  async boundTo() {
    const bound = readMarker(folder)?.id;
    if (bound === undefined) requireNoSqlite(folder);
    return Promise.resolve(bound);
  },
  bind: async (id) => writeMarker(folder, id),
});

/** False for a folder that is bound to no database. Throws for a folder that is bound to another one. */
function isBound(folder: string, id: string): boolean {
  const isKnown = isSame(readMarker(folder)?.id, id);
  if (!isKnown) requireNoSqlite(folder);
  return isKnown;
}

function isSame(bound: string | undefined, id: string): boolean {
  if (bound === undefined || bound === id) return bound === id;
  throw refusal('The PostgreSQL database is not the one of this data folder.', 'Check database.url.');
}

function requireNoSqlite(folder: string): void {
  if (!hasSqlite(folder)) return;
  const remedy = 'Name a new data folder for PostgreSQL, or take database.url out of the configuration.';
  throw refusal('The data folder has a database of its own.', remedy);
}

const refusal = (message: string, remedy: string): StorageError =>
  new StorageError('STORAGE_UNAVAILABLE', message, { remedy });

interface Marker {
  readonly id: string;
  /** The name of the data folder among several nodes. */
  readonly node?: string;
}

function readMarker(dataFolder: string): Marker | undefined {
  const path = markerOf(dataFolder);
  if (!existsSync(path)) return undefined;
  const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (typeof content !== 'object' || content === null || !('id' in content)) return { id: '' };
  return { id: String(content.id), ...('node' in content ? { node: String(content.node) } : {}) };
}

/** True for a folder with a database file that is not empty. */
export function hasSqlite(dataFolder: string): boolean {
  const path = join(dataFolder, 'sinete.db');
  return existsSync(path) && statSync(path).size > 0;
}

async function hasRows(database: Database): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from transactions) or exists (select from audit_log) or exists (select from private_keys)
      or exists (select from accounts) as found`.execute(database);
  return rows[0]?.found === true;
}

/** Records the PostgreSQL database of a folder; from then on, SQLite is not opened there. */
export async function writeMarker(dataFolder: string, id: string, node?: string): Promise<void> {
  const draft = `${markerOf(dataFolder)}.tmp`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify({ id, node })}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, markerOf(dataFolder));
  await flushFolder(dataFolder);
}

/** Removes the record, after the rows are in SQLite again. */
export async function releaseFolder(dataFolder: string): Promise<void> {
  await rm(markerOf(dataFolder));
  await flushFolder(dataFolder);
}
