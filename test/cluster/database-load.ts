/**
 * The demands of nodes on their PostgreSQL server: statements, commits, bytes of its journal, and the waits of
 * sessions.
 */
import pg from 'pg';
import { letTimePass } from '../setup/waits.ts';
import type { PostgresServer } from '../storage/postgres/postgres-server.ts';
import { processorSeconds } from './processor-time.ts';

/** Settings of a server under measurement: counts statements, and waits for its disk as in use. */
export const measuredSettings: readonly string[] = ['shared_preload_libraries=pg_stat_statements', 'fsync=on'];

/** Milliseconds between two looks at the sessions. */
const BETWEEN_LOOKS = 10;
/**
 * First half of the key of the locks of `inOrder` (`storage/sql/commits.ts`). Claims of nodes have this lock too, but
 * share theirs.
 */
const ORDER_CLASS = 0x51_6e_65_74;

/** Counts since a time. */
export interface DatabaseCounts {
  readonly statements: number;
  /** Transactions with a write, or a locked row. Each waits for the disk once. */
  readonly commits: number;
  /** Bytes of the journal (WAL). */
  readonly journalBytes: number;
  /** Processor time of the server without the looking session. */
  readonly processorSeconds: number;
}

/** Sessions of the nodes in the mean over all looks, by their work. */
export interface SessionLoad {
  readonly looks: number;
  /** On a processor, or waiting for a processor. */
  readonly working: number;
  /** For a lock of a row or of an order. */
  readonly onLocks: number;
  /** For the disk. */
  readonly onDisk: number;
  /** Inside of a transaction, for the next statement of the node. */
  readonly onNode: number;
  readonly other: number;
  /** The share of looks with each order of `inOrder` held, by its number. */
  readonly held: Readonly<Record<number, number>>;
}

type Activity = keyof Omit<SessionLoad, 'looks' | 'held'>;

/** The view of `pg_stat_activity` (PostgreSQL 15 §28.2.3) names the wait of each session. */
const LOOK = `
  select case
      when state like 'idle in transaction%' then 'onNode'
      when wait_event_type is null then 'working'
      when wait_event_type = 'Lock' then 'onLocks'
      when wait_event_type = 'IO' or wait_event in ('WALWrite', 'WALSync') then 'onDisk'
      else 'other' end as what, count(*)::int as count
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' group by 1
  union all
  select 'order ' || objid::text, count(*)::int from pg_locks
    where locktype = 'advisory' and classid = ${ORDER_CLASS} and mode = 'ExclusiveLock' and granted group by 1`;

/** Looks at a database in use by others. */
export class DatabaseLoad {
  readonly #server: PostgresServer;
  readonly #client: pg.Client;
  #ownPid = 0;

  private constructor(server: PostgresServer, client: pg.Client) {
    this.#server = server;
    this.#client = client;
  }

  /** @param server started with `measuredSettings` */
  static async open(server: PostgresServer, database: string): Promise<DatabaseLoad> {
    const client = new pg.Client({ connectionString: server.url(database) });
    await client.connect();
    await client.query('create extension if not exists pg_stat_statements');
    const load = new DatabaseLoad(server, client);
    load.#ownPid = Number((await load.#rows<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid);
    return load;
  }

  /** Runs an action and answers its effect on the database, and the work of the sessions meanwhile. */
  async during(action: () => Promise<void>): Promise<DatabaseCounts & { readonly sessions: SessionLoad }> {
    const before = await this.#counts();
    let isDone = false;
    const acting = action().finally(() => (isDone = true));
    const sessions = await this.#look(() => isDone);
    await acting;
    const after = await this.#counts();
    return {
      // The look at the counts is a further commit.
      statements: after.statements - before.statements - sessions.looks - 1,
      commits: after.commits - before.commits,
      journalBytes: after.journalBytes - before.journalBytes,
      processorSeconds: after.processorSeconds - before.processorSeconds,
      sessions,
    };
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  async #look(isDone: () => boolean): Promise<SessionLoad> {
    const sums: Record<Activity, number> = { working: 0, onLocks: 0, onDisk: 0, onNode: 0, other: 0 };
    const held: Record<number, number> = {};
    let looks = 0;
    while (!isDone()) {
      looks++;
      for (const { what, count } of await this.#rows<{ what: string; count: number }>(LOOK)) {
        const [, order] = /^order (\d+)$/.exec(what) ?? [];
        if (order === undefined) sums[what as Activity] += count;
        else held[Number(order)] = (held[Number(order)] ?? 0) + 1;
      }
      await letTimePass(BETWEEN_LOOKS);
    }
    const mean = (count: number): number => count / Math.max(1, looks);
    return {
      looks,
      working: mean(sums.working),
      onLocks: mean(sums.onLocks),
      onDisk: mean(sums.onDisk),
      onNode: mean(sums.onNode),
      other: mean(sums.other),
      held: Object.fromEntries(Object.entries(held).map(([order, count]) => [order, mean(count)])),
    };
  }

  async #counts(): Promise<DatabaseCounts> {
    const [row] = await this.#rows<Record<'statements' | 'commits' | 'bytes', string>>(`
      select (select sum(calls) from pg_stat_statements where dbid = (
          select oid from pg_database where datname = current_database())) as statements,
        pg_snapshot_xmax(pg_current_snapshot())::text as commits,
        pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes`);
    return {
      statements: Number(row?.statements),
      commits: Number(row?.commits),
      journalBytes: Number(row?.bytes),
      processorSeconds: processorSeconds([this.#server.pid ?? 0]) - processorSeconds([this.#ownPid]),
    };
  }

  async #rows<Row extends pg.QueryResultRow>(statement: string): Promise<readonly Row[]> {
    return (await this.#client.query<Row>(statement)).rows;
  }
}
