/** Equality of values, with documents in memory. */
import { describe, expect, it } from 'vitest';
import {
  differentKeys,
  documentsOf,
  flagsOf,
  sameObject,
  sameThrough,
  sameValue,
} from '../../../../src/signing/pdf/differences/same-value.ts';
import type { PdfDocument } from '../../../../src/signing/pdf/reading/pdf-document.ts';
import { PdfReference, PdfStream, type PdfValue } from '../../../../src/signing/pdf/syntax/values.ts';
import { documentWith, objectsOf, read, spent } from './memory-document.ts';

describe('two values', () => {
  it.each([
    ['null', 'null', true],
    ['true', 'false', false],
    ['1', '1', true],
    ['1', '2', false],
    ['1', '1.0', true],
    ['1.0', '1', true],
    ['-1.50', '-1.5', true],
    ['1.5', '1.6', false],
    ['1.5', '(1.5)', false],
    ['--1.5', 'null', false],
    ['--1.5', '/Name', false],
    ['--1.5', '--1.5', false],
    ['/A', '/A', true],
    ['/A', '/B', false],
    ['/A', '(A)', false],
    ['(A)', '(A)', true],
    ['(A)', '<41>', true],
    ['(A)', '(B)', false],
    ['(A)', '/A', false],
    ['4 0 R', '4 0 R', true],
    ['4 0 R', '5 0 R', false],
    ['4 0 R', '4 1 R', false],
    ['4 0 R', '4', false],
    ['[1 [2]]', '[1.0 [2]]', true],
    ['[1 2]', '[1 3]', false],
    ['[1]', '[1 2]', false],
    ['[1 2]', '[1]', false],
    ['[]', '<<>>', false],
    ['<<>>', '[]', false],
    ['<<>>', 'null', false],
    ['<</A 1 /B 2>>', '<</B 2 /A 1>>', true],
    ['<</A 1>>', '<</A 2>>', false],
    ['<</A 1>>', '<</B 1>>', false],
    ['<</A 1>>', '<</A 1 /B 2>>', false],
    ['<</A null>>', '<</B null>>', false],
  ])('%s and %s are the same: %s', (one, other, same) => {
    expect(sameValue(read(one), read(other))).toBe(same);
  });

  it('are the same where both are absent, or one is null', () => {
    expect([sameValue(undefined, null), sameValue(undefined, undefined), sameValue(undefined, false)]).toEqual([true, true, false]); // prettier-ignore
  });
});

const utf16 = (text: string): string => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;

describe('the same text in another encoding', () => {
  const textKeys =
    'Lang Name Title Author Subject Keywords Creator Producer Alt ActualText E T TU TM V DV RV Opt CA RC AC ' +
    'Contents Subj NM Reason Location ContactInfo Desc UF M CreationDate ModDate LastModified PieceInfo';

  it.each(textKeys.split(' '))('is the same text under the key %s', (key) => {
    expect(sameValue(read('(D:2026)'), read(utf16('D:2026')), key)).toBe(true);
    expect(sameValue(read('(D:2026)'), read(utf16('D:2027')), key)).toBe(false);
  });

  it.each(['ID', 'Cert', 'N', 'CF', undefined])('is other bytes under the key %s', (key) => {
    expect(sameValue(read('(A)'), read(utf16('A')), key)).toBe(false);
  });

  it('is not the same where a character is damaged', () => {
    expect(sameValue(read('<fefffffd>'), read('<efbbbfefbfbd>'), 'T')).toBe(false);
  });

  it.each([
    ['<</T (A)>>', `<</T ${utf16('A')}>>`, true],
    ['<</ID (A)>>', `<</ID ${utf16('A')}>>`, false],
    ['<</Opt [(A)]>>', `<</Opt [${utf16('A')}]>>`, true],
    ['<</V [/Indexed (A)]>>', `<</V [/Indexed ${utf16('A')}]>>`, false],
    ['<</PieceInfo <</X <</Y (A)>>>>>>', `<</PieceInfo <</X <</Y ${utf16('A')}>>>>>>`, true],
    ['<</Other <</X <</Y (A)>>>>>>', `<</Other <</X <</Y ${utf16('A')}>>>>>>`, false],
  ])('decides about %s by the key that holds the text', (one, other, same) => {
    expect(sameValue(read(one), read(other))).toBe(same);
    const documents = { before: documentWith(), after: documentWith() };
    expect(sameThrough(documents, read(one), read(other))).toBe(same);
  });
});

