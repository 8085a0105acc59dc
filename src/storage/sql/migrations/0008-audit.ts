import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The audit log and its head. Triggers keep our own code from changing rows; the chain of hashes tells of others. */
export const audit: Migration = {
  async up(database) {
    await database.schema
      .createTable('audit_log')
      .addColumn('sequence', 'integer', (column) => column.primaryKey().notNull())
      .addColumn('at', 'integer', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('subject', 'text')
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('previous', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .modifyEnd(sql`strict`)
      .execute();
    await database.schema.createIndex('audit_log_subject').on('audit_log').column('subject').execute();
    await database.schema
      .createTable('audit_head')
      .addColumn('id', 'integer', (column) =>
        column
          .primaryKey()
          .notNull()
          .check(sql`id = 1`),
      )
      .addColumn('sequence', 'integer', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .modifyEnd(sql`strict`)
      .execute();
    for (const action of ['update', 'delete']) {
      await sql`create trigger ${sql.ref(`audit_log_no_${action}`)} before ${sql.raw(action)} on audit_log
        begin select raise(abort, 'rows of the audit log are never changed'); end`.execute(database);
    }
  },
};
