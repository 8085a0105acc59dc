import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { GENESIS } from '../../service/audit/index.ts';
import { ServiceError } from '../../service/errors/index.ts';
import type { CommitListener, CommittedChange } from '../sql/commits.ts';
import type { Database } from '../sql/database-schema.ts';
import {
  forgetAcceptance,
  isAccepted,
  markPathOf,
  MarkWriter,
  readMark,
  resetMark,
  type MarkContent,
} from '../mark/mark-file.ts';

const generationSetting = 'storage.generation';

/** How a database differs from its mark; the numbers count rows of the mark that are missing now. */
export interface DatabaseProblem {
  /**
   * `rows-missing`: the database ends before the mark, because its journal is damaged or lost, or because the file is
   * an older copy. `other-history`: the mark belongs to another database. `database-gone`: the database is empty,
   * although there is a mark, or documents or copies exist.
   */
  readonly kind: 'rows-missing' | 'other-history' | 'database-gone';
  /** Rows of the audit log; undefined without a readable mark. */
  readonly rows: number | undefined;
  readonly transactions: number | undefined;
  readonly documents: number | undefined;
  readonly signed: number | undefined;
}

/**
 * Marks outside the database: the end of the audit log and the numbers of transactions and documents, written after
 * each commit before the answer. A database that lost its last rows cannot detect that itself.
 */
export class DatabaseMark implements CommitListener {
  readonly #path: string;
  /** The database's file when it was opened. */
  readonly #file: string;
  readonly #writers: readonly MarkWriter[];
  #content: MarkContent;
  /** Undefined if the database agrees with its marks, or is newer. */
  readonly problem: DatabaseProblem | undefined;
  /** The last failure to write a mark. */
  failure: unknown;

  private constructor(parts: {
    readonly dataFolder: string;
    readonly content: MarkContent;
    readonly writers?: readonly MarkWriter[];
    readonly problem?: DatabaseProblem;
  }) {
    this.#path = join(parts.dataFolder, 'sinete.db');
    this.#file = fileAt(this.#path);
    this.#content = parts.content;
    this.#writers = parts.writers ?? [];
    this.problem = parts.problem;
  }

  /** Compares the database with its marks. If there is a problem, the marks stay unchanged. */
  static async open(database: Database, places: MarkPlaces): Promise<DatabaseMark> {
    const { dataFolder } = places;
    const marks = readMarks(places);
    const content = await readContent(database, marks);
    const problem = await compare(database, content, { marks, dataFolder });
    if (problem !== undefined) return new DatabaseMark({ dataFolder, content, problem });
    const writers: MarkWriter[] = [];
    let failure: unknown;
    for (const path of pathsOf(places)) {
      try {
        resetMark(path, content);
        writers.push(await MarkWriter.open(path));
      } catch (error) {
        // The folder of the key may be read-only, as in a container.
        if (path === markPathOf(places.dataFolder)) failure = error;
      }
    }
    if (failure === undefined) forgetAcceptance(places.dataFolder);
    // One mark that survives a loss of power is enough: the one beside the key, which survives a loss of the folder too.
    for (const writer of writers.slice(0, -1)) writer.isFlushed = false;
    const mark = new DatabaseMark({ dataFolder, content, writers });
    mark.failure = failure;
    return mark;
  }

