import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Addresses for notifications, and the outbox. */
export const notifications: Migration = {
  async up({ schema }) {
    await schema.alterTable('transactions').addColumn('callback', 'text').execute();
    await schema
      .createTable('notifications')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      // A transaction is finished once, and notified once.
      .addColumn('tcn', 'text', (column) =>
        column.notNull().unique().references('transactions.tcn').onDelete('cascade'),
      )
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
    await schema
      .createIndex('notifications_waiting')
      .on('notifications')
      .columns(['host', 'next_attempt_at'])
      .where(sql.ref('status'), '=', sql.lit('WAITING'))
      .execute();
    await schema.createIndex('notifications_by_time').on('notifications').column('created_at').execute();
  },
};
