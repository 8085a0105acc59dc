import type { Migration } from 'kysely/migration';

/** The time from which an uploaded transaction waits for approval, so that the wait can end. */
export const approvalTime: Migration = {
  async up({ schema }) {
    await schema.alterTable('transactions').addColumn('waiting_since', 'integer').execute();
  },
};
