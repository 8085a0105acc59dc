import { Button, Stack, Text } from '@mantine/core';
import { FileSpreadsheet } from '../../components/icons/index.ts';
import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HistoryDocument } from '../../../../src/ui-contract/history-calls.ts';
import { Notice } from '../../components/notice.tsx';
import { Empty, PageHeader, RowsPlaceholder, Section } from '../../components/page.tsx';
import { useQuery } from '../../data/core-context.ts';
import { formatCount } from '../../format/format.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import { hrefOf } from '../../route.ts';
import { FilterBar } from './filter-bar.tsx';
import { HistoryDetails } from './history-details.tsx';
import { datesInOrder, everything, filterOf, type HistoryFilter } from './history-filter.ts';
import { chunkSize, HistoryList } from './history-list.tsx';
import { SummaryCard } from './summary-card.tsx';
import { useExport } from './use-export.ts';

/** The history of signatures: filter, counts, details, downloads, export. */
export function HistoryPage() {
  const { t } = useTranslation();
  const [choice, setChoice] = useState(everything);
  const [opened, setOpened] = useState<HistoryDocument | null>(null);
  const settled = useDeferredValue(choice);
  const filter = useMemo(() => filterOf(datesInOrder(settled) ? settled : everything), [settled]);
  const { exportCsv, exporting } = useExport(filter);
  return (
    <>
      <PageHeader
        title={t('history.title')}
        subtitle={t('history.subtitle')}
        actions={
          <Button
            variant="default"
            loading={exporting}
            leftSection={<FileSpreadsheet size={18} aria-hidden />}
            onClick={() => void exportCsv()}
          >
            {t('history.exportCsv')}
          </Button>
        }
      />
      <Stack gap="lg">
        <FilterBar choice={choice} onChange={setChoice} />
        <ListCard filter={filter} isNarrowed={Object.keys(filter).length > 0} onOpen={setOpened} />
        <SummaryCard filter={filter} />
      </Stack>
      {opened === null ? null : (
        <HistoryDetails
          entry={opened}
          onClose={() => setOpened(null)}
          onBatch={(tcn) => {
            setOpened(null);
            setChoice({ ...everything, text: tcn });
          }}
        />
      )}
    </>
  );
}

interface ListCardProps {
  readonly filter: HistoryFilter;
  readonly isNarrowed: boolean;
  readonly onOpen: (document: HistoryDocument) => void;
}

function ListCard({ filter, isNarrowed, onOpen }: ListCardProps) {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const { value, error } = useQuery('history.documents', { ...filter, offset: 0, limit: chunkSize });
  const count =
    value === null ? null : (
      <Text size="sm" c="dimmed" role="status">
        {value.more
          ? t('history.foundMore', { number: formatCount(value.total, i18n.language) })
          : t('history.found', { count: value.total })}
      </Text>
    );
  return (
    <Section title={t('history.list')} side={count} flush>
      {value === null && error === null ? <RowsPlaceholder /> : null}
      {error === null ? null : <Notice kind="error">{errorText(error)}</Notice>}
      {value?.total === 0 ? <Nothing isNarrowed={isNarrowed} /> : null}
      {value === null || value.total === 0 ? null : (
        <HistoryList key={JSON.stringify(filter)} filter={filter} total={value.total} onOpen={onOpen} />
      )}
    </Section>
  );
}

function Nothing({ isNarrowed }: { readonly isNarrowed: boolean }) {
  const { t } = useTranslation();
  return (
    <Empty>
      <Text fw={600} c="var(--mantine-color-text)">
        {isNarrowed ? t('history.noneFound') : t('history.none')}
      </Text>
      <Text size="sm" mt={4}>
        {isNarrowed ? t('history.noneFoundText') : t('history.noneText')}
      </Text>
      {isNarrowed ? null : (
        <Button component="a" href={hrefOf('sign')} mt="md" size="sm">
          {t('home.signNow')}
        </Button>
      )}
    </Empty>
  );
}
