import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Which ids and names the create request announced: uploads are matched with these. Entries of open batches that still
 * wait for their upload were announced with their name, and with any id other than their position.
 */
export const announcedDocuments: Migration = {
  async up(database) {
    for (const column of ['announced_id', 'announced_name']) {
      await sql.raw(`alter table documents add column ${column} integer not null default 0`).execute(database);
    }
    await sql
      .raw(
        `update documents set announced_id = (id <> cast(position as text)), announced_name = (original_file_name is not null)
          where content_kind is null and status = 'WAITING'`,
      )
      .execute(database);
  },
};
