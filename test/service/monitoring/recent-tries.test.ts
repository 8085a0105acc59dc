import { describe, expect, it } from 'vitest';
import { RecentTries } from '../../../src/service/monitoring/index.ts';

/** Tries whose clock is moved by hand, and an attempt counting its runs. */
function world() {
  const state = { now: 0, runs: 0, outcome: 'good' };
  const tries = new RecentTries(() => state.now);
  const attempt = async (): Promise<string> => {
    state.runs += 1;
    return Promise.resolve(state.outcome);
  };
  const isGood = (outcome: string): boolean => outcome === 'good';
  return { state, run: async (name = 'disk') => tries.run(name, attempt, isGood), tries };
}

describe('RecentTries', () => {
  it('lets a good outcome count for less than a second after the beginning of its try', async () => {
    const { state, run } = world();
    await run();
    state.now = 999;
    expect([await run(), state.runs]).toEqual(['good', 1]);
    state.now = 1000;
    state.outcome = 'bad';
    expect([await run(), state.runs]).toEqual(['bad', 2]);
  });

  it('tries again after a bad outcome, and after an error, so that a remedy counts at once', async () => {
    const { state, run, tries } = world();
    state.outcome = 'bad';
    expect([await run(), await run(), state.runs]).toEqual(['bad', 'bad', 2]);
    const fail = async (): Promise<never> => Promise.reject(new Error('The disk is full.'));
    await expect(tries.run('disk', fail)).rejects.toThrow('The disk is full.');
    state.outcome = 'good';
    expect([await run(), state.runs]).toEqual(['good', 3]);
  });

  it('shares a try among requests of the same time, and not among names', async () => {
    const { state, run } = world();
    expect(await Promise.all([run(), run(), run('database')])).toEqual(['good', 'good', 'good']);
    expect(state.runs).toBe(2);
  });
});
