import { useTranslation } from 'react-i18next';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { formatDay } from '../../format/format.ts';
import { sumUp, type DayCount } from './day-counts.ts';
import classes from './history.module.css';

const shares = ['signed', 'failed', 'waiting'] as const;
const axis = { stroke: 'var(--sinete-line)', tick: { fill: 'var(--mantine-color-dimmed)', fontSize: 12 } };

/** Noon of a day, which is the same day in every zone of Brazil. */
const noon = (day: string): string => `${day}T12:00:00`;

/** A bar for each day, stacked by what became of the documents. Its numbers are told in one sentence, too. */
export function DayChart({ days }: { readonly days: readonly DayCount[] }) {
  const { t, i18n } = useTranslation();
  const short = new Intl.DateTimeFormat(i18n.language, { day: '2-digit', month: '2-digit' });
  const dayOf = (day: string | undefined): string => (day === undefined ? '' : formatDay(noon(day), i18n.language));
  const summary = t('history.perDaySummary', {
    ...sumUp(days),
    from: dayOf(days[0]?.day),
    until: dayOf(days.at(-1)?.day),
  });
  return (
    <div role="img" aria-label={summary} style={{ height: '100%' }}>
      <ResponsiveContainer width="100%" height="100%">
        <BarChart data={[...days]} margin={{ top: 4, right: 0, bottom: 0, left: -16 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--sinete-line)" />
          <XAxis
            dataKey="day"
            {...axis}
            tickLine={false}
            minTickGap={24}
            tickFormatter={(day: string) => short.format(new Date(noon(day)))}
          />
          <YAxis allowDecimals={false} {...axis} axisLine={false} tickLine={false} />
          <Tooltip
            cursor={{ fill: 'var(--sinete-hover)' }}
            isAnimationActive={false}
            content={({ active, payload }) => {
              const day = payload[0]?.payload as DayCount | undefined;
              return active && day !== undefined ? <Tip day={day} title={dayOf(day.day)} /> : null;
            }}
          />
          {shares.map((share) => (
            <Bar
              key={share}
              dataKey={share}
              stackId="documents"
              fill={`var(--chart-${share})`}
              maxBarSize={32}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}

function Tip({ day, title }: { readonly day: DayCount; readonly title: string }) {
  const { t } = useTranslation();
  return (
    <div className={classes.tip}>
      <strong>{title}</strong>
      {shares.map((share) =>
        day[share] === 0 ? null : (
          <div key={share}>
            {t(`history.${share}`)}: {day[share]}
          </div>
        ),
      )}
    </div>
  );
}
