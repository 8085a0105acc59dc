import type { Migration } from 'kysely/migration';

/**
 * Columns for clients of other programs: the end of a token's approval, the ground of a transaction's approval, the
 * caller whose list a transaction is in, and the stamps that were moved into their pages.
 */
export const integrators: Migration = {
  async up({ schema }) {
    await schema.alterTable('access_tokens').addColumn('approves_until', 'integer').execute();
    await schema.alterTable('transactions').addColumn('approved_by', 'text').execute();
    await schema.alterTable('transactions').addColumn('caller', 'text').execute();
    await schema.createIndex('transactions_by_caller').on('transactions').columns(['caller', 'created_at']).execute();
    await schema.alterTable('documents').addColumn('adjustments', 'text').execute();
  },
};
