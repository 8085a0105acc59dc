import { join } from 'node:path';
import type { CertificateEvidence } from '../../service/certificates/index.ts';
import { RecentTries, type SystemReader, type Tracer } from '../../service/monitoring/index.ts';
import type { Notifications, Webhooks } from '../../service/notifications/index.ts';
import type { Renewals } from '../../service/renewals/index.ts';
import type { Room } from '../../service/space/index.ts';
import type { Requester, Transactions } from '../../service/transactions/index.ts';
import { WorkerPool, type HostLauncher } from '../../signing/index.ts';
import {
  DEFAULT_COPIES,
  MasterKeySealer,
  openStorage,
  SqlKeyVault,
  type SecretStore,
  type Storage,
} from '../../storage/index.ts';
import type { FindProxy } from '../../network/index.ts';
import type { Metrics } from '../../http/signing-service/monitoring.ts';
import type { UiEvent } from '../../ui-contract/ui-contract.ts';
import { AuditTrail } from '../log/audit-trail.ts';
import type { Configuration } from '../config/config.ts';
import { addressOfDatabase } from '../config/database-url.ts';
import { openCertificateEvidence } from '../evidence/certificate-evidence.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { TimestampServers } from '../evidence/timestamp-servers.ts';
import { Trust, trustSettings } from '../evidence/trust.ts';
import { followNodes } from '../nodes/follow-nodes.ts';
import { driverSetting, KeySources } from './key-sources.ts';
import { LeasedTestServices } from './leased-test-services.ts';
import { Listeners } from './listeners.ts';
import { openLog, type Log } from '../log/log.ts';
import { openMeasuredEvidence, openMetrics } from './open-metrics.ts';
import { openNetwork, type Network } from './network.ts';
import { systemFileOpener, type FileOpener } from './file-opener.ts';
import { SiteVisits } from './site-visits.ts';
import { linkedTo } from './open-assistant.ts';
import { forgetSealedIdentity } from './open-identity.ts';
import { openCallbackClients, openNotifications, type OpenNotifications } from './open-notifications.ts';
import { openDocumentBucket, openObjectStores, type ObjectStoreServices } from './open-object-stores.ts';
import { openRenewals } from './open-renewals.ts';
import { openRoom } from './open-room.ts';
import { observingClock, openTime, type Time } from './open-time.ts';
import { openTransactions } from './open-transactions.ts';
import { openPeople, type People } from './open-people.ts';
import { ReceivedFiles } from './received-files.ts';
import { markPlacesOf, openSecrets } from './open-secrets.ts';
import { openValidation, type ValidationServices } from './open-validation.ts';
import { Stamps } from './stamps.ts';
import { openTracing } from '../tracing/open-tracing.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { tracedClient } from '../tracing/traced-parts.ts';
import { TestIdentities } from '../test-services/test-identities.ts';
import { testServicesFinder } from '../test-services/test-services.ts';

/** Options for opening a core. */
export interface CoreOptions {
  readonly dataFolder: string;
  readonly configuration: Configuration;
  /** Asks for the passphrase of the master key, if configured. */
  readonly askPassphrase?: () => Promise<string>;
  /** Starts the processes of token drivers; by default Node does. */
  readonly launcher?: HostLauncher;
  /** The system's proxy for an address, used without a configured proxy. */
  readonly findSystemProxy?: FindProxy;
  /** Shows files to the user; by default programs of the system do. */
  readonly fileOpener?: FileOpener;
  /** Answers the free space of a disk; tests replace this function. */
  readonly diskSpace?: SystemReader['diskSpace'];
}

