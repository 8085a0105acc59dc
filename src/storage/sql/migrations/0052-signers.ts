import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The people and companies that signed, by their certificates: few rows, which History is searched through. */
export const signers: Migration = {
  async up({ schema }) {
    await schema
      .createTable('signers')
      .addColumn('fingerprint', 'text', (column) => column.primaryKey().notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('number', 'text')
      .addColumn('words', 'text', (column) => column.notNull())
      .modifyEnd(sql`strict`)
      .execute();
  },
};
