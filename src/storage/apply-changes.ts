import type { Transaction } from 'kysely';
import { ServiceError, type TransactionChange } from '../service/index.ts';
import type { DocumentRow, Tables } from './database-schema.ts';
import { contentColumns, toDocumentRow } from './transaction-rows.ts';

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
      return arrive(connection, change);
    case 'upload-ended':
      await endUpload(connection, change.tcn);
      return change.tcn;
    case 'waiting-for':
      await connection
        .updateTable('transactions')
        .set({ waitingFor: change.waitingFor })
        .where('tcn', '=', change.tcn)
        .where('finishedAt', 'is', null)
        .execute();
      return change.tcn;
    case 'approved':
      await connection
        .updateTable('transactions')
        .set({ approval: 'given', waitingFor: null })
        .where('tcn', '=', change.tcn)
        .execute();
      return change.tcn;
    case 'document-delivering': {
      const { size, checksum, signedAt, signature } = change.delivery;
      return updateWaiting(connection, change.key, resultColumns(size, checksum, signedAt, signature));
    }
    case 'document-signed': {
      const { size, checksum, signedAt, signature, expiresAt } = change.result;
      const columns = resultColumns(size, checksum, signedAt, signature);
      const resultExpiresAt = expiresAt?.getTime() ?? null;
      return updateWaiting(connection, change.key, { ...columns, status: 'SIGNED', resultExpiresAt });
    }
    case 'document-failed': {
      const { code: errorCode, detail: errorDetail } = change.error;
      const columns = { ...resultColumns(null, null, null, null), status: 'ERROR', errorCode, errorDetail };
      return updateWaiting(connection, change.key, columns);
    }
    case 'result-erased':
      return erase(connection, change.key, change.at);
  }
}

function resultColumns(
  resultSize: number | null,
  resultChecksum: string | null,
  signedAt: Date | null,
  resultSignature: string | null,
): Partial<DocumentRow> {
  return { resultSize, resultChecksum, resultSignedAt: signedAt?.getTime() ?? null, resultSignature };
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

async function arrive(
  connection: Connection,
  { tcn, id, document }: TransactionChange & { kind: 'document-arrived' },
): Promise<string> {
  const { content, error, ...columns } = document;
  const result = await connection
    .updateTable('documents')
    .set({
      ...columns,
      ...contentColumns(content),
      status: error === null ? 'WAITING' : 'ERROR',
      errorCode: error?.code ?? null,
      errorDetail: error?.detail ?? null,
    })
    .where('tcn', '=', tcn)
    .where('id', '=', id)
    .where('contentKind', 'is', null)
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n) throw new ServiceError('INTERNAL', 'A document arrived that was not announced.');
  return tcn;
}

async function endUpload(connection: Connection, tcn: string): Promise<void> {
  await connection
    .updateTable('transactions')
    .set((column) => ({
      uploadOpen: 0,
      waitingFor: column.case().when('approval', '=', 'required').then('approval').else(null).end(),
    }))
    .where('tcn', '=', tcn)
    .execute();
}

async function erase(connection: Connection, key: string, at: Date): Promise<string> {
  const { tcn } = await connection
    .updateTable('documents')
    .set({ resultErasedAt: at.getTime(), resultSignature: null })
    .where('key', '=', key)
    .returning('tcn')
    .executeTakeFirstOrThrow();
  return tcn;
}

/** A transaction is finished when its batch has ended and nothing of it waits. */
async function finishTransaction(connection: Connection, tcn: string, at: Date): Promise<void> {
  await connection
    .updateTable('transactions')
    .set({ finishedAt: at.getTime(), waitingFor: null })
    .where('tcn', '=', tcn)
    .where('uploadOpen', '=', 0)
    .where('finishedAt', 'is', null)
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
