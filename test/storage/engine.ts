/** The engine of a run: SQLite, or PostgreSQL in `npm run postgres`, for the tests of stores and of their users. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { POSTGRES_SERVER } from '../setup/needs.ts';
import { openStorage, type Storage } from '../../src/storage/index.ts';
import type { StorageOptions } from '../../src/storage/open-storage.ts';
import { placeMigratedDatabase } from './migrated-database.ts';

const server = process.env[POSTGRES_SERVER];

/** Opens the storage of a new data folder with existing tables. */
export async function openTestStorage(folder: string, options: StorageOptions = {}): Promise<Storage> {
  if (options.databaseUrl === undefined && server === undefined) await placeMigratedDatabase(folder);
  return reopenTestStorage(folder, options);
}

/**
 * Opens the storage of a data folder left by an instance or a test. On PostgreSQL each folder has a database of its
 * own, with the life of the folder.
 */
export async function reopenTestStorage(folder: string, options: StorageOptions = {}): Promise<Storage> {
  if (options.databaseUrl !== undefined || server === undefined) return openStorage(folder, options);
  const name = `folder_${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`;
  await createMissing(server, name);
  return openStorage(folder, { ...options, databaseUrl: server.replace('DATABASE', name) });
}

async function createMissing(address: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: address.replace('DATABASE', 'postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    // All tests begin with the tables of this template.
    if (rowCount === 0) await client.query(`create database ${name} template migrated`);
  } finally {
    await client.end();
  }
}
