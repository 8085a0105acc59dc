import { describe, expect, it } from 'vitest';
import { markDifferences, type Pixels } from '../../renderer/src/pages/validate/compare-pages.ts';

/** A drawing of a single row: each letter is a pixel. */
const drawing = (row: string, height = 1): Pixels => {
  const colours: Record<string, readonly number[]> = {
    w: [255, 255, 255, 255],
    b: [0, 0, 0, 255],
    g: [230, 230, 230, 255],
    t: [0, 0, 0, 0],
  };
  const pixels = Array.from({ length: height }, () =>
    Array.from(row).flatMap((letter) => colours[letter] ?? []),
  ).flat();
  return { width: row.length, height, data: new Uint8ClampedArray(pixels) };
};

const rows: readonly (readonly [title: string, before: Pixels, now: Pixels, marked: number])[] = [
  ['nothing in equal drawings', drawing('wbw'), drawing('wbw'), 0],
  ['a pixel that was added', drawing('www'), drawing('wbw'), 1],
  ['a pixel that was covered', drawing('wbw'), drawing('www'), 1],
  ['nothing where paper is transparent', drawing('www'), drawing('ttt'), 0],
  ['nothing at a smoothed edge', drawing('www'), drawing('wgw'), 0],
  ['what lies beyond a smaller page', drawing('ww'), drawing('wwww'), 2],
  ['what lies below a shorter page', drawing('ww'), drawing('ww', 3), 4],
];

describe('markDifferences', () => {
  it.each(rows)('marks %s', (_title, before, now, marked) => {
    const { marks, count } = markDifferences(before, now);
    expect(count).toBe(marked);
    expect(marks.data.filter((value, index) => index % 4 === 3 && value > 0)).toHaveLength(marked);
  });
});
