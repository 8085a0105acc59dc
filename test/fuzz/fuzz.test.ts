import { afterAll, describe, expect, it } from 'vitest';
import { Chance, mutate } from './mutate.ts';
import { FuzzThread } from './run-fuzz.ts';
import { targets } from './targets.ts';

const thread = new FuzzThread();

afterAll(async () => thread.close());

/** A short form of the run by `npm run fuzz`; `fuzz.long.test.ts` is longer. */
describe('a reader of damaged data', () => {
  it.each(Object.keys(targets))('reads or refuses 100 damaged samples: %s', async (target) => {
    const ending = await thread.run({ target, seed: 1, from: 0, inputs: 100 });
    expect(ending).toMatchObject({ kind: 'done' });
  });
});

describe('damage', () => {
  it('is the same for the same number and differs for others', () => {
    const samples = [Buffer.from('a good sample of some length'), Buffer.from('another one')];
    const damaged = (seed: number): string => mutate(samples, new Chance(seed)).toString('hex');
    expect(damaged(7)).toBe(damaged(7));
    expect(new Set(Array.from({ length: 50 }, (_, seed) => damaged(seed))).size).toBeGreaterThan(40);
  });
});

describe('a run', () => {
  it('fails when there is no such target', async () => {
    expect(await thread.run({ target: 'nothing', seed: 1, from: 0, inputs: 1 })).toMatchObject({ kind: 'died' });
  });
});
