import { setImmediate } from 'node:timers/promises';
import { inOrder } from '../commits.ts';
import type { Database, DocumentRow, TransactionRow } from '../database-schema.ts';
import { RepeatedStatement } from '../repeated-statement.ts';
import { isComplete } from '../rows/incomplete-transactions.ts';
import { entryOfHash, wordsOf } from './words-of.ts';

/** Transactions in one commit. SQLite runs in this thread, so requests are served between two commits. */
const TRANSACTIONS_AT_ONCE = 100;

type Named = Pick<TransactionRow, 'tcn' | 'requester_name' | 'certificate_alias'>;
type Document = Pick<
  DocumentRow,
  'tcn' | 'original_file_name' | 'destination_path' | 'content_path' | 'checksum' | 'result_checksum'
>;

const insertWord = new RepeatedStatement<{ word: string }>((database, place) =>
  database
    .insertInto('history_words')
    .values({ word: place('word') })
    .onConflict((conflict) => conflict.doNothing()),
);

const insertEntry = new RepeatedStatement<{ word: string; number: number }>((database, place) =>
  database.insertInto('history_entries').values({ word: place('word'), number: place('number') }),
);

const numberTransaction = new RepeatedStatement<{ tcn: string; number: number }>((database, place) =>
  database
    .updateTable('transactions')
    .set({ history_number: place('number') })
    .where('tcn', '=', place('tcn')),
);

/**
 * An index of the words of finished transactions, whose names and hashes no longer change. It is written when a person
 * searches History, and never during a signature.
 */
export class HistoryIndex {
  readonly #database: Database;
  #filling: Promise<void> | undefined;
  #stopped = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds every finished transaction that is not in the index. Rejects as the database does. */
  async fill(): Promise<void> {
    this.#filling ??= this.#fillAll().finally(() => (this.#filling = undefined));
    return this.#filling;
  }

  /** Resolves when nothing is written any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#filling?.catch(() => undefined);
  }

  async #fillAll(): Promise<void> {
    while (!this.#stopped && (await this.#addSome())) await setImmediate();
  }

  /** Indexes some transactions; answers whether there may be more. */
  async #addSome(): Promise<boolean> {
    return inOrder(this.#database, 'history', async (connection) => {
      const transactions: readonly Named[] = await connection
        .selectFrom('transactions')
        .select(['tcn', 'requester_name', 'certificate_alias'])
        .where(isComplete)
        .where('history_number', 'is', null)
        .where('finished_at', 'is not', null)
        .limit(TRANSACTIONS_AT_ONCE)
        .execute();
      if (transactions.length === 0) return false;
      const documents: readonly Document[] = await connection
        .selectFrom('documents')
        .select(['tcn', 'original_file_name', 'destination_path', 'content_path', 'checksum', 'result_checksum'])
        .where(
          'tcn',
          'in',
          transactions.map(({ tcn }) => tcn),
        )
        .execute();
      const { last } = await connection
        .selectFrom('transactions')
        .select(({ fn }) => fn.max<number | null>('history_number').as('last'))
        .executeTakeFirstOrThrow();
      await addEntries(connection, { transactions, documents, first: (last ?? 0) + 1 });
      return true;
    });
  }
}

async function addEntries(
  connection: Database,
  some: { readonly transactions: readonly Named[]; readonly documents: readonly Document[]; readonly first: number },
): Promise<void> {
  const byTcn = Map.groupBy(some.documents, ({ tcn }) => tcn);
  const numbered = some.transactions.map((transaction, index) => ({
    tcn: transaction.tcn,
    number: some.first + index,
    words: wordsOf(textOf(transaction, byTcn.get(transaction.tcn) ?? [])),
    hashes: hashesOf(byTcn.get(transaction.tcn) ?? []),
  }));
  const words = new Set(numbered.flatMap((one) => one.words));
  await insertWord.runAll(
    connection,
    [...words].map((word) => ({ word })),
  );
  const entries = numbered.flatMap(({ number, words: own, hashes }) =>
    [...new Set([...own, ...hashes])].map((word) => ({ word, number })),
  );
  await insertEntry.runAll(connection, entries);
  await numberTransaction.runAll(
    connection,
    numbered.map(({ tcn, number }) => ({ tcn, number })),
  );
}

function textOf({ requester_name, certificate_alias }: Named, documents: readonly Document[]): string {
  const names = documents.flatMap((one) => [one.original_file_name, one.destination_path, one.content_path]);
  return [requester_name, certificate_alias, ...names].join(' ');
}

function hashesOf(documents: readonly Document[]): readonly string[] {
  return documents
    .flatMap(({ checksum, result_checksum }) => [checksum, result_checksum])
    .flatMap((hash) => (hash === null ? [] : [entryOfHash(hash)]));
}
