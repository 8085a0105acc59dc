import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { GENESIS } from '../../service/audit/index.ts';
import type { CommitListener, CommittedNumbers } from '../sql/commits.ts';
import type { Database } from '../sql/database-schema.ts';
import { markPathOf, MarkWriter, readMark, resetMark, type MarkContent } from '../mark/mark-file.ts';

const generationSetting = 'storage.generation';

/** How a database differs from its mark; the numbers are those of the mark that are missing now. */
export interface DatabaseProblem {
  /**
   * - `rows-missing`: the database ends before the mark: its journal is damaged or gone, or it is an older copy.
   * - `other-history`: the database is not the one of the mark.
   * - `database-gone`: the database is empty, although there is a mark, or documents or copies are beside it.
   */
  readonly kind: 'rows-missing' | 'other-history' | 'database-gone';
  /** Rows of the audit log; undefined without a readable mark. */
  readonly rows: number | undefined;
  readonly transactions: number | undefined;
  readonly documents: number | undefined;
  readonly signed: number | undefined;
}

/**
 * A mark outside the database, flushed after each commit before the answer: the end of the audit log and the numbers of
 * transactions and documents. A database that lost its last rows cannot tell so itself.
 */
export class DatabaseMark implements CommitListener {
  readonly #database: Database;
  readonly #writer: MarkWriter | undefined;
  #content: MarkContent;
  /** Undefined: the database is the one of the mark, or newer. */
  readonly problem: DatabaseProblem | undefined;
  /** The last failure to write the mark. */
  failure: unknown;

  private constructor(parts: {
    readonly database: Database;
    readonly content: MarkContent;
    readonly writer?: MarkWriter;
    readonly problem?: DatabaseProblem;
  }) {
    this.#database = parts.database;
    this.#content = parts.content;
    this.#writer = parts.writer;
    this.problem = parts.problem;
  }

  /** Compares the database with its mark. A database with a problem keeps its mark as it is. */
  static async open(database: Database, dataFolder: string): Promise<DatabaseMark> {
    const path = markPathOf(dataFolder);
    const stored = readMark(path);
    const content = await readContent(database);
    const problem = await compare(database, stored, content, dataFolder);
    if (problem !== undefined) return new DatabaseMark({ database, content, problem });
    try {
      resetMark(path, content);
      return new DatabaseMark({ database, content, writer: await MarkWriter.open(path) });
    } catch (error) {
      const mark = new DatabaseMark({ database, content });
      mark.failure = error;
      return mark;
    }
  }

  /** Called after a commit; resolves when the mark is on disk. Never rejects: the commit has happened. */
  async note(change?: CommittedNumbers): Promise<void> {
    if (this.#writer === undefined) return;
    try {
      const { transactions, documents, signed } = this.#content;
      this.#content = {
        ...this.#content,
        transactions: transactions + (change?.transactions ?? 0),
        documents: documents + (change?.documents ?? 0),
        signed: signed + (change?.signed ?? 0),
      };
      const head = await readHead(this.#database);
      this.#content = { ...this.#content, ...head };
      await this.#writer.write(this.#content);
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
    }
  }

  async close(): Promise<void> {
    await this.#writer?.close();
  }
}

/** How a database differs from the mark of its folder; undefined when it does not. */
export async function compareWithMark(database: Database, dataFolder: string): Promise<DatabaseProblem | undefined> {
  return compare(database, readMark(markPathOf(dataFolder)), await readContent(database), dataFolder);
}

/**
 * Accepts the database as it is: a new generation, and a mark of the present content. Answers what was missing by the
 * mark before; undefined when nothing was.
 */
export async function acceptDatabase(database: Database, dataFolder: string): Promise<DatabaseProblem | undefined> {
  const path = markPathOf(dataFolder);
  const content = await readContent(database);
  const problem = await compare(database, readMark(path), content, dataFolder);
  if (problem === undefined) return undefined;
  const generation = newGeneration();
  await writeGeneration(database, generation);
  resetMark(path, { ...content, generation });
  return problem;
}

const newGeneration = (): string => randomBytes(16).toString('hex');

async function writeGeneration(database: Database, generation: string): Promise<void> {
  const value = JSON.stringify(generation);
  await database
    .insertInto('settings')
    .values({ key: generationSetting, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

async function readHead(database: Database): Promise<Pick<MarkContent, 'sequence' | 'hash'>> {
  const row = await database
    .selectFrom('audit_head')
    .select(['sequence', 'hash'])
    .where('id', '=', 1)
    .executeTakeFirst();
  return row ?? { sequence: 0, hash: GENESIS };
}

/** The present content; a database without a generation gets one. */
async function readContent(database: Database): Promise<MarkContent> {
  const head = await readHead(database);
  const { rows } = await sql<Omit<MarkContent, 'generation' | 'sequence' | 'hash'>>`
    select (select count(*) from transactions) as transactions, (select count(*) from documents) as documents,
      (select count(*) from documents where status = 'SIGNED') as signed`.execute(database);
  const [counts] = rows;
  const row = await database
    .selectFrom('settings')
    .select('value')
    .where('key', '=', generationSetting)
    .executeTakeFirst();
  let generation = row === undefined ? undefined : String(JSON.parse(row.value));
  if (generation === undefined) {
    generation = newGeneration();
    await writeGeneration(database, generation);
  }
  return { transactions: 0, documents: 0, signed: 0, ...counts, ...head, generation };
}

async function compare(
  database: Database,
  mark: MarkContent | undefined,
  present: MarkContent,
  dataFolder: string,
): Promise<DatabaseProblem | undefined> {
  const isEmpty = present.sequence === 0 && present.transactions === 0;
  if (mark === undefined) {
    const unknown = { rows: undefined, transactions: undefined, documents: undefined, signed: undefined };
    return isEmpty && hasRemains(dataFolder) ? { kind: 'database-gone', ...unknown } : undefined;
  }
  const missing = {
    rows: Math.max(0, mark.sequence - present.sequence),
    transactions: Math.max(0, mark.transactions - present.transactions),
    documents: Math.max(0, mark.documents - present.documents),
    signed: Math.max(0, mark.signed - present.signed),
  };
  if (mark.sequence === 0) return undefined;
  if (isEmpty) return { kind: 'database-gone', ...missing };
  if (mark.generation !== present.generation) return { kind: 'other-history', ...missing };
  if (missing.rows > 0) return { kind: 'rows-missing', ...missing };
  const row = await database
    .selectFrom('audit_log')
    .select('hash')
    .where('sequence', '=', mark.sequence)
    .executeTakeFirst();
  return row?.hash === mark.hash ? undefined : { kind: 'other-history', ...missing };
}

/** Whether documents, results or copies of a database are in the data folder. */
function hasRemains(dataFolder: string): boolean {
  const has = (folder: string, isRemain: (name: string) => boolean): boolean => {
    try {
      return readdirSync(folder).some(isRemain);
    } catch {
      return false;
    }
  };
  const isDocument = (name: string): boolean => /^[0-9a-f]{32}$/.test(name);
  return (
    has(join(dataFolder, 'documents'), isDocument) ||
    has(join(dataFolder, 'results'), isDocument) ||
    has(join(dataFolder, 'backups'), (name) => name.endsWith('.db')) ||
    has(dataFolder, (name) => /^sinete\.db\.damaged-[0-9TZ-]+$/.test(name))
  );
}
