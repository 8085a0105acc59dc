import { useTranslation } from 'react-i18next';
import { formatCount } from '../../format/format.ts';
import type { StatusCounts } from './day-counts.ts';
import classes from './history.module.css';
import { shares } from './shares.ts';

/** Middle of the ring in the units of its drawing, with a circumference of 100. */
const radius = 100 / (2 * Math.PI);
const width = 5;
const side = 2 * radius + width;

/** A ring with the share of each status, beside the numbers. */
export function StatusChart({ counts }: { readonly counts: StatusCounts }) {
  const { t, i18n } = useTranslation();
  const total = counts.signed + counts.failed + counts.waiting;
  return (
    <div>
      <div className={classes.ring} aria-hidden>
        <svg viewBox={`${-side / 2} ${-side / 2} ${side} ${side}`}>
          {arcsOf(counts).map(({ share, length, start }) => (
            <circle
              key={share}
              r={radius}
              data-status={share}
              strokeWidth={width}
              strokeDasharray={`${length} ${100 - length}`}
              strokeDashoffset={-start}
              transform="rotate(-90)"
            />
          ))}
        </svg>
        <span>{formatCount(total, i18n.language)}</span>
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

/** The part of the ring for each present status, in percent, clockwise from the top. */
function arcsOf(counts: StatusCounts) {
  const total = counts.signed + counts.failed + counts.waiting;
  let start = 0;
  return shares
    .filter((share) => counts[share] > 0)
    .map((share) => {
      const length = (counts[share] * 100) / total;
      const arc = { share, length, start };
      start += length;
      return arc;
    });
}
