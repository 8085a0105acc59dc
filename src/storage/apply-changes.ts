import type { Transaction } from 'kysely';
import { type Delivery, type DocumentRecord, ServiceError, type TransactionChange } from '../service/index.ts';
import type { DocumentRow, Tables } from './database-schema.ts';
import { toDocumentRow } from './transaction-rows.ts';

type Connection = Transaction<Tables>;

/** Applies changes inside a database transaction; the caller commits all of them or none. */
export async function applyChanges(
  connection: Connection,
  changes: readonly TransactionChange[],
  at: Date,
): Promise<void> {
  const touched = new Set<string>();
  for (const change of changes) touched.add(await applyChange(connection, change));
  for (const tcn of touched) await finishTransaction(connection, tcn, at);
}

/** Answers the TCN of the transaction that was changed. */
async function applyChange(connection: Connection, change: TransactionChange): Promise<string> {
  switch (change.kind) {
    case 'document-added':
      await connection.insertInto('documents').values(toDocumentRow(change.document)).execute();
      return change.document.tcn;
    case 'document-arrived':
      return arrive(connection, change.document);
    case 'upload-ended':
      await endUpload(connection, change.tcn);
      return change.tcn;
    case 'waiting-for':
      await connection
        .updateTable('transactions')
        .set({ waiting_for: change.waitingFor })
        .where('tcn', '=', change.tcn)
        .where('finished_at', 'is', null)
        .execute();
      return change.tcn;
    case 'approved':
      await connection
        .updateTable('transactions')
        .set({ approval: 'given', waiting_for: null })
        .where('tcn', '=', change.tcn)
        .execute();
      return change.tcn;
    case 'document-delivering':
      return updateWaiting(connection, change.key, resultColumns(change.delivery));
    case 'document-signed': {
      const result_expires_at = change.result.expiresAt?.getTime() ?? null;
      const columns = { ...resultColumns(change.result), status: 'SIGNED', result_expires_at };
      return updateWaiting(connection, change.key, columns);
    }
    case 'document-failed': {
      const { code: error_code, detail: error_detail } = change.error;
      const columns = { ...resultColumns(null), status: 'ERROR', error_code, error_detail };
      return updateWaiting(connection, change.key, columns);
    }
    case 'result-erased':
      return erase(connection, change.key, change.at);
  }
}

function resultColumns(delivery: Delivery | null): Partial<DocumentRow> {
  return {
    result_size: delivery?.size ?? null,
    result_checksum: delivery?.checksum ?? null,
    result_signed_at: delivery?.signedAt.getTime() ?? null,
    result_signature: delivery?.signature ?? null,
    repairs: delivery?.repairs === undefined ? null : JSON.stringify(delivery.repairs),
  };
}

/** SIGNED and ERROR are final: a second outcome for the same document is refused, and with it the whole commit. */
async function updateWaiting(connection: Connection, key: string, columns: Partial<DocumentRow>): Promise<string> {
  const row = await connection
    .updateTable('documents')
    .set(columns)
    .where('key', '=', key)
    .where('status', '=', 'WAITING')
    .returning('tcn')
    .executeTakeFirst();
  if (row === undefined) throw new ServiceError('INTERNAL', 'A document that is final cannot change.');
  return row.tcn;
}

async function arrive(connection: Connection, document: DocumentRecord): Promise<string> {
  const result = await connection
    .updateTable('documents')
    .set(toDocumentRow(document))
    .where('tcn', '=', document.tcn)
    .where('id', '=', document.id)
    .where('content_kind', 'is', null)
    .where('status', '=', 'WAITING')
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n) throw new ServiceError('INTERNAL', 'A document arrived that was not announced.');
  return document.tcn;
}

async function endUpload(connection: Connection, tcn: string): Promise<void> {
  await connection
    .updateTable('transactions')
    .set((column) => ({
      upload_open: 0,
      waiting_for: column.case().when('approval', '=', 'required').then('approval').else(null).end(),
    }))
    .where('tcn', '=', tcn)
    .execute();
}

async function erase(connection: Connection, key: string, at: Date): Promise<string> {
  const { tcn } = await connection
    .updateTable('documents')
    .set({ result_erased_at: at.getTime(), result_signature: null })
    .where('key', '=', key)
    .returning('tcn')
    .executeTakeFirstOrThrow();
  return tcn;
}

/** A transaction is finished when its batch has ended and nothing of it waits. */
async function finishTransaction(connection: Connection, tcn: string, at: Date): Promise<void> {
  await connection
    .updateTable('transactions')
    .set({ finished_at: at.getTime(), waiting_for: null })
    .where('tcn', '=', tcn)
    .where('upload_open', '=', 0)
    .where('finished_at', 'is', null)
    .where((where) => {
      const waiting = where
        .selectFrom('documents')
        .select('key')
        .where('documents.tcn', '=', tcn)
        .where('status', '=', 'WAITING');
      return where.not(where.exists(waiting));
    })
    .execute();
}