const stream = (dictionary: string, position = 0): PdfStream => new PdfStream(read(dictionary) as Map<string, PdfValue>, position); // prettier-ignore

describe('two objects', () => {
  const file = 'abcd abce';
  const [before, after] = [documentWith({ 9: 3 }, file), documentWith({ 9: 3 }, file)];

  it.each<[string, PdfValue, PdfValue, boolean]>([
    ['equal values', read('[1]'), read('[1]'), true],
    ['other values', read('[1]'), read('[2]'), false],
    ['equal data', stream('<</Length 3>>'), stream('<</Length 3>>', 5), true],
    ['equal data with the length in an object', stream('<</Length 9 0 R>>'), stream('<</Length 9 0 R>>', 5), true],
    ['other data', stream('<</Length 4>>'), stream('<</Length 4>>', 5), false],
    ['equal data and other dictionaries', stream('<</Length 3 /A 1>>'), stream('<</Length 3>>', 5), false],
    ['data without a length', stream('<<>>'), stream('<<>>'), false],
    ['data with a negative length', stream('<</Length -3>>'), stream('<</Length -3>>', 5), false],
    ['a stream and its dictionary', stream('<</Length 3>>'), read('<</Length 3>>'), false],
    ['a dictionary and a stream', read('<</Length 3>>'), stream('<</Length 3>>'), false],
  ])('with %s', (_, one, other, same) => {
    expect(sameObject(before, after, one, other)).toBe(same);
  });

  it('with data of another length differ, also when the length stands in the same object', () => {
    expect(sameObject(before, documentWith({ 9: 4 }, file), stream('<</Length 9 0 R>>'), stream('<</Length 9 0 R>>'))).toBe(false); // prettier-ignore
  });

  it.each([
    [16 * 1024 * 1024, true],
    [16 * 1024 * 1024 + 1, false],
  ])('with %i bytes of data are compared: %s, and the work is counted', (length, same) => {
    const empty = documentWith();
    expect(sameObject(empty, empty, stream(`<</Length ${length}>>`), stream(`<</Length ${length}>>`))).toBe(same);
    expect(spent()).toBe(same ? length : 0);
  });
});

