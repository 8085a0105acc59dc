import { existsSync, readdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import { verifyAudit } from '../../service/audit/index.ts';
import { hashFile, resultName, type DocumentRecord } from '../../service/transactions/index.ts';
import { listUnanswered } from '../files/file-document-store.ts';
import { countFound } from '../files/lost-and-found.ts';
import { compareWithMark, type DatabaseProblem, type MarkPlaces } from '../sqlite/database-mark.ts';
import { foreignSchema } from './own-schema.ts';
import type { Database } from '../sql/database-schema.ts';
import { SqlAuditLog } from '../sql/stores/audit-log.ts';
import { SqlSmallDocumentStore } from '../sql/stores/sql-small-document-store.ts';
import { fromDocumentRow } from '../sql/columns/documents.ts';

/** A finding about a data folder; each is a loss, damage, or a wrong number. */
export type FolderFinding =
  | { readonly kind: 'database-damaged'; readonly detail: string }
  | { readonly kind: 'schema-foreign'; readonly parts: readonly string[] }
  | { readonly kind: 'lost-rows'; readonly problem: DatabaseProblem }
  | { readonly kind: 'orphan-rows'; readonly table: string; readonly count: number }
  | { readonly kind: 'audit-broken'; readonly row: number; readonly reason: string }
  | {
      readonly kind: 'result-missing' | 'result-changed' | 'original-missing' | 'original-changed';
      readonly tcn: string;
      readonly documentId: string;
    }
  | { readonly kind: 'file-without-row'; readonly folder: 'documents' | 'results'; readonly count: number }
  | { readonly kind: 'keys-closed'; readonly count: number }
  | { readonly kind: 'in-lost-and-found'; readonly count: number }
  | {
      readonly kind: 'space-miscounted';
      readonly counted: number;
      readonly actual: number;
      readonly repaired: boolean;
    };

/** Options of a check. */
export interface FolderCheckOptions {
  readonly repair: boolean;
  /** Called with the numbers of checked documents and of all documents. */
  readonly onProgress: (checked: number, all: number) => void;
  /** Counts stored keys that the master key cannot open; absent: keys are not tried. */
  readonly countClosedKeys?: (database: Database) => Promise<number>;
  /** Path of the second mark; absent without a key file outside of the data folder. */
  readonly besideKey?: string;
}

export interface FolderCheck {
  readonly transactions: number;
  readonly documents: number;
  /** Originals without a row whose requests ended without an answer; no row is missing for these. */
  readonly unanswered: number;
  readonly findings: readonly FolderFinding[];
}

const PAGE = 500;

/**
 * Checks everything in a data folder whose database is open: the database and its references, the mark, the audit log,
 * and each stored document against its SHA-256. With `repair`, numbers that follow from others are counted again;
 * nothing else is changed.
 */
export async function checkFolder(
  database: Database,
  dataFolder: string,
  options: FolderCheckOptions,
): Promise<FolderCheck> {
  const closed = (await options.countClosedKeys?.(database)) ?? 0;
  const counts = await sql<{ transactions: number; documents: number }>`
    select (select count(*) from transactions where incomplete is null) as transactions,
      (select count(*) from documents) as documents
  `.execute(database);
  const { transactions = 0, documents = 0 } = counts.rows[0] ?? {};
  const unknown = await checkUnknownFiles(database, dataFolder);
  const findings: FolderFinding[] = [
    ...(await checkDatabase(database)),
    ...(closed === 0 ? [] : [{ kind: 'keys-closed', count: closed } as const]),
    ...(await checkMark(database, { dataFolder, besideKey: options.besideKey })),
    ...(await checkAudit(database)),
    ...(await checkDocuments(database, dataFolder, (checked) => options.onProgress(checked, documents))),
    ...unknown.findings,
    ...(await checkSpace(database, options.repair)),
  ];
  return { transactions, documents, unanswered: unknown.unanswered, findings };
}

async function checkDatabase(database: Database): Promise<readonly FolderFinding[]> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(10)`.execute(database);
  const bad = rows.map((row) => row.integrity_check).filter((line) => line !== 'ok');
  const { rows: orphans } = await sql<{ table: string }>`select "table" from pragma_foreign_key_check`.execute(
    database,
  );
  const foreign = await foreignSchema(database);
  const byTable = Map.groupBy(orphans, ({ table }) => table);
  return [
    ...(foreign.length === 0 ? [] : [{ kind: 'schema-foreign', parts: foreign } as const]),
    ...bad.map((detail) => ({ kind: 'database-damaged', detail }) as const),
    ...[...byTable].map(([table, all]) => ({ kind: 'orphan-rows', table, count: all.length }) as const),
  ];
}

async function checkMark(database: Database, places: MarkPlaces): Promise<readonly FolderFinding[]> {
  const problem = await compareWithMark(database, places);
  return problem === undefined ? [] : [{ kind: 'lost-rows', problem }];
}

async function checkAudit(database: Database): Promise<readonly FolderFinding[]> {
  const verdict = await verifyAudit(new SqlAuditLog(database), null);
  return verdict.state === 'intact' ? [] : [{ kind: 'audit-broken', row: verdict.row, reason: verdict.reason }];
}

async function checkDocuments(
  database: Database,
  dataFolder: string,
  onProgress: (checked: number) => void,
): Promise<readonly FolderFinding[]> {
  const small = new SqlSmallDocumentStore(database);
  const findings: FolderFinding[] = [];
  let checked = 0;
  for (let after = ''; ;) {
    const rows = await database
      .selectFrom('documents')
      .selectAll()
      .where('key', '>', after)
      .orderBy('key')
      .limit(PAGE)
      .execute();
    for (const document of rows.map(fromDocumentRow))
      findings.push(...(await checkDocument(document, dataFolder, small)));
    checked += rows.length;
    onProgress(checked);
    const last = rows.at(-1);
    if (last === undefined) return findings;
    after = last.key;
  }
}

async function checkDocument(
  document: DocumentRecord,
  dataFolder: string,
  small: SqlSmallDocumentStore,
): Promise<readonly FolderFinding[]> {
  const { key, tcn, id: documentId, status, content, result, checksum, destinationPath, destinationUrl } = document;
  const isSmall =
    content?.kind === 'small' ||
    content?.kind === 'digest' ||
    (content?.kind === 'hash' && content.result === 'database');
  if (status === 'SIGNED' && result?.erasedAt === null && destinationPath === null && destinationUrl === null) {
    const bytes = isSmall ? await small.result(key) : undefined;
    const state = isSmall
      ? compareBytes(bytes, result.checksum)
      : await compareFile(join(dataFolder, 'results', resultName(document)), result.checksum);
    return state === 'same' ? [] : [{ kind: `result-${state}`, tcn, documentId }];
  }
  if (status !== 'WAITING' || checksum === null) return [];
  if (content?.kind !== 'kept' && content?.kind !== 'small') return [];
  const state =
    content.kind === 'small'
      ? compareBytes(await small.original(key), checksum)
      : await compareFile(join(dataFolder, 'documents', key), checksum);
  return state === 'same' ? [] : [{ kind: `original-${state}`, tcn, documentId }];
}

type Comparison = 'same' | 'missing' | 'changed';

function compareBytes(bytes: Buffer | undefined, checksum: string): Comparison {
  if (bytes === undefined) return 'missing';
  return hash('sha256', bytes, 'hex') === checksum ? 'same' : 'changed';
}

async function compareFile(path: string, checksum: string): Promise<Comparison> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) return 'missing';
  return (await hashFile(path)).checksum === checksum ? 'same' : 'changed';
}

async function checkUnknownFiles(
  database: Database,
  dataFolder: string,
): Promise<Pick<FolderCheck, 'findings' | 'unanswered'>> {
  const findings: FolderFinding[] = [];
  const found = await countFound(dataFolder);
  let unanswered = found.unanswered;
  for (const folder of ['documents', 'results'] as const) {
    const path = join(dataFolder, folder);
    const names = existsSync(path) ? readdirSync(path).filter((name) => /^[0-9a-f]{32}$/.test(name)) : [];
    const open = folder === 'documents' && existsSync(path) ? await listUnanswered(path) : new Set();
    let count = 0;
    for (const name of names) {
      const row = await database.selectFrom('documents').select('key').where('key', '=', name).executeTakeFirst();
      if (row !== undefined) continue;
      if (open.has(name)) unanswered++;
      else count++;
    }
    if (count > 0) findings.push({ kind: 'file-without-row', folder, count });
  }
  if (found.lost > 0) findings.push({ kind: 'in-lost-and-found', count: found.lost });
  return { findings, unanswered };
}

/** Compares the counter of stored bytes, which triggers maintain, with the rows. */
async function checkSpace(database: Database, repair: boolean): Promise<readonly FolderFinding[]> {
  const { rows } = await sql<{ counted: number; actual: number }>`
    select (select octets from document_space where id = 1) as counted,
      (select coalesce(sum(case
        when status = 'SIGNED' and result_erased_at is null and destination_path is null and destination_url is null
          then coalesce(result_size, 0)
        when status = 'WAITING' and content_kind in ('kept', 'small') then coalesce(size, 0)
        else 0 end), 0) from documents where content_kind is null or content_kind <> 'path') as actual
  `.execute(database);
  const { counted = 0, actual = 0 } = rows[0] ?? {};
  const byPath = await database
    .selectFrom('documents')
    .select('key')
    .where('content_kind', '=', 'path')
    .executeTakeFirst();
  // The expected size of the result of a file on this computer is an estimate, so it is not compared.
  if (counted === actual || byPath !== undefined) return [];
  if (repair) await sql`update document_space set octets = ${actual} where id = 1`.execute(database);
  return [{ kind: 'space-miscounted', counted, actual, repaired: repair }];
}
