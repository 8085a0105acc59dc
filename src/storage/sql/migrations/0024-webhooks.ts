import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Endpoints of applications. The outbox gets a row for each endpoint and event, beside that of the callback. */
export const webhooks: Migration = {
  async up(database) {
    await createEndpoints(database);
    await widenOutbox(database);
  },
};

async function createEndpoints({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('webhook_endpoints')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('client_id', 'text', (column) =>
      column.notNull().references('applications.client_id').onDelete('cascade'),
    )
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('events', 'text', (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('base_url', 'text', (column) => column.notNull())
    .addColumn('from_loopback', 'integer', (column) => column.notNull())
    .addColumn('sealed_secret', 'blob', (column) => column.notNull())
    .addColumn('sealed_earlier_secret', 'blob')
    .addColumn('earlier_secret_until', 'integer')
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .modifyEnd(sql`strict`)
    .execute();
  await schema.createIndex('webhook_endpoints_by_client').on('webhook_endpoints').column('client_id').execute();
}

/** A transaction has one row for its callback, and one for each endpoint and event: the table is written anew. */
async function widenOutbox(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  await schema.alterTable('notifications').renameTo('notifications_before').execute();
  await schema.dropIndex('notifications_waiting').execute();
  await schema.dropIndex('notifications_by_time').execute();
  await schema
    .createTable('notifications')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('tcn', 'text', (column) => column.notNull().references('transactions.tcn').onDelete('cascade'))
    .addColumn('endpoint_id', 'text', (column) => column.references('webhook_endpoints.id').onDelete('cascade'))
    .addColumn('event', 'text')
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('scheduled_at', 'integer', (column) => column.notNull())
    .addColumn('next_attempt_at', 'integer')
    .addColumn('lease_until', 'integer')
    .addColumn('finished_at', 'integer')
    .modifyEnd(sql`strict`)
    .execute();
  const columns = sql.raw(
    'id, tcn, host, status, attempts, last_error, created_at, scheduled_at, next_attempt_at, lease_until, finished_at',
  );
  await sql`insert into notifications (${columns}) select ${columns} from notifications_before`.execute(database);
  await schema.dropTable('notifications_before').execute();
  await createOutboxIndexes(database);
}

async function createOutboxIndexes({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createIndex('notifications_waiting')
    .on('notifications')
    .columns(['host', 'next_attempt_at'])
    .where(sql.ref('status'), '=', sql.lit('WAITING'))
    .execute();
  await schema.createIndex('notifications_by_time').on('notifications').column('created_at').execute();
  // A transaction is finished once, and its callback told once.
  await schema
    .createIndex('notifications_of_callbacks')
    .unique()
    .on('notifications')
    .column('tcn')
    .where(sql.ref('endpoint_id'), 'is', null)
    .execute();
  // An endpoint is told each event of a transaction once.
  await schema
    .createIndex('notifications_of_endpoints')
    .unique()
    .on('notifications')
    .columns(['endpoint_id', 'tcn', 'event'])
    .execute();
}
