import fc from 'fast-check';
import { Chance, mutate } from './mutate.ts';

/** Damaged copies of good inputs, each reproducible from its number, printed by fast-check when a property fails. */
export const mutationOf = (...samples: readonly Buffer[]): fc.Arbitrary<Buffer> =>
  fc.integer().map((seed) => mutate(samples, new Chance(seed)));
