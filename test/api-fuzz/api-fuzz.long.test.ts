import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFuzzedInstance, type FuzzedInstance } from './fuzz-api.ts';

/**
 * A short run of what `npm run fuzz -- api` does for longer, and the same each time: other seeds are tried there.
 * `SINETE_FUZZ_REQUESTS` and `SINETE_FUZZ_SEED` change it.
 */
const requests = Number(process.env['SINETE_FUZZ_REQUESTS'] ?? 25);
const seed = Number(process.env['SINETE_FUZZ_SEED'] ?? 1);

let instance: FuzzedInstance;
beforeAll(async () => {
  instance = await openFuzzedInstance();
}, 300_000);
afterAll(async () => instance.stop());

describe('an instance asked by good and broken requests made from its own OpenAPI document', () => {
  it('answers a good request for each operation with a documented success', { timeout: 300_000 }, async () => {
    expect(await instance.succeed()).toEqual([]);
  });

  it(
    'answers each operation as documented, shows no secret, and is well afterwards',
    { timeout: 300_000 },
    async () => {
      expect(instance.operations.length).toBeGreaterThanOrEqual(24);
      const patience = requests * 200;
      for (const operation of instance.operations) {
        const { failure } = await instance.fuzz(operation, { seed, requests, patience });
        expect.soft(failure, operation.id).toBeUndefined();
      }
      expect.soft(await instance.aftermath()).toEqual([]);
    },
  );
});
