import type { HistoryDocument } from '../../../../src/ui-contract/history-calls.ts';

/** A column: its title, and its text for a document. */
export interface Column {
  readonly title: string;
  readonly read: (entry: HistoryDocument) => string;
}

/**
 * Comma-separated values (RFC 4180) with a line for each document. The byte order mark and the separator suit
 * spreadsheet programs in the language.
 */
export function writeCsv(
  entries: readonly HistoryDocument[],
  columns: readonly Column[],
  separator: ',' | ';',
): string {
  const lines = [columns.map(({ title }) => title)];
  for (const entry of entries) lines.push(columns.map(({ read }) => read(entry)));
  return `\uFEFF${lines.map((cells) => cells.map((cell) => quote(cell, separator)).join(separator)).join('\r\n')}\r\n`;
}

/**
 * Names may come from others: a text that a spreadsheet would read as a formula gets a leading apostrophe, which
 * spreadsheets hide.
 */
function quote(cell: string, separator: string): string {
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  const special = safe.includes(separator) || /["\r\n]/.test(safe);
  return special ? `"${safe.replaceAll('"', '""')}"` : safe;
}
