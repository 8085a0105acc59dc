import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Tables for levels and repairs: a cache of revocation data, and the requests and reports of levels. */
export const levels: Migration = {
  async up(database) {
    await createRevocationCache(database);
    await extendTransactions(database);
  },
};

async function createRevocationCache({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('revocation_cache')
    .addColumn('issuer_key', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('locator', 'text', (column) => column.notNull())
    .addColumn('der', 'blob')
    .addColumn('crl_index', 'blob')
    .addColumn('problem_code', 'text')
    .addColumn('problem_sentence', 'text')
    .addColumn('fresh_until', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('revocation_cache_key', ['issuer_key', 'kind', 'locator'])
    .addCheckConstraint('revocation_cache_entry', sql`(der is null) = (problem_code is not null)`)
    .modifyEnd(sql`strict`)
    .execute();
  await schema.createIndex('revocation_cache_by_end').on('revocation_cache').column('fresh_until').execute();
}

async function extendTransactions({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('transactions').addColumn('tsa_server_id', 'text').execute();
  await schema.alterTable('transactions').addColumn('tsa_digest', 'text').execute();
  await schema.alterTable('transactions').addColumn('signer_company', 'text').execute();
  await schema.alterTable('transactions').addColumn('existing_signature', 'blob').execute();
  await schema.alterTable('documents').addColumn('repairs', 'text').execute();
}
