import { randomBytes } from 'node:crypto';
import type { Database } from '../sql/database-schema.ts';
import { connectionOf } from '../postgres/postgres-pool.ts';
import type { PostgresLocks } from './postgres-locks.ts';
import { PostgresSignals } from './postgres-signals.ts';
import { SqlJobClaims } from './sql-job-claims.ts';

/** Milliseconds between two heartbeats; a node counts as alive for five times as long. */
const BEAT_INTERVAL = 2000;

/** This node among the nodes on a PostgreSQL database. */
export interface OpenNodes {
  readonly claims: SqlJobClaims;
  readonly signals: PostgresSignals;
  readonly locks: PostgresLocks;
  /** The name of this computer's data folder. */
  readonly home: string;
  /** Releases all claims, and closes the connections. */
  close(): Promise<void>;
}

/**
 * Joins the nodes on a database. Each process gets its own name: claims of an earlier process of this computer become
 * free once that process no longer counts as alive.
 */
export async function openNodes(
  database: Database,
  { url, locks, home }: { readonly url: string; readonly locks: PostgresLocks; readonly home: string },
): Promise<OpenNodes> {
  const node = randomBytes(12).toString('hex');
  const claims = new SqlJobClaims(database, { node, home });
  await claims.beat();
  const signals = await PostgresSignals.open(connectionOf(url), node);
  // A failed heartbeat is followed by the next; after a long time without any, other nodes take over the jobs.
  const beats = setInterval(() => void claims.beat().catch(() => undefined), BEAT_INTERVAL).unref();
  return {
    claims,
    signals,
    locks,
    home,
    async close() {
      clearInterval(beats);
      await signals.close().catch(() => undefined);
      await claims.leave().catch(() => undefined);
      await locks.close();
    },
  };
}
