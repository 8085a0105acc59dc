import { describe, expect, it } from 'vitest';
import { commentSentences, pronounRate, ratesOfTestFolders, testFolderLimit, testTitles } from './plain-language.ts';

describe('the count of pronouns in comments', () => {
  it('counts each pronoun in sentences of five words or more', () => {
    const source = `/** What it is given is read by those who ask. Too short. */\nexport const a = 1;\n`;
    const sentences = commentSentences('a.ts', source);
    expect(sentences.map(({ words, pronouns }) => [words, pronouns])).toEqual([[10, 4]]);
    expect(pronounRate(sentences)).toBe(40);
  });

  it('joins neighbouring line comments to a single text', () => {
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

describe('the count of pronouns in titles of tests', () => {
  it('takes the title of each test and group, also behind tables and needs', () => {
    const source = [
      "describe('a file', () => {",
      "  it('is what it was', () => {});",
      "  it.each(rows)('answers %s', () => {});",
      "  itNeeding('root')(`keeps ${name}`, () => {});",
      '});',
      "expect('what it is').toBe(1);",
    ].join('\n');
    const titles = testTitles('a.test.ts', source);
    expect(titles.map(({ line, text, pronouns }) => [line, text, pronouns])).toEqual([
      [1, 'a file', 0],
      [2, 'is what it was', 2],
      [3, 'answers %s', 0],
      [4, 'keeps ${name}', 0],
    ]);
  });
});

describe('the comments and titles of the tests', () => {
  it('stay at or below the limit in every larger folder', async () => {
    const rates = Object.entries(await ratesOfTestFolders());
    expect(rates.length).toBeGreaterThan(20);
    const wordy = rates.filter(([, rate]) => rate > testFolderLimit).map(([folder, rate]) => `${folder}: ${rate}`);
    expect(wordy, 'Say these with nouns: node test/architecture/plain-language.ts FOLDER prints the sentences').toEqual(
      [],
    );
  });
});
