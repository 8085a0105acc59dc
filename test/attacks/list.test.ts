import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attackers, judgeAttack, numbersOf, type Attack, type TestOutcome } from './list.ts';

const attacks = attackers.flatMap((one) => one.attacks);

describe('the list of attacks', () => {
  it('has each number once, in order', () => {
    const numbered = Array.from({ length: 210 }, (_one, index) => String(index + 1));
    const findings = Array.from({ length: 14 }, (_one, index) => `S${index + 1}`);
    const views = Array.from({ length: 5 }, (_one, index) => `V${index + 1}`);
    expect(attacks.flatMap(numbersOf)).toEqual([...numbered, ...findings, 'F1', ...views]);
  });

  it.each(attacks)('names tests that are there for $numbers: $attack', ({ tests }) => {
    expect(tests.length).toBeGreaterThan(0);
    for (const [file, words] of tests) {
      // A table puts some names together, so that their words are apart, or in another file of the folder.
      const text = globSync(`${dirname(file)}/*.{ts,html}`).map((one) => readFileSync(one, 'utf8')).join('\n'); // prettier-ignore
      expect((words.match(/[\w-]+/g) ?? []).filter((word) => !text.includes(word))).toEqual([]);
    }
  });
});

describe('the verdict on an attack', () => {
  const attack: Attack = { numbers: '1', attack: 'x', tests: [['a.test.ts', 'first'], ['b.test.ts', 'second']] }; // prettier-ignore
  const outcome = (file: string, name: string, status: TestOutcome['status'] = 'passed'): TestOutcome => ({
    file,
    name,
    status,
  });
  it.each([
    ['held', [outcome('a.test.ts', 'the first one'), outcome('b.test.ts', 'the second')]],
    ['BROKE', [outcome('a.test.ts', 'the first one', 'failed'), outcome('b.test.ts', 'the second')]],
    ['BROKE', [outcome('a.test.ts', 'first'), outcome('a.test.ts', 'first again', 'failed')]],
    ['not run', [outcome('a.test.ts', 'first'), outcome('b.test.ts', 'second', 'not run')]],
    ['not run', [outcome('a.test.ts', 'first')]],
    ['not run', [outcome('a.test.ts', 'first'), outcome('b.test.ts', 'renamed')]],
    ['not run', []],
  ] as const)('is %s (%#)', (verdict, outcomes) => {
    expect(judgeAttack(attack, outcomes)).toBe(verdict);
  });
});
