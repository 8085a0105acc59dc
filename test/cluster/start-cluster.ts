/** PostgreSQL, nodes as processes of their own, and nginx before them, all on loopback. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { QueryResultRow } from 'pg';
import { freePort, makeWorkplace, runSinete, serve, type ServingProcess, type Workplace } from '../app/run-sinete.ts';
import { systemTool } from '../setup/system-packages.ts';
import { until } from '../setup/waits.ts';
import { startSwift, swiftKeys } from '../storage/object-stores/swift-server.ts';
import { startPostgres, type PostgresServer } from '../storage/postgres/postgres-server.ts';

const example = join(import.meta.dirname, '../../packaging/nginx/sinete.conf');
const DATABASE = 'cluster';
/** The host of `public_url`. */
export const PUBLIC_HOST = 'sign.example';

/** A node: its place on disk, and its process while it runs. */
interface Node {
  readonly place: Workplace;
  readonly port: number;
  process: ServingProcess | undefined;
  /** Its name in the table `nodes`, which every start makes anew. */
  id: string;
}

/** An application by its id and secret. */
export interface ClusterApplication {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A running cluster. */
export interface Cluster {
  readonly database: PostgresServer;
  /** The port of nginx. */
  readonly port: number;
  /** The ports of the nodes behind it. */
  readonly nodePorts: readonly number[];
  /** The application whose transactions are approved. */
  readonly application: ClusterApplication;
  query<Row extends QueryResultRow>(statement: string): Promise<readonly Row[]>;
  /** Kills a node that runs, and answers its name in the table `nodes`. */
  kill(number: number): Promise<string>;
  /** Starts a killed node again. */
  restart(number: number): Promise<void>;
  /** Waits until every node has its database. */
  isReady(): Promise<void>;
  verifyAudit(): Promise<{ readonly state: string }>;
  stop(): Promise<void>;
}

/** A place for the documents of all nodes, by its kind. */
export type DocumentsPlace = 'folder' | 's3';

interface OpenPlace {
  /** The variables of each node. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

async function openPlace(place: DocumentsPlace, folder: string): Promise<OpenPlace> {
  if (place === 'folder') {
    const shared = join(folder, 'shared');
    await mkdir(shared, { mode: 0o700 });
    return { environment: { SINETE_DOCUMENTS_STORE: shared }, stop: () => Promise.resolve() };
  }
  const swift = await startSwift(['documents']);
  const { accessKeyId, secretAccessKey } = swiftKeys;
  const environment = {
    SINETE_DOCUMENTS_STORE: 's3://documents/cluster',
    SINETE_DOCUMENTS_ENDPOINT: swift.url,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
  return { environment, stop: async () => swift.stop() };
}

/** Starts `count` nodes with one test identity and one application; `callbacks` is the port of the receiver. */
export async function startCluster(count: number, callbacks: number, place: DocumentsPlace): Promise<Cluster> {
  const database = await startPostgres();
  const first = await makeWorkplace();
  const documents = await openPlace(place, first.folder);
  const common = {
    ...first.environment,
    SINETE_DATABASE_URL: await database.createDatabase(DATABASE),
    ...documents.environment,
    SINETE_PUBLIC_URL: `https://${PUBLIC_HOST}`,
    SINETE_NETWORK_ALLOW: JSON.stringify([`127.0.0.1:${callbacks}`]),
    SINETE_APPROVE: 'listed',
  };
  const owner = { ...first, environment: common };
  const application = await prepare(owner);
  const nodes: Node[] = [];
  for (let number = 0; number < count; number++) {
    const port = await freePort();
    const place = number === 0 ? owner : { ...(await makeWorkplace()) };
    const listen = [{ host: '127.0.0.1', port, behind_proxy: true, trusted_proxies: ['127.0.0.1'] }];
    const environment = {
      ...common,
      SINETE_DATA: place.data,
      SINETE_APPROVED: JSON.stringify([application.clientId]),
      SINETE_LISTEN: JSON.stringify(listen),
    };
    nodes.push({ place: { ...place, environment }, port, process: undefined, id: '' });
  }
  const cluster = new RunningCluster({ database, documents }, nodes, application);
  for (const number of nodes.keys()) await cluster.restart(number);
  await cluster.startProxy(first.folder);
  return cluster;
}

/** Makes the identity and the application. */
async function prepare(place: Workplace): Promise<ClusterApplication> {
  const run = async (words: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runSinete(place, words);
    if (code !== 0) throw new Error(`sinete ${words[0] ?? ''} failed: ${stderr}`);
    return stdout;
  };
  await run(['certificates', 'test-identity', '--name', 'Ana Lima', '--cpf', '111.444.777-35']);
  const words = ['applications', 'add', 'Cluster', '--redirect', 'https://client.example/', '--json'];
  return JSON.parse(await run(words)) as ClusterApplication;
}

class RunningCluster implements Cluster {
  readonly database: PostgresServer;
  readonly application: ClusterApplication;
  readonly #documents: OpenPlace;
  readonly #nodes: readonly Node[];
  #proxy: ChildProcess | undefined;
  port = 0;

