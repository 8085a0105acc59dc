import type { Transaction } from 'kysely';
import type { NotificationState } from '../../../service/notifications/index.ts';
import type { DocumentRecord, StoredTransaction } from '../../../service/transactions/index.ts';
import { documentColumnNames, fromDocumentRow, toDocumentRow, type DocumentRow } from '../columns/documents.ts';
import { fromTransactionRow, type TransactionRow } from '../columns/transactions.ts';
import type { Database, Tables } from '../database-schema.ts';
import { DOCUMENTS_AT_ONCE, letOthersRun } from '../../../service/scheduling/index.ts';
import { placesOf, RepeatedStatement } from '../repeated-statement.ts';

const insertDocumentRow = new RepeatedStatement<DocumentRow>((database, place) =>
  database.insertInto('documents').values(placesOf(documentColumnNames, place)),
);

/** Adds documents to the table; their transaction is there. */
export async function insertDocumentRows(
  connection: Transaction<Tables>,
  documents: readonly DocumentRecord[],
): Promise<void> {
  await insertDocumentRow.runAll(connection, documents.map(toDocumentRow));
}

/** All documents of these transactions, in the order of each; at most `DOCUMENTS_AT_ONCE` in a turn of the event loop. */
export async function readDocuments(database: Database, tcns: readonly string[]): Promise<readonly DocumentRecord[]> {
  const documents: DocumentRecord[] = [];
  for (const group of await groupBySize(database, tcns)) {
    for (let last = -1, count = DOCUMENTS_AT_ONCE; count === DOCUMENTS_AT_ONCE;) {
      const rows = await database
        .selectFrom('documents')
        .selectAll()
        .where('tcn', 'in', group)
        .where('position', '>', last)
        .orderBy('tcn')
        .orderBy('position')
        .limit(DOCUMENTS_AT_ONCE)
        .execute();
      for (const row of rows) documents.push(fromDocumentRow(row));
      count = group.length === 1 ? rows.length : 0;
      last = rows.at(-1)?.position ?? last;
      if (documents.length >= DOCUMENTS_AT_ONCE) await letOthersRun();
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
    if (size <= DOCUMENTS_AT_ONCE) {
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
  for (let from = 0; from <= (last?.position ?? -1); from += DOCUMENTS_AT_ONCE) {
    if (from > 0) await letOthersRun();
    await connection
      .deleteFrom('small_originals')
      .where('key', 'in', (where) =>
        where
          .selectFrom('documents')
          .select('documents.key')
          .where('tcn', '=', tcn)
          .where('position', '>=', from)
          .where('position', '<', from + DOCUMENTS_AT_ONCE)
          .where('content_kind', '=', 'small'),
      )
      .execute();
  }
}

/** Documents and notifications to their transactions, in the order of `transactions`; all lists are complete. */
export function joinRows(
  transactions: readonly TransactionRow[],
  documents: readonly DocumentRecord[],
  notifications: ReadonlyMap<string, NotificationState>,
): readonly StoredTransaction[] {
  const byTcn = Map.groupBy(documents, ({ tcn }) => tcn);
  return transactions.map((row) => {
    const notification = notifications.get(row.tcn);
    return {
      transaction: fromTransactionRow(row),
      documents: byTcn.get(row.tcn) ?? [],
      ...(notification && { notification }),
    };
  });
}
