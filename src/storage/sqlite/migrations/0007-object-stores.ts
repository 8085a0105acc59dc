import type { Migration } from 'kysely/migration';

/** Results that go to object stores: each with the address of its object. */
export const objectStores: Migration = {
  async up({ schema }) {
    await schema.alterTable('documents').addColumn('destination_url', 'text').execute();
  },
};
