import type { Migration } from 'kysely/migration';

/** Results in object stores: each with the address of its object. */
export const objectStores: Migration = {
  async up({ schema }) {
    await schema.alterTable('documents').addColumn('destination_url', 'text').execute();
  },
};
