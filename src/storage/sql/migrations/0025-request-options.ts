import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { engineOf } from '../commits.ts';

/**
 * The options of a request in one JSON column, so that a further option needs no column. `json_patch` leaves out the
 * members that are null (RFC 7396).
 */
export const requestOptions: Migration = {
  async up(database) {
    const { schema } = database;
    await schema
      .alterTable('transactions')
      .addColumn('options', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute();
    // No PostgreSQL database is older than this column.
    if (engineOf(database) === 'sqlite') {
      await sql`update transactions set options = json_patch('{}', json_object(
        'timestampServer', tsa_server_id, 'timestampDigest', tsa_digest, 'signerCompany', json(signer_company)
      )) where coalesce(tsa_server_id, tsa_digest, signer_company) is not null`.execute(database);
    }
    for (const column of ['tsa_server_id', 'tsa_digest', 'signer_company']) {
      await schema.alterTable('transactions').dropColumn(column).execute();
    }
  },
};