/** Everything that the bridges use, built once: stores, keys, transactions. */
export interface Core extends People, ObjectStoreServices, ValidationServices {
  readonly dataFolder: string;
  readonly configuration: Configuration;
  readonly storage: Storage;
  /** Checks whether disk space is left for more documents. */
  readonly room: Room;
  /** Remembers recent trial writes, for the health check. */
  readonly tries: RecentTries;
  readonly secrets: SecretStore;
  /** Moves the master key from memory into the key file of this user; undefined if that is impossible or pointless. */
  readonly keepSecretsInFile: (() => Promise<void>) | undefined;
  /**
   * Obtains the master key and opens a sealed test value. Rejects with `StorageError` if the key is missing or belongs
   * to another data folder.
   */
  checkMasterKey(): Promise<void>;
  readonly keys: KeySources;
  readonly testIdentities: TestIdentities;
  readonly transactions: Transactions;
  readonly renewals: Renewals;
  readonly notifications: Notifications;
  readonly webhooks: Webhooks;
  readonly workers: WorkerPool;
  readonly trust: Trust;
  readonly timestampServers: TimestampServers;
  readonly evidence: Evidence;
  readonly testServices: LeasedTestServices;
  readonly certificateEvidence: CertificateEvidence;
  /** Files sent by a window for a call. */
  readonly receivedFiles: ReceivedFiles;
  readonly stamps: Stamps;
  readonly fileOpener: FileOpener;
  readonly audit: AuditTrail;
  /** Decides whether the clock can be trusted. */
  readonly time: Time;
  /** The network client of the core. */
  readonly network: Network;
  /** Requests of web sites, for the Doctor. */
  readonly visits: SiteVisits;
  /** Absent: not switched on. */
  readonly metrics: Metrics | undefined;
  readonly log: Log;
  readonly tracing: Tracing;
  readonly now: () => Date;
  /** Calls `listener` for every event until the returned function is called. */
  onEvent(listener: (event: UiEvent) => void): () => void;
  /** Waits for running work, then closes everything; the data folder is free afterwards. */
  close(): Promise<void>;
}

/** The requesters of transactions that come through a bridge. */
export const requesters = {
  'user-interface': { kind: 'user-interface', name: 'This window' },
  'command-line': { kind: 'command-line', name: 'The command line' },
} as const satisfies Record<string, Requester>;

/** Opens a data folder. Rejects with `StorageError` if the folder is unavailable; nothing stays open then. */
export async function openCore(options: CoreOptions): Promise<Core> {
  const opened: Closable[] = [];
  const close = async (): Promise<void> => {
    for (let one = opened.pop(); one !== undefined; one = opened.pop()) await one.close();
  };
  try {
    const closeLater: Closing['closeLater'] = (one) => {
      opened.push(one);
      return one;
    };
    return await buildCore(options, { close, closeLater });
  } catch (error) {
    await close();
    throw error;
  }
}

interface Closable {
  close(): Promise<void>;
}

/** Parts are closed in the opposite order of opening. */
interface Closing extends Closable {
  /** Answers the part. */
  closeLater<Part extends Closable>(one: Part): Part;
}

async function buildCore(options: CoreOptions, closing: Closing): Promise<Core> {
  const { dataFolder, configuration } = options;
  const ground = await openGround(options, closing);
  const { storage, network, now } = ground;
  const events = new Listeners();
  const linkedCertificates = async (username: string): Promise<readonly string[]> =>
    linkedTo(people.assistant, username);
  const signing = await openSigning(options, ground, { closing, events, linkedCertificates });
  const { keys, workers, transactions } = signing;
  const people = await openPeople({ ...ground, configuration, keys, transactions, events }, (one) => {
    closing.closeLater(one);
  });
  const metrics = configuration.metrics ? openMetrics({ storage, keys, tries: ground.tries }) : undefined;
  ground.measured.metrics = metrics;
  const validation = openValidation({
    ...ground,
    workers,
    keys,
    linkedCertificates,
    http: network,
    cache: storage.revocationCache,
    algorithms: configuration.algorithmPolicy,
  });
  const renewals = openRenewals({
    ...ground,
    configuration,
    workers,
    validator: validation.validator,
    onChange: () => {
      events.tell({ name: 'renewals-changed' });
    },
  });
  closing.closeLater(renewals);
  const { notifications, webhooks } = await beginWork(ground, {
    transactions,
    applications: people.applications,
    events,
  });
  closing.closeLater(notifications);
  renewals.start();
  return {
    ...ground,
    ...signing,
    ...people,
    ...validation,
    dataFolder,
    configuration,
    metrics,
    renewals,
    notifications,
    webhooks,
    stamps: new Stamps(storage.settings, workers, now),
    visits: new SiteVisits(now),
    fileOpener: options.fileOpener ?? systemFileOpener,
    onEvent: (listener) => events.add(listener),
    close: async () => closing.close(),
  };
}

