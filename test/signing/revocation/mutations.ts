import fc from 'fast-check';
import { expect } from 'vitest';
import { SigningError } from '../../../src/signing/index.ts';
import { mutationOf } from '../../fuzz/mutation-of.ts';

const RUNS = 800;

/**
 * Reads mutations of a good input, and arbitrary bytes. Only `SigningError` may come out, and `read` may not answer for
 * a mutation unless `isGood` accepts the answer. An input with an endless reading meets the time limit of the test.
 */
export async function expectOnlyOurErrors<T>(
  good: Buffer,
  read: (data: Buffer) => T | Promise<T>,
  isGood: (answer: T, data: Buffer) => boolean = () => true,
): Promise<void> {
  const bytes = fc.oneof(
    mutationOf(good),
    fc.uint8Array({ maxLength: 200 }).map((some) => Buffer.from(some)),
  );
  const property = fc.asyncProperty(bytes, async (input) => {
    try {
      expect(isGood(await read(input), input)).toBe(true);
    } catch (error) {
      if (!(error instanceof SigningError)) throw error;
    }
  });
  await fc.assert(property, { numRuns: RUNS });
}
