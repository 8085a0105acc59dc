import type {
  DeliveryFilter,
  Notification,
  StoredWebhookEndpoint,
  WebhookStore,
} from '../../../service/notifications/index.ts';
import { inOrder } from '../commits.ts';
import type { Database } from '../database-schema.ts';
import { destinationColumns, webhookEndpointColumns, type WebhookEndpointRow } from '../columns/notifications.ts';
import { storing } from '../../service-failure.ts';
import { fromNotificationRow, selectNotifications } from '../rows/notification-rows.ts';

/** Endpoints of applications in the instance's own database. */
export class SqlWebhookStore implements WebhookStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert(endpoint: StoredWebhookEndpoint): Promise<void> {
    const row = { ...destinationColumns.toRow(endpoint), ...webhookEndpointColumns.toRow(endpoint) };
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
    await storing(() =>
      this.#database
        .updateTable('webhook_endpoints')
        // The key itself, so that an empty change is a valid statement too.
        .set({ id, ...destinationColumns.toChange(change), ...webhookEndpointColumns.toChange(change) })
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

const endpointOf = (row: WebhookEndpointRow): StoredWebhookEndpoint => ({
  ...destinationColumns.fromRow(row),
  ...webhookEndpointColumns.fromRow(row),
});
