import { describe, expect, it } from 'vitest';
import { commentSentences, pronounRate } from './plain-language.ts';

describe('the count of pronouns in comments', () => {
  it('counts each pronoun in sentences of five words or more', () => {
    const source = `/** What it is given is read by those who ask. Too short. */\nexport const a = 1;\n`;
    const sentences = commentSentences('a.ts', source);
    expect(sentences.map(({ words, pronouns }) => [words, pronouns])).toEqual([[10, 4]]);
    expect(pronounRate(sentences)).toBe(40);
  });

  it('joins neighbouring line comments to one text', () => {
    const source = `// The worker reads the file\n// in chunks, because it may be large.\nconst a = 1;\n`;
    expect(commentSentences('a.ts', source).map(({ line, words, pronouns }) => [line, words, pronouns])).toEqual([
      [1, 12, 1],
    ]);
  });

  it('leaves out code spans, strings and text between tags', () => {
    const source = [
      'const text = "// what it is that they want";',
      'export const view = <p>// what it is that they want</p>;',
      '/** The field `what it is` names that one field of it. */',
      'const b = 2;',
    ].join('\n');
    expect(commentSentences('a.tsx', source).map(({ words, pronouns }) => [words, pronouns])).toEqual([[9, 3]]);
  });

  it('is nothing for a text without comments', () => {
    expect(pronounRate(commentSentences('a.ts', 'export const a = 1;\n'))).toBe(0);
  });
});
