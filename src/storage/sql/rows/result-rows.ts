/** The outcome of a document in its row, and the rows beside it: the bytes of a small result, the hashes of a long one. */
import { sql, type Transaction } from 'kysely';
import { toPendingRow, toResultRow, type DocumentRow } from '../columns/documents.ts';
import type { Tables } from '../database-schema.ts';
import { placesOf, RepeatedStatement } from '../repeated-statement.ts';

type Connection = Transaction<Tables>;

/** The columns that every outcome writes, for a document without a result and without a pending level. */
export const noOutcome = { ...toResultRow(null), ...toPendingRow(undefined) };

type OutcomeColumns = typeof noOutcome;
const outcomeNames = Object.keys(noOutcome) as (keyof OutcomeColumns)[];

/** Makes a waiting document SIGNED. Answers no row for a document with an outcome. */
export const updateSigned = new RepeatedStatement<
  OutcomeColumns & Pick<DocumentRow, 'key' | 'result_expires_at' | 'attempt'>,
  { tcn: string }
>((database, place) =>
  database
    .updateTable('documents')
    .set({
      status: sql.lit('SIGNED'),
      ...placesOf(outcomeNames, place),
      result_expires_at: place('result_expires_at'),
      attempt: place('attempt'),
    })
    .where('key', '=', place('key'))
    .where('status', '=', sql.lit('WAITING'))
    .returning('tcn'),
);

/** Makes a waiting document ERROR. Answers no row for a document with an outcome. */
export const updateFailed = new RepeatedStatement<
  OutcomeColumns & Pick<DocumentRow, 'key' | 'error_code' | 'error_detail'>,
  { tcn: string }
>((database, place) =>
  database
    .updateTable('documents')
    .set({
      status: sql.lit('ERROR'),
      ...placesOf(outcomeNames, place),
      error_code: place('error_code'),
      error_detail: place('error_detail'),
    })
    .where('key', '=', place('key'))
    .where('status', '=', sql.lit('WAITING'))
    .returning('tcn'),
);

/** Notes that the result of a document was erased. */
export const updateErased = new RepeatedStatement<{ key: string; at: number }, { tcn: string }>((database, place) =>
  database
    .updateTable('documents')
    .set({ result_erased_at: place('at'), result_signature: null })
    .where('key', '=', place('key'))
    .returning('tcn'),
);

const insertSmallResult = new RepeatedStatement<{ key: string; bytes: Buffer }>((database, place) =>
  database.insertInto('small_results').values({ key: place('key'), octets: place('bytes') }),
);

const insertBlocks = new RepeatedStatement<{ key: string; hashes: Buffer }>((database, place) =>
  database.insertInto('result_blocks').values({ key: place('key'), hashes: place('hashes') }),
);

const deleteSmallResult = new RepeatedStatement<{ key: string }>((database, place) =>
  database.deleteFrom('small_results').where('key', '=', place('key')),
);

const deleteBlocks = new RepeatedStatement<{ key: string }>((database, place) =>
  database.deleteFrom('result_blocks').where('key', '=', place('key')),
);

/** Stores the bytes of small results and the hashes of the blocks of long results. */
export async function insertResultParts(
  connection: Connection,
  results: readonly { readonly key: string; readonly bytes?: Buffer; readonly blocks?: Buffer }[],
): Promise<void> {
  await insertSmallResult.runAll(
    connection,
    results.flatMap(({ key, bytes }) => (bytes === undefined ? [] : [{ key, bytes }])),
  );
  await insertBlocks.runAll(
    connection,
    results.flatMap(({ key, blocks }) => (blocks === undefined ? [] : [{ key, hashes: blocks }])),
  );
}

/** Replaces the hashes of a result's blocks; undefined: the new result has none. */
export async function replaceBlocks(connection: Connection, key: string, blocks: Buffer | undefined): Promise<void> {
  await deleteBlocks.run(connection, { key });
  if (blocks !== undefined) await insertBlocks.runAll(connection, [{ key, hashes: blocks }]);
}

/** Removes the bytes of small results and the hashes of long results. */
export async function deleteResultParts(
  connection: Connection,
  documents: readonly { readonly key: string }[],
): Promise<void> {
  await deleteSmallResult.runAll(connection, documents);
  await deleteBlocks.runAll(connection, documents);
}
