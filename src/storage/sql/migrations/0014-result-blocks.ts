import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The SHA-256 of each MiB of a long result, so that a part of it can be checked before it is given out. */
export const resultBlocks: Migration = {
  async up({ schema }) {
    await schema
      .createTable('result_blocks')
      .addColumn('key', 'text', (column) =>
        column.primaryKey().notNull().references('documents.key').onDelete('cascade'),
      )
      .addColumn('hashes', 'blob', (column) => column.notNull())
      .modifyEnd(sql`strict`)
      .execute();
  },
};
