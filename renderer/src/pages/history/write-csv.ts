import type { UiTransaction } from '../../../../src/ui-contract/ui-contract.ts';

/** A column: its title, and its text for one document. */
export interface Column {
  readonly title: string;
  readonly read: (transaction: UiTransaction, document: UiTransaction['documents'][number] | null) => string;
}

/**
 * Comma-separated values (RFC 4180) with one line for each document, and one for a request that has none. The mark at
 * the start and the separator are what spreadsheet programs of the language expect.
 */
export function writeCsv(
  transactions: readonly UiTransaction[],
  columns: readonly Column[],
  separator: ',' | ';',
): string {
  const lines = [columns.map(({ title }) => title)];
  for (const transaction of transactions) {
    const documents = transaction.documents.length === 0 ? [null] : transaction.documents;
    for (const document of documents) lines.push(columns.map(({ read }) => read(transaction, document)));
  }
  return `\uFEFF${lines.map((cells) => cells.map((cell) => quote(cell, separator)).join(separator)).join('\r\n')}\r\n`;
}

/** Names come from others: what a spreadsheet would take for a formula begins with an apostrophe, which it hides. */
function quote(cell: string, separator: string): string {
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  const special = safe.includes(separator) || /["\r\n]/.test(safe);
  return special ? `"${safe.replaceAll('"', '""')}"` : safe;
}
