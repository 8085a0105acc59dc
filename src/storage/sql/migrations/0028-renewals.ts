import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Files that are kept valid, with the outcome of the last look at each. */
export const renewals: Migration = {
  async up({ schema }) {
    await schema
      .createTable('renewals')
      .addColumn('path', 'text', (column) => column.primaryKey())
      .addColumn('origin', 'text', (column) => column.notNull())
      .addColumn('kept', 'integer', (column) => column.notNull().defaultTo(1))
      .addColumn('state', 'text')
      .addColumn('outcome', 'text')
      .addColumn('protected_until', 'integer')
      .addColumn('checked_at', 'integer')
      .addColumn('next_at', 'integer', (column) => column.notNull())
      .addColumn('renewed_at', 'integer')
      .addColumn('troubled_since', 'integer')
      .addColumn('replacement', 'text')
      .modifyEnd(sql`strict`)
      .execute();
    await schema.createIndex('renewals_by_next_look').on('renewals').columns(['kept', 'next_at']).execute();
  },
};
