import { describe, expect, it } from 'vitest';
import { compared, compareHistories, interleave, lineText, verdictOf, type BenchReport } from './harness.ts';

const report = (ratio: number, noise: number): BenchReport => ({
  name: 'hashes',
  lines: [{ what: 'SHA-256', ratio, noise, bound: { atLeast: 0.5 }, detail: '' }],
  peakMegabytes: 1,
});

describe('a line of a benchmark', () => {
  it.each([
    [{ ratio: 0.6 }, 'PASS'],
    [{ ratio: 0.4 }, 'MISS'],
    [{ ratio: Number.NaN }, 'MISS'],
    [{ ratio: 0.6, isDisturbed: true }, 'NOISY'],
    [{ ratio: 0.4, isDisturbed: true }, 'NOISY'],
  ] as const)('with a bound of 0.5 and %j is judged: %s', (line, verdict) => {
    expect(verdictOf({ what: 'a', detail: '', bound: { atLeast: 0.5 }, ...line })).toBe(verdict);
  });

  it('without a bound is not judged, also on a disturbed machine', () => {
    expect(verdictOf({ what: 'a', detail: '', ratio: 1, isDisturbed: true })).toBe('');
  });

  it('shows its noise', () => {
    expect(lineText({ what: 'a', detail: 'b', ratio: 0.5, noise: 0.07 })).toBe(
      '         a     0.500  ± 7 %               b',
    );
  });
});

describe('a comparison', () => {
  it('has the median of the ratios of the rounds, and their spread', () => {
    const figures = { one: [1, 2, 3, 4, 5], other: [1, 1, 1, 1, 1] };
    expect(compared(figures, 'one', 'other')).toEqual({ ratio: 3, noise: 1 / 3, isDisturbed: false });
  });

  it('measures its contenders in turn, each once without counting', async () => {
    const order: string[] = [];
    const figures = await interleave({
      one: async () => Promise.resolve(order.push('one')),
      other: async () => Promise.resolve(order.push('other')),
    });
    expect(order.slice(0, 6)).toEqual(['one', 'other', 'one', 'other', 'other', 'one']);
    expect(figures.one.length).toBeGreaterThanOrEqual(9);
    expect(figures.one.length).toBe(figures.other.length);
    expect(figures.one).not.toContain(1);
  });
});

describe('two runs', () => {
  it.each([
    [report(0.6, 0.05), report(0.63, 0.05), 'same     SHA-256  0.600 → 0.630'],
    [report(0.6, 0.05), report(0.9, 0.05), '+50 %    SHA-256  0.600 → 0.900'],
    [report(0.6, 0.05), report(0.3, 0.05), '-50 %    SHA-256  0.600 → 0.300'],
    [{ ...report(0.6, 0.05), name: 'other' }, report(0.3, 0.05), 'new      SHA-256  0.300'],
  ])('differ where the change is more than their noise', (before, after, line) => {
    expect(compareHistories([before], [after]).at(-1)?.trim()).toBe(line);
  });
});
