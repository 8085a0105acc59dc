import type { Client, PoolConfig } from 'pg';
import { NamedLocks, type SharedLocks } from '../../service/transactions/index.ts';
import { DatabaseUnreachable } from '../postgres/postgres-pool.ts';
import { storing } from '../service-failure.ts';

/** First part of the text whose hash is the key of an advisory lock. */
const PREFIX = 'sinete lock ';
/** Maximum number of connections of a node that hold or await locks. */
const MOST_CONNECTIONS = 8;

/**
 * Named locks shared by the nodes on a database. Each is an advisory lock on a connection of its own, so that an action
 * under a lock never waits for a connection that itself waits for the lock. A lock ends with its connection at the
 * latest. Commits under a lock are guarded by their own conditions too, because the connection may break during the
 * action.
 */
export class PostgresLocks implements SharedLocks {
  readonly #connect: () => Promise<Client>;
  readonly #idle: Client[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #within = new NamedLocks();
  #count = 0;
  #isClosed = false;

  private constructor(connect: () => Promise<Client>) {
    this.#connect = connect;
  }

  static async open(config: PoolConfig): Promise<PostgresLocks> {
    const { default: pg } = await import('pg');
    return new PostgresLocks(async () => {
      const client = new pg.Client(config);
      // Ignored here: the next statement on a broken connection fails.
      client.on('error', () => undefined);
      await client.connect();
      return client;
    });
  }

  async run<Value>(name: string, action: () => Promise<Value>): Promise<Value> {
    return this.#within.run(name, async () =>
      this.#holding(name, 'select pg_advisory_lock(hashtextextended($1, 0))', action),
    );
  }

  async runAlone(name: string, action: () => Promise<void>): Promise<boolean> {
    const text = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as held';
    const runAction = async (): Promise<boolean> => action().then(() => true);
    return this.#holding(name, text, runAction, () => false);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#idle.splice(0).map((client) => client.end()));
  }

  /** `refused` answers instead of the action if the lock is not available. */
  async #holding<Value>(
    name: string,
    statement: string,
    action: () => Promise<Value>,
    refused?: () => Value,
  ): Promise<Value> {
    const client = await storing(() => this.#take());
    let isSound = false;
    try {
      const isHeld = await storing(() => lock(client, statement, name));
      if (!isHeld && refused !== undefined) {
        isSound = true;
        return refused();
      }
      try {
        return await action();
      } finally {
        isSound = await unlock(client, name);
      }
    } finally {
      this.#give(client, isSound);
    }
  }

  async #take(): Promise<Client> {
    while (this.#count >= MOST_CONNECTIONS) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#count++;
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    try {
      return await this.#connect();
    } catch (cause) {
      this.#free();
      throw new DatabaseUnreachable(undefined, { cause });
    }
  }

  /** A connection that may still hold a lock is closed. */
  #give(client: Client, isSound: boolean): void {
    if (isSound && !this.#isClosed) this.#idle.push(client);
    else client.end().catch(() => undefined);
    this.#free();
  }

  #free(): void {
    this.#count--;
    this.#waiting.shift()?.();
  }
}

async function lock(client: Client, statement: string, name: string): Promise<boolean> {
  const { rows } = await client.query<{ held?: boolean }>(statement, [PREFIX + name]).catch((cause: unknown) => {
    throw new DatabaseUnreachable('Another node holds a lock of the PostgreSQL database for too long.', { cause });
  });
  return rows[0]?.held !== false;
}

async function unlock(client: Client, name: string): Promise<boolean> {
  return client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [PREFIX + name]).then(
    () => true,
    () => false,
  );
}
