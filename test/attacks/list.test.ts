import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attackers, judgeAttack, type Attack, type TestOutcome } from './list.ts';

const attacks = attackers.flatMap((one) => one.attacks);

describe('the list of attacks', () => {
  it('has each attack of an attacker once', () => {
    for (const { attacker, attacks: own } of attackers) {
      const names = own.map(({ attack }) => attack);
      expect({ attacker, names: [...new Set(names)] }).toEqual({ attacker, names });
    }
  });

  it('names every file of tests in this folder', () => {
    const named = new Set(attacks.flatMap(({ tests }) => tests.map(([file]) => file)));
    const own = globSync('test/attacks/*.test.ts').map((file) => file.replaceAll('\\', '/'));
    expect(own.filter((file) => !named.has(file) && file !== 'test/attacks/list.test.ts')).toEqual([]);
  });

  it.each(attacks)('names tests that are there for: $attack', ({ tests }) => {
    expect(tests.length).toBeGreaterThan(0);
    for (const [file, words] of tests) {
      // A table puts some names together, so that their words are apart, or in another file of the folder.
      const text = globSync(`${dirname(file)}/*.{ts,html}`).map((one) => readFileSync(one, 'utf8')).join('\n'); // prettier-ignore
      expect((words.match(/[\w-]+/g) ?? []).filter((word) => !text.includes(word))).toEqual([]);
    }
  });
});

describe('the verdict on an attack', () => {
  const attack: Attack = { attack: 'x', tests: [['a.test.ts', 'first'], ['b.test.ts', 'second']] }; // prettier-ignore
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
