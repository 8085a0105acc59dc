import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HistoryDocument } from '../../../../src/ui-contract/history-calls.ts';
import type { CallResult } from '../../../../src/ui-contract/ui-contract.ts';
import { maskEveryNumber } from '../../../../src/text/taxpayer-number.ts';
import type { Bridge } from '../../bridge/bridge.ts';
import { saveFile } from '../../components/save-file.ts';
import { useToasts } from '../../components/toasts.tsx';
import { useCore } from '../../data/core-context.ts';
import type { HistoryFilter } from './history-filter.ts';
import { useRequesterName } from '../../components/text/use-requester-name.ts';

/** Maximum number of rows in the answer to a call. */
const pageSize = 500;

/** Saves all rows of the filter as CSV, including rows that are not visible. */
export function useExport(filter: HistoryFilter) {
  const { t, i18n } = useTranslation();
  const { bridge } = useCore();
  const toasts = useToasts();
  const columns = useColumns();
  const [exporting, setExporting] = useState(false);
  const exportCsv = async (): Promise<void> => {
    setExporting(true);
    const result = await readAll(bridge, filter);
    setExporting(false);
    if (!result.ok) {
      toasts.failed(result.error);
      return;
    }
    const name = `${t('history.exportName')}-${new Date().toISOString().slice(0, 10)}.csv`;
    const text = writeCsv(result.value, columns, i18n.language === 'pt-BR' ? ';' : ',');
    saveFile(name, new Blob([text], { type: 'text/csv;charset=utf-8' }));
    toasts.done(t('history.exported', { name }));
  };
  return { exporting, exportCsv };
}

async function readAll(bridge: Bridge, filter: HistoryFilter): Promise<CallResult<readonly HistoryDocument[]>> {
  // Keyed by TCN and id: a request during the export shifts the pages, and would repeat a row.
  const found = new Map<string, HistoryDocument>();
  for (let offset = 0; ; offset += pageSize) {
    const result = await bridge.call('history.documents', { ...filter, offset, limit: pageSize });
    if (!result.ok) return result;
    for (const entry of result.value.documents) found.set(`${entry.tcn} ${entry.document.id}`, entry);
    if (result.value.documents.length < pageSize) return { ok: true, value: [...found.values()] };
  }
}

function useColumns(): readonly Column[] {
  const requesterName = useRequesterName();
  const { t } = useTranslation();
  const names = { SIGNED: 'signed', WAITING: 'waiting', ERROR: 'error' } as const;
  return [
    { title: t('history.columns.tcn'), read: ({ tcn }) => tcn },
    { title: t('history.columns.createdAt'), read: ({ createdAt }) => createdAt },
    { title: t('history.columns.finishedAt'), read: ({ finishedAt }) => finishedAt ?? '' },
    { title: t('history.columns.requester'), read: requesterName },
    { title: t('history.columns.door'), read: ({ door }) => (door === null ? '' : t(`door.${door}`)) },
    { title: t('history.columns.certificate'), read: ({ certificateAlias }) => maskEveryNumber(certificateAlias) },
    { title: t('history.columns.type'), read: ({ type }) => type },
    { title: t('history.columns.document'), read: ({ document }) => document.name },
    {
      title: t('history.columns.status'),
      read: ({ document }) => t(`status.${names[document.status]}`),
    },
    { title: t('history.columns.error'), read: ({ document }) => document.error?.code ?? '' },
    { title: t('history.columns.checksum'), read: ({ document }) => document.checksum ?? '' },
    { title: t('history.columns.result'), read: ({ document }) => document.destination ?? '' },
    { title: t('history.columns.resultChecksum'), read: ({ document }) => document.resultChecksum ?? '' },
  ];
}

/** A column: its title, and its text for a document. */
interface Column {
  readonly title: string;
  readonly read: (entry: HistoryDocument) => string;
}

/**
 * Comma-separated values (RFC 4180) with a line for each document. The byte order mark and the separator suit
 * spreadsheet programs in the language.
 */
function writeCsv(entries: readonly HistoryDocument[], columns: readonly Column[], separator: ',' | ';'): string {
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
