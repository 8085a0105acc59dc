import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Administrators, with the SHA-256 of their tokens. */
export const administrators: Migration = {
  async up({ schema }) {
    await schema
      .createTable('administrators')
      .addColumn('name', 'text', (column) => column.primaryKey().notNull())
      .addColumn('hash', 'blob', (column) => column.notNull().unique())
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('last_used_at', 'integer')
      .modifyEnd(sql`strict`)
      .execute();
  },
};
