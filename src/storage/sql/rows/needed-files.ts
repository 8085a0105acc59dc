import { sql } from 'kysely';
import { attemptName, stampedName, type NeededFiles } from '../../../service/transactions/index.ts';
import type { DocumentRow } from '../columns/documents.ts';
import type { Database } from '../database-schema.ts';

/** Keys in one question for the files of documents. */
const KEYS_A_QUESTION = 500;

/** See `resultName`. */
const resultNameColumn = sql<string>`key || case when attempt is null then '' else '.n' || attempt end
  || case when coalesce(revision, 0) = 0 then '' else '.r' || revision end`;

/** The columns that tell which files a document still needs. */
const fileColumns = [
  'key',
  'status',
  'content_kind',
  'pending_level',
  'destination_path',
  'destination_url',
  'result_erased_at',
  'attempt',
  resultNameColumn.as('result_name'),
] as const;

/** The files that documents with these keys still need. */
export async function neededFiles(database: Database, keys: readonly string[]): Promise<NeededFiles> {
  const [originals, results, known] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (let start = 0; start < keys.length; start += KEYS_A_QUESTION) {
    const some = keys.slice(start, start + KEYS_A_QUESTION);
    for (const row of await database.selectFrom('documents').select(fileColumns).where('key', 'in', some).execute()) {
      known.add(row.key);
      const isPending = row.pending_level !== null;
      if (row.content_kind === 'kept' && (row.status === 'WAITING' || isPending)) originals.add(row.key);
      if (row.status === 'WAITING' && isPending) results.add(stampedNameOf(row));
      const isHere = row.destination_path === null && row.destination_url === null && row.result_erased_at === null;
      if (row.status === 'SIGNED' && isHere) results.add(row.result_name);
    }
  }
  return { originals, results, known };
}

const stampedNameOf = ({ key, attempt }: Pick<DocumentRow, 'key' | 'attempt'>): string =>
  stampedName(attemptName(key, attempt ?? undefined));
