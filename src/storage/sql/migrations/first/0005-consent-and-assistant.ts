import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Grants of web sites, the users of this computer, and the computer as an application. */
export const consentAndAssistant: Migration = {
  async up(database) {
    await createConsent(database);
    await createAssistant(database);
  },
};

const strict = sql`strict`;

async function createConsent({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('site_grants')
    .addColumn('origin', 'text', (column) => column.primaryKey().notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'integer')
    .addColumn('last_used_at', 'integer')
    .addColumn('uses', 'integer', (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
  await schema
    .createTable('standing_approvals')
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('certificate_fingerprint', 'text', (column) => column.notNull())
    .addColumn('signatures_left', 'integer', (column) => column.notNull().check(sql`signatures_left > 0`))
    .addColumn('expires_at', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('standing_approvals_key', ['origin', 'certificate_fingerprint'])
    .modifyEnd(strict)
    .execute();
}

async function createAssistant({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('cached_users')
    // AUTOINCREMENT: the id of a removed user is never used again.
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement().notNull())
    .addColumn('username', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('photo', 'text')
    .addColumn('updated_at', 'integer', (column) => column.notNull())
    .addColumn('selected', 'integer', (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
  await schema
    .createIndex('cached_users_selected')
    .on('cached_users')
    .column('selected')
    .unique()
    .where(sql.ref('selected'), '=', 1)
    .execute();
  await schema
    .createTable('user_certificates')
    .addColumn('user_id', 'integer', (column) => column.notNull().references('cached_users.id').onDelete('cascade'))
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('user_certificates_key', ['user_id', 'fingerprint'])
    .modifyEnd(strict)
    .execute();
  await schema
    .createTable('computer_application')
    .addColumn('id', 'integer', (column) =>
      column
        .primaryKey()
        .notNull()
        .check(sql`id = 1`),
    )
    .addColumn('client_name', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('sealed_secret', 'blob', (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
}
