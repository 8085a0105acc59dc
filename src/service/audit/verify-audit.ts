import type { AuditMark, AuditRow, AuditStore } from './audit.ts';
import { GENESIS, hashAuditRow } from './audit-hash.ts';

/**
 * What a check of the log found. `mark` is where the chain was last sealed under the master key: nothing up to there can
 * be rewritten without that key; null when nothing was sealed, or the seal could not be opened.
 */
export type AuditVerdict =
  | { readonly state: 'intact'; readonly rows: number; readonly head: string; readonly mark: AuditMark | null }
  | {
      readonly state: 'broken';
      /** The first row that does not fit; one more than the last where rows are missing at the end. */
      readonly row: number;
      readonly reason: AuditDefect;
      readonly mark: AuditMark | null;
    };

/**
 * - `ROW_CHANGED`: the row is not the one that its hash is of.
 * - `ROW_MISSING`: the numbers have a gap.
 * - `CHAIN_BROKEN`: the row does not follow the one before it.
 * - `END_MISSING`: the log ends before its head, or before the sealed mark.
 * - `HEAD_CHANGED`: the head names another row than the last.
 * - `HISTORY_REPLACED`: the chain fits together, but is another than the one that was sealed.
 */
export type AuditDefect =
  'ROW_CHANGED' | 'ROW_MISSING' | 'CHAIN_BROKEN' | 'END_MISSING' | 'HEAD_CHANGED' | 'HISTORY_REPLACED';

const rowsAtOnce = 1000;

/** Reads the whole log and says where it first does not fit together. */
export async function verifyAudit(store: AuditStore, mark: AuditMark | null): Promise<AuditVerdict> {
  let last: AuditMark = { sequence: 0, hash: GENESIS };
  let isPage = true;
  // The head is read first: rows that come meanwhile are beyond it, and no defect.
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
  // Rows that came after the head was read move the head along with them.
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
