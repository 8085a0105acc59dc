import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Limits of applications, and the documents of a day. The count names no row of `applications`: an application of
 * another registry has limits in the configuration.
 */
export const applicationLimits: Migration = {
  async up({ schema }) {
    await schema.alterTable('applications').addColumn('limits', 'text').execute();
    await schema
      .createTable('application_use')
      .addColumn('client_id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('documents', 'integer', (column) => column.notNull())
      .modifyEnd(sql`strict`)
      .execute();
  },
};
