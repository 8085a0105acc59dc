import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { DocumentStatus, HistoryFilter } from '../../../service/transactions/index.ts';
import type { Tables } from '../database-schema.ts';
import { isSignedBy } from '../signers/signer-rows.ts';
import { entryOfHash, HASH_DIGITS, splitIntoWords } from './index-words.ts';

const escape = String.fromCodePoint(92);

/** SQL condition: the column contains the text, in any letter case. */
export function contains(column: string, text: string): Expression<SqlBool> {
  const pattern = `%${text.replaceAll(/[%_\\]/g, (character) => escape + character)}%`;
  return sql<SqlBool>`lower(${sql.ref(column)}) like lower(${pattern}) escape ${sql.lit(escape)}`;
}

/** The words that a person has typed. */
export function typedWords({ text = '' }: HistoryFilter): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

const isHash = (word: string): boolean => /^[0-9a-f]{6,64}$/i.test(word);

/**
 * Each typed word must be part of the name, the place, the requester, the signer or the certificate, equal the TCN, or
 * be the beginning of a hash. `hasStatus` compares the status of the
 * document; by default as an index can.
 */
export function documentMatches(
  where: ExpressionBuilder<Tables, 'transactions' | 'documents'>,
  filter: HistoryFilter,
  hasStatus: (status: DocumentStatus) => Expression<SqlBool> = (status) => where('documents.status', '=', status),
): Expression<SqlBool> {
  const { status, type, from, before } = filter;
  const parts: Expression<SqlBool>[] = typedWords(filter).map((word) => {
    const begins = isHash(word) ? [`${word.toLowerCase()}%`] : [];
    // The fastest comparisons come first.
    return where.or([
      ...isSignedBy(where, word),
      where('transactions.tcn', '=', word),
      ...documentColumns.map((column) => contains(column, word)),
      ...begins.flatMap((pattern) => [
        where('documents.checksum', 'like', pattern),
        where('documents.result_checksum', 'like', pattern),
      ]),
    ]);
  });
  if (status !== undefined) parts.push(hasStatus(status));
  if (type !== undefined) parts.push(where('transactions.type', '=', type));
  if (from !== undefined) parts.push(where('transactions.created_at', '>=', from.getTime()));
  if (before !== undefined) parts.push(where('transactions.created_at', '<', before.getTime()));
  return where.and(parts);
}

const documentColumns = [
  'documents.original_file_name',
  'documents.destination_path',
  'documents.content_path',
  'transactions.requester_name',
  'transactions.certificate_alias',
] as const;

type Where = ExpressionBuilder<Tables, 'transactions'>;

/**
 * A condition that holds for every transaction whose documents can match the typed words, and that needs only indexes.
 * It also holds for transactions that are not in the index yet. Undefined if no word can be looked up.
 */
export function canMatch(where: Where, filter: HistoryFilter): Expression<SqlBool> | undefined {
  const parts = typedWords(filter).flatMap((word) => {
    const own = splitIntoWords(word);
    // A character such as % is only in the rows, not in the index.
    if (own.length === 0) return [];
    return where.or([
      where('transactions.history_number', 'is', null),
      // A part of the documents is in the index.
      where('transactions.history_number', '<', 0),
      where('transactions.tcn', '=', word),
      ...isSignedBy(where, word),
      where.and(own.map((one) => hasWord(where, one))),
      ...(isHash(word) ? [hasHash(where, word)] : []),
    ]);
  });
  return parts.length === 0 ? undefined : where.and(parts);
}

/** SQL condition: the transaction has a word that contains this text. The text has no wildcards. */
function hasWord(where: Where, text: string): Expression<SqlBool> {
  const words = where
    .selectFrom('history_words')
    .select('history_words.word')
    .where('history_words.word', 'like', `%${text}%`);
  const numbers = where
    .selectFrom('history_entries')
    .select('history_entries.number')
    .where('history_entries.word', 'in', words);
  return where('transactions.history_number', 'in', numbers);
}

function hasHash(where: Where, start: string): Expression<SqlBool> {
  const digits = entryOfHash(start);
  const numbers = where
    .selectFrom('history_entries')
    .select('history_entries.number')
    .where('history_entries.word', '>=', digits.padEnd(HASH_DIGITS, '0'))
    .where('history_entries.word', '<=', digits.padEnd(HASH_DIGITS, 'F'));
  return where('transactions.history_number', 'in', numbers);
}