/** Continues the work of an earlier run. Until a person has decided about lost rows, nothing is signed, erased or sent. */
async function beginWork(
  { storage, secrets, callbacks, audit, log, tracing, now }: Ground,
  parts: Pick<Core, 'transactions' | 'applications'> & { readonly events: Listeners },
): Promise<OpenNotifications> {
  const isReadOnly = storage.mark.problem !== undefined;
  if (!isReadOnly) await parts.transactions.resume();
  const opened = await openNotifications({
    sealer: new MasterKeySealer(secrets),
    record: audit.record,
    storage,
    clients: callbacks,
    ...parts,
    log,
    tracer: tracing.tracer,
    now,
    delivers: !isReadOnly,
  });
  if (isReadOnly) await storage.freeze();
  return opened;
}

/** Opens the configured database and the stores over it. */
async function openStorageOf(
  { dataFolder, configuration, findSystemProxy }: CoreOptions,
  mayErase: () => boolean,
  tracer: Tracer,
): Promise<Storage> {
  const databaseUrl = await addressOfDatabase(configuration);
  const bucket = await openDocumentBucket(configuration, findSystemProxy, tracer);
  return openStorage(dataFolder, {
    databaseUrl,
    bucket,
    sharedFolder: configuration.documentsFolder,
    fileRoots: configuration.fileRoots,
    mayErase,
    copies: { ...DEFAULT_COPIES, kept: configuration.limits.databaseCopies },
    besideKey: markPlacesOf(configuration.secretStore, dataFolder).besideKey,
  });
}

/** Opens the parts on which all others depend: storage and secrets, network, trust and evidence. */
async function openGround(options: CoreOptions, closing: Closing) {
  const { configuration, dataFolder } = options;
  const now = (): Date => new Date();
  let time = undefined as Time | undefined;
  const tracing = closing.closeLater(await openTracing(configuration, options.findSystemProxy));
  const { tracer } = tracing;
  const storage = await openStorageOf(options, () => time?.mayErase() === true, tracer);
  closing.closeLater(storage);
  const room = openRoom(storage.documentsFolder, configuration, storage, options.diskSpace);
  const receivedFiles = await ReceivedFiles.open(join(dataFolder, 'received'), configuration.limits.documentSize, room);
  closing.closeLater(receivedFiles);
  const log = await openLog(dataFolder, configuration.logLevel, { tracer });
  tracing.reportTo(log.service);
  time = openTime(dataFolder, log.service);
  closing.closeLater(time);
  const findTestServices = testServicesFinder(dataFolder);
  const vault = await openVault(options, storage, findTestServices);
  const audit = new AuditTrail({
    storage,
    log,
    now,
    sealer: new MasterKeySealer(vault.secrets),
    canSeal: () => vault.keyIsKnown() && vault.secrets.kind !== 'memory',
  });
  closing.closeLater(audit);
  const client = observingClock(openNetwork(configuration, findTestServices, options.findSystemProxy), time);
  const network = { ...client, ...tracedClient(client, tracer) };
  closing.closeLater(network);
  const callbacks = openCallbackClients(configuration, options.findSystemProxy);
  closing.closeLater(callbacks);
  const stores = openObjectStores(configuration, { storage, secrets: vault.secrets, tracer }, options.findSystemProxy);
  closing.closeLater(stores.objectStores);
  if (vault.earlierAreLost) await stores.namedStores.forgetSealed();
  const trust = await openTrust({ storage, network, log }, closing);
  const { testIdentities, timestampServers } = vault;
  const testServices = new LeasedTestServices({ dataFolder, configuration, testIdentities, trust });
  closing.closeLater(testServices);
  const { settings, revocationCache: cache } = storage;
  const { policiesSource } = configuration;
  const sources = { http: network, trust, now, cache, servers: timestampServers, settings, policiesSource };
  return {
    ...vault,
    ...openMeasuredEvidence(sources, tracer),
    certificateEvidence: openCertificateEvidence(sources),
    ...stores,
    storage,
    room,
    tries: new RecentTries(),
    receivedFiles,
    audit,
    log,
    tracing,
    now,
    time,
    network,
    callbacks,
    trust,
    testServices,
  };
}

