import { sql, type Transaction } from 'kysely';
import type { AppliedChange, AuditMark } from '../../../service/audit/index.ts';
import { ServiceError } from '../../../service/errors/index.ts';
import type { DocumentRecord, TransactionChange } from '../../../service/transactions/index.ts';
import { auditChanges } from './audit-log.ts';
import {
  deliveryColumns,
  errorColumns,
  evidenceErrorColumns,
  findingColumns,
  lifetimeColumns,
  ownColumns,
  toDocumentRow,
  toPendingRow,
  toResultRow,
  type DocumentRow,
} from '../columns/documents.ts';
import type { Tables } from '../database-schema.ts';
import { addNotification } from '../rows/notification-rows.ts';
import { queueWebhookEvent, queueWebhookEvents } from './webhook-events.ts';
import { insertDocumentRows, removeSmallOriginals } from '../rows/document-rows.ts';
import {
  deleteResultParts,
  insertResultParts,
  noOutcome,
  replaceBlocks,
  updateErased,
  updateFailed,
  updateSigned,
} from '../rows/result-rows.ts';
import { inParts } from '../../../service/scheduling/index.ts';

type Connection = Transaction<Tables>;

/**
 * Applies changes inside a database transaction; the caller commits all or none. A long list is applied in several turns
 * of the event loop, with a row of the audit log for each part of it. Answers the new end of the audit log; undefined
 * for changes that are not logged.
 */
export async function applyChanges(
  connection: Connection,
  changes: readonly TransactionChange[],
  at: Date,
): Promise<AuditMark | undefined> {
  if (changes.length === 0) return undefined;
  const applied: AppliedChange[] = [];
  let head: AuditMark | undefined;
  for await (const part of inParts(changes)) {
    const some = await applyPart(connection, part);
    head = (await auditChanges(connection, some, at)) ?? head;
    applied.push(...some);
  }
  const tcns = [...new Set(applied.map((one) => one.tcn))];
  for (const tcn of tcns) await finishTransaction(connection, tcn, at);
  const ends = changes.flatMap((change) =>
    change.kind === 'upload-ended' ? [[change.tcn, change.reason] as const] : [],
  );
  await queueWebhookEvents(connection, tcns, at, new Map(ends));
  const extended = applied.filter(({ change: { kind } }) => kind === 'result-extended' || kind === 'evidence-failed');
  for (const tcn of new Set(extended.map((one) => one.tcn))) await noteExtension(connection, tcn, at);
  return head;
}

async function applyPart(
  connection: Connection,
  changes: readonly TransactionChange[],
): Promise<readonly AppliedChange[]> {
  const applied: AppliedChange[] = [];
  for (const run of runsOfOneKind(changes)) {
    const tcns = await applyRun(connection, run);
    for (const [index, change] of run.entries()) applied.push({ tcn: tcns[index] ?? '', change });
  }
  return applied;
}

/** A second notification, when the last pending level of a finished transaction was reached or given up. */
async function noteExtension(connection: Connection, tcn: string, at: Date): Promise<void> {
  const pending = await connection
    .selectFrom('documents')
    .select('key')
    .where('tcn', '=', tcn)
    .where('pending_level', 'is not', null)
    .executeTakeFirst();
  if (pending !== undefined) return;
  const transaction = await connection
    .selectFrom('transactions')
    .select('callback')
    .where('tcn', '=', tcn)
    .where('finished_at', 'is not', null)
    .executeTakeFirst();
  const callback = transaction?.callback ?? null;
  if (callback !== null) await addNotification(connection, tcn, callback, at);
  await queueWebhookEvent(connection, tcn, 'transaction.extended', at);
}

type ChangeOf<Kind extends TransactionChange['kind']> = TransactionChange & { readonly kind: Kind };

/** The changes in their order, with successive changes of the same kind together. */
function runsOfOneKind(changes: readonly TransactionChange[]): TransactionChange[][] {
  const runs: TransactionChange[][] = [];
  for (const change of changes) {
    const last = runs.at(-1);
    if (last?.[0]?.kind === change.kind) last.push(change);
    else runs.push([change]);
  }
  return runs;
}