describe('two values whose objects have other numbers', () => {
  const through = (
    one: string,
    other: string,
    then: Readonly<Record<number, string>>,
    now: Readonly<Record<number, string>>,
    key?: string,
  ): boolean => {
    const [before, after] = [documentWith(objectsOf(then)), documentWith(objectsOf(now))];
    return sameThrough(documentsOf({ before: { document: before }, after: { document: after } }), read(one), read(other), key); // prettier-ignore
  };

  it.each([
    ['4 0 R', '5 0 R', { 4: '(A)' }, { 5: '(A)' }, true],
    ['4 0 R', '5 0 R', { 4: '(A)', 5: '(A)' }, { 5: '(B)', 4: '(A)' }, false],
    ['4 0 R', '(A)', { 4: '(A)' }, {}, true],
    ['(A)', '4 0 R', {}, { 4: '(A)' }, true],
    ['4 0 R', '4 0 R', { 4: '1' }, { 4: '2' }, true],
    ['[4 0 R 1]', '[5 0 R 1]', { 4: '[2]' }, { 5: '[2]' }, true],
    ['[4 0 R]', '[5 0 R 1]', { 4: '[2]' }, { 5: '[2]' }, false],
    ['[4 0 R 1]', '[5 0 R]', { 4: '[2]' }, { 5: '[2]' }, false],
    ['[4 0 R 1]', '[5 0 R 2]', { 4: '[2]' }, { 5: '[2]' }, false],
    ['<</A 4 0 R>>', '<</A 5 0 R>>', { 4: '<</B 6 0 R>>', 6: '1' }, { 5: '<</B 7 0 R>>', 7: '1' }, true],
    ['<</A 4 0 R>>', '<</A 5 0 R>>', { 4: '<</B 6 0 R>>', 6: '1' }, { 5: '<</B 7 0 R>>', 7: '2' }, false],
    ['<</A 4 0 R>>', '<</A 5 0 R /B 1>>', { 4: '1' }, { 5: '1' }, false],
    ['<</A 4 0 R /B 1>>', '<</A 5 0 R>>', { 4: '1' }, { 5: '1' }, false],
    ['4 0 R', '5 0 R', { 4: '[]' }, { 5: '<<>>' }, false],
    ['4 0 R', '5 0 R', { 4: '<<>>' }, { 5: '[]' }, false],
  ])('%s and %s are the same by what the objects say', (one, other, then, now, same) => {
    expect(through(one, other, then, now)).toBe(same);
    expect(spent()).toBeLessThanOrEqual(4 * 256);
  });

  it('are the same text in a text of another object, and bytes elsewhere', () => {
    for (const key of ['T', 'PieceInfo']) expect(through('4 0 R', '5 0 R', { 4: '(A)' }, { 5: utf16('A') }, key)).toBe(true); // prettier-ignore
    expect(through('4 0 R', '5 0 R', { 4: '(A)' }, { 5: utf16('A') }, 'ID')).toBe(false);
    expect(through('4 0 R', '5 0 R', { 4: '<</ID (A)>>' }, { 5: `<</ID ${utf16('A')}>>` }, 'T')).toBe(false);
    expect(through('4 0 R', '5 0 R', { 4: '<</X (A)>>' }, { 5: `<</X ${utf16('A')}>>` }, 'PieceInfo')).toBe(true);
    expect(through('4 0 R', '5 0 R', { 4: '[(A)]' }, { 5: `[${utf16('A')}]` }, 'Opt')).toBe(true);
    expect(through('4 0 R', '5 0 R', { 4: '[/N (A)]' }, { 5: `[/N ${utf16('A')}]` }, 'Opt')).toBe(false);
  });

  it.each([
    [17, true],
    [18, false],
  ])('are followed through %i lists or dictionaries, and the work is counted: %s', (levels, same) => {
    for (const [open, close] of [
      ['[', ']'],
      ['<</A ', '>>'],
    ] as const) {
      // prettier-ignore
      const nested = (end: string): string => open.repeat(levels) + end + close.repeat(levels);
      expect(through(nested('4 0 R'), nested('5 0 R'), { 4: '1' }, { 5: '1' })).toBe(same && levels < 17);
      expect(through(nested('4 0 R').slice(open.length, -close.length), nested('5 0 R').slice(open.length, -close.length), { 4: '1' }, { 5: '1' })).toBe(same); // prettier-ignore
      expect(spent()).toBe(17 * 256);
    }
  });

  it('are streams with the same data', () => {
    const file = 'abc abc abd';
    const after = (value: PdfValue): PdfDocument => documentWith({ 5: value }, file);
    const [one, other] = [new PdfReference(4, 0), new PdfReference(5, 0)];
    const before = documentWith({ 4: stream('<</Length 3>>') }, file);
    expect(sameThrough({ before, after: after(stream('<</Length 3>>', 4)) }, one, other)).toBe(true);
    expect(sameThrough({ before, after: after(stream('<</Length 3>>', 8)) }, one, other)).toBe(false);
    expect(sameThrough({ before, after: after(read('<</Length 3>>')) }, one, other)).toBe(false);
    const list = documentWith({ 4: read('[1]') });
    expect(sameThrough({ before: list, after: after(stream('<</Length 3>>')) }, one, other)).toBe(false);
  });
});

describe('the different keys of two dictionaries', () => {
  it('are those with other values, or with a value on one side, by the key of texts', () => {
    const before = read(`<</A 1 /B 2 /C 3 /T (A) /ID (A)>>`) as Map<string, PdfValue>;
    const after = read(`<</A 1 /B 3 /D 4 /T ${utf16('A')} /ID ${utf16('A')}>>`) as Map<string, PdfValue>;
    expect([...differentKeys(before, after)]).toEqual(['B', 'C', 'ID', 'D']);
  });
});

describe('flags', () => {
  it('are a number, and 0 for any other value', () => {
    const document = documentWith({ 4: 12 });
    expect(['4 0 R', '3', '(x)', '5 0 R'].map((text) => flagsOf(document, read(text)))).toEqual([12, 3, 0, 0]);
    expect(flagsOf(document, undefined)).toBe(0);
  });
});
