import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

type Row = 'old' | 'new' | 'documents';

/** Whether the result holds its document: a PDF, or a signature around it. The transaction's row is there before. */
const holdsDocument = (row: Row): string =>
  `(select type in ('PDFSignature', 'PAdES', 'CMS-attached', 'CAdES-attached') from transactions where tcn = ${row}.tcn)`;

/** Octets of a result that is still to be made on the disk of the data folder, also where it goes to a store then. */
const awaitedOf = (row: Row): string => `(
  case when ${row}.status = 'WAITING' and ${row}.content_kind is not null and ${row}.destination_path is null
    and ${holdsDocument(row)} then coalesce(${row}.size, 0) else 0 end)`;

/**
 * Octets that count as kept: of an original while it waits, else, where the original is read by its path, of the result
 * that will be kept here; of a result until it is erased.
 */
const keptOf = (row: Row): string => `(
  case when ${row}.status = 'WAITING' and (${row}.content_kind in ('kept', 'small')
      or ${row}.content_kind = 'path' and ${row}.destination_path is null and ${row}.destination_url is null
        and ${holdsDocument(row)})
    then coalesce(${row}.size, 0) else 0 end
  + case when ${row}.status = 'SIGNED' and ${row}.result_erased_at is null
    and ${row}.destination_path is null and ${row}.destination_url is null
    then coalesce(${row}.result_size, 0) else 0 end)`;

const add = (kept: string, awaited: string): string =>
  `update document_space set octets = octets + (${kept}), awaited = awaited + (${awaited}) where id = 1`;

/**
 * Whose turn a transaction takes, so that a restart does not throw the tokens of one application together; and how much
 * the results will have that are still to be made, so that their room is given to nobody else, also after a restart.
 */
export const turnsAndAwaitedResults: Migration = {
  async up(database) {
    const { schema } = database;
    await schema.alterTable('transactions').addColumn('turn_owner', 'text').execute();
    await schema.alterTable('transactions').addColumn('turn_token', 'text').execute();
    await countAwaited(database);
  },
};

async function countAwaited(database: Kysely<unknown>): Promise<void> {
  const changes = [`${keptOf('new')} - ${keptOf('old')}`, `${awaitedOf('new')} - ${awaitedOf('old')}`] as const;
  const sums = `coalesce(sum(${keptOf('documents')}), 0), coalesce(sum(${awaitedOf('documents')}), 0)`;
  const statements = [
    'alter table document_space add column awaited integer not null default 0',
    `update document_space set (octets, awaited) = (select ${sums} from documents)`,
    ...['insert', 'update', 'delete'].map((action) => `drop trigger document_space_${action}`),
    `create trigger document_space_insert after insert on documents
      begin ${add(keptOf('new'), awaitedOf('new'))}; end`,
    `create trigger document_space_update after update on documents when ${changes[0]} <> 0 or ${changes[1]} <> 0
      begin ${add(...changes)}; end`,
    `create trigger document_space_delete after delete on documents
      begin ${add(`-${keptOf('old')}`, `-${awaitedOf('old')}`)}; end`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(database);
}
