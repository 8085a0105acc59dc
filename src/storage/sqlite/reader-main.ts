/**
 * The program of a thread that reads the database of this instance, so that no long question holds the thread that
 * serves requests.
 */
import { parentPort, workerData } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';
import type { ReaderAnswer, ReaderTask } from './reader.ts';

/** Prepared statements that are kept. */
const MOST_STATEMENTS = 100;
const BUSY_TIMEOUT = 5000;
/** Kibibytes of pages that are kept: a list reads the same inner pages of its indexes again. */
const CACHE = 16_384;

let connection: SqliteDatabase.Database | undefined;
const statements = new Map<string, SqliteDatabase.Statement>();

parentPort?.on('message', (task: ReaderTask) => {
  parentPort?.postMessage(answer(task));
});

function answer(task: ReaderTask): ReaderAnswer {
  try {
    const rows = statementOf(task.sql).all(task.parameters);
    return { id: task.id, rows };
  } catch (error) {
    const { message, code } = error as Error & { readonly code?: string };
    return { id: task.id, failure: { message, code } };
  }
}

function statementOf(text: string): SqliteDatabase.Statement {
  const known = statements.get(text);
  if (known !== undefined) return known;
  const statement = opened().prepare(text);
  const [oldest] = statements.size < MOST_STATEMENTS ? [] : statements.keys();
  if (oldest !== undefined) statements.delete(oldest);
  statements.set(text, statement);
  return statement;
}

function opened(): SqliteDatabase.Database {
  if (connection !== undefined) return connection;
  const { path } = workerData as { readonly path: string };
  const made = new SqliteDatabase(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT });
  made.pragma('query_only = ON');
  made.pragma('temp_store = MEMORY');
  made.pragma(`cache_size = -${CACHE}`);
  connection = made;
  return made;
}
