import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Transactions with their documents, idempotency keys, settings, sealed private keys. */
export const firstTables: Migration = {
  async up(database) {
    await createTransactions(database);
    await createDocuments(database);
    await createIdempotencyKeys(database);
    await createSmallTables(database);
  },
};

/** Column types are checked by SQLite itself. */
const strict = sql`strict`;

async function createTransactions({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('transactions')
    .addColumn('tcn', 'text', (column) => column.primaryKey().notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('policy', 'text', (column) => column.notNull())
    .addColumn('documents_source', 'text', (column) => column.notNull())
    .addColumn('destination', 'text', (column) => column.notNull())
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('auto_fix_document', 'integer', (column) => column.notNull())
    .addColumn('return_signature', 'integer', (column) => column.notNull())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('requester_kind', 'text', (column) => column.notNull())
    .addColumn('requester_name', 'text', (column) => column.notNull())
    .addColumn('certificate_alias', 'text', (column) => column.notNull())
    .addColumn('certificate_fingerprint', 'text', (column) => column.notNull())
    .addColumn('key_source', 'text', (column) => column.notNull())
    .addColumn('approval', 'text', (column) => column.notNull())
    .addColumn('upload_open', 'integer', (column) => column.notNull())
    .addColumn('waiting_for', 'text')
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('finished_at', 'integer')
    .modifyEnd(strict)
    .execute();
  await schema.createIndex('transactions_by_creation').on('transactions').column('created_at').execute();
  await schema
    .createIndex('transactions_unfinished')
    .on('transactions')
    .columns(['waiting_for', 'created_at'])
    .where(sql.ref('finished_at'), 'is', null)
    .execute();
}

async function createDocuments({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('documents')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('tcn', 'text', (column) => column.notNull().references('transactions.tcn').onDelete('cascade'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull().check(sql`status in ('WAITING', 'SIGNED', 'ERROR')`))
    .addColumn('original_file_name', 'text')
    .addColumn('media_type', 'text')
    .addColumn('setting_id', 'text')
    .addColumn('content_kind', 'text')
    .addColumn('content_path', 'text')
    .addColumn('size', 'integer')
    .addColumn('checksum', 'text')
    .addColumn('destination_path', 'text')
    .addColumn('destination_file_name', 'text')
    .addColumn('result_size', 'integer')
    .addColumn('result_checksum', 'text')
    .addColumn('result_signed_at', 'integer')
    .addColumn('result_signature', 'text')
    .addColumn('result_expires_at', 'integer')
    .addColumn('result_erased_at', 'integer')
    .addColumn('error_code', 'text')
    .addColumn('error_detail', 'text')
    .addUniqueConstraint('documents_id', ['tcn', 'id'])
    .addUniqueConstraint('documents_position', ['tcn', 'position'])
    .addCheckConstraint('documents_signed', sql`status <> 'SIGNED' or result_checksum is not null`)
    .addCheckConstraint('documents_failed', sql`(status = 'ERROR') = (error_code is not null)`)
    .modifyEnd(strict)
    .execute();
  await schema.createIndex('documents_by_status').on('documents').column('status').execute();
  await schema
    .createIndex('documents_to_erase')
    .on('documents')
    .column('result_expires_at')
    .where(sql.ref('result_erased_at'), 'is', null)
    .execute();
}

async function createIdempotencyKeys({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('idempotency_keys')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('body_digest', 'text', (column) => column.notNull())
    .addColumn('tcn', 'text', (column) => column.notNull().references('transactions.tcn').onDelete('cascade'))
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
}

async function createSmallTables({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('settings')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
  await schema
    .createTable('private_keys')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('position', 'integer', (column) => column.notNull().unique())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('certificate', 'blob', (column) => column.notNull())
    .addColumn('chain', 'blob', (column) => column.notNull())
    .addColumn('sealed_key', 'blob', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
  await schema
    .createTable('health_probe')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
}
