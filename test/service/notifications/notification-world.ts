/** Transactions and their notifications over real stores, with a real HTTP client and an adjustable clock. */
import { createHttpClient, type HttpClientOptions } from '../../../src/network/index.ts';
import {
  createNotifications,
  type NotificationCallback,
  type NotificationDependencies,
  type Notifications,
} from '../../../src/service/notifications/index.ts';
import type {
  CreateTransaction,
  TransactionDependencies,
  TransactionView,
} from '../../../src/service/transactions/index.ts';
import { until } from '../../setup/waits.ts';
import {
  createRequest,
  dataUrl,
  openWorld,
  requester,
  silentLog,
  type World,
} from '../transactions/transaction-world.ts';

export interface NotificationWorld {
  readonly world: World;
  readonly notifications: Notifications;
  /** The log, as read by an operator. */
  readonly logged: readonly string[];
  advance(milliseconds: number): void;
  /** Creates a transaction of a single small document with this callback. */
  create(url: string, changes?: Partial<CreateTransaction>): Promise<TransactionView>;
  /** The view as soon as its notification has this status. */
  reaches(tcn: string, status: 'WAITING' | 'DELIVERED' | 'GIVEN_UP', attempts?: number): Promise<TransactionView>;
  stop(): Promise<void>;
  end(): Promise<void>;
}

export interface WorldChanges {
  readonly root?: string;
  readonly http?: HttpClientOptions;
  readonly notifications?: Partial<NotificationDependencies>;
  readonly transactions?: Partial<TransactionDependencies>;
}

/**
 * Delays short enough for a test to see all, unless the test sets the clock itself. A server of the tests has longer to
 * answer than a busy machine takes.
 */
export const quick = { retryDelays: [5, 5, 5, 5, 5, 5], gatherTime: 1, longestSleep: 10, timeout: 30_000 } as const;

export async function openNotificationWorld(changes: WorldChanges = {}): Promise<NotificationWorld> {
  let passed = 0;
  const now = (): Date => new Date(Date.now() + passed);
  const world = await openWorld({ now, ...changes.transactions }, changes.root);
  const client = createHttpClient({ allowLoopback: true, ...changes.http });
  const logged: string[] = [];
  const log = (fields: Readonly<Record<string, unknown>>, message: string): void => {
    logged.push(`${message} ${JSON.stringify(fields)}`);
  };
  const { limits, ...rest } = changes.notifications ?? {};
  const notifications = createNotifications({
    store: world.storage.notifications,
    renderTransaction: async (tcn, baseUrl) => {
      const { status } = await world.transactions.query(tcn);
      return JSON.stringify({ tcn, status, baseUrl, note: 'ação' });
    },
    clientFor: () => client,
    webhookSecret: async () => Promise.resolve(undefined),
    onChange: () => undefined,
    now,
    log: { ...silentLog, info: log, warn: log, error: log },
    limits: { ...quick, ...limits },
    ...rest,
  });
  world.transactions.onChange(() => notifications.wake());
  await notifications.start();
  const stop = async (): Promise<void> => {
    await notifications.close();
    await client.close();
    await world.stop();
  };
  return {
    world,
    notifications,
    logged,
    stop,
    advance: (milliseconds) => void (passed += milliseconds),
    create: async (url, more = {}) =>
      world.transactions.create(
        createRequest({
          documentsSource: 'DATA_URL',
          documents: [{ data: dataUrl('one') }],
          mode: 'sync',
          callback: callbackTo(url),
          ...more,
        }),
        requester,
      ),
    async reaches(tcn, status, attempts) {
      const read = async (): Promise<TransactionView> => world.transactions.query(tcn);
      await until(
        async () => {
          const { notification } = await read();
          return notification?.status === status && (attempts === undefined || notification.attempts >= attempts);
        },
        `${status} ${attempts ?? ''}`,
      );
      return read();
    },
    async end() {
      await notifications.close();
      await client.close();
      await world.end();
    },
  };
}

export const callbackTo = (url: string): NotificationCallback => ({
  url,
  baseUrl: 'http://127.0.0.1:17171',
  clientId: null,
  fromLoopback: true,
});
