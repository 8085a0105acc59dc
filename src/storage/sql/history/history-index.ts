import { setImmediate } from 'node:timers/promises';
import { DOCUMENTS_AT_ONCE } from '../../../service/scheduling/index.ts';
import { inOrder } from '../commits.ts';
import type { DocumentRow } from '../columns/documents.ts';
import type { TransactionRow } from '../columns/transactions.ts';
import type { Database } from '../database-schema.ts';
import { RepeatedStatement } from '../repeated-statement.ts';
import { isComplete } from '../rows/incomplete-transactions.ts';
import { entryOfHash, splitIntoWords } from './index-words.ts';

/**
 * Transactions in one commit. SQLite runs in this thread, so requests are served between two commits.
 * Documents are counted too (`DOCUMENTS_AT_ONCE`): a longer transaction is indexed in several commits.
 */
const TRANSACTIONS_AT_ONCE = 100;

type Named = Pick<TransactionRow, 'tcn' | 'requester_name' | 'certificate_alias'>;
/** A transaction with the number by which the index names it. */
type Numbered = Named & { readonly number: number };
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
  database
    .insertInto('history_entries')
    .values({ word: place('word'), number: place('number') })
    // A word of several parts of a transaction, or of a part that was indexed before a restart.
    .onConflict((conflict) => conflict.doNothing()),
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
    const long = await inOrder(this.#database, 'history', addShort);
    if (long === 'none') return false;
    if (long !== undefined) await this.#addLong(long);
    return true;
  }

  /**
   * Indexes the parts of a long transaction in a commit each. Its number is negative until the last one, so that searches
   * read its rows, and so that a part is indexed again after a restart.
   */
  async #addLong(transaction: Numbered): Promise<void> {
    for (let from = 0; !this.#stopped; from += DOCUMENTS_AT_ONCE) {
      const isLast = await inOrder(this.#database, 'history', async (connection) => {
        const documents = await selectDocuments(connection, [transaction.tcn])
          .orderBy('position')
          .limit(DOCUMENTS_AT_ONCE)
          .offset(from)
          .execute();
        await addEntries(connection, [transaction], documents);
        if (documents.length === DOCUMENTS_AT_ONCE) return false;
        await numberTransaction.runAll(connection, [numberOf(transaction)]);
        return true;
      });
      if (isLast) return;
      await setImmediate();
    }
  }
}

/**
 * Indexes the first transactions that have few documents together. Answers a transaction that is too long for one
 * commit, or `none` if every transaction is in the index.
 */
async function addShort(connection: Database): Promise<Numbered | 'none' | undefined> {
  const [begun] = await selectTransactions(connection).where('history_number', '<', 0).limit(1).execute();
  if (begun !== undefined) return { ...begun, number: -Number(begun.history_number) };
  const transactions = await selectTransactions(connection)
    .where('history_number', 'is', null)
    .limit(TRANSACTIONS_AT_ONCE)
    .execute();
  if (transactions.length === 0) return 'none';
  const tcns = transactions.map(({ tcn }) => tcn);
  const counts = await connection
    .selectFrom('documents')
    .select(['tcn', ({ fn }) => fn.countAll().as('count')])
    .where('tcn', 'in', tcns)
    .groupBy('tcn')
    .execute();
  const sizes = new Map(counts.map(({ tcn, count }) => [tcn, Number(count)]));
  const { last } = await connection
    .selectFrom('transactions')
    .select(({ fn }) => fn.max<number | null>('history_number').as('last'))
    .executeTakeFirstOrThrow();
  const numbered = transactions.map((one, index) => ({ ...one, number: (last ?? 0) + 1 + index }));
  const [first] = numbered;
  if (first !== undefined && (sizes.get(first.tcn) ?? 0) > DOCUMENTS_AT_ONCE) {
    await numberTransaction.runAll(connection, [{ tcn: first.tcn, number: -first.number }]);
    return first;
  }
  const short = takeShort(numbered, sizes);
  const own = short.map(({ tcn }) => tcn);
  await addEntries(connection, short, await selectDocuments(connection, own).execute());
  await numberTransaction.runAll(connection, short.map(numberOf));
  return undefined;
}

/** The first transactions that together have no more documents than one commit. */
function takeShort(all: readonly Numbered[], sizes: ReadonlyMap<string, number>): readonly Numbered[] {
  let documents = 0;
  const tooMany = all.findIndex(({ tcn }) => (documents += sizes.get(tcn) ?? 0) > DOCUMENTS_AT_ONCE);
  return tooMany === -1 ? all : all.slice(0, tooMany);
}

/** The finished transactions. */
function selectTransactions(connection: Database) {
  return connection
    .selectFrom('transactions')
    .select(['tcn', 'requester_name', 'certificate_alias', 'history_number'])
    .where(isComplete)
    .where('finished_at', 'is not', null);
}

function selectDocuments(connection: Database, tcns: readonly string[]) {
  return connection
    .selectFrom('documents')
    .select(['tcn', 'original_file_name', 'destination_path', 'content_path', 'checksum', 'result_checksum'])
    .where('tcn', 'in', tcns);
}

async function addEntries(
  connection: Database,
  transactions: readonly Numbered[],
  documents: readonly Document[],
): Promise<void> {
  const byTcn = Map.groupBy(documents, ({ tcn }) => tcn);
  const numbered = transactions.map((transaction) => ({
    number: transaction.number,
    words: splitIntoWords(textOf(transaction, byTcn.get(transaction.tcn) ?? [])),
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
}

const numberOf = ({ tcn, number }: Numbered) => ({ tcn, number });

function textOf({ requester_name, certificate_alias }: Named, documents: readonly Document[]): string {
  const names = documents.flatMap((one) => [one.original_file_name, one.destination_path, one.content_path]);
  return [requester_name, certificate_alias, ...names].join(' ');
}

function hashesOf(documents: readonly Document[]): readonly string[] {
  return documents
    .flatMap(({ checksum, result_checksum }) => [checksum, result_checksum])
    .flatMap((hash) => (hash === null ? [] : [entryOfHash(hash)]));
}
