import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Several nodes on one database: the nodes, their claims on the jobs of transactions, and the files of an attempt. */
export const jobsOfNodes: Migration = {
  async up({ schema }) {
    await schema
      .createTable('nodes')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('alive_until', 'integer', (column) => column.notNull())
      .modifyEnd(sql`strict`)
      .execute();
    for (const column of ['claimed_by', 'hold', 'home_node'] as const) {
      await schema.alterTable('transactions').addColumn(column, 'text').execute();
    }
    await schema.alterTable('transactions').addColumn('claim_number', 'integer').execute();
    await schema.alterTable('documents').addColumn('attempt', 'integer').execute();
  },
};
