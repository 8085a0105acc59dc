import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Marks a transaction whose documents are still being stored: the rows of a long list come in several commits. */
export const incompleteTransactions: Migration = {
  async up({ schema }) {
    await schema.alterTable('transactions').addColumn('incomplete', 'integer').execute();
    await schema
      .createIndex('transactions_incomplete')
      .on('transactions')
      .column('incomplete')
      .where(sql.ref('incomplete'), 'is not', null)
      .execute();
  },
};
