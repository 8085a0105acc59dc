import type { Transaction } from 'kysely';
import type { DocumentRecord } from '../../../service/transactions/index.ts';
import type { Database, DocumentRow, Tables } from '../database-schema.ts';
import { DOCUMENTS_A_TURN, nextTurn } from '../../../service/scheduling/index.ts';
import { RepeatedStatement } from '../repeated-statement.ts';
import { fromDocumentRow, toDocumentRow } from './transaction-rows.ts';

const insertDocumentRow = new RepeatedStatement<DocumentRow>((database, place) =>
  database.insertInto('documents').values({
    key: place('key'),
    tcn: place('tcn'),
    position: place('position'),
    id: place('id'),
    announced_id: place('announced_id'),
    announced_name: place('announced_name'),
    status: place('status'),
    original_file_name: place('original_file_name'),
    media_type: place('media_type'),
    setting_id: place('setting_id'),
    content_kind: place('content_kind'),
    content_path: place('content_path'),
    size: place('size'),
    checksum: place('checksum'),
    destination_path: place('destination_path'),
    destination_url: place('destination_url'),
    destination_file_name: place('destination_file_name'),
    result_size: place('result_size'),
    result_checksum: place('result_checksum'),
    result_signed_at: place('result_signed_at'),
    result_signature: place('result_signature'),
    result_expires_at: place('result_expires_at'),
    result_erased_at: place('result_erased_at'),
    error_code: place('error_code'),
    error_detail: place('error_detail'),
    repairs: place('repairs'),
    adjustments: place('adjustments'),
    revision: place('revision'),
    pending_level: place('pending_level'),
    pending_since: place('pending_since'),
    pending_next: place('pending_next'),
    pending_size: place('pending_size'),
    pending_checksum: place('pending_checksum'),
    pending_code: place('pending_code'),
    pending_detail: place('pending_detail'),
    warnings: place('warnings'),
    attempt: place('attempt'),
  } satisfies Record<keyof DocumentRow, never>),
);

/** Adds documents to the table; their transaction is there. */
export async function insertDocumentRows(
  connection: Transaction<Tables>,
  documents: readonly DocumentRecord[],
): Promise<void> {
  await insertDocumentRow.runAll(connection, documents.map(toDocumentRow));
}

/** All documents of these transactions, in the order of each; at most `DOCUMENTS_A_TURN` in a turn of the event loop. */
export async function readDocuments(database: Database, tcns: readonly string[]): Promise<readonly DocumentRecord[]> {
  const documents: DocumentRecord[] = [];
  for (const group of await groupBySize(database, tcns)) {
    for (let last = -1, count = DOCUMENTS_A_TURN; count === DOCUMENTS_A_TURN;) {
      const rows = await database
        .selectFrom('documents')
        .selectAll()
        .where('tcn', 'in', group)
        .where('position', '>', last)
        .orderBy('tcn')
        .orderBy('position')
        .limit(DOCUMENTS_A_TURN)
        .execute();
      for (const row of rows) documents.push(fromDocumentRow(row));
      count = group.length === 1 ? rows.length : 0;
      last = rows.at(-1)?.position ?? last;
      if (documents.length >= DOCUMENTS_A_TURN) await nextTurn();
    }
  }
  return documents;
}

/** Groups of transactions with few documents; a transaction with many is a group of its own. */
async function groupBySize(database: Database, tcns: readonly string[]): Promise<readonly (readonly string[])[]> {
  if (tcns.length <= 1) return tcns.length === 0 ? [] : [tcns];
  const counted = await database
    .selectFrom('documents')
    .select(['tcn', ({ fn }) => fn.countAll().as('count')])
    .where('tcn', 'in', tcns)
    .groupBy('tcn')
    .execute();
  const groups: string[][] = [];
  let size = Infinity;
  for (const { tcn, count } of counted) {
    size += Number(count);
    if (size <= DOCUMENTS_A_TURN) {
      groups.at(-1)?.push(tcn);
    } else {
      groups.push([tcn]);
      size = Number(count);
    }
  }
  return groups;
}

/**
 * Removes the stored originals of a transaction, one part in each turn of the event loop: SQLite runs in this thread,
 * and overwrites removed rows.
 */
export async function removeSmallOriginals(connection: Transaction<Tables>, tcn: string): Promise<void> {
  const last = await connection
    .selectFrom('documents')
    .select('position')
    .where('tcn', '=', tcn)
    .where('content_kind', '=', 'small')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  for (let from = 0; from <= (last?.position ?? -1); from += DOCUMENTS_A_TURN) {
    if (from > 0) await nextTurn();
    await connection
      .deleteFrom('small_originals')
      .where('key', 'in', (where) =>
        where
          .selectFrom('documents')
          .select('documents.key')
          .where('tcn', '=', tcn)
          .where('position', '>=', from)
          .where('position', '<', from + DOCUMENTS_A_TURN)
          .where('content_kind', '=', 'small'),
      )
      .execute();
  }
}
