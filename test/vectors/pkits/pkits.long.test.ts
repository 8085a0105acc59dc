import { describe, expect, it } from 'vitest';
import { isDsa, readCases, runCase } from './run-pkits.ts';

const cases = await readCases();

describe('PKITS', () => {
  it('has 246 cases, three with DSA', () => {
    expect([cases.length, cases.filter(isDsa).length]).toEqual([246, 3]);
  });

  it.each(cases.filter((one) => !isDsa(one)).map((one) => [one.test, one.name, one] as const))(
    'agrees in %s %s',
    async (_test, _name, one) => {
      expect(await runCase(one)).toBe(one.isValid);
    },
  );
});