  /**
   * Called after a commit; resolves when the marks are written and one of them is on disk, or when this failed. Rejects with
   * `STORAGE_UNAVAILABLE` if the database's file is gone, because the commit would be lost with this process.
   */
  async note({ head, ...change }: CommittedChange): Promise<void> {
    if (fileAt(this.#path) !== this.#file) {
      this.failure = new ServiceError(
        'STORAGE_UNAVAILABLE',
        'The data folder was removed or replaced while Sinete runs: put the folder back, and start Sinete again.',
      );
      throw this.failure;
    }
    if (this.#writers.length === 0) return;
    const { transactions, documents, signed } = this.#content;
    // Commits end in order, but a later one may be noted first.
    const isNewer = head !== undefined && head.sequence > this.#content.sequence;
    this.#content = {
      ...this.#content,
      ...(isNewer ? head : {}),
      transactions: transactions + (change.transactions ?? 0),
      documents: documents + (change.documents ?? 0),
      signed: signed + (change.signed ?? 0),
    };
    try {
      await Promise.all(this.#writers.map(async (writer) => writer.write(this.#content)));
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
    }
  }

  async close(): Promise<void> {
    for (const writer of this.#writers) await writer.close();
  }
}

/** Device and inode; empty for a missing file. SQLite continues to write to a file that was deleted or renamed. */
function fileAt(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev} ${found.ino}`;
}

/** The paths of a data folder's marks. */
export interface MarkPlaces {
  readonly dataFolder: string;
  /** Path of the second mark, beside the key file; undefined without a key file outside of the data folder. */
  readonly besideKey: string | undefined;
}

const pathsOf = ({ dataFolder, besideKey }: MarkPlaces): readonly string[] => [
  markPathOf(dataFolder),
  ...(besideKey === undefined ? [] : [besideKey]),
];

/** Compares the database with the marks of its folder; undefined if they agree. */
export async function compareWithMark(database: Database, places: MarkPlaces): Promise<DatabaseProblem | undefined> {
  const marks = readMarks(places);
  const { dataFolder } = places;
  return compare(database, await readContent(database, marks), { marks, dataFolder });
}

/**
 * Accepts the database as it is: with a new generation, and marks of the present content. Answers what was missing
 * according to the earlier marks; undefined if nothing was.
 */
export async function acceptDatabase(database: Database, places: MarkPlaces): Promise<DatabaseProblem | undefined> {
  const marks = readMarks(places);
  const content = await readContent(database, marks);
  const problem = await compare(database, content, { marks, dataFolder: places.dataFolder });
  if (problem === undefined) return undefined;
  const generation = newGeneration();
  await writeGeneration(database, generation);
  for (const path of pathsOf(places)) resetMark(path, { ...content, generation });
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

/** The readable marks of a data folder. */
const readMarks = (places: MarkPlaces): readonly MarkContent[] =>
  pathsOf(places)
    .map(readMark)
    .filter((mark) => mark !== undefined);

/**
 * The present content; a database without a generation gets one. A mark of the same end of the audit log has the same
 * numbers, and a large database need not be counted then.
 */
async function readContent(database: Database, marks: readonly MarkContent[]): Promise<MarkContent> {
  const head = await readHead(database);
  const generation = await readGeneration(database);
  const same = marks.find(
    (mark) => mark.generation === generation && mark.sequence === head.sequence && mark.hash === head.hash,
  );
  return { ...(same ?? (await countAll(database))), ...head, generation };
}

async function countAll(database: Database): Promise<Pick<MarkContent, 'transactions' | 'documents' | 'signed'>> {
  // Indexes alone count all rows; few are of incomplete transactions.
  const { rows } = await sql<Omit<MarkContent, 'generation' | 'sequence' | 'hash'>>`
    with hidden as (select tcn from transactions where incomplete is not null)
    select (select count(*) from transactions) - (select count(*) from hidden) as transactions,
      (select count(*) from documents)
        - (select count(*) from documents where tcn in (select tcn from hidden)) as documents,
      (select count(*) from documents where status = 'SIGNED') as signed`.execute(database);
  return { transactions: 0, documents: 0, signed: 0, ...rows[0] };
}

async function readGeneration(database: Database): Promise<string> {
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
  return generation;
}

/** The difference to the mark that misses most; undefined for a database that a person has restored. */
async function compare(
  database: Database,
  present: MarkContent,
  { marks, dataFolder }: { readonly marks: readonly MarkContent[]; readonly dataFolder: string },
): Promise<DatabaseProblem | undefined> {
  if (isAccepted(dataFolder)) return undefined;
  if (marks.length === 0) {
    const unknown = { rows: undefined, transactions: undefined, documents: undefined, signed: undefined };
    return isEmpty(present) && hasRemains(dataFolder) ? { kind: 'database-gone', ...unknown } : undefined;
  }
  const problems = await Promise.all(marks.map(async (mark) => compareWith(mark, database, present)));
  return problems
    .filter((problem) => problem !== undefined)
    .toSorted((one, other) => (other.rows ?? 0) - (one.rows ?? 0))[0];
}

const isEmpty = ({ sequence, transactions }: MarkContent): boolean => sequence === 0 && transactions === 0;

async function compareWith(
  mark: MarkContent,
  database: Database,
  present: MarkContent,
): Promise<DatabaseProblem | undefined> {
  const missing = {
    rows: Math.max(0, mark.sequence - present.sequence),
    transactions: Math.max(0, mark.transactions - present.transactions),
    documents: Math.max(0, mark.documents - present.documents),
    signed: Math.max(0, mark.signed - present.signed),
  };
  if (mark.sequence === 0) return undefined;
  if (isEmpty(present)) return { kind: 'database-gone', ...missing };
  if (mark.generation !== present.generation) return { kind: 'other-history', ...missing };
  if (missing.rows > 0) return { kind: 'rows-missing', ...missing };
  const row = await database
    .selectFrom('audit_log')
    .select('hash')
    .where('sequence', '=', mark.sequence)
    .executeTakeFirst();
  return row?.hash === mark.hash ? undefined : { kind: 'other-history', ...missing };
}

/** True if the data folder contains documents, results or copies of a database. */
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
