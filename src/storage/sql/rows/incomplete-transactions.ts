import { sql, type ExpressionBuilder, type Transaction } from 'kysely';
import { ServiceError } from '../../../service/errors/index.ts';
import { DOCUMENTS_AT_ONCE, letOthersRun, inParts } from '../../../service/scheduling/index.ts';
import type { DocumentRecord } from '../../../service/transactions/index.ts';
import type { NewTransactionRow } from '../columns/transactions.ts';
import type { Database, Tables } from '../database-schema.ts';
import { insertDocumentRows } from './document-rows.ts';

/** States of a transaction that nobody sees (decision 129). */
const STORING = 1;
const REMOVING = 2;

/** The condition for every reader of transactions: all documents of the transaction are stored. */
export const isComplete = (where: ExpressionBuilder<Tables, 'transactions'>) =>
  where('transactions.incomplete', 'is', null);

/**
 * Stores a transaction that nobody sees, with its documents, in a commit for each part of them: other commits have their
 * turn in between. `completeTransaction` then makes all of them visible at once.
 */
export async function storeIncomplete(
  database: Database,
  row: NewTransactionRow,
  documents: readonly DocumentRecord[],
): Promise<void> {
  await database
    .insertInto('transactions')
    .values({ ...row, incomplete: STORING })
    .execute();
  for await (const part of inParts(documents)) {
    await database.transaction().execute((connection) => insertDocumentRows(connection, part));
  }
}

/** Makes a stored transaction visible, in the commit of the caller. */
export async function completeTransaction(connection: Transaction<Tables>, tcn: string): Promise<void> {
  const { numUpdatedRows } = await connection
    .updateTable('transactions')
    .set({ incomplete: null })
    .where('tcn', '=', tcn)
    .where('incomplete', '=', STORING)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 1n) return;
  throw new ServiceError('STORAGE_UNAVAILABLE', 'The transaction took too long to store: send it again.');
}

/** Removes a transaction that was not completed, with its documents; a completed transaction stays. */
export async function removeIncomplete(database: Database, tcn: string): Promise<void> {
  // From here on the transaction cannot be completed any more.
  const { numUpdatedRows } = await database
    .updateTable('transactions')
    .set({ incomplete: REMOVING })
    .where('tcn', '=', tcn)
    .where('incomplete', 'is not', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return;
  for (let removed = DOCUMENTS_AT_ONCE; removed === DOCUMENTS_AT_ONCE;) {
    const { numDeletedRows } = await database
      .deleteFrom('documents')
      .where('key', 'in', (where) =>
        where
          .selectFrom('documents as some')
          .select('some.key')
          .where('some.tcn', '=', tcn)
          .orderBy('some.position')
          .limit(DOCUMENTS_AT_ONCE),
      )
      .executeTakeFirstOrThrow();
    removed = Number(numDeletedRows);
    await letOthersRun();
  }
  await database.deleteFrom('transactions').where('tcn', '=', tcn).execute();
}

/** Removes every transaction that was begun before a time and not completed. Answers their number. */
export async function removeAllIncomplete(database: Database, begunBefore: Date | undefined): Promise<number> {
  const rows = await database
    .selectFrom('transactions')
    .select('tcn')
    .where('incomplete', 'is not', null)
    // The plus keeps SQLite from the index of all times of creation: few transactions are incomplete.
    .$if(begunBefore !== undefined, (query) => query.where(sql`+created_at`, '<', begunBefore?.getTime() ?? 0))
    .execute();
  for (const { tcn } of rows) await removeIncomplete(database, tcn);
  return rows.length;
}
