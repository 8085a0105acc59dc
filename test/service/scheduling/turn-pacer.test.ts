import { setImmediate as letOthersRun } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { TurnPacer } from '../../../src/service/scheduling/index.ts';

let clock: number;
let slept: number;
let started: string[];
let pacer: TurnPacer;

/** A task taking so many milliseconds of the clock. */
const task =
  (name: string, milliseconds = 1): (() => Promise<string>) =>
  async () => {
    started.push(name);
    clock += milliseconds;
    return Promise.resolve(name);
  };

/**
 * The tasks started in each of so many turns of the event loop, the present one first. Each turn has `length`
 * milliseconds besides, for the loop's sleep or other work.
 */
async function turns(count: number, length: number, kind: 'asleep' | 'at work' = 'at work'): Promise<string[][]> {
  const all: string[][] = [];
  for (let turn = 0; turn < count; turn += 1) {
    all.push(started);
    started = [];
    clock += length;
    if (kind === 'asleep') slept += length;
    await letOthersRun();
  }
  return all;
}

const numbered = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => String(index));

beforeEach(() => {
  clock = 0;
  slept = 0;
  started = [];
  pacer = new TurnPacer({ now: () => clock, slept: () => slept, pause: setImmediate });
});

describe('paced tasks', () => {
  it('start one in each turn without other work', async () => {
    const answers = Promise.all(['first', 'second', 'third'].map(async (name) => pacer.run(task(name))));
    expect(await turns(4, 0)).toEqual([[], ['first', 'second'], ['third'], []]);
    expect(await answers).toEqual(['first', 'second', 'third']);
  });

  it('take a sixteenth of long turns, and go on beside long work', async () => {
    const names = numbered(12);
    const answers = Promise.all(names.map(async (name) => pacer.run(task(name, 10))));
    expect((await turns(4, 1600)).map(({ length }) => length)).toEqual([0, 11, 1, 0]);
    expect(await answers).toEqual(names);
  });

  it('let short turns of other work pass, until their share is saved up', async () => {
    const names = numbered(4);
    const answers = Promise.all(names.map(async (name) => pacer.run(task(name, 10))));
    const busy = (await turns(12, 32)).flatMap((names, turn) => (names.length > 0 ? [[turn, names.length]] : []));
    expect(busy).toEqual([
      [1, 1],
      [4, 1],
      [7, 1],
      [10, 1],
    ]);
    expect(await answers).toEqual(names);
  });

  it('start in each turn while the event loop sleeps most of the time', async () => {
    const names = numbered(4);
    const answers = Promise.all(names.map(async (name) => pacer.run(task(name, 10))));
    expect((await turns(5, 8, 'asleep')).map(({ length }) => length)).toEqual([0, 1, 1, 1, 1]);
    expect(await answers).toEqual(names);
  });

  it('take turns by their queues at each level, in order within a queue', async () => {
    const names = ['a 1', 'a 1', 'a 1', 'a 2', 'a 2', 'b 3', 'b 3', 'c 4'];
    await Promise.all(names.map(async (name) => pacer.run(task(name), { queues: name.split(' ') })));
    expect(started).toEqual(['a 1', 'a 1', 'b 3', 'c 4', 'a 2', 'b 3', 'a 1', 'a 2']);
  });

  it('cost no turn when the caller has gone before', async () => {
    const gone = new Error('gone');
    const answers = Promise.allSettled([
      pacer.run(task('first')),
      ...['second', 'third'].map(async (name) => pacer.run(task(name), { signal: AbortSignal.abort(gone) })),
      pacer.run(task('fourth')),
    ]);
    expect(await turns(3, 0)).toEqual([[], ['first', 'fourth'], []]);
    expect(await answers).toMatchObject([{ value: 'first' }, { reason: gone }, { reason: gone }, { value: 'fourth' }]);
  });

  it('never start for a caller going away just before', async () => {
    const leaving = new AbortController();
    const next = pacer.run(task('next'), { signal: leaving.signal });
    const other = pacer.run(task('other'));
    leaving.abort(new Error('gone'));
    await expect(next).rejects.toThrow('gone');
    expect(await other).toBe('other');
    expect(started).toEqual(['other']);
  });

  it('reject with the failure of the task, and the next task starts', async () => {
    const failure = new Error('no disk');
    const failing = pacer.run(async () => Promise.reject(failure));
    const next = pacer.run(task('next'));
    await expect(failing).rejects.toBe(failure);
    expect(await next).toBe('next');
  });
});
