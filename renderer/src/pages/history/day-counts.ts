import type { CallOutput } from '../../../../src/ui-contract/ui-contract.ts';

/** Numbers of documents of a day. */
export type DayCount = CallOutput<'history.summary'>['days'][number];

/** Numbers of documents by status. */
export type StatusCounts = Omit<DayCount, 'day'>;

/** Maximum number of bars. Of a longer period, the newest days are shown. */
const mostDays = 60;

/** Every day from the first to the last, including days without signatures. */
export function fillDays(days: readonly DayCount[]): readonly DayCount[] {
  const known = new Map(days.map((one) => [one.day, one]));
  const first = days[0];
  const last = days.at(-1);
  if (first === undefined || last === undefined) return [];
  const filled: DayCount[] = [];
  const date = new Date(`${last.day}T00:00:00Z`);
  for (let day = last.day; day >= first.day && filled.length < mostDays;) {
    filled.unshift(known.get(day) ?? { day, signed: 0, waiting: 0, failed: 0 });
    date.setUTCDate(date.getUTCDate() - 1);
    day = date.toISOString().slice(0, 10);
  }
  return filled;
}

/** All days together. */
export function sumUp(days: readonly DayCount[]): StatusCounts {
  const total = { signed: 0, waiting: 0, failed: 0 };
  for (const { signed, waiting, failed } of days) {
    total.signed += signed;
    total.waiting += waiting;
    total.failed += failed;
  }
  return total;
}

/** Maximum number of steps of the axis above zero. */
const mostSteps = 4;

/**
 * Values of the axis: 0, and up to four even steps of 1, 2 or 5 times a power of ten, the last one not below `largest`.
 */
export function axisSteps(largest: number): readonly number[] {
  for (let power = 1; ; power *= 10) {
    for (const factor of [1, 2, 5]) {
      const step = factor * power;
      const count = Math.max(1, Math.ceil(largest / step));
      if (count <= mostSteps) return Array.from({ length: count + 1 }, (_, index) => index * step);
    }
  }
}
