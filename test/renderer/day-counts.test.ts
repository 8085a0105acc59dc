import { describe, expect, it } from 'vitest';
import { axisSteps, fillDays } from '../../renderer/src/pages/history/day-counts.ts';

describe('the axis of the chart of days', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [4, [0, 1, 2, 3, 4]],
    [5, [0, 2, 4, 6]],
    [16, [0, 5, 10, 15, 20]],
    [1000, [0, 500, 1000]],
    [1001, [0, 500, 1000, 1500]],
  ])('ends at or above the largest day: %i', (largest, steps) => {
    expect(axisSteps(largest)).toEqual(steps);
  });
});

describe('the days of the chart', () => {
  const day = (name: string) => ({ day: name, signed: 1, waiting: 0, failed: 0 });

  it('include the days between without a signature', () => {
    const filled = fillDays([day('2026-02-27'), day('2026-03-02')]);
    expect(filled.map((one) => [one.day, one.signed])).toEqual([
      ['2026-02-27', 1],
      ['2026-02-28', 0],
      ['2026-03-01', 0],
      ['2026-03-02', 1],
    ]);
  });

  it('are the newest sixty of a longer time', () => {
    const filled = fillDays([day('2025-01-01'), day('2026-03-02')]);
    expect([filled.length, filled.at(-1)?.day]).toEqual([60, '2026-03-02']);
  });
});
