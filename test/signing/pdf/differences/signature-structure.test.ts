/** The place and the dictionary of a signature, with documents in memory. */
import { describe, expect, it } from 'vitest';
import type { Revision } from '../../../../src/signing/pdf/differences/revisions.ts';
import {
  findSignatures,
  ownProblem,
  placeProblem,
  type FoundSignature,
} from '../../../../src/signing/pdf/differences/signature-structure.ts';
import type { FormField } from '../../../../src/signing/pdf/reading/form-fields.ts';
import type { PdfDocument } from '../../../../src/signing/pdf/reading/pdf-document.ts';
import { PdfString, type PdfDictionary, type PdfValue } from '../../../../src/signing/pdf/syntax/values.ts';
import { documentWith, objectsOf, read } from './memory-document.ts';

type Entry =
  | { readonly kind: 'offset'; readonly offset: number; readonly generation: number }
  | { readonly kind: 'free' }
  | { readonly kind: 'compressed'; readonly stream: number; readonly index: number };
const at = (offset: number): Entry => ({ kind: 'offset', offset, generation: 0 });
const packed: Entry = { kind: 'compressed', stream: 9, index: 0 };

/** A document with these entries; `hidden` are entries of the stream of a hybrid section. */
function seen(entries: Readonly<Record<number, Entry>>, hidden: Readonly<Record<number, Entry>> = {}): PdfDocument {
  const section = {
    find: (number: number) => hidden[number] ?? entries[number],
    findVisible: (number: number) => entries[number],
    hidden: { find: (number: number) => hidden[number] },
  };
  return {
    entry: (number: number) => entries[number],
    crossReference: { base: 5, sections: [{ find: () => undefined }, section] },
  } as unknown as PdfDocument;
}
const revision = { start: 100, end: 200 } as Revision;
const found = (holder: number | undefined, field: number | undefined = 6): FoundSignature =>
  ({ holder, field: { number: field } }) as unknown as FoundSignature;

describe('a signature in the object 7', () => {
  const lost = 'NOT_IN_SIGNED_REVISION';
  it.each<[string, Entry | undefined, Entry | undefined, string | undefined]>([
    ['at the start of its revision', at(95), at(95), undefined],
    ['at the last byte of its revision', at(194), at(194), undefined],
    ['in front of its revision', at(94), at(94), lost],
    ['behind its revision', at(195), at(195), lost],
    ['at another place now', at(120), at(300), lost],
    ['in an object stream', packed, packed, lost],
    ['in an object stream then', packed, at(120), lost],
    ['in an object stream now', at(120), packed, lost],
    ['that is free now', at(120), { kind: 'free' }, lost],
    ['that was not there', undefined, at(120), lost],
    ['that is gone', at(120), undefined, lost],
  ])('%s is in its place or is not: %s %s', (_, then, now, problem) => {
    const entries = (entry: Entry | undefined): PdfDocument => seen(entry === undefined ? {} : { 7: entry });
    expect(placeProblem(entries(now), entries(then), revision, found(7), new Set([7]))).toBe(problem);
  });

  it('belongs to a field of the signed revision', () => {
    const document = seen({ 7: at(120) });
    expect(placeProblem(document, document, revision, found(7), new Set([8]))).toBe(lost);
    expect(placeProblem(document, document, revision, found(undefined), new Set([7]))).toBe(lost);
    expect(placeProblem(document, document, { ...revision, end: undefined }, found(7), new Set([7]))).toBe(lost);
  });

  it.each<[string, Readonly<Record<number, Entry>>, number | undefined, string | undefined]>([
    ['with one place for all programs', { 7: at(120) }, 6, undefined],
    ['with another place for some programs', { 7: at(130) }, 6, 'SIGNATURE_AMBIGUOUS'],
    ['in a field with another place for some programs', { 6: at(130) }, 6, 'SIGNATURE_AMBIGUOUS'],
    ['in a field that is no object', { 6: at(130) }, undefined, undefined],
    ['beside another object with two places', { 8: at(130) }, 6, undefined],
  ])('%s', (_, hidden, field, problem) => {
    const document = seen({ 6: at(110), 7: at(120), 8: at(140) }, hidden);
    expect(placeProblem(document, document, revision, { ...found(7), field: { number: field } as FormField }, new Set([7]))).toBe(problem); // prettier-ignore
  });
});

