import { Worker } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';
import {
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely';
import { threadEnvironment } from '../../values/thread-environment.ts';
import type { Database, Tables } from '../sql/database-schema.ts';

/** A statement that only reads, with the values of its placeholders. */
export interface ReaderTask {
  readonly id: number;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The rows, or the failure with SQLite's code. */
export type ReaderAnswer =
  | { readonly id: number; readonly rows: readonly unknown[] }
  | { readonly id: number; readonly failure: { readonly message: string; readonly code?: string | undefined } };

const program = new URL('./reader-main.ts', import.meta.url);
/** Milliseconds without a question after which the thread ends, so that an idle instance keeps no second heap. */
const IDLE_TIME = 60_000;
/** Heap of the thread in MiB. */
const MEMORY = 256;

/**
 * Opens the database of this instance for reading in a thread of its own. A long question then delays other long
 * questions, but no request that signs. Each question sees every commit that ended before it was asked (WAL,
 * https://sqlite.org/isolation.html). Writing statements fail with `SQLITE_READONLY`. The thread starts with the first
 * question, and ends when nobody has asked for a minute. `destroy` ends it at once; open questions then reject.
 */
export function openReader(path: string): Database {
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ReaderDriver(path),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
  return new Kysely<Tables>({ dialect });
}

/** Sends each query to the thread; there are no transactions, because a reader has nothing to commit. */
class ReaderDriver implements Driver {
  readonly #thread: ReaderThread;
  readonly #connection: DatabaseConnection;

  constructor(path: string) {
    const thread = new ReaderThread(path);
    this.#thread = thread;
    this.#connection = {
      async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
        return { rows: (await thread.ask(sql, parameters)) as Row[] };
      },
      async *streamQuery(): AsyncIterableIterator<never> {
        await Promise.reject(new Error('A reader answers whole lists: ask for a page.'));
      },
    };
  }

  async init(): Promise<void> {
    await Promise.resolve();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(this.#connection);
  }

  async releaseConnection(): Promise<void> {
    await Promise.resolve();
  }

  async beginTransaction(): Promise<void> {
    await refuseTransactions();
  }

  async commitTransaction(): Promise<void> {
    await refuseTransactions();
  }

  async rollbackTransaction(): Promise<void> {
    await refuseTransactions();
  }

  async destroy(): Promise<void> {
    await this.#thread.end();
  }
}

const refuseTransactions = async (): Promise<never> =>
  Promise.reject(new Error('A reader has no transactions: use the connection that writes.'));

interface Waiting {
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (error: Error) => void;
}

/** The thread and the questions that wait for its answers. */
class ReaderThread {
  readonly #path: string;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #asked = 0;
  #ended = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Rejects with `SqliteError`. */
  async ask(sql: string, parameters: readonly unknown[]): Promise<readonly unknown[]> {
    if (this.#ended) throw new SqliteDatabase.SqliteError('The database is closed.', 'SQLITE_MISUSE');
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    const id = (this.#asked += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, sql, parameters } satisfies ReaderTask);
    });
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#stop();
  }

  #start(): Worker {
    const worker = new Worker(program, {
      workerData: { path: this.#path },
      resourceLimits: { maxOldGenerationSizeMb: MEMORY },
      env: threadEnvironment(),
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    worker.on('message', (answer: ReaderAnswer) => {
      this.#settle(answer);
    });
    worker.on('error', (error) => {
      this.#lose(worker, error);
    });
    worker.on('exit', () => {
      this.#lose(worker, new Error('The thread has ended.'));
    });
    return worker;
  }

  #settle(answer: ReaderAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('rows' in answer) waiting?.resolve(answer.rows.map(withBuffers));
    else waiting?.reject(new SqliteDatabase.SqliteError(answer.failure.message, answer.failure.code ?? 'SQLITE_ERROR'));
    this.#rest();
  }

  /** Lets the process end, and ends the thread after a while without questions. */
  #rest(): void {
    if (this.#waiting.size > 0 || this.#worker === undefined) return;
    this.#worker.unref();
    this.#idle = setTimeout(() => void this.#stop(), IDLE_TIME).unref();
  }

  /** A thread that ended by itself: its questions fail, and the next question starts another thread. */
  #lose(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    clearTimeout(this.#idle);
    for (const { reject } of this.#waiting.values()) {
      const error = new SqliteDatabase.SqliteError('The thread that reads the database has ended.', 'SQLITE_ABORT');
      reject(Object.assign(error, { cause }));
    }
    this.#waiting.clear();
  }

  async #stop(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#lose(worker, undefined);
    await worker.terminate();
  }
}

/** Between threads a `Buffer` arrives as a plain array of bytes. */
function withBuffers(row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return row;
  const columns = row as Record<string, unknown>;
  for (const [name, value] of Object.entries(columns)) {
    if (value instanceof Uint8Array) columns[name] = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  return columns;
}
