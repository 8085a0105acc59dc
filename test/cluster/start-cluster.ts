/** PostgreSQL, nodes as processes of their own, and nginx in front, all on loopback. */
import type { QueryResultRow } from 'pg';
import { freePort, makeWorkplace, runSinete, serve, type ServingProcess, type Workplace } from '../app/run-sinete.ts';
import { until } from '../setup/waits.ts';
import { startSwift, swiftKeys } from '../storage/object-stores/swift-server.ts';
import { makeSharedFolder, makeTestIdentity } from '../storage/postgres/node-processes.ts';
import { startPostgres, type PostgresServer } from '../storage/postgres/postgres-server.ts';
import { startProxy, type Proxy } from './start-proxy.ts';

const DATABASE = 'cluster';
/** The host of `public_url`. */
export const PUBLIC_HOST = 'sign.example';

/** A node: its place on disk, and its process while running. */
interface Node {
  readonly place: Workplace;
  readonly port: number;
  process: ServingProcess | undefined;
  /** Its name in the table `nodes`, made anew by every start. */
  id: string;
}

/** An application by its id and secret. */
export interface ClusterApplication {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The parts of a service for a client. */
export interface Service {
  /** The port of nginx. */
  readonly port: number;
  /** The application with approved transactions. */
  readonly application: ClusterApplication;
}

/** A running cluster. */
export interface Cluster extends Service {
  readonly database: PostgresServer;
  /** The ports of the nodes behind nginx. */
  readonly nodePorts: readonly number[];
  /** The nodes that run. */
  readonly processes: readonly ServingProcess[];
  readonly proxy: Proxy;
  query<Row extends QueryResultRow>(statement: string): Promise<readonly Row[]>;
  /** Kills a running node, and answers its name in the table `nodes`. */
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
    return { environment: { SINETE_DOCUMENTS_STORE: makeSharedFolder({ folder }) }, stop: () => Promise.resolve() };
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

/** The differences between clusters besides their size. */
export interface ClusterOptions {
  /** Settings of the database server, as `name=value`. */
  readonly databaseSettings?: readonly string[];
  /** Words for Node itself, in front of the program of each node. */
  readonly nodeWords?: readonly string[];
}

/** Starts `count` nodes with a single test identity and one application; `callbacks` is the port of the receiver. */
export async function startCluster(
  count: number,
  callbacks: number,
  place: DocumentsPlace,
  { databaseSettings = [], nodeWords = [] }: ClusterOptions = {},
): Promise<Cluster> {
  const database = await startPostgres(databaseSettings);
  const first = await makeWorkplace();
  const documents = await openPlace(place, first.folder);
  const common = {
    ...commonEnvironment(first, callbacks),
    SINETE_DATABASE_URL: await database.createDatabase(DATABASE),
    ...documents.environment,
  };
  const owner = { ...first, environment: common };
  const application = await prepare(owner);
  const nodes: Node[] = [];
  for (let number = 0; number < count; number++) {
    const port = await freePort();
    const place = number === 0 ? owner : { ...(await makeWorkplace()) };
    const environment = { ...common, SINETE_DATA: place.data, ...ownEnvironment(port, application) };
    nodes.push({ place: { ...place, environment }, port, process: undefined, id: '' });
  }
  const proxy = await startProxy(
    first.folder,
    nodes.map(({ port }) => port),
  );
  const cluster = new RunningCluster({ database, documents, proxy, nodeWords }, nodes, application);
  for (const number of nodes.keys()) await cluster.restart(number);
  return cluster;
}

/** The variables of all nodes of a service. */
export const commonEnvironment = (place: Workplace, callbacks: number): Readonly<Record<string, string>> => ({
  ...place.environment,
  SINETE_PUBLIC_URL: `https://${PUBLIC_HOST}`,
  SINETE_NETWORK_ALLOW: JSON.stringify([`127.0.0.1:${callbacks}`]),
  SINETE_APPROVE: 'listed',
});

/** The variables of a single node, listening on `port` behind the proxy. */
export function ownEnvironment(port: number, { clientId }: ClusterApplication): Readonly<Record<string, string>> {
  const listen = [{ host: '127.0.0.1', port, behind_proxy: true, trusted_proxies: ['127.0.0.1'] }];
  return { SINETE_APPROVED: JSON.stringify([clientId]), SINETE_LISTEN: JSON.stringify(listen) };
}

/** Makes the identity and the application. */
export async function prepare(place: Workplace): Promise<ClusterApplication> {
  await makeTestIdentity(place);
  const words = ['applications', 'add', 'Cluster', '--redirect', 'https://client.example/', '--json'];
  const { code, stdout, stderr } = await runSinete(place, words);
  if (code !== 0) throw new Error(`The application was not added: ${stderr}`);
  const added = JSON.parse(stdout) as { readonly client_id: string; readonly client_secret: string };
  return { clientId: added.client_id, clientSecret: added.client_secret };
}

interface Parts {
  readonly database: PostgresServer;
  readonly documents: OpenPlace;
  readonly proxy: Proxy;
  readonly nodeWords: readonly string[];
}

class RunningCluster implements Cluster {
  readonly database: PostgresServer;
  readonly application: ClusterApplication;
  readonly proxy: Proxy;
  readonly #documents: OpenPlace;
  readonly #nodeWords: readonly string[];
  readonly #nodes: readonly Node[];

  constructor(
    { database, documents, proxy, nodeWords }: Parts,
    nodes: readonly Node[],
    application: ClusterApplication,
  ) {
    this.database = database;
    this.proxy = proxy;
    this.#documents = documents;
    this.#nodeWords = nodeWords;
    this.#nodes = nodes;
    this.application = application;
  }

  get port(): number {
    return this.proxy.port;
  }

  get processes(): readonly ServingProcess[] {
    return this.#nodes.flatMap((node) => node.process ?? []);
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
    node.process = await serve(node.place, ['--allow-root'], undefined, this.#nodeWords);
    node.id = (await this.#names()).find((name) => !before.has(name)) ?? '';
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
    await this.proxy.stop();
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
