import { useTranslation } from 'react-i18next';
import { formatCount } from '../../format/format.ts';
import { Label, Pie, PieChart, ResponsiveContainer } from 'recharts';
import type { StatusCounts } from './day-counts.ts';
import classes from './history.module.css';

const shares = ['signed', 'failed', 'waiting'] as const;

/** A ring with the share of each status, and the numbers beside it. */
export function StatusChart({ counts }: { readonly counts: StatusCounts }) {
  const { t, i18n } = useTranslation();
  const data = shares
    .filter((share) => counts[share] > 0)
    .map((share) => ({ share, value: counts[share], fill: `var(--chart-${share})` }));
  const total = counts.signed + counts.failed + counts.waiting;
  return (
    <div>
      <div style={{ height: '8rem' }} aria-hidden>
        <ResponsiveContainer width="100%" height="100%">
          <PieChart accessibilityLayer={false}>
            <Pie
              data={data}
              dataKey="value"
              nameKey="share"
              innerRadius="70%"
              outerRadius="100%"
              stroke="var(--sinete-surface)"
              isAnimationActive={false}
              rootTabIndex={-1}
            >
              <Label
                value={formatCount(total, i18n.language)}
                position="center"
                fill="var(--mantine-color-text)"
                fontSize={22}
                fontWeight={650}
              />
            </Pie>
          </PieChart>
        </ResponsiveContainer>
      </div>
      <ul className={classes.legend}>
        {shares.map((share) => (
          <li key={share}>
            <span className={classes.swatch} data-status={share} aria-hidden />
            <span>{t(`history.${share}`)}</span>
            <strong>{formatCount(counts[share], i18n.language)}</strong>
          </li>
        ))}
      </ul>
    </div>
  );
}
