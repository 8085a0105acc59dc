import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Which ids and names the create request announced: uploads are matched with these. Entries of open batches that still
 * wait for their upload were announced with their name, and with any id other than their position.
 */
export const announcedDocuments: Migration = {
  async up(database) {
    for (const column of ['announced_id', 'announced_name']) {
      await database.schema
        .alterTable('documents')
        .addColumn(column, 'integer', (added) => added.notNull().defaultTo(0))
        .execute();
    }
    await sql
      .raw(
        `update documents set announced_id = case when id <> cast(position as text) then 1 else 0 end,
          announced_name = case when original_file_name is not null then 1 else 0 end
          where content_kind is null and status = 'WAITING'`,
      )
      .execute(database);
  },
};
