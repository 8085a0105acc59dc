import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Folders and stores that the owner opened to web sites and remote applications. */
export const fileGrants: Migration = {
  async up({ schema }) {
    await schema
      .createTable('file_grants')
      .addColumn('caller', 'text', (column) => column.notNull())
      .addColumn('root', 'text', (column) => column.notNull())
      .addColumn('access', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('expires_at', 'integer')
      .addColumn('last_used_at', 'integer')
      .addColumn('uses', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('file_grants_key', ['caller', 'root'])
      .modifyEnd(sql`strict`)
      .execute();
  },
};
