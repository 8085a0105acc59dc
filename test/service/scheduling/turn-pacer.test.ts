import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { TurnPacer } from '../../../src/service/scheduling/index.ts';

let clock: number;
let started: string[];
let pacer: TurnPacer;

/** A task that takes so many milliseconds of the clock. */
const task =
  (name: string, milliseconds = 1): (() => Promise<string>) =>
  async () => {
    started.push(name);
    clock += milliseconds;
    return Promise.resolve(name);
  };

/** The tasks that start in each of so many turns of the event loop, the present one first; each takes `length`. */
async function turns(count: number, length: number): Promise<string[][]> {
  const all: string[][] = [];
  for (let turn = 0; turn < count; turn += 1) {
    all.push(started);
    started = [];
    clock += length;
    await nextTurn();
  }
  return all;
}

beforeEach(() => {
  clock = 0;
  started = [];
  pacer = new TurnPacer(() => clock);
});

describe('paced tasks', () => {
  it('start one in each turn without other work', async () => {
    const answers = Promise.all(['first', 'second', 'third'].map(async (name) => pacer.run(task(name))));
    expect(await turns(4, 0)).toEqual([[], ['first', 'second'], ['third'], []]);
    expect(await answers).toEqual(['first', 'second', 'third']);
  });

  it('take a quarter of long turns, so that they go on beside long work', async () => {
    const names = Array.from({ length: 12 }, (_, index) => String(index));
    const answers = Promise.all(names.map(async (name) => pacer.run(task(name, 10))));
    expect((await turns(4, 400)).map(({ length }) => length)).toEqual([0, 11, 1, 0]);
    expect(await answers).toEqual(names);
  });

  it('let short turns of other work pass, until their share is saved up', async () => {
    const names = Array.from({ length: 4 }, (_, index) => String(index));
    const answers = Promise.all(names.map(async (name) => pacer.run(task(name, 10))));
    const busy = (await turns(12, 8)).flatMap((names, turn) => (names.length > 0 ? [[turn, names.length]] : []));
    expect(busy).toEqual([
      [1, 1],
      [4, 1],
      [7, 1],
      [10, 1],
    ]);
    expect(await answers).toEqual(names);
  });

  it('cost no turn when the caller has gone before', async () => {
    const gone = new Error('gone');
    const answers = Promise.allSettled([
      pacer.run(task('first')),
      ...['second', 'third'].map(async (name) => pacer.run(task(name), AbortSignal.abort(gone))),
      pacer.run(task('fourth')),
    ]);
    expect(await turns(3, 0)).toEqual([[], ['first', 'fourth'], []]);
    expect(await answers).toMatchObject([{ value: 'first' }, { reason: gone }, { reason: gone }, { value: 'fourth' }]);
  });

  it('reject with the failure of the task, and the next one starts', async () => {
    const failure = new Error('no disk');
    const failing = pacer.run(async () => Promise.reject(failure));
    const next = pacer.run(task('next'));
    await expect(failing).rejects.toBe(failure);
    expect(await next).toBe('next');
  });
});
