import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Pool, PoolClient, PoolConfig } from 'pg';
import { ManyRows } from '../sql/many-rows.ts';

/** Milliseconds; the last three are limits that the server applies to each session. */
const bounds = {
  /** To connect: an unreachable server is reported without a long wait. */
  connectionTimeoutMillis: 5_000,
  /** To receive an answer of the server. */
  query_timeout: 40_000,
  statement_timeout: 30_000,
  /** To wait for other transactions of the same order. */
  lock_timeout: 20_000,
  /** A node that stops inside a transaction blocks the others for at most this time. */
  idle_in_transaction_session_timeout: 15_000,
} as const;

/** Maximum number of connections of one node. */
const MOST_CONNECTIONS = 10;

/** The server cannot be reached, or ended the connection. The message holds no part of the address. */
export class DatabaseUnreachable extends Error {
  constructor(message = 'The PostgreSQL server cannot be reached.', options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseUnreachable';
  }
}

/** Connection settings of every connection; `url` holds the password and never leaves this process. */
export function connectionOf(url: string): PoolConfig {
  return {
    connectionString: url,
    application_name: 'sinete',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...bounds,
  };
}

/**
 * A limited pool of connections for Kysely. A connection that broke, or that did not answer in time, is closed instead
 * of being reused.
 *
 * @param requireClaim throws while no connection may be used
 */
export async function openPool(url: string, requireClaim: () => void): Promise<PostgresPool> {
  // Loaded only where PostgreSQL is used: SQLite starts without the driver.
  const { default: pg } = await import('pg');
  const types = new pg.TypeOverrides();
  // Numbers of the tables are times, sizes and counts below 2^53; sums and counts have these types too.
  types.setTypeParser(pg.types.builtins.INT8, Number);
  types.setTypeParser(pg.types.builtins.NUMERIC, Number);
  const pool = new pg.Pool({ ...connectionOf(url), types, max: MOST_CONNECTIONS, idleTimeoutMillis: 30_000 });
  // The server may close an idle connection; the next statement opens another one.
  pool.on('error', () => undefined);
  return adaptPool(pool, requireClaim);
}

function adaptPool(pool: Pool, requireClaim: () => void): PostgresPool {
  const clients = new WeakMap<PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    async connect() {
      requireClaim();
      const client = await pool.connect().catch((cause: unknown) => {
        throw isOfServer(cause) ? cause : new DatabaseUnreachable(undefined, { cause });
      });
      const known = clients.get(client) ?? adaptClient(client);
      clients.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}

function adaptClient(client: PoolClient): PostgresPoolClient {
  let isBroken = false;
  // A connection that ends between two statements; the next statement fails, and the release closes the connection.
  client.on('error', () => {
    isBroken = true;
  });
  const run = async (text: string, values: readonly unknown[]): Promise<PostgresQueryResult<never>> => {
    try {
      return (await client.query(text, values.map(storable))) as PostgresQueryResult<never>;
    } catch (cause) {
      if (isOfServer(cause)) throw cause;
      isBroken = true;
      throw new DatabaseUnreachable(undefined, { cause });
    }
  };
  return {
    // The overload with a cursor belongs to streams, which no store uses.
    query: (async (text: string, values: readonly unknown[] = []) => {
      const [many] = values;
      if (!(many instanceof ManyRows)) return run(text, values);
      const rows: unknown[] = [];
      for (const row of many.rows) rows.push((await run(text, row)).rows);
      return { command: 'SELECT', rowCount: rows.length, rows };
    }) as PostgresPoolClient['query'],
    release() {
      client.release(isBroken);
    },
  };
}

/** An error with an SQLSTATE of a statement; class 57P and 08 mean that the connection itself has ended. */
function isOfServer(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[0-9A-Z]{5}$/.test(code) && !/^(57P|08)/.test(code);
}

/** PostgreSQL has no text with the character NUL. */
const storable = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '�') : value;
