import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Signatures whose evidence comes later: the level that is still to come.
 */
export const pendingEvidence: Migration = {
  async up(database) {
    const { schema } = database;
    for (const column of ['revision', 'pending_since', 'pending_next', 'pending_size'] as const) {
      await schema.alterTable('documents').addColumn(column, 'integer').execute();
    }
    for (const column of ['pending_level', 'pending_checksum', 'pending_code', 'pending_detail'] as const) {
      await schema.alterTable('documents').addColumn(column, 'text').execute();
    }
    const statements = ['create index documents_pending on documents (pending_next) where pending_level is not null'];
    for (const statement of statements) await sql.raw(statement).execute(database);
  },
};
