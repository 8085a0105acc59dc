import type {
  DeliveryFilter,
  Notification,
  StoredWebhookEndpoint,
  WebhookStore,
} from '../../../service/notifications/index.ts';
import { inOrder } from '../commits.ts';
import type { Database } from '../database-schema.ts';
import type { WebhookEndpointRow } from '../notification-schema.ts';
import { storing } from '../../service-failure.ts';
import { fromNotificationRow, selectNotifications } from '../rows/notification-rows.ts';

/** Endpoints of applications in the instance's own database. */
export class SqlWebhookStore implements WebhookStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert(endpoint: StoredWebhookEndpoint): Promise<void> {
    const row: WebhookEndpointRow = {
      id: endpoint.id,
      client_id: endpoint.clientId,
      url: endpoint.url,
      events: JSON.stringify(endpoint.events),
      enabled: Number(endpoint.enabled),
      base_url: endpoint.baseUrl,
      from_loopback: Number(endpoint.fromLoopback),
      sealed_secret: endpoint.sealedSecret,
      sealed_earlier_secret: endpoint.sealedEarlierSecret,
      earlier_secret_until: endpoint.earlierSecretUntil?.getTime() ?? null,
      created_at: endpoint.createdAt.getTime(),
    };
    await storing(() => this.#database.insertInto('webhook_endpoints').values(row).execute());
  }

  async list(clientId: string): Promise<readonly StoredWebhookEndpoint[]> {
    const rows = await storing(() =>
      this.#database
        .selectFrom('webhook_endpoints')
        .selectAll()
        .where('client_id', '=', clientId)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
    );
    return rows.map(endpointOf);
  }

  async find(id: string): Promise<StoredWebhookEndpoint | undefined> {
    const row = await storing(() =>
      this.#database.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirst(),
    );
    return row && endpointOf(row);
  }

  async update(id: string, change: Parameters<WebhookStore['update']>[1]): Promise<void> {
    const { url, events, enabled, fromLoopback, sealedSecret, sealedEarlierSecret, earlierSecretUntil } = change;
    await storing(() =>
      this.#database
        .updateTable('webhook_endpoints')
        .set({
          // The key itself, so that an empty change is a valid statement too.
          id,
          url,
          events: events && JSON.stringify(events),
          enabled: enabled === undefined ? undefined : Number(enabled),
          from_loopback: fromLoopback === undefined ? undefined : Number(fromLoopback),
          sealed_secret: sealedSecret,
          sealed_earlier_secret: sealedEarlierSecret,
          earlier_secret_until: earlierSecretUntil === null ? null : earlierSecretUntil?.getTime(),
        })
        .where('id', '=', id)
        .execute(),
    );
  }

  async remove(id: string): Promise<void> {
    await storing(() =>
      inOrder(this.#database, 'audit', async (connection) => {
        await connection.deleteFrom('webhook_endpoints').where('id', '=', id).execute();
      }),
    );
  }

  async deliveries(id: string, { status, after, limit }: DeliveryFilter): Promise<readonly Notification[] | undefined> {
    return storing(async () => {
      const own = selectNotifications(this.#database).where('notifications.endpoint_id', '=', id);
      const last = after === undefined ? undefined : await own.where('notifications.id', '=', after).executeTakeFirst();
      if (after !== undefined && last === undefined) return undefined;
      const rows = await own
        .$if(status !== undefined, (query) => query.where('notifications.status', '=', status ?? ''))
        .$if(last !== undefined, (query) =>
          query.where((where) =>
            where.or([
              where('notifications.created_at', '<', last?.created_at ?? 0),
              where.and([
                where('notifications.created_at', '=', last?.created_at ?? 0),
                where('notifications.id', '>', last?.id ?? ''),
              ]),
            ]),
          ),
        )
        .orderBy('notifications.created_at', 'desc')
        .orderBy('notifications.id')
        .limit(limit)
        .execute();
      return rows.map(fromNotificationRow);
    });
  }
}

function endpointOf(row: WebhookEndpointRow): StoredWebhookEndpoint {
  return {
    id: row.id,
    clientId: row.client_id,
    url: row.url,
    baseUrl: row.base_url,
    events: JSON.parse(row.events) as StoredWebhookEndpoint['events'],
    enabled: row.enabled === 1,
    fromLoopback: row.from_loopback === 1,
    sealedSecret: row.sealed_secret,
    sealedEarlierSecret: row.sealed_earlier_secret,
    earlierSecretUntil: row.earlier_secret_until === null ? null : new Date(row.earlier_secret_until),
    createdAt: new Date(row.created_at),
  };
}