const areOf = <Kind extends TransactionChange['kind']>(
  run: readonly TransactionChange[],
  kind: Kind,
): run is readonly ChangeOf<Kind>[] => run[0]?.kind === kind;

/** Answers the TCN of each changed transaction. The usual changes of batches run in a single call. */
async function applyRun(connection: Connection, run: readonly TransactionChange[]): Promise<readonly string[]> {
  if (areOf(run, 'document-signed')) return sign(connection, run);
  if (areOf(run, 'document-added')) {
    const documents = run.map(({ document }) => document);
    await insertDocumentRows(connection, documents);
    return documents.map(({ tcn }) => tcn);
  }
  if (areOf(run, 'document-failed')) return fail(connection, run);
  if (areOf(run, 'result-erased')) return erase(connection, run);
  const tcns: string[] = [];
  for (const change of run) tcns.push(await applyChange(connection, change));
  return tcns;
}

/** Answers the TCN of the changed transaction. */
async function applyChange(connection: Connection, change: TransactionChange): Promise<string> {
  switch (change.kind) {
    case 'document-added':
    case 'document-signed':
    case 'document-failed':
    case 'result-erased':
      return (await applyRun(connection, [change]))[0] ?? '';
    case 'document-arrived':
      return arrive(connection, change.document);
    case 'upload-ended':
      await endUpload(connection, change.tcn, change.at);
      return change.tcn;
    case 'waiting-for':
      await connection
        .updateTable('transactions')
        .set({ waiting_for: change.waitingFor })
        .where('tcn', '=', change.tcn)
        .where('finished_at', 'is', null)
        .execute();
      return change.tcn;
    case 'approved':
      await connection
        .updateTable('transactions')
        .set({ approval: 'given', waiting_for: null, approved_by: change.by })
        .where('tcn', '=', change.tcn)
        .execute();
      return change.tcn;
    case 'document-delivering': {
      return updateWaiting(connection, change.key, {
        ...toResultRow(change.delivery),
        ...toPendingRow(change.pending),
        ...ownColumns.toChange({ destinationPath: change.destinationPath }),
      });
    }
    case 'document-postponed':
      // Again after a delivery that failed: the measures of the failed one are forgotten.
      return updateWaiting(connection, change.key, {
        ...toResultRow(null),
        ...toPendingRow(change.pending),
        ...findingColumns.toRow(change.pending.findings ?? {}),
        ...ownColumns.toChange({ attempt: change.attempt }),
      });
    case 'evidence-awaited':
      return updatePending(connection, change.key, {
        ...toPendingRow(change.pending),
        ...findingColumns.toChange({ warnings: change.warnings }),
      });
    case 'result-extended':
      return extend(connection, change);
    case 'evidence-failed':
      return giveUpPending(connection, change);
  }
}

/** Small results, and the hashes of long results, come in the same commit. */
async function sign(
  connection: Connection,
  changes: readonly ChangeOf<'document-signed'>[],
): Promise<readonly string[]> {
  const rows = changes.map(({ key, result, pending, attempt }) => ({
    ...toResultRow(result),
    ...toPendingRow(pending),
    key,
    result_expires_at: result.expiresAt?.getTime() ?? null,
    attempt: attempt ?? null,
  }));
  const updated = await updateSigned.runAll(connection, rows);
  const tcns = changes.map((_change, index) => tcnOf(updated[index]?.[0]));
  await insertResultParts(connection, changes);
  return tcns;
}

function tcnOf(row: { readonly tcn: string } | undefined): string {
  if (row === undefined) throw new ServiceError('INTERNAL', 'A document that is final cannot change.');
  return row.tcn;
}

/** SIGNED and ERROR are final: a second outcome for the same document fails the whole commit. */
async function updateWaiting(connection: Connection, key: string, columns: Partial<DocumentRow>): Promise<string> {
  const row = await connection
    .updateTable('documents')
    .set(columns)
    .where('key', '=', key)
    .where('status', '=', 'WAITING')
    .returning('tcn')
    .executeTakeFirst();
  return tcnOf(row);
}