describe('the dictionary of a signature', () => {
  const dictionary = (more: string, contents = new PdfString(Buffer.from('<00>'), undefined, 10)): PdfDictionary => {
    const map = read(`<<${more}>>`) as PdfDictionary;
    if (!map.has('Contents')) map.set('Contents', contents);
    return map;
  };
  const problemOf = (map: PdfDictionary, holder: number | undefined = 7): unknown => {
    const document = Object.assign(documentWith(objectsOf({ 4: '/Sig', 5: '14' })), { entry: () => packed });
    Object.assign(document.file, { size: 30 });
    return ownProblem(document, { ...found(holder), isDictionary: true, dictionary: map });
  };
  const range = '/ByteRange [0 10 14 16]';

  it.each([
    ['of another type', dictionary(`/Type /Other ${range}`), 'TYPE_WRONG'],
    ['of a type that is no name', dictionary(`/Type (Sig) ${range}`), 'TYPE_WRONG'],
    ['without a range', dictionary('/Type 4 0 R'), 'BYTE_RANGE_MISSING'],
    ['with a range that is none', dictionary('/ByteRange 1'), 'BYTE_RANGE_MISSING'],
    ['with a range of a word', dictionary('/ByteRange [0 10 14 /x]'), 'BYTE_RANGE_MISSING'],
    ['with a range of one number', dictionary('/ByteRange [0]'), 'BYTE_RANGE_MALFORMED'],
    ['with a range of five numbers', dictionary('/ByteRange [0 10 14 16 1]'), 'BYTE_RANGE_MALFORMED'],
    ['with a negative number', dictionary('/ByteRange [0 10 14 -1]'), 'BYTE_RANGE_MALFORMED'],
    ['that begins later', dictionary('/ByteRange [1 10 14 16]'), 'BYTE_RANGE_START'],
    ['with parts that touch', dictionary('/ByteRange [0 14 14 16]'), 'BYTE_RANGE_OVERLAP'],
    ['that ends behind the file', dictionary('/ByteRange [0 10 14 17]'), 'BYTE_RANGE_OUTSIDE'],
    ['with contents elsewhere', dictionary(`/Contents 4 0 R ${range}`), 'CONTENTS_INDIRECT'],
    ['with contents that are a name', dictionary(`/Contents /x ${range}`), 'CONTENTS_MISSING'],
    ['with empty contents', dictionary(range, new PdfString(Buffer.from('<>'), undefined, 10)), 'CONTENTS_MISSING'],
    [
      'with contents at another place',
      dictionary(range, new PdfString(Buffer.from('<00>'), undefined, 9)),
      'HOLE_NOT_CONTENTS',
    ],
    ['with shorter contents', dictionary(range, new PdfString(Buffer.from('<0>'), undefined, 10)), 'HOLE_NOT_CONTENTS'],
    [
      'with contents in parentheses',
      dictionary(range, new PdfString(Buffer.from('(00)'), undefined, 10)),
      'HOLE_NOT_CONTENTS',
    ],
    ['with contents without a place', dictionary(range, new PdfString(Buffer.from('<00>'))), 'HOLE_NOT_CONTENTS'],
    ['in an object stream', dictionary('/Type /DocTimeStamp /ByteRange [0 10 5 0 R 16]'), 'HOLE_NOT_CONTENTS'],
  ])('%s is not sound', (_, map, problem) => {
    expect(problemOf(map)).toBe(problem);
  });

  it('is a dictionary in an object', () => {
    expect(problemOf(dictionary(range), undefined)).toBe('HOLE_NOT_CONTENTS');
    const none: FoundSignature = { ...found(7), isDictionary: false, dictionary: dictionary(range) };
    expect(ownProblem(documentWith(), none)).toBe('VALUE_NOT_DICTIONARY');
  });
});

describe('the signatures of a form', () => {
  const field = (type: string, value: PdfValue, holder?: number): FormField =>
    ({ type, fullName: 'a', dictionary: new Map(), number: 6, hasChildFields: false, value: { value, holder } }); // prettier-ignore

  it('are the signature fields with a value', () => {
    const value = read('<</Type /Sig>>');
    const all = findSignatures([field('Sig', value, 7), field('Sig', null), field('Tx', value), field('Sig', read('(x)'))]); // prettier-ignore
    expect(all.map(({ isDictionary, holder, dictionary }) => [isDictionary, holder, dictionary.size])).toEqual([
      [true, 7, 1],
      [false, 6, 0],
    ]);
  });
});
