import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { engineOf } from '../../commits.ts';

const UNCHANGED = 'rows of the audit log are never changed';

/**
 * The audit log and its head. Triggers prevent our own code from changing rows; the chain of hashes reveals other
 * changes.
 */
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
    const statements =
      engineOf(database) === 'sqlite'
        ? ['update', 'delete'].map(
            (action) => `create trigger audit_log_no_${action} before ${action} on audit_log
              begin select raise(abort, '${UNCHANGED}'); end`,
          )
        : [
            `create function audit_log_unchanged() returns trigger language plpgsql
              as $$ begin raise exception '${UNCHANGED}'; end $$`,
            `create trigger audit_log_unchanged before update or delete on audit_log
              for each row execute function audit_log_unchanged()`,
            `create trigger audit_log_kept before truncate on audit_log
              for each statement execute function audit_log_unchanged()`,
          ];
    for (const statement of statements) await sql.raw(statement).execute(database);
  },
};
