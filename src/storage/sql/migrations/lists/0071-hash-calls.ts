import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Hashes that a person permitted with a token, the calls that used the permission, and the people who once authorized an
 * application.
 */
export const hashCalls: Migration = {
  async up({ schema }) {
    await schema.alterTable('authorization_codes').addColumn('hashes', 'text').execute();
    await schema.alterTable('access_tokens').addColumn('hashes', 'text').execute();
    await schema
      .createTable('hash_calls')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('token_id', 'text', (column) => column.notNull())
      .addColumn('hashes', 'integer', (column) => column.notNull())
      .addColumn('attempt', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('sealed_signatures', 'blob')
      .addColumn('expires_at', 'integer', (column) => column.notNull())
      .modifyEnd(sql`strict`)
      .execute();
    await schema.createIndex('hash_calls_by_token').on('hash_calls').column('token_id').execute();
    await schema.createIndex('hash_calls_by_end').on('hash_calls').column('expires_at').execute();
    await schema
      .createTable('application_people')
      .addColumn('slot', 'text', (column) => column.primaryKey().notNull())
      .addColumn('client_id', 'text', (column) =>
        column.notNull().references('applications.client_id').onDelete('cascade'),
      )
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('authorized', 'integer', (column) => column.notNull())
      .modifyEnd(sql`strict`)
      .execute();
    await schema
      .createIndex('application_people_by_both')
      .on('application_people')
      .columns(['client_id', 'username'])
      .unique()
      .execute();
  },
};
