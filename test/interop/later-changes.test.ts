import { describe, expect, it } from 'vitest';
import { isDisputed, LATER_CHANGES, REASONS } from './later-changes.ts';

const rows = Object.values(LATER_CHANGES).flat();
const named = rows.map((row) => [`${row.change} of ${row.base}, ${row.signature}`, row] as const);

describe('a row of the table of later changes', () => {
  it.each(named)('has a reason where validators contradict Sinete, and only there: %s', (_, row) => {
    expect(row.why !== undefined).toBe(isDisputed(row));
  });

  it('has a name of its own', () => {
    expect(new Set(named.map(([name]) => name)).size).toBe(rows.length);
  });

  it('uses each reason', () => {
    expect(new Set(rows.flatMap(({ why }) => why ?? []))).toEqual(new Set(Object.keys(REASONS)));
  });
});
