import { Skeleton, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../components/page.tsx';
import { useQuery } from '../../data/core-context.ts';
import { formatCount } from '../../format/format.ts';
import { DayChart } from './day-chart.tsx';
import { fillDays, sumUp } from './day-counts.ts';
import type { HistoryFilter } from './history-filter.ts';
import classes from './history.module.css';
import { StatusChart } from './status-chart.tsx';

/** Signatures by day and by status. Nothing is drawn without any. */
export function SummaryCard({ filter }: { readonly filter: HistoryFilter }) {
  const { t, i18n } = useTranslation();
  const minutesAhead = -new Date().getTimezoneOffset();
  const { value } = useQuery('history.summary', { ...filter, minutesAhead });
  if (value?.days.length === 0) return null;
  const days = value === null ? null : fillDays(value.days);
  const total = (value?.days ?? []).reduce((sum, { signed, waiting, failed }) => sum + signed + waiting + failed, 0);
  const newest = value?.newestOnly === true ? t('history.newest', { number: formatCount(total, i18n.language) }) : null;
  return (
    <Section
      title={t('history.charts')}
      side={
        <Text size="sm" c="dimmed">
          {newest}
        </Text>
      }
    >
      <div className={classes.charts}>
        <figure className={classes.chart}>
          <figcaption>{t('history.perDay')}</figcaption>
          <div className={classes.plot}>{days === null ? <Skeleton height="100%" /> : <DayChart days={days} />}</div>
        </figure>
        <figure className={classes.chart}>
          <figcaption>{t('history.byStatus')}</figcaption>
          {value === null ? <Skeleton height="12rem" /> : <StatusChart counts={sumUp(value.days)} />}
        </figure>
      </div>
    </Section>
  );
}
