import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** People with their one-time passwords, applications, authorization codes, access tokens, and counts of attempts. */
export const identity: Migration = {
  async up(database) {
    await createAccounts(database);
    await createApplications(database);
    await createTokens(database);
    await database.schema.alterTable('transactions').addColumn('document_limit', 'integer').execute();
  },
};

const strict = sql`strict`;

async function createAccounts({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('accounts')
    // A removed id is never used again.
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('username', 'text', (column) => column.notNull().unique())
    .addColumn('photo', 'text')
    .addColumn('sealed_secret', 'blob', (column) => column.notNull())
    .addColumn('last_step', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('updated_at', 'integer', (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
  await schema
    .createTable('recovery_codes')
    .addColumn('account_id', 'integer', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('hash', 'blob', (column) => column.notNull())
    .addPrimaryKeyConstraint('recovery_codes_key', ['account_id', 'hash'])
    .modifyEnd(strict)
    .execute();
  await schema
    .createTable('attempts')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('last_at', 'integer', (column) => column.notNull())
    .addColumn('blocked_until', 'integer')
    .modifyEnd(strict)
    .execute();
}

async function createApplications({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('applications')
    .addColumn('client_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('comments', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('redirect_uris', 'text', (column) => column.notNull())
    .addColumn('secret_hash', 'text')
    .addColumn('sealed_webhook_secret', 'blob', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('last_used_at', 'integer')
    .modifyEnd(strict)
    .execute();
}

async function createTokens({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('authorization_codes')
    .addColumn('hash', 'blob', (column) => column.primaryKey().notNull())
    .addColumn('client_id', 'text', (column) =>
      column.notNull().references('applications.client_id').onDelete('cascade'),
    )
    .addColumn('username', 'text', (column) => column.notNull())
    .addColumn('redirect_uri', 'text', (column) => column.notNull())
    .addColumn('redirect_uri_given', 'integer', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('code_challenge', 'text')
    .addColumn('lifetime', 'integer')
    .addColumn('expires_at', 'integer', (column) => column.notNull())
    .addColumn('used_at', 'integer')
    .modifyEnd(strict)
    .execute();
  await schema
    .createTable('access_tokens')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('hash', 'blob', (column) => column.notNull().unique())
    .addColumn('username', 'text')
    .addColumn('client_id', 'text', (column) => column.references('applications.client_id').onDelete('cascade'))
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('consented', 'integer', (column) => column.notNull())
    .addColumn('code_hash', 'blob')
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'integer', (column) => column.notNull())
    .addColumn('spent_at', 'integer')
    .modifyEnd(strict)
    .execute();
  await schema.createIndex('access_tokens_by_end').on('access_tokens').column('expires_at').execute();
  await schema.createIndex('access_tokens_by_code').on('access_tokens').column('code_hash').execute();
}
