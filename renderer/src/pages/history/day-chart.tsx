import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatCount, formatDay } from '../../format/format.ts';
import { axisSteps, sumUp, type DayCount } from './day-counts.ts';
import classes from './history.module.css';
import { shares } from './shares.ts';

/** Maximum number of dates below the chart. */
const mostDates = 8;

/** Noon of a day, which is the same day in every zone of Brazil. */
const noon = (day: string): string => `${day}T12:00:00`;

const documentsOf = (day: DayCount): number => day.signed + day.failed + day.waiting;

/** A bar for each day, stacked by the status of the documents. A sentence states the numbers too. */
export function DayChart({ days }: { readonly days: readonly DayCount[] }) {
  const { t, i18n } = useTranslation();
  const short = new Intl.DateTimeFormat(i18n.language, { day: '2-digit', month: '2-digit' });
  const dayOf = (day: string | undefined): string => (day === undefined ? '' : formatDay(noon(day), i18n.language));
  const summary = t('history.perDaySummary', {
    ...sumUp(days),
    from: dayOf(days[0]?.day),
    until: dayOf(days.at(-1)?.day),
  });
  const steps = axisSteps(Math.max(...days.map(documentsOf)));
  const top = steps.at(-1) ?? 1;
  const between = Math.ceil(days.length / mostDates);
  return (
    <div role="img" aria-label={summary} className={classes.days}>
      <div className={classes.steps}>
        {steps.map((step) => (
          <span key={step} style={{ bottom: `${(step * 100) / top}%` }}>
            {formatCount(step, i18n.language)}
          </span>
        ))}
      </div>
      <div className={classes.bars}>
        {steps.map((step) => (
          <hr key={step} style={{ bottom: `${(step * 100) / top}%` }} />
        ))}
        {days.map((day) => (
          <Tooltip key={day.day} label={<Tip day={day} title={dayOf(day.day)} />} classNames={{ tooltip: classes.tip }}>
            <div className={classes.bar}>
              {shares.map((share) => (
                <span key={share} data-status={share} style={{ flexGrow: day[share] }} />
              ))}
              <span style={{ flexGrow: top - documentsOf(day) }} />
            </div>
          </Tooltip>
        ))}
      </div>
      <div className={classes.dates}>
        {days.map(({ day }, index) => (
          <span key={day}>{index % between === 0 ? short.format(new Date(noon(day))) : ''}</span>
        ))}
      </div>
    </div>
  );
}

function Tip({ day, title }: { readonly day: DayCount; readonly title: string }) {
  const { t } = useTranslation();
  return (
    <>
      <strong>{title}</strong>
      {shares.map((share) =>
        day[share] === 0 ? null : (
          <div key={share}>
            {t(`history.${share}`)}: {day[share]}
          </div>
        ),
      )}
    </>
  );
}
