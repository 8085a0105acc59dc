import { Button, Stack, Text } from '@mantine/core';
import { RefreshCw } from '../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallOutput } from '../../../../src/ui-contract/ui-contract.ts';
import { Intro } from '../../components/intro.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHeader, Rows, RowsPlaceholder, Section } from '../../components/page.tsx';
import { Nothing } from '../../components/query-rows.tsx';
import { ReportMenu, type ReportFormat } from '../../components/menus/report-menu.tsx';
import { saveFile } from '../../components/save-file.ts';
import { useToasts } from '../../components/toasts.tsx';
import { useCore, useQuery } from '../../data/core-context.ts';
import { bytesOf } from '../../format/bytes-of.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { FileRow } from './file-row.tsx';
import { FoldersCard } from './folders-card.tsx';

const shown = 200;

/** Files that are kept valid: the next renewal, its reason, and the outcome of the last check. */
export function RenewalsPage() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const { value, error } = useQuery('renewals.list', { offset: 0, limit: shown, language });
  return (
    <>
      <PageHeader title={t('renewals.title')} subtitle={t('renewals.subtitle')} actions={<PageActions />} />
      <Stack gap="lg">
        {value === null && error !== null ? <Notice kind="error">{errorText(error)}</Notice> : null}
        {value === null && error === null ? <RowsPlaceholder /> : null}
        {value === null ? null : (
          <>
            <FilesCard list={value} />
            <FoldersCard folders={value.folders} />
          </>
        )}
      </Stack>
    </>
  );
}

function FilesCard({ list }: { readonly list: CallOutput<'renewals.list'> }) {
  const { t } = useTranslation();
  const { mode, withinDays, files, total } = list;
  return (
    <Section title={t('renewals.files')} flush>
      <Intro>{t(`renewals.modes.${mode}`, { days: withinDays })}</Intro>
      {files.length === 0 ? (
        <Nothing title={t('renewals.filesNone')} text={t('renewals.filesNoneText')} narrow />
      ) : (
        <Rows label={t('renewals.files')}>
          {files.map((file) => (
            <FileRow key={file.path} file={file} />
          ))}
        </Rows>
      )}
      {total > files.length ? (
        <Text size="sm" c="dimmed" p="md">
          {t('renewals.more', { shown: files.length, total })}
        </Text>
      ) : null}
    </Section>
  );
}

function PageActions() {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const language = useLanguage();
  const [busy, setBusy] = useState(false);
  const look = async (): Promise<void> => {
    setBusy(true);
    const result = await bridge.call('renewals.look', {});
    setBusy(false);
    queries.refresh('renewals.list');
    if (!result.ok) toasts.failed(result.error);
    else toasts.done(t('renewals.looked', { count: result.value.looked, renewed: result.value.renewed }));
  };
  const save = async (format: ReportFormat): Promise<void> => {
    const result = await bridge.call('renewals.report', { format, language });
    if (!result.ok) {
      toasts.failed(result.error);
      return;
    }
    const { name, mediaType, data } = result.value;
    saveFile(name, new Blob([bytesOf(data)], { type: mediaType }));
    toasts.done(t('renewals.saved', { name }));
  };
  return (
    <>
      <Button leftSection={<RefreshCw size={18} aria-hidden />} loading={busy} onClick={() => void look()}>
        {t('renewals.look')}
      </Button>
      <ReportMenu text={t('renewals.report')} onChoose={(format) => void save(format)} />
    </>
  );
}
