import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** State that nodes share: entries that live for minutes; the disk space that each node has reserved, and its clock. */
export const sharedState: Migration = {
  async up({ schema }) {
    await schema
      .createTable('short_lived')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('ends_at', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('short_lived_key', ['kind', 'key'])
      .modifyEnd(sql`strict`)
      .execute();
    for (const column of ['reserved_on_disk', 'reserved_documents', 'clock_offset'] as const) {
      await schema
        .alterTable('nodes')
        .addColumn(column, 'integer', (definition) => definition.notNull().defaultTo(0))
        .execute();
    }
  },
};
