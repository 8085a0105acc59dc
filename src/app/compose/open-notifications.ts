import { transactionBody, transactionHead } from '../../http/signing-service/signature-service.ts';
import { createHttpClient, type ClosableHttpClient, type FindProxy } from '../../network/index.ts';
import type { Applications } from '../../service/applications/index.ts';
import { auditedWebhooks, type RecordAudit } from '../../service/audit/index.ts';
import type { Tracer } from '../../service/monitoring/index.ts';
import {
  createNotifications,
  createWebhooks,
  type CallbackRefusal,
  type NotificationCallback,
  type Notifications,
  type Webhooks,
} from '../../service/notifications/index.ts';
import type { Sealer } from '../../service/secrets/index.ts';
import type { Transactions } from '../../service/transactions/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { Configuration } from '../config/config.ts';
import type { Log } from '../log/log.ts';
import { tracedClient } from '../tracing/traced-parts.ts';
import { ownAddresses } from './own-addresses.ts';
import type { EventListeners } from './open-consent.ts';

/** The network clients for callbacks, whose addresses are chosen by clients of the interface. */
export interface CallbackClients {
  clientFor(callback: NotificationCallback): ClosableHttpClient;
  readonly refusalOf: CallbackRefusal;
  close(): Promise<void>;
}

/**
 * Opens two clients without shared connections. One reaches public addresses and `network.allow`. The other, for
 * callers on this computer, also reaches its loopback addresses, without a proxy. The network's own client has checked
 * the configuration before.
 */
export function openCallbackClients(configuration: Configuration, findProxy: FindProxy | undefined): CallbackClients {
  const { network } = configuration;
  const own = ownAddresses(configuration);
  const build = (allowLoopback: boolean): ClosableHttpClient =>
    createHttpClient({
      allow: network.allow,
      allowLoopback,
      ownAddresses: own,
      noProxy: allowLoopback ? [...network.noProxy, 'localhost', '127.0.0.0/8', '::1'] : network.noProxy,
      certificateAuthorities: network.certificateAuthorities,
      proxy: network.proxy === undefined ? undefined : new URL(network.proxy),
      findProxy,
    });
  const outside = build(false);
  const withLoopback = build(true);
  const clientFor = ({ fromLoopback }: NotificationCallback): ClosableHttpClient =>
    fromLoopback ? withLoopback : outside;
  return {
    clientFor,
    refusalOf: (callback) => clientFor(callback).refusalOf(callback.url)?.message,
    close: async () => {
      await Promise.all([outside.close(), withLoopback.close()]);
    },
  };
}

/** The outbox, and the endpoints of applications that receive its notifications. */
export interface OpenNotifications {
  readonly notifications: Notifications;
  readonly webhooks: Webhooks;
}

/** Starts the notifications of this instance: deliveries left by an earlier run continue. */
export async function openNotifications(parts: {
  readonly storage: Pick<Storage, 'notifications' | 'webhooks' | 'transactions'>;
  readonly sealer: Sealer;
  readonly record: RecordAudit;
  readonly clients: CallbackClients;
  readonly transactions: Transactions;
  readonly applications: Pick<Applications, 'webhookSecret' | 'find'>;
  readonly events: EventListeners;
  readonly log: Pick<Log, 'service'>;
  readonly tracer: Tracer;
  readonly now: () => Date;
  /** False if this process sends nothing. */
  readonly delivers: boolean;
}): Promise<OpenNotifications> {
  const { storage, clients, transactions, applications, events, log, tracer, now } = parts;
  const notifications = createNotifications({
    store: storage.notifications,
    renderTransaction: async (tcn, baseUrl) => {
      const { resultLifetime } = transactions;
      // A receiver cannot choose a language.
      const context = { baseUrl, resultLifetime, language: 'en', aliases: 'masked' } as const;
      return JSON.stringify(transactionBody(await transactions.query(tcn), context));
    },
    renderSummary: async (tcn) => {
      const [view] = await transactions.overview([tcn]);
      return view === undefined ? { tcn } : transactionHead(view, 'masked');
    },
    endpointSecrets: async (id) => webhooks.secretsOf(id),
    clientFor: (callback) => tracedClient(clients.clientFor(callback), tracer),
    tracer,
    traceOf: async (tcn) => (await storage.transactions.read(tcn, ''))?.transaction.traceParent,
    webhookSecret: async (clientId) => applications.webhookSecret(clientId),
    onChange: (tcn) => {
      events.tell({ name: 'transaction-changed', tcn });
    },
    log: log.service,
    now,
  });
  const webhooks = auditedWebhooks(
    createWebhooks({
      store: storage.webhooks,
      sealer: parts.sealer,
      now,
      log: log.service,
      isRegistered: async (clientId) => (await applications.find(clientId)) !== undefined,
      refusalOf: clients.refusalOf,
      clientFor: (callback) => clients.clientFor(callback),
      redeliver: async (id) => notifications.redeliver(id),
    }),
    parts.record,
  );
  if (!parts.delivers) return { notifications, webhooks };
  transactions.onChange(() => {
    notifications.wake();
  });
  await notifications.start();
  return { notifications, webhooks };
}
