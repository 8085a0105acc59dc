import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Small documents beside their rows, and an index to find waiting documents of a transaction. */
export const smallDocuments: Migration = {
  async up({ schema }) {
    // An original is stored before its row; the next start removes originals without a row.
    await schema
      .createTable('small_originals')
      .addColumn('key', 'text', (column) => column.primaryKey().notNull())
      .addColumn('octets', 'blob', (column) => column.notNull())
      .modifyEnd(sql`strict`)
      .execute();
    await schema
      .createTable('small_results')
      .addColumn('key', 'text', (column) =>
        column.primaryKey().notNull().references('documents.key').onDelete('cascade'),
      )
      .addColumn('octets', 'blob', (column) => column.notNull())
      .modifyEnd(sql`strict`)
      .execute();
    await schema
      .createIndex('documents_waiting')
      .on('documents')
      .column('tcn')
      .where(sql.ref('status'), '=', sql.lit('WAITING'))
      .execute();
  },
};
