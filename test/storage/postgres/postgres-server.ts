/** Debian's PostgreSQL server on a socket of its own, without a port, in a folder of its own. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { systemTool } from '../../setup/system-packages.ts';
import { until } from '../../setup/waits.ts';

export interface PostgresServer {
  /** The number of the main process while it runs; its children are the sessions. */
  readonly pid: number | undefined;
  /** The address of a database. */
  url(database: string): string;
  /** Creates an empty database and answers its address. */
  createDatabase(name?: string): Promise<string>;
  /** Runs statements as the administrator, in `database`. */
  query<Row extends pg.QueryResultRow>(statement: string, database?: string): Promise<readonly Row[]>;
  /** Ends the server at once, as a crash does; `resume` starts it again. */
  kill(): Promise<void>;
  resume(): Promise<void>;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root; the user `nobody` of Debian has this number. */
const NOBODY = 65_534;
const ownUser = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/**
 * Nothing here has to survive a loss of power, so no write is waited for. A crash of the server alone loses nothing all
 * the same: the kernel has what was written.
 */
const settings = ['fsync=off', 'listen_addresses=', 'max_connections=200', 'logging_collector=off'];

/** Starts a server; its only user is `sinete`, without a password. `changes` are further settings, as `name=value`. */
export async function startPostgres(changes: readonly string[] = []): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-pg-'));
  if (ownUser.uid !== undefined) chownSync(folder, NOBODY, NOBODY);
  const data = join(folder, 'data');
  const words = ['-D', data, '-U', 'sinete', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  const made = spawnSync(systemTool('initdb'), words, { ...ownUser, cwd: folder, encoding: 'utf8' });
  if (made.status !== 0) {
    rmSync(folder, { recursive: true });
    throw new Error(`initdb failed: ${made.stderr}`);
  }
  const server = new Server(folder, data, [...settings, ...changes]);
  await server.resume();
  return server;
}

class Server implements PostgresServer {
  readonly #folder: string;
  readonly #data: string;
  readonly #settings: readonly string[];
  #process: ChildProcess | undefined;

  constructor(folder: string, data: string, settings: readonly string[]) {
    this.#folder = folder;
    this.#data = data;
    this.#settings = settings;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  url(database: string): string {
    return `postgresql:///${database}?host=${encodeURIComponent(this.#folder)}&user=sinete`;
  }

  async createDatabase(name = `test_${randomBytes(8).toString('hex')}`): Promise<string> {
    await this.query(`create database ${name}`);
    return this.url(name);
  }

  async query<Row extends pg.QueryResultRow>(statement: string, database = 'postgres'): Promise<readonly Row[]> {
    const client = new pg.Client({ connectionString: this.url(database) });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(statement)).rows;
    } finally {
      await client.end();
    }
  }

  async resume(): Promise<void> {
    const words = ['-D', this.#data, '-k', this.#folder, ...this.#settings.flatMap((setting) => ['-c', setting])];
    this.#process = spawn(systemTool('postgres'), words, { ...ownUser, cwd: this.#folder, stdio: 'ignore' });
    await until(async () => {
      if (this.#process?.exitCode !== null) throw new Error('The PostgreSQL server did not start.');
      return this.query('select 1').then(
        () => true,
        () => false,
      );
    }, 'the PostgreSQL server answers');
  }

  async kill(): Promise<void> {
    await this.#end('SIGQUIT');
  }

  async stop(): Promise<void> {
    await this.#end('SIGINT');
    rmSync(this.#folder, { recursive: true });
  }

  /** SIGINT is a fast shutdown, SIGQUIT an immediate one (PostgreSQL 15 §19.5). */
  async #end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    const server = this.#process;
    if (server === undefined) return;
    this.#process = undefined;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  }
}
