import { afterAll, describe, expect, it } from 'vitest';
import { FuzzThread } from './run-fuzz.ts';
import { targets } from './targets.ts';

const thread = new FuzzThread();

afterAll(async () => thread.close());

describe('a reader of damaged data', () => {
  it.each(Object.keys(targets))('reads or refuses another 500 damaged samples: %s', async (target) => {
    const ending = await thread.run({ target, seed: 1, from: 100, inputs: 500 });
    expect(ending).toMatchObject({ kind: 'done' });
  });
});
