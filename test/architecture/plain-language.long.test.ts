import { describe, expect, it } from 'vitest';
import { countedTrees, pronounLimit, pronounRate, sentencesBelow } from './plain-language.ts';

describe('the comments of the product and of its tests', () => {
  it.each(countedTrees)('in %s stay at or below the limit', async (tree) => {
    const sentences = await sentencesBelow(tree);
    expect(sentences.length).toBeGreaterThan(500);
    expect(pronounRate(sentences)).toBeLessThanOrEqual(pronounLimit);
  });
});
