import { join } from 'node:path';
import type { CertificateEvidence } from '../../service/certificates/index.ts';
import { RecentTries, systemReader, type SystemReader, type Tracer } from '../../service/monitoring/index.ts';
import { DiskRoom, type Room } from '../../service/space/index.ts';
import type { HostLauncher } from '../../signing/index.ts';
import {
  DEFAULT_COPIES,
  MasterKeySealer,
  openStorage,
  SqlKeyVault,
  type SecretStore,
  type Storage,
} from '../../storage/index.ts';
import type { FindProxy } from '../../network/index.ts';
import { AuditTrail } from '../log/audit-trail.ts';
import type { Configuration } from '../config/config.ts';
import { addressOfDatabase } from '../config/database-url.ts';
import { openCertificateEvidence } from '../evidence/certificate-evidence.ts';
import { TimestampServers } from '../evidence/timestamp-servers.ts';
import { Trust, trustSettings } from '../evidence/trust.ts';
import { followNodes } from '../nodes/follow-nodes.ts';
import { LeasedTestServices } from './leased-test-services.ts';
import { openLog, type Log } from '../log/log.ts';
import { openMeasuredEvidence } from './open-metrics.ts';
import { openNetwork, type Network } from './network.ts';
import type { FileOpener } from './file-opener.ts';
import { forgetSealedIdentity } from './open-identity.ts';
import { openCallbackClients, type CallbackClients } from './open-notifications.ts';
import { openDocumentBucket, openObjectStores, type ObjectStoreServices } from './open-object-stores.ts';
import { ErasePermission, observingClock, openTime, type Time } from './open-time.ts';
import { ReceivedFiles } from './received-files.ts';
import { markPlacesOf, openSecrets } from './open-secrets.ts';
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

/** A part that must be closed. */
export interface Closable {
  close(): Promise<void>;
}

/** Parts are closed in the opposite order of opening. */
export interface Closing extends Closable {
  /** Answers the part. */
  readonly closeLater: <Part extends Closable>(one: Part) => Part;
}

/** Stores, log and clock: the first stage. */
interface Data {
  readonly storage: Storage;
  /** Checks whether disk space is left for more documents. */
  readonly room: Room;
  /** Files sent by a window for a call. */
  readonly receivedFiles: ReceivedFiles;
  readonly log: Log;
  readonly tracing: Tracing;
  /** Decides whether the clock can be trusted. */
  readonly time: Time;
  /** Remembers recent trial writes, for the health check. */
  readonly tries: RecentTries;
  /** Answers the origin of running test services, undefined without any. */
  readonly findTestServices: () => Promise<string | undefined>;
  readonly now: () => Date;
}

/** The master key and the sealed values: the second stage. */
interface Sealed {
  readonly secrets: SecretStore;
  /** Moves the master key from memory into the key file of this user; undefined if that is impossible or pointless. */
  readonly keepSecretsInFile: (() => Promise<void>) | undefined;
  /**
   * Obtains the master key and opens a sealed test value. Rejects with `StorageError` if the key is missing or belongs
   * to another data folder.
   */
  readonly checkMasterKey: () => Promise<void>;
  /** True if the values sealed by an earlier run cannot be opened any more. */
  readonly earlierAreLost: boolean;
  readonly vault: SqlKeyVault;
  readonly testIdentities: TestIdentities;
  readonly timestampServers: TimestampServers;
  readonly audit: AuditTrail;
}

/** The clients of other computers: the third stage. */
interface Outside extends ObjectStoreServices {
  /** The network client of the core. */
  readonly network: Network;
  readonly callbacks: CallbackClients;
}

/** Authorities and evidence: the fourth stage. */
interface Proof extends ReturnType<typeof openMeasuredEvidence> {
  readonly certificateEvidence: CertificateEvidence;
  readonly trust: Trust;
  readonly testServices: LeasedTestServices;
}

/** The parts on which all others depend. */
export type Ground = Data & Sealed & Outside & Proof;

/** Opens the parts on which all others depend, stage by stage: each stage takes the parts of earlier stages. */
export async function openGround(options: CoreOptions, closing: Closing): Promise<Ground> {
  const data = await openData(options, closing);
  const sealed = await openSealed(options, data, closing);
  const outside = await openOutside(options, { ...data, ...sealed }, closing);
  const proof = await openProof(options, { ...data, ...sealed, ...outside }, closing);
  return { ...data, ...sealed, ...outside, ...proof };
}

