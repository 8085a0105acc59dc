import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = 'docs/adr';
const files = readdirSync(folder).filter((name) => /^\d{4}-.*\.md$/.test(name));
const numbers = files.map((name) => Number(name.slice(0, 4)));
const index = readFileSync(join(folder, 'README.md'), 'utf8');

describe('the index of the decisions', () => {
  it('lists each decision once, under its number', () => {
    const listed = [...index.matchAll(/^\|\s*(\d+) \| \[.*\]\((\d{4}-[^)]*\.md)\)/gm)].map(([, number, file]) => [Number(number), file]); // prettier-ignore
    expect(listed.map(([, file]) => file).toSorted()).toEqual(files.toSorted());
    expect(listed.filter(([number, file]) => number !== Number(String(file).slice(0, 4)))).toEqual([]);
  });

  it('names the numbers up to 144 that have no decision', () => {
    const all = Array.from({ length: 144 }, (_none, at) => at + 1);
    const sentence = /^The numbers (.*) have no decision/m.exec(index)?.[1] ?? '';
    expect((sentence.match(/\d+/g) ?? []).map(Number)).toEqual(all.filter((number) => !numbers.includes(number)));
  });

  it('shows each decision under the title of its file', () => {
    for (const file of files) {
      const title = /^# \d+\. (.*)$/m.exec(readFileSync(join(folder, file), 'utf8'))?.[1] ?? '';
      expect(index).toContain(`[${title}](${file})`);
    }
  });
});
