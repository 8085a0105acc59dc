import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { engineOf } from '../../commits.ts';

/** Stored bytes of a document: of its waiting original, and of its result until erased. */
const octetsOf = (row: 'old' | 'new' | 'documents'): string => `(
  case when ${row}.status = 'WAITING' and ${row}.content_kind in ('kept', 'small')
    then coalesce(${row}.size, 0) else 0 end
  + case when ${row}.status = 'SIGNED' and ${row}.result_erased_at is null
    and ${row}.destination_path is null and ${row}.destination_url is null
    then coalesce(${row}.result_size, 0) else 0 end)`;

const add = (what: string): string => `update document_space set octets = octets + ${what} where id = 1`;

/**
 * The total bytes of the documents, counted in each commit, because a sum over a hundred thousand rows takes longer
 * than a signature. Also the spent time steps of one-time passwords, each by itself: a step spent while the clock was
 * ahead says nothing about earlier steps.
 */
export const documentSpace: Migration = {
  async up(database) {
    await database.schema
      .createTable('document_space')
      .addColumn('id', 'integer', (column) =>
        column
          .primaryKey()
          .notNull()
          .check(sql`id = 1`),
      )
      .addColumn('octets', 'integer', (column) => column.notNull())
      .modifyEnd(sql`strict`)
      .execute();
    const sum = `insert into document_space select 1, coalesce(sum(${octetsOf('documents')}), 0) from documents`;
    const change = `${octetsOf('new')} - ${octetsOf('old')}`;
    // On PostgreSQL the next version of these triggers is the first: see 0010.
    const triggers =
      engineOf(database) === 'postgres'
        ? []
        : [
            `create trigger document_space_insert after insert on documents begin ${add(octetsOf('new'))}; end`,
            `create trigger document_space_update after update on documents when ${change} <> 0 begin ${add(change)}; end`,
            `create trigger document_space_delete after delete on documents begin ${add(`-${octetsOf('old')}`)}; end`,
          ];
    const statements = [sum, ...triggers];
    for (const statement of statements) await sql.raw(statement).execute(database);

    await database.schema
      .createTable('spent_steps')
      .addColumn('account_id', 'integer', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('step', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('spent_steps_key', ['account_id', 'step'])
      .modifyEnd(sql`strict, without rowid`)
      .execute();
    await sql.raw('insert into spent_steps select id, last_step from accounts').execute(database);
    await database.schema.alterTable('accounts').dropColumn('last_step').execute();
  },
};