type Ground = Awaited<ReturnType<typeof openGround>>;

/** Opens the trust of the instance, which looks for new authorities once a day. */
async function openTrust(
  { storage, network, log }: Pick<Ground, 'storage' | 'network' | 'log'>,
  closing: Closing,
): Promise<Trust> {
  const trust = await Trust.open(storage.settings, network, storage.sharedWith?.locks);
  closing.closeLater(trust);
  closing.closeLater(followNodes({ storage, log }, { of: trustSettings, read: async () => trust.refresh() }));
  trust.updateInBackground((error) =>
    log.service.info({ error }, 'newer authorities of ICP-Brasil could not be fetched'),
  );
  return trust;
}

/** Opens the keys and the signing services. */
async function openSigning(
  { configuration, launcher }: CoreOptions,
  { storage, secrets, room, vault, evidence, callbacks, measured, objectStores, log, tracing, now }: Ground,
  parts: {
    readonly closing: Closing;
    readonly events: Listeners;
    readonly linkedCertificates: (username: string) => Promise<readonly string[]>;
  },
): Promise<Pick<Core, 'workers' | 'keys' | 'transactions'>> {
  const { closing, events, linkedCertificates } = parts;
  const workers = new WorkerPool();
  closing.closeLater(workers);
  const keys = await KeySources.open({
    vault,
    launcher,
    settings: storage.settings,
    moduleEnvironment: configuration.moduleEnvironment,
    tokenSessions: configuration.tokenSessions,
    onChange: () => {
      transactions.keysChanged();
      events.tell({ name: 'keys-changed' });
    },
  });
  closing.closeLater(keys);
  closing.closeLater(followNodes({ storage, log }, { of: [driverSetting], read: async () => keys.refresh() }));
  const callbackRefusal = callbacks.refusalOf;
  const stores = { storage, secrets, room, objectStores };
  const work = measured;
  const core = { configuration, ...stores, keys, workers, evidence, callbackRefusal, work, log, tracing, now };
  const transactions = await openTransactions(core, linkedCertificates);
  closing.closeLater({
    close: async () => {
      await transactions.close();
    },
  });
  transactions.onChange((tcn) => {
    events.tell({ name: 'transaction-changed', tcn });
  });
  return { workers, keys, transactions };
}

/** Opens the vault of imported keys; values sealed by an earlier run under a key in memory are lost and removed. */
async function openVault(
  { configuration, askPassphrase }: CoreOptions,
  { settings, database }: Storage,
  findTestServices: () => Promise<string | undefined>,
): Promise<
  Pick<Core, 'secrets' | 'keepSecretsInFile' | 'checkMasterKey' | 'testIdentities' | 'timestampServers'> & {
    readonly vault: SqlKeyVault;
    readonly earlierAreLost: boolean;
    readonly keyIsKnown: () => boolean;
  }
> {
  const {
    store: secrets,
    earlierAreLost,
    keyIsKnown,
    checkMasterKey,
    keepInFile: keepSecretsInFile,
  } = await openSecrets(configuration.secretStore, settings, askPassphrase);
  const vault = new SqlKeyVault(database, secrets);
  const servicesPort = configuration.testServicesPort;
  const testIdentities = new TestIdentities({ settings, secrets, vault, servicesPort });
  const timestampServers = new TimestampServers(settings, secrets, findTestServices);
  if (earlierAreLost) {
    for (const { id } of await vault.list()) await vault.remove(id);
    await testIdentities.forgetAuthority();
    await timestampServers.forgetSealed();
    await forgetSealedIdentity({ database });
  }
  return {
    secrets,
    keepSecretsInFile,
    vault,
    testIdentities,
    timestampServers,
    earlierAreLost,
    keyIsKnown,
    checkMasterKey: async () =>
      checkMasterKey(async () => {
        const [first] = await vault.list();
        if (first !== undefined) (await vault.readPrivateKey(first.id)).fill(0);
      }),
  };
}
