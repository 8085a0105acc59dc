import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The words by which History finds transactions: `history_words` has each word once, `history_entries` the transactions
 * that have the word, by a number of theirs. A transaction without a number is not in these tables yet.
 */
export const historyWords: Migration = {
  async up({ schema }) {
    await schema.alterTable('transactions').addColumn('history_number', 'integer').execute();
    await schema
      .createIndex('transactions_by_history_number')
      .unique()
      .on('transactions')
      .column('history_number')
      .execute();
    await schema
      .createIndex('transactions_by_signer')
      .on('transactions')
      .columns(['certificate_fingerprint', 'created_at'])
      .execute();
    await schema
      .createTable('history_words')
      .addColumn('word', 'text', (column) => column.primaryKey().notNull())
      .modifyEnd(sql`strict, without rowid`)
      .execute();
    await schema
      .createTable('history_entries')
      .addColumn('word', 'text', (column) => column.notNull())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('history_entries_key', ['word', 'number'])
      .modifyEnd(sql`strict, without rowid`)
      .execute();
  },
};