  constructor(
    { database, documents }: { readonly database: PostgresServer; readonly documents: OpenPlace },
    nodes: readonly Node[],
    application: ClusterApplication,
  ) {
    this.database = database;
    this.#documents = documents;
    this.#nodes = nodes;
    this.application = application;
  }

  get nodePorts(): readonly number[] {
    return this.#nodes.map(({ port }) => port);
  }

  async query<Row extends QueryResultRow>(statement: string): Promise<readonly Row[]> {
    return this.database.query<Row>(statement, DATABASE);
  }

  async kill(number: number): Promise<string> {
    const node = this.#node(number);
    await node.process?.stop('SIGKILL');
    node.process = undefined;
    return node.id;
  }

  async restart(number: number): Promise<void> {
    const node = this.#node(number);
    const before = new Set(await this.#names());
    node.process = await serve(node.place, ['--allow-root']);
    node.id = (await this.#names()).find((name) => !before.has(name)) ?? '';
  }

  /** Starts nginx with the example of the package, without TLS, before all nodes. */
  async startProxy(folder: string): Promise<void> {
    this.port = await freePort();
    const servers = this.nodePorts.map((port) => `server 127.0.0.1:${port} max_fails=1 fail_timeout=1s;`);
    const site = (await readFile(example, 'utf8'))
      .replace('server 127.0.0.1:8080;', servers.join('\n  '))
      .replace('listen 443 ssl http2', `listen 127.0.0.1:${this.port}`)
      .replace(/^.*listen \[::\]:443.*\n/m, '')
      .replaceAll(/^\s*(ssl_|add_header).*\n/gm, '');
    await writeFile(join(folder, 'sinete.conf'), site);
    const user = process.getuid?.() === 0 ? 'user root;' : '';
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${folder};`);
    const file = join(folder, 'nginx.conf');
    const main = `${user} daemon off; pid ${folder}/nginx.pid; error_log /dev/null; events { worker_connections 1024; }`;
    await writeFile(file, `${main}\nhttp { access_log off; ${places.join(' ')} include ${folder}/sinete.conf; }\n`);
    this.#proxy = spawn(systemTool('nginx'), ['-c', file], { stdio: 'ignore' });
    await until(
      () =>
        fetch(`http://127.0.0.1:${this.port}/`).then(
          () => true,
          () => false,
        ),
      'nginx answers',
    );
  }

  async isReady(): Promise<void> {
    for (const { process: running } of this.#nodes) {
      const isThere = async (): Promise<boolean> =>
        (await fetch(`${running?.baseUrl ?? ''}/signature-service/unknown`)).status === 404;
      await until(isThere, 'the node has its database');
    }
  }

  async verifyAudit(): Promise<{ readonly state: string }> {
    const place = this.#node(0).place;
    const { stdout, stderr } = await runSinete(place, ['audit', 'verify', '--json']);
    if (stdout === '') throw new Error(`The audit log could not be verified: ${stderr}`);
    return JSON.parse(stdout) as { readonly state: string };
  }

  async stop(): Promise<void> {
    if (this.#proxy?.exitCode === null) {
      const ended = new Promise((resolve) => this.#proxy?.once('close', resolve));
      this.#proxy.kill('SIGQUIT');
      await ended;
    }
    for (const { process: running } of this.#nodes) await running?.stop('SIGKILL');
    await this.#documents.stop();
    await this.database.stop();
    for (const { place } of this.#nodes) await place.remove();
  }

  #node(number: number): Node {
    const node = this.#nodes[number];
    if (node === undefined) throw new Error(`There is no node ${number}.`);
    return node;
  }

  async #names(): Promise<readonly string[]> {
    const there = await this.query<{ there: boolean }>("select to_regclass('nodes') is not null as there");
    if (there[0]?.there !== true) return [];
    return (await this.query<{ id: string }>('select id from nodes')).map(({ id }) => id);
  }
}
