import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Finds the results that this instance keeps, by their keys: a part of them is checked at a time. The status comes
 * first, or else SQLite prefers the index of all documents of that status.
 */
export const keptResults: Migration = {
  async up({ schema }) {
    await schema
      .createIndex('documents_with_kept_result')
      .on('documents')
      .columns(['status', 'key'])
      .where(sql.ref('status'), '=', sql.lit('SIGNED'))
      .where(sql.ref('result_erased_at'), 'is', null)
      .where(sql.ref('destination_path'), 'is', null)
      .where(sql.ref('destination_url'), 'is', null)
      .execute();
  },
};
