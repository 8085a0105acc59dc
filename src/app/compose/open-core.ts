import type { HashCalls } from '../../service/hash-calls/index.ts';
import type { Notifications, Webhooks } from '../../service/notifications/index.ts';
import type { Renewals } from '../../service/renewals/index.ts';
import type { Requester, Transactions } from '../../service/transactions/index.ts';
import { WorkerPool } from '../../signing/index.ts';
import { MasterKeySealer } from '../../storage/index.ts';
import type { Metrics } from '../../http/signing-service/monitoring.ts';
import type { UiEvent } from '../../ui-contract/ui-contract.ts';
import type { Configuration } from '../config/config.ts';
import { followNodes } from '../nodes/follow-nodes.ts';
import { driverSetting, KeySources } from './key-sources.ts';
import { isPersonsSession } from '../config/persons-session.ts';
import { openMetrics } from './open-metrics.ts';
import { systemFileOpener, type FileOpener } from './file-opener.ts';
import { SiteVisits } from './site-visits.ts';
import { openNotifications, type OpenNotifications } from './open-notifications.ts';
import { openRenewals } from './open-renewals.ts';
import { openHashCalls, openTransactions } from './open-transactions.ts';
import { openPeople, type People } from './open-people.ts';
import { openValidation, type ValidationServices } from './open-validation.ts';
import { Stamps } from './stamps.ts';
import { openGround, type Closable, type Closing, type CoreOptions, type Ground } from './open-ground.ts';
import { openConsentOf, type EventListeners } from './open-consent.ts';
import type { Consent } from '../../service/consent/index.ts';

/** The listeners of events. */
class Listeners implements EventListeners {
  readonly #all = new Set<(event: UiEvent) => void>();
  readonly #whenLastLeaves: (() => void)[] = [];

  get anyone(): boolean {
    return this.#all.size > 0;
  }

  add(listener: (event: UiEvent) => void): () => void {
    this.#all.add(listener);
    return () => {
      if (this.#all.delete(listener) && this.#all.size === 0) for (const act of this.#whenLastLeaves) act();
    };
  }

  whenLastLeaves(act: () => void): void {
    this.#whenLastLeaves.push(act);
  }

  tell(event: UiEvent): void {
    for (const listener of this.#all) listener(event);
  }
}

/** Everything that the bridges use, built once: stores, keys, transactions. */
export interface Core
  extends
    Omit<Ground, 'vault' | 'earlierAreLost' | 'callbacks' | 'measured' | 'findTestServices'>,
    People,
    ValidationServices {
  readonly dataFolder: string;
  readonly configuration: Configuration;
  readonly consent: Consent;
  readonly keys: KeySources;
  readonly transactions: Transactions;
  readonly hashCalls: HashCalls;
  readonly renewals: Renewals;
  readonly notifications: Notifications;
  readonly webhooks: Webhooks;
  readonly workers: WorkerPool;
  readonly stamps: Stamps;
  readonly fileOpener: FileOpener;
  /** Requests of web sites, for the Doctor. */
  readonly visits: SiteVisits;
  /** Absent: not switched on. */
  readonly metrics: Metrics | undefined;
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

async function buildCore(options: CoreOptions, closing: Closing): Promise<Core> {
  const { dataFolder, configuration } = options;
  const { closeLater } = closing;
  const events = new Listeners();
  const ground = await openGround(options, closing);
  const { storage, network, now } = ground;
  const { workers, keys } = await openKeys(options, ground, closing);
  const people = await openPeople({ ...ground, configuration, keys, events }, closeLater);
  const { linkedCertificates } = people;
  const parts = { ...ground, configuration, keys, workers, events };
  const transactions = await openSigning({ ...parts, linkedCertificates }, closing);
  const consent = await openConsentOf({ ...parts, transactions }, closeLater);
  const metrics = configuration.metrics ? openMetrics({ storage, keys, tries: ground.tries }) : undefined;
  ground.measured.metrics = metrics;
  const validation = openValidation({
    ...parts,
    linkedCertificates,
    http: network,
    cache: storage.revocationCache,
    algorithms: configuration.algorithmPolicy,
  });
  const renewals = openRenewals({
    ...parts,
    validator: validation.validator,
    onChange: () => {
      events.tell({ name: 'renewals-changed' });
    },
  });
  closeLater(renewals);
  const { notifications, webhooks } = await beginWork(ground, {
    transactions,
    applications: people.applications,
    events,
  });
  closeLater(notifications);
  renewals.start();
  return {
    ...ground,
    ...people,
    ...validation,
    dataFolder,
    configuration,
    keys,
    workers,
    transactions,
    hashCalls: openHashCalls({ ...parts, ...people, transactions }),
    consent,
    metrics,
    renewals,
    notifications,
    webhooks,
    stamps: new Stamps(storage.settings, workers, { now, checkPage: configuration.stampCheckPage }),
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

/** Opens the worker threads and the keys. */
async function openKeys(
  { configuration, launcher }: CoreOptions,
  { storage, vault, log }: Ground,
  { closeLater }: Closing,
): Promise<Pick<Core, 'workers' | 'keys'>> {
  const workers = closeLater(new WorkerPool());
  const keys = closeLater(
    await KeySources.open({
      vault,
      launcher,
      settings: storage.settings,
      moduleEnvironment: configuration.moduleEnvironment,
      tokenSessions: configuration.tokenSessions,
      readsBrowsers: configuration.browserKeys ?? isPersonsSession(),
    }),
  );
  closeLater(followNodes({ storage, log }, { of: [driverSetting], read: async () => keys.refresh() }));
  return { workers, keys };
}

/** Opens the transactions, which wait for keys and tell the windows about changes. */
async function openSigning(
  parts: Ground &
    Pick<Core, 'configuration' | 'keys' | 'workers'> &
    Pick<People, 'linkedCertificates'> & {
      readonly events: Listeners;
    },
  { closeLater }: Closing,
): Promise<Transactions> {
  const { keys, events, callbacks, measured } = parts;
  const transactions = await openTransactions({ ...parts, callbackRefusal: callbacks.refusalOf, work: measured });
  closeLater({
    close: async () => {
      await transactions.close();
    },
  });
  keys.onChange(() => {
    transactions.keysChanged();
    events.tell({ name: 'keys-changed' });
  });
  transactions.onChange((tcn) => {
    events.tell({ name: 'transaction-changed', tcn });
  });
  return transactions;
}
