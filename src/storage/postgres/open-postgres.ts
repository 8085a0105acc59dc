import { HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression, sql } from 'kysely';
import { StorageError } from '../errors.ts';
import type { Database, Tables } from '../sql/database-schema.ts';
import { migrate } from '../sql/migrate.ts';
import { SharedPostgresDialect } from './postgres-dialect.ts';
import { InstanceLock, type Sharing } from './instance-lock.ts';
import { connectionOf, openPool } from './postgres-pool.ts';

/** `server_version_num` of the oldest supported version. */
const OLDEST = 150_000;

/** A PostgreSQL database, used by this instance or its nodes until `close`. */
export interface OpenPostgres {
  readonly database: Database;
  readonly close: () => Promise<void>;
}

/**
 * Opens a PostgreSQL database, claims it for this instance, and updates its tables.
 *
 * Rejects with `StorageError`: `STORAGE_UNAVAILABLE` for a server that cannot be reached, that refuses the user, that is
 * too old or whose text is not UTF-8, and for a database of another instance; `DATABASE_NEWER`. No message holds a part
 * of `url`.
 *
 * @param url `postgresql://user:password@host:port/database`, libpq's form
 * @param sharing `shared`: other nodes may have the database too
 */
export async function openPostgres(url: string, sharing: Sharing = 'alone'): Promise<OpenPostgres> {
  const lock = await InstanceLock.claim(connectionOf(url), sharing).catch((cause: unknown) => {
    throw cause instanceof StorageError ? cause : unreachable(cause);
  });
  const database = await connectPostgres(url, lock.requireClaim);
  const close = async (): Promise<void> => {
    await database.destroy();
    await lock.close();
  };
  try {
    await checkServer(database);
    await migrate(database);
    return { database, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The database itself, neither claimed nor checked. */
export async function connectPostgres(url: string, requireClaim: () => void): Promise<Database> {
  return new Kysely<Tables>({
    dialect: new SharedPostgresDialect({ pool: await openPool(url, requireClaim) }),
    // `in ()` is invalid SQL, although SQLite accepts it.
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
  });
}

async function checkServer(database: Database): Promise<void> {
  const facts = await readFacts(database);
  if (facts.version < OLDEST) {
    throw new StorageError('STORAGE_UNAVAILABLE', 'The PostgreSQL server is older than version 15.', {
      remedy: 'Upgrade the server, or name another one in database.url.',
    });
  }
  if (facts.encoding !== 'UTF8') {
    throw new StorageError('STORAGE_UNAVAILABLE', `The PostgreSQL database stores text as ${facts.encoding}.`, {
      remedy: 'Create the database with ENCODING UTF8.',
    });
  }
}

async function readFacts(database: Database): Promise<{ readonly version: number; readonly encoding: string }> {
  const { rows } = await sql<{ version: string; encoding: string }>`
    select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding`
    .execute(database)
    .catch((cause: unknown) => {
      throw unreachable(cause);
    });
  return { version: Number(rows[0]?.version), encoding: rows[0]?.encoding ?? '' };
}

const unreachable = (cause: unknown): StorageError =>
  new StorageError('STORAGE_UNAVAILABLE', explainFailure(cause), {
    cause,
    remedy: 'Check database.url, the server and the network between.',
  });

/** A sentence about a failure to connect, without the address, the user or the password. */
function explainFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === '28P01' || code === '28000') return 'The PostgreSQL server refused the user or the password.';
  if (code === '3D000') return 'The PostgreSQL server has no database of this name.';
  if (code === '53300') return 'The PostgreSQL server has no connection left.';
  return 'The PostgreSQL server cannot be reached.';
}
