import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Refresh tokens. Those of one permission share the hash of its code, like its access tokens. */
export const refreshTokens: Migration = {
  async up({ schema }) {
    await schema
      .createTable('refresh_tokens')
      .addColumn('hash', 'blob', (column) => column.primaryKey().notNull())
      .addColumn('code_hash', 'blob', (column) => column.notNull())
      .addColumn('client_id', 'text', (column) =>
        column.notNull().references('applications.client_id').onDelete('cascade'),
      )
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('expires_at', 'integer', (column) => column.notNull())
      .addColumn('used_at', 'integer')
      .modifyEnd(sql`strict`)
      .execute();
    await schema.createIndex('refresh_tokens_by_code').on('refresh_tokens').column('code_hash').execute();
    await schema.createIndex('refresh_tokens_by_end').on('refresh_tokens').column('expires_at').execute();
  },
};
