import fc from 'fast-check';
import { expect } from 'vitest';
import { SigningError } from '../../../src/signing/index.ts';

const RUNS = 800;
const MILLISECONDS_PER_INPUT = 2_000;

/** Changes of a good input: octets replaced, removed, inserted and repeated. */
const mutationOf = (good: Buffer): fc.Arbitrary<Buffer> =>
  fc
    .array(
      fc.record({
        kind: fc.constantFrom('replace', 'remove', 'insert', 'repeat'),
        at: fc.nat(good.length - 1),
        octets: fc.uint8Array({ minLength: 1, maxLength: 6 }),
      }),
      { minLength: 1, maxLength: 5 },
    )
    .map((changes) => {
      let octets = good;
      for (const { kind, at, octets: added } of changes) {
        const removed = kind === 'replace' || kind === 'remove' ? added.length : 0;
        const inserted = kind === 'repeat' ? octets.subarray(at, at + 40) : kind === 'remove' ? [] : added;
        octets = Buffer.concat([octets.subarray(0, at), Buffer.from(inserted), octets.subarray(at + removed)]);
      }
      return octets;
    });

/**
 * Reads mutations of a good input and any octets: nothing but `SigningError` may come out, soon, and `read` may not
 * answer for a mutation, unless `isGood` says that the answer is right all the same.
 */
export async function expectOnlyOurErrors<T>(
  good: Buffer,
  read: (octets: Buffer) => T | Promise<T>,
  isGood: (answer: T, octets: Buffer) => boolean = () => true,
): Promise<void> {
  const octets = fc.oneof(
    mutationOf(good),
    fc.uint8Array({ maxLength: 200 }).map((some) => Buffer.from(some)),
  );
  const property = fc.asyncProperty(octets, async (input) => {
    const start = performance.now();
    try {
      expect(isGood(await read(input), input)).toBe(true);
    } catch (error) {
      if (!(error instanceof SigningError)) throw error;
    }
    expect(performance.now() - start).toBeLessThan(MILLISECONDS_PER_INPUT);
  });
  await fc.assert(property, { numRuns: RUNS });
}
