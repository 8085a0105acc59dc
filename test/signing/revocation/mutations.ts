import fc from 'fast-check';
import { expect } from 'vitest';
import { SigningError } from '../../../src/signing/index.ts';
import { mutationOf } from '../../fuzz/mutation-of.ts';

const RUNS = 800;
const MILLISECONDS_PER_INPUT = 2_000;

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
