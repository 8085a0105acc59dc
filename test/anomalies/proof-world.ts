/**
 * An instance of the proofs: transactions, notifications, evidence and an object store over one data folder, with a way
 * for every call below to fail. All promises to callers are remembered, because these must hold.
 */
import { randomUUID } from 'node:crypto';
import { openEvidence } from '../../src/app/evidence/evidence.ts';
import { TimestampServers } from '../../src/app/evidence/timestamp-servers.ts';
import { Trust } from '../../src/app/evidence/trust.ts';
import { createHttpClient, holdExchanges, type ClosableHttpClient } from '../../src/network/index.ts';
import { createNotifications, type Notifications } from '../../src/service/notifications/index.ts';
import type { CreateTransaction, TransactionDependencies } from '../../src/service/transactions/index.ts';
import { FileKeySource, KeyRing, parseCertificate } from '../../src/signing/index.ts';
import { ConfiguredObjectStores, SqlKeyVault, type OpenObjectStore, type Storage } from '../../src/storage/index.ts';
import { callbackTo } from '../service/notifications/notification-world.ts';
import { openWorld, requester, silentLog, type World } from '../service/transactions/transaction-world.ts';
import { faultyHttp, faultyKeys } from './faults.ts';
import { bucket, type ProofAddresses, type ProofServices } from './proof-services.ts';

const masterKey = { getMasterKey: () => Promise.resolve(Buffer.alloc(32, 7)) };

/** Milliseconds allowed to a server; a busy machine makes all servers slow. */
const USUAL_TIMEOUT = 20_000;

/** A transaction successfully created, with the number of its documents. */
export interface Told {
  readonly tcn: string;
  readonly documents: number;
}

export interface ProofWorld {
  readonly world: World;
  readonly notifications: Notifications;
  readonly objects: ConfiguredObjectStores;
  readonly addresses: ProofAddresses;
  readonly told: Told[];
  /** Creates and remembers a transaction. */
  create(request: CreateTransaction): Promise<string>;
  /** Ends the instance like the regular end of a process; its folders stay. */
  stop(): Promise<void>;
}

const storeOf = (endpoint: string): OpenObjectStore => ({
  id: 'papers',
  kind: 's3',
  endpoint,
  region: 'us-east-1',
  bucket,
  prefix: '',
  pathStyle: true,
  overwrite: false,
  credentials: { kind: 'keys', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
});

/** Fills a data folder with a key and the needs of B-LT, to be found by `openProofWorld`. */
export async function prepareProofFolder(
  root: string,
  services: ProofServices,
  timeout = USUAL_TIMEOUT,
): Promise<void> {
  const world = await openWorld({}, root);
  const client = createHttpClient();
  const { settings } = world.storage;
  await world.addKey(services.person);
  await (
    await Trust.open(settings, client)
  ).import(services.root, {
    fingerprint: parseCertificate(services.root).fingerprint,
  });
  const servers = new TimestampServers(settings, masterKey, async () => Promise.resolve(undefined));
  const authentication = { kind: 'none' } as const;
  await servers.add({ id: 'act', url: services.timestampUrl, digest: 'sha256', timeout, authentication });
  await client.close();
  await world.stop();
}

/** Opens the instance of a prepared folder. Nothing is continued before `world.transactions.resume`. */
export async function openProofWorld(
  root: string,
  addresses: ProofAddresses,
  overrides: Partial<TransactionDependencies> = {},
  idleTimeout = USUAL_TIMEOUT,
): Promise<ProofWorld> {
  const client = createHttpClient({ allowLoopback: true });
  const patience = { idleTimeout, totalTimeout: 3 * idleTimeout, attempts: 2, retryDelay: 10 };
  const store = storeOf(addresses.store);
  const objects = new ConfiguredObjectStores({
    named: { list: async () => Promise.resolve([store]), open: async () => Promise.resolve(store) },
    hold: holdExchanges,
    patience,
  });
  const clock = overrides.now ?? (() => new Date());
  const world = await openWorld(overrides, root, async (storage) => ({
    ...(await partsOf(storage, client, clock)),
    objects,
  }));
  const notifications = createNotifications({
    store: world.storage.notifications,
    renderTransaction: async (tcn) => {
      const { status } = await world.transactions.query(tcn);
      return JSON.stringify({ tcn, status });
    },
    clientFor: () => faultyHttp(client),
    webhookSecret: async () => Promise.resolve(undefined),
    onChange: () => undefined,
    now: clock,
    log: silentLog,
    limits: { retryDelays: [20, 20, 20, 20, 20, 20], gatherTime: 1, longestSleep: 20 },
  });
  world.transactions.onChange(() => notifications.wake());
  const told: Told[] = [];
  return {
    world,
    notifications,
    objects,
    addresses,
    told,
    async create(request) {
      const { tcn } = await world.transactions.create(request, requester);
      told.push({ tcn, documents: request.documents.length });
      return tcn;
    },
    async stop() {
      await notifications.close();
      await world.stop();
      await objects.close();
      await client.close();
    },
  };
}

async function partsOf(
  storage: Storage,
  client: ClosableHttpClient,
  now: () => Date,
): Promise<Partial<TransactionDependencies>> {
  const { settings, database, revocationCache: cache } = storage;
  const http = faultyHttp(client);
  const source = faultyKeys(new FileKeySource(new SqlKeyVault(database, masterKey)));
  const servers = new TimestampServers(settings, masterKey, async () => Promise.resolve(undefined));
  return {
    keys: new KeyRing((certificate) => parseCertificate(certificate).commonName, [source]),
    evidence: openEvidence({
      http,
      trust: await Trust.open(settings, http),
      servers,
      cache,
      settings,
      now,
      policiesSource: 'http://127.0.0.1:1',
    }),
  };
}

/** A callback with distinguishable uses. */
export const callbackOf = ({ addresses }: ProofWorld): CreateTransaction['callback'] =>
  callbackTo(`${addresses.receiver}/?id=${randomUUID()}&tcn=`);