/** Only a document with a pending level changes: a second outcome fails the whole commit. */
async function updatePending(connection: Connection, key: string, columns: Partial<DocumentRow>): Promise<string> {
  const row = await connection
    .updateTable('documents')
    .set(columns)
    .where('key', '=', key)
    .where('pending_level', 'is not', null)
    .returning('tcn')
    .executeTakeFirst();
  return tcnOf(row);
}

async function giveUpPending(
  connection: Connection,
  { key, error, expiresAt }: ChangeOf<'evidence-failed'>,
): Promise<string> {
  const reason = evidenceErrorColumns.toRow(error);
  const ends = lifetimeColumns.toChange({ expiresAt });
  return updatePending(connection, key, { ...toPendingRow(undefined), ...reason, ...ends });
}

async function extend(
  connection: Connection,
  { key, result, blocks, attempt }: ChangeOf<'result-extended'>,
): Promise<string> {
  const row = await connection
    .updateTable('documents')
    .set((column) => ({
      ...deliveryColumns.toChange(result),
      ...lifetimeColumns.toChange(result),
      warnings: findingColumns.toRow(result).warnings,
      revision: column(column.fn.coalesce('revision', sql.lit(0)), '+', sql.lit(1)),
      ...toPendingRow(undefined),
      ...ownColumns.toChange({ attempt }),
    }))
    .where('key', '=', key)
    .where('status', '=', sql.lit('SIGNED'))
    .where('pending_level', 'is not', null)
    .returning('tcn')
    .executeTakeFirst();
  await replaceBlocks(connection, key, blocks);
  return tcnOf(row);
}

async function arrive(connection: Connection, document: DocumentRecord): Promise<string> {
  const result = await connection
    .updateTable('documents')
    .set(toDocumentRow(document))
    .where('tcn', '=', document.tcn)
    .where('id', '=', document.id)
    .where('content_kind', 'is', null)
    .where('status', '=', 'WAITING')
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n) throw new ServiceError('INTERNAL', 'A document arrived that was not announced.');
  return document.tcn;
}

async function endUpload(connection: Connection, tcn: string, at: Date): Promise<void> {
  await connection
    .updateTable('transactions')
    .set((column) => ({
      upload_open: 0,
      waiting_since: at.getTime(),
      waiting_for: column.case().when('approval', '=', 'required').then('approval').else(null).end(),
    }))
    .where('tcn', '=', tcn)
    .execute();
}

async function fail(
  connection: Connection,
  changes: readonly ChangeOf<'document-failed'>[],
): Promise<readonly string[]> {
  const rows = changes.map(({ key, error }) => ({ ...noOutcome, key, ...errorColumns.toRow(error) }));
  return (await updateFailed.runAll(connection, rows)).map(([row]) => tcnOf(row));
}

async function erase(
  connection: Connection,
  changes: readonly ChangeOf<'result-erased'>[],
): Promise<readonly string[]> {
  const rows = changes.map(({ key, at }) => ({ key, at: at.getTime() }));
  const erased = await updateErased.runAll(connection, rows);
  await deleteResultParts(connection, rows);
  return erased.map(([row]) => tcnOf(row));
}

/**
 * A transaction is finished when its batch has ended and no document waits; then its originals are no longer needed. A
 * row of the outbox in the same commit notifies the client.
 */
async function finishTransaction(connection: Connection, tcn: string, at: Date): Promise<void> {
  const finished = await connection
    .updateTable('transactions')
    .set({ finished_at: at.getTime(), waiting_for: null })
    .where('tcn', '=', tcn)
    .where('upload_open', '=', 0)
    .where('finished_at', 'is', null)
    .where((where) => {
      const waiting = where
        .selectFrom('documents')
        .select('key')
        .where('documents.tcn', '=', tcn)
        .where('status', '=', sql.lit('WAITING'));
      return where.not(where.exists(waiting));
    })
    .returning('callback')
    .executeTakeFirst();
  if (finished === undefined) return;
  const { callback } = finished;
  if (callback !== null) await addNotification(connection, tcn, callback, at);
  await removeSmallOriginals(connection, tcn);
}
