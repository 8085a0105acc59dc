import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { engineOf } from '../../commits.ts';

type Row = 'old' | 'new' | 'documents';

/** Whether the result holds its document: a PDF, or an attached signature. The transaction's row comes first. */
const holdsDocument = (row: Row): string =>
  `(select type in ('PDFSignature', 'PAdES', 'CMS-attached', 'CAdES-attached') from transactions where tcn = ${row}.tcn)`;

/** Bytes of a result yet to be made on the disk of the data folder, also for results of object stores. */
const awaitedOf = (row: Row): string => `(
  case when ${row}.status = 'WAITING' and ${row}.content_kind is not null and ${row}.destination_path is null
    and ${holdsDocument(row)} then coalesce(${row}.size, 0) else 0 end)`;

/**
 * Bytes counted as kept: of a waiting original or, for an original read by path, of the future result; of a result
 * until erased.
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
 * A transaction's queue, so that a restart keeps the tokens of an application apart; and the size of pending results,
 * so that their disk space stays reserved, even after a restart.
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
  const onPostgres = [
    'alter table document_space add column awaited bigint not null default 0',
    `create function document_space_insert() returns trigger language plpgsql
      as $$ begin ${add(keptOf('new'), awaitedOf('new'))}; return null; end $$`,
    `create function document_space_update() returns trigger language plpgsql
      as $$ begin if ${changes[0]} <> 0 or ${changes[1]} <> 0 then ${add(...changes)}; end if; return null; end $$`,
    `create function document_space_delete() returns trigger language plpgsql
      as $$ begin ${add(`-${keptOf('old')}`, `-${awaitedOf('old')}`)}; return null; end $$`,
    ...['insert', 'update', 'delete'].map(
      (action) => `create trigger document_space_${action} after ${action} on documents
        for each row execute function document_space_${action}()`,
    ),
  ];
  const chosen = engineOf(database) === 'postgres' ? onPostgres : statements;
  for (const statement of chosen) await sql.raw(statement).execute(database);
}
