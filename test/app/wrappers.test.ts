import { describe, expect, it } from 'vitest';
import { findWrappers, isBroken, type ProcessFacts } from '../../src/app/instance/wrappers.ts';

/** The processes of a made-up system: the parent of each, and the processes of `sh -c …`. */
function system(parents: Readonly<Record<number, number>>, shells: readonly number[] = []) {
  return {
    parentOf: (process: number) => parents[process],
    runsCommandLine: (process: number) => shells.includes(process),
  } satisfies Partial<ProcessFacts>;
}

const byNpm = { npm_lifecycle_script: "'sinete' serve" };

/** 40 is Sinete, 10 the shell of its user. */
describe('the programs between Sinete and its user', () => {
  it.each([
    ['a shell, nohup or systemd', { 40: 10, 10: 1 }, [], {}, []],
    ['npm through a shell', { 40: 30, 30: 20, 20: 10 }, [30], byNpm, [30, 20]],
    ['npm through a shell that became Sinete', { 40: 20, 20: 10 }, [], byNpm, [20]],
    ['an older Node', { 40: 35, 35: 10 }, [], { SINETE_STARTED_BY: '35' }, [35]],
    [
      'an older Node under npm',
      { 40: 35, 35: 30, 30: 20, 20: 10 },
      [30],
      { ...byNpm, SINETE_STARTED_BY: '35' },
      [35, 30, 20],
    ],
    ['a shell with the variables of an earlier start', { 40: 10, 10: 1 }, [], { SINETE_STARTED_BY: '35' }, []],
    ['npm, for another program', { 40: 30, 30: 20 }, [30], { npm_lifecycle_script: 'node other.js' }, []],
    ['npm on a system that tells nothing of processes', {}, [], byNpm, [20]],
  ] as const)('started by %s', (_name, parents, shells, environment, wrappers) => {
    const firstParent = (parents as Readonly<Record<number, number>>)[40] ?? 20;
    const links = findWrappers({ process: 40, firstParent, environment, ...system(parents, shells) });
    expect(links.map(({ parent }) => parent)).toEqual(wrappers);
  });

  it('have ended when a child of theirs belongs to another process, or is gone', () => {
    const links = [
      { process: 40, parent: 30 },
      { process: 30, parent: 20 },
    ];
    expect(isBroken(links, system({ 40: 30, 30: 20 }).parentOf)).toBe(false);
    expect(isBroken(links, system({ 40: 1, 30: 20 }).parentOf)).toBe(true);
    expect(isBroken(links, system({ 40: 30, 30: 1 }).parentOf)).toBe(true);
    expect(isBroken(links, system({ 40: 30 }).parentOf)).toBe(true);
    expect(isBroken([], system({}).parentOf)).toBe(false);
  });
});
