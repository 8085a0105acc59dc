import type { Client, PoolConfig } from 'pg';
import { StorageError } from '../errors.ts';
import { DatabaseUnreachable } from './postgres-pool.ts';

/** The two halves of the key of the advisory lock of an instance. */
const LOCK = [0x51_6e_65_74, 0] as const;
const BETWEEN_ATTEMPTS = 500;

/** `alone`: a single instance. `shared`: one of several nodes. */
export type Sharing = 'alone' | 'shared';

/**
 * The lock of one instance on a PostgreSQL database, like `in-use.lock` in a data folder: two instances would both sign
 * waiting documents. It is an advisory lock on a connection of its own, so it ends with the process, even a killed one.
 * If the connection breaks, the instance does not use the database until it has the lock again. Nodes that share their
 * documents have a shared lock, which excludes single instances.
 */
export class InstanceLock {
  readonly #connect: () => Promise<Client>;
  readonly #sharing: Sharing;
  #client: Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;
  #isOfAnother = false;

  private constructor(connect: () => Promise<Client>, sharing: Sharing) {
    this.#connect = connect;
    this.#sharing = sharing;
  }

  /** Rejects with `STORAGE_UNAVAILABLE` when another instance has the database, and with the failure to connect. */
  static async claim(config: PoolConfig, sharing: Sharing = 'alone'): Promise<InstanceLock> {
    const { default: pg } = await import('pg');
    const lock = new InstanceLock(async () => {
      const client = new pg.Client(config);
      // An error of an idle connection; `end` follows.
      client.on('error', () => undefined);
      await client.connect();
      return client;
    }, sharing);
    await lock.#claim();
    if (lock.#client !== undefined) return lock;
    await lock.close();
    throw new StorageError('STORAGE_UNAVAILABLE', 'Another Sinete is using this PostgreSQL database.', {
      remedy: remedies[sharing],
    });
  }

  /** Throws `DatabaseUnreachable` while the claim is lost. */
  readonly requireClaim = (): void => {
    if (this.#client !== undefined) return;
    throw new DatabaseUnreachable(
      this.#isOfAnother
        ? 'Another Sinete has taken over the PostgreSQL database.'
        : 'The connection to the PostgreSQL database is being made again.',
    );
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  async #claim(): Promise<void> {
    const client = await this.#connect();
    client.once('end', () => {
      this.#lose(client);
    });
    try {
      const text = `select pg_try_advisory_lock${this.#sharing === 'shared' ? '_shared' : ''}($1, $2) as held`;
      const { rows } = await client.query<{ held: boolean }>(text, [...LOCK]);
      this.#isOfAnother = rows[0]?.held !== true;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    if (this.#isOfAnother || this.#isClosed) await client.end();
    else this.#client = client;
  }

  #lose(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#claimLater();
  }

  #claimLater(): void {
    if (this.#isClosed) return;
    this.#retry = setTimeout(() => {
      this.#claim().then(
        () => {
          if (this.#client === undefined) this.#claimLater();
        },
        () => {
          this.#claimLater();
        },
      );
    }, BETWEEN_ATTEMPTS);
    this.#retry.unref();
  }
}

const remedies: Readonly<Record<Sharing, string>> = {
  alone: 'End the other one, or name another database in database.url.',
  shared: 'End the other one, which keeps its documents in local files.',
};
