import type { Migration } from 'kysely/migration';

/** Columns for hashes in place of documents, and for applications that may ask for bare signatures. */
export const hashes: Migration = {
  async up({ schema }) {
    await schema.alterTable('documents').addColumn('hash_digest', 'text').execute();
    await schema.alterTable('documents').addColumn('hash_value', 'text').execute();
    await schema
      .alterTable('applications')
      .addColumn('signs_raw', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
