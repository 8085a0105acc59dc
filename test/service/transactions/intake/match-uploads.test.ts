import { describe, expect, it } from 'vitest';
import { matchUploads, type UploadedPart } from '../../../../src/service/transactions/intake/match-uploads.ts';
import type { DocumentRecord } from '../../../../src/service/transactions/records.ts';
import { announced } from './intake-world.ts';

/** An announced document by id and name; `''` stands for an unannounced id or name. */
const entry = (position: number, id: string, name = ''): DocumentRecord =>
  announced({
    position,
    id: id === '' ? String(position) : id,
    announcedId: id !== '',
    originalFileName: name === '' ? null : name,
    announcedName: name !== '',
  });
const arrived = (one: DocumentRecord): DocumentRecord => ({ ...one, content: { kind: 'kept' } });
const part = (fileName?: string, label?: string): UploadedPart => ({ fileName, label });

const named = [entry(0, 'A', 'fa.txt'), entry(1, 'B', 'fb.txt')];
const ids = [entry(0, 'A'), entry(1, 'B'), entry(2, 'C')];
const names = [entry(0, '', 'fa.txt'), entry(1, '', 'fb.txt')];
const numbers = [entry(0, '1'), entry(1, '0'), entry(2, '20')];

describe('an uploaded document', () => {
  const rows: readonly (readonly [string, readonly DocumentRecord[], readonly UploadedPart[], readonly string[]])[] = [
    ['goes to the entry with its file name, in any order', named, [part('fb.txt'), part('fa.txt')], ['B', 'A']],
    ['goes to the entry with its file name, whatever its folder', named, [part('C:\\x\\fb.txt')], ['B']],
    ['goes to the entry with its file name in other composed letters', [entry(0, 'A', 'ação.txt')], [part('ac\u0327a\u0303o.txt')], ['A']], // prettier-ignore
    ['goes to the entry with the id in brackets', named, [part('fb.txt', 'B')], ['B']],
    ['goes to the entry with the id in brackets, under a name that is announced nowhere', named, [part('blob', 'B')], ['B']], // prettier-ignore
    ['goes to the entry with its id before a document without one takes the entry', ids, [part('x'), part('y', 'A')], ['B', 'A']], // prettier-ignore
    ['goes to an announced id rather than a position', numbers, [part('x', '0'), part('y', '20')], ['0', '20']],
    ['goes by its name rather than its position', names, [part('fb.txt', '0'), part('fa.txt', '1')], ['1', '0']],
    ['goes by its name where two documents have the same name, to either', [entry(0, 'A', 'x'), entry(1, 'B', 'x')], [part('x'), part('x')], ['A', 'B']], // prettier-ignore
    ['goes to the next open entry where no name is announced', [arrived(entry(0, 'A')), entry(1, 'B')], [part('x')], ['B']], // prettier-ignore
    ['goes to the next open entry by its position in the request', [arrived(entry(0, 'A')), ...ids.slice(1)], [part('x', '0'), part('y', '1')], ['B', 'C']], // prettier-ignore
    ['goes by its position in the transaction where the request does not count from 0', ids, [part('y', '2')], ['C']],
    ['becomes a new entry where nothing was announced', [], [part('x', '7'), part('y')], ['new', 'new']],
    ['becomes a new entry beyond the announced ones without names', ids.slice(0, 1), [part('x'), part('y')], ['A', 'new']], // prettier-ignore
  ];
  it.each(rows)('%s', (_what, entries, parts, expected) => {
    expect(matchUploads(entries, parts).map((found) => found?.id ?? 'new')).toEqual(expected);
  });

  const missing = 'DOCUMENT_NOT_ANNOUNCED';
  const taken = 'DOCUMENT_ALREADY_UPLOADED';
  const refusals: readonly (readonly [string, readonly DocumentRecord[], readonly UploadedPart[], string, string])[] = [
    ['under a name that nobody announced', named, [part('fc.txt')], missing, 'document'],
    ['without a name while names are announced', named, [part()], missing, 'document'],
    ['without a name beside an entry that announces none', [entry(0, 'A'), entry(1, 'B', 'b')], [part('x')], missing, 'document'], // prettier-ignore
    ['under an id that nobody announced', named, [part('fa.txt', 'C')], missing, 'document[C]'],
    ['under an id while nothing was announced', [], [part('fa.txt', 'C')], missing, 'document[C]'],
    ['under the id of one document and the name of another', named, [part('fb.txt', 'A')], missing, 'document[A]'],
    ['at a position that no entry has', ids, [part('x', '9')], missing, 'document[9]'],
    ['under an id with leading zeros, which is no position', ids, [part('x', '00')], missing, 'document[00]'],
    ['twice under one name', named, [part('fa.txt'), part('fa.txt')], taken, 'document'],
    ['twice under one id', ids, [part('x', 'A'), part('y', 'A')], taken, 'document[A]'],
    ['under its id and again under its name', named, [part('x', 'A'), part('fa.txt')], taken, 'document'],
    ['under a name that is here already', [arrived(entry(0, 'A', 'a')), entry(1, 'B', 'b')], [part('a')], taken, 'document'], // prettier-ignore
    ['under an id that is here already', [arrived(entry(0, 'A')), entry(1, 'B')], [part('x', 'A')], taken, 'document[A]'], // prettier-ignore
    ['under a numeric id that is here already', [arrived(entry(0, '0')), entry(1, '1')], [part('x', '0')], taken, 'document[0]'], // prettier-ignore
  ];
  it.each(refusals)('is refused %s', (_what, entries, parts, code, field) => {
    const problem = expect.objectContaining({ code, field }) as unknown;
    expect(() => matchUploads(entries, parts)).toThrow(expect.objectContaining({ code, problems: [problem] }));
  });

  it('is refused with every other contradiction of its request, and with the documents that are missing', () => {
    const parts = [part('fa.txt'), part('fa.txt'), part('x', 'Z')];
    expect(() => matchUploads(named, parts)).toThrow(
      expect.objectContaining({
        code: missing,
        problems: [
          { field: 'document[Z]', code: missing, detail: expect.stringContaining('document[B] or the file name "fb.txt"') as string }, // prettier-ignore
          { field: 'document', code: taken, detail: expect.stringContaining('already') as string },
        ],
      }),
    );
  });

  it('is refused as not announced where another document of its request came twice before', () => {
    const parts = [part('x', 'A'), part('y', 'A'), part('zz.txt')];
    expect(() => matchUploads(named, parts)).toThrow(
      expect.objectContaining({
        code: missing,
        problems: [
          expect.objectContaining({ field: 'document[A]', code: taken }) as unknown,
          expect.objectContaining({ field: 'document', code: missing }) as unknown,
        ],
      }),
    );
  });

  const many = (count: number): readonly DocumentRecord[] =>
    Array.from({ length: count }, (_one, position) => entry(position, `d${position}`));
  it.each([
    ['without a file name, which is said', named, part(), 'this one has no file name'],
    ['with a file name, which nobody announced', named, part('x'), 'No document is announced under this file name'],
    ['with the fields of what is missing', many(2), part('x', 'Z'), 'Still missing: document[d0], document[d1].'],
    ['with at most ten of them', many(10), part('x', 'Z'), 'document[d9].'],
    ['with a sign that there are more', many(11), part('x', 'Z'), 'document[d9], ….'],
    ['after everything came', many(2).map(arrived), part('x', 'Z'), 'None is missing.'],
  ])('is refused %s', (_what, entries, one, words) => {
    expect(() => matchUploads(entries, [one])).toThrow(words);
  });

  it('may be at a position of several digits', () => {
    expect(matchUploads(many(13), [part('x', '12')]).map((found) => found?.id)).toEqual(['d12']);
  });
});
