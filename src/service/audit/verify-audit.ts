import type { AuditRow, AuditMark, AuditStore } from './audit.ts';
import { GENESIS, hashAuditRow } from './audit-of-changes.ts';

/**
 * The result of checking a log. `mark` is the last row sealed under the master key: rows up to it cannot be rewritten
 * without the key. Null without a seal, or with an unreadable one.
 */
export type AuditVerdict =
  | { readonly state: 'intact'; readonly rows: number; readonly head: string; readonly mark: AuditMark | null }
  | {
      readonly state: 'broken';
      /** Number of the first wrong row; the number after the last row if rows are missing at the end. */
      readonly row: number;
      readonly reason: AuditDefect;
      readonly mark: AuditMark | null;
    };

/**
 * - `ROW_CHANGED`: the row does not match its hash.
 * - `ROW_MISSING`: the numbers have a gap.
 * - `CHAIN_BROKEN`: the row does not follow the row before.
 * - `END_MISSING`: the log ends before its head, or before the sealed mark.
 * - `HEAD_CHANGED`: the head names another row than the last.
 * - `HISTORY_REPLACED`: the chain is consistent, but differs from the sealed chain.
 */
export type AuditDefect =
  'ROW_CHANGED' | 'ROW_MISSING' | 'CHAIN_BROKEN' | 'END_MISSING' | 'HEAD_CHANGED' | 'HISTORY_REPLACED';

/** Few enough that a request waits only a few milliseconds while these rows are hashed. */
const rowsAtOnce = 250;

/** Reads the whole log and reports the first inconsistency. */
export async function verifyAudit(store: AuditStore, mark: AuditMark | null): Promise<AuditVerdict> {
  let last: AuditMark = { sequence: 0, hash: GENESIS };
  let isPage = true;
  // The head is read first, so that rows added later are no defect.
  const head = await store.head();
  while (isPage) {
    const rows = await store.page({ after: last.sequence, limit: rowsAtOnce });
    for (const row of rows) {
      const reason = defectOf(row, last, [mark, head]);
      if (reason !== undefined) return { state: 'broken', row: last.sequence + 1, reason, mark };
      last = row;
    }
    isPage = rows.length === rowsAtOnce;
  }
  if (last.sequence < Math.max(head.sequence, mark?.sequence ?? 0)) {
    return { state: 'broken', row: last.sequence + 1, reason: 'END_MISSING', mark };
  }
  // Rows added after reading the head move the head too.
  const headNow = last.sequence === head.sequence ? head : await store.head();
  if (headNow.sequence < last.sequence) return { state: 'broken', row: last.sequence, reason: 'HEAD_CHANGED', mark };
  return { state: 'intact', rows: last.sequence, head: last.hash, mark };
}

function defectOf(
  row: AuditRow,
  last: AuditMark,
  [mark, head]: readonly [AuditMark | null, AuditMark],
): AuditDefect | undefined {
  if (row.sequence !== last.sequence + 1) return 'ROW_MISSING';
  if (row.previous !== last.hash) return 'CHAIN_BROKEN';
  if (hashAuditRow(row) !== row.hash) return 'ROW_CHANGED';
  if (row.sequence === mark?.sequence && row.hash !== mark.hash) return 'HISTORY_REPLACED';
  if (row.sequence === head.sequence && row.hash !== head.hash) return 'HEAD_CHANGED';
  return undefined;
}