/** Opens the stores, the log and the clock. The database decides first whether another process uses the folder. */
async function openData(options: CoreOptions, { closeLater }: Closing): Promise<Data> {
  const { configuration, dataFolder } = options;
  const permission = new ErasePermission();
  const tracing = closeLater(await openTracing(configuration, options.findSystemProxy));
  const { tracer } = tracing;
  const storage = closeLater(await openStorageOf(options, permission, tracer));
  const room = openRoom(storage.documentsFolder, configuration, storage, options.diskSpace);
  const receivedFiles = closeLater(
    await ReceivedFiles.open(join(dataFolder, 'received'), configuration.limits.documentSize, room),
  );
  const log = await openLog(dataFolder, configuration.logLevel, { tracer });
  tracing.reportTo(log.service);
  const time = closeLater(openTime(dataFolder, log.service, permission));
  const findTestServices = testServicesFinder(dataFolder);
  const tries = new RecentTries();
  return { storage, room, receivedFiles, log, tracing, time, tries, findTestServices, now: () => new Date() };
}

/** Opens the master key with the stores of sealed values, and the audit log. */
async function openSealed(options: CoreOptions, data: Data, { closeLater }: Closing): Promise<Sealed> {
  const { storage, log, now } = data;
  const vault = await openVault(options, data);
  const audit = closeLater(
    new AuditTrail({
      storage,
      log,
      now,
      sealer: new MasterKeySealer(vault.secrets),
      canSeal: () => vault.keyIsKnown() && vault.secrets.kind !== 'memory',
    }),
  );
  return { ...vault, audit };
}

/** Opens the clients of other computers. */
async function openOutside(
  { configuration, findSystemProxy }: CoreOptions,
  { storage, tracing, time, findTestServices, secrets, earlierAreLost }: Data & Sealed,
  { closeLater }: Closing,
): Promise<Outside> {
  const { tracer } = tracing;
  const client = observingClock(openNetwork(configuration, findTestServices, findSystemProxy), time);
  const network = closeLater({ ...client, ...tracedClient(client, tracer) });
  const callbacks = closeLater(openCallbackClients(configuration, findSystemProxy));
  const stores = openObjectStores(configuration, { storage, secrets, tracer }, findSystemProxy);
  closeLater(stores.objectStores);
  if (earlierAreLost) await stores.namedStores.forgetSealed();
  return { network, callbacks, ...stores };
}

/** Opens the authorities that count, and the services for evidence. */
async function openProof(
  { configuration, dataFolder }: CoreOptions,
  { storage, log, tracing, now, testIdentities, timestampServers, network }: Data & Sealed & Outside,
  closing: Closing,
): Promise<Proof> {
  const trust = await openTrust({ storage, network, log }, closing);
  const testServices = closing.closeLater(new LeasedTestServices({ dataFolder, configuration, testIdentities, trust }));
  const { settings, revocationCache: cache } = storage;
  const { policiesSource } = configuration;
  const sources = { http: network, trust, now, cache, servers: timestampServers, settings, policiesSource };
  return {
    ...openMeasuredEvidence(sources, tracing.tracer),
    certificateEvidence: openCertificateEvidence(sources),
    trust,
    testServices,
  };
}

/** Opens the configured database and the stores over it. */
async function openStorageOf(
  { dataFolder, configuration, findSystemProxy }: CoreOptions,
  { mayErase }: ErasePermission,
  tracer: Tracer,
): Promise<Storage> {
  const databaseUrl = await addressOfDatabase(configuration);
  const bucket = await openDocumentBucket(configuration, findSystemProxy, tracer);
  return openStorage(dataFolder, {
    databaseUrl,
    bucket,
    sharedFolder: configuration.documentsFolder,
    fileRoots: configuration.fileRoots,
    resultModes: {
      usual: configuration.resultMode,
      folders: configuration.fileGrants.flatMap(({ root, resultMode: mode }) =>
        mode === undefined ? [] : [{ root, mode }],
      ),
    },
    mayErase,
    copies: { ...DEFAULT_COPIES, kept: configuration.limits.databaseCopies },
    besideKey: markPlacesOf(configuration.secretStore, dataFolder).besideKey,
  });
}

/** Checks whether documents still fit into the data folder, within the configured limits. */
function openRoom(
  folder: string,
  { limits: { freeSpace, diskQuota } }: Configuration,
  { documentSpace, sharedWith }: Pick<Storage, 'documentSpace' | 'sharedWith'>,
  diskSpace: SystemReader['diskSpace'] = async (path) => systemReader.diskSpace(path),
): Room {
  return new DiskRoom({
    folder,
    leastFree: freeSpace,
    quota: diskQuota,
    diskSpace,
    documents: async () => documentSpace.bytes(),
    ...(sharedWith === undefined ? {} : { exchange: async (own) => sharedWith.claims.exchangeReserved(own) }),
  });
}

/** Opens the trust of the instance, which looks for new authorities once a day. */
async function openTrust(
  { storage, network, log }: Pick<Data, 'storage' | 'log'> & Pick<Outside, 'network'>,
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

/** Opens the vault of imported keys; values sealed by an earlier run under a key in memory are lost and removed. */
async function openVault(
  { configuration, askPassphrase }: CoreOptions,
  { storage: { settings, database }, findTestServices }: Pick<Data, 'storage' | 'findTestServices'>,
): Promise<Omit<Sealed, 'audit'> & { readonly keyIsKnown: () => boolean }> {
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
