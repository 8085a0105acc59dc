import type { Migration } from 'kysely/migration';

/** A column for what a signature did to the standards that a PDF claims. */
export const standardWarnings: Migration = {
  async up({ schema }) {
    await schema.alterTable('documents').addColumn('warnings', 'text').execute();
  },
};
