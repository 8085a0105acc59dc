import { describe, expect, it } from 'vitest';
import {
  PATH_PROBLEM_CODES,
  rankProblems,
  type PathProblem,
  type PathProblemCode,
} from '../../../../src/signing/certificates/path/path-result.ts';

const problem = (code: PathProblemCode, index: number): PathProblem => ({ code, index, sentence: `${code} ${index}` });

/** Every code at two places of a path, the most useful first. */
const ranked = PATH_PROBLEM_CODES.flatMap((code) => [problem(code, 0), problem(code, 3)]);

describe('the order of the problems of a path', () => {
  it.each([
    ['backwards', ranked.toReversed()],
    ['with the later places first', ranked.toSorted((left, right) => right.index - left.index)],
    ['by the alphabet', ranked.toSorted((left, right) => left.code.localeCompare(right.code))],
  ])('is by code, then from the first certificate up, for problems given %s', (_, given) => {
    expect(rankProblems(given)).toEqual(ranked);
  });

  it('begins with what no other certificate could mend', () => {
    const found = rankProblems([problem('CERTIFICATE_EXPIRED', 0), problem('SIGNATURE_INVALID', 2)]);
    expect(found.map(({ code }) => code)).toEqual(['SIGNATURE_INVALID', 'CERTIFICATE_EXPIRED']);
  });
});
