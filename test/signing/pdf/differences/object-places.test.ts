/** Places of objects, in sections made by hand. */
import { describe, expect, it } from 'vitest';
import {
  countListed,
  isAmbiguous,
  listedNumbers,
  movedObjects,
  placeOf,
  promisesOf,
} from '../../../../src/signing/pdf/differences/object-places.ts';
import type { Revision } from '../../../../src/signing/pdf/differences/revisions.ts';
import type { CrossReferenceSection } from '../../../../src/signing/pdf/reading/cross-reference.ts';
import type { PdfDocument } from '../../../../src/signing/pdf/reading/pdf-document.ts';

type Entry = ReturnType<CrossReferenceSection['find']>;
type Entries = Readonly<Record<number, NonNullable<Entry>>>;

const at = (offset: number, generation = 0): NonNullable<Entry> => ({ kind: 'offset', offset, generation });
const inside = (stream: number): NonNullable<Entry> => ({ kind: 'compressed', stream });
const FREE = { kind: 'free' } as NonNullable<Entry>;

const viewOf = (entries: Entries, base = 0): PdfDocument =>
  ({ entry: (number: number) => entries[number], crossReference: { base } }) as unknown as PdfDocument;

/** A section with a run for each object; of a hybrid, with the entries of its stream. */
const section = (entries: Entries, hidden?: Entries): CrossReferenceSection =>
  ({
    find: (number: number) => hidden?.[number] ?? entries[number],
    findVisible: (number: number) => entries[number],
    hidden: hidden && { find: (number: number) => hidden[number] },
    *listed() {
      for (const number of Object.keys({ ...entries, ...hidden })) yield [Number(number), 1] as const;
    },
  }) as unknown as CrossReferenceSection;

/** A section that lists a run of numbers, and has an entry for every number. */
const run = (first: number, count: number, entry: NonNullable<Entry>): CrossReferenceSection =>
  ({
    find: () => entry,
    *listed() {
      yield [first, count] as const;
    },
  }) as unknown as CrossReferenceSection;

const revisionOf = (
  own: readonly CrossReferenceSection[],
  more: Partial<Revision> & { base?: number } = {},
): Revision =>
  ({
    number: 2,
    structure: { sections: [...own, section({ 90: at(90) }), run(95, 3, at(5000))], base: more.base ?? 0 },
    ownSections: own.length,
    start: 100,
    end: 200,
    ...more,
  }) as unknown as Revision;

describe('the place of an object', () => {
  const view = viewOf({ 1: at(10), 2: at(10, 3), 3: inside(1), 4: FREE, 5: inside(4), 6: inside(99), 7: inside(3) });
  it.each([
    [1, '10.0'],
    [2, '10.3'],
    [3, '10 in 1'],
    [4, undefined],
    [5, undefined],
    [6, undefined],
    [7, undefined],
    [8, undefined],
  ])('%i is %s', (number, place) => {
    expect(placeOf(view, number)).toBe(place);
  });
});

describe('the numbers listed by a revision', () => {
  it('are those of its own sections', () => {
    const revision = revisionOf([run(5, 3, at(1)), section({ 7: at(1), 12: FREE })]);
    expect([...listedNumbers(revision)]).toEqual([5, 6, 7, 12]);
    expect(countListed(revision)).toBe(5);
    expect(countListed(revisionOf([]))).toBe(0);
  });
});

describe('the two entries of a hybrid section', () => {
  it.each<[string, Entries, Entries | undefined, boolean]>([
    ['agree in the place', { 5: at(10) }, { 5: at(10) }, false],
    ['differ in the offset', { 5: at(10) }, { 5: at(11) }, true],
    ['differ in the generation', { 5: at(10) }, { 5: at(10, 1) }, true],
    ['differ in kind', { 5: at(10) }, { 5: inside(9) }, true],
    ['are one, when the stream frees the object', { 5: at(10) }, { 5: FREE }, false],
    ['are one, when the table frees the object', { 5: FREE }, { 5: at(10) }, false],
    ['are one, when the table packs the object', { 5: inside(9) }, { 5: at(10) }, false],
    ['are one, when the table lists nothing', {}, { 5: at(10) }, false],
    ['are one, when the stream lists nothing', { 5: at(10) }, {}, false],
    ['are one, when there is no stream', { 5: at(10) }, undefined, false],
  ])('%s', (_, visible, hidden, expected) => {
    expect(isAmbiguous(section(visible, hidden), 5)).toBe(expected);
  });

  it('are none in a stream', () => {
    expect(isAmbiguous({ find: () => at(1) } as unknown as CrossReferenceSection, 5)).toBe(false);
  });
});

describe('a revision', () => {
  const moved = (then: Entries, now: Entries, more: Parameters<typeof revisionOf>[1] = {}): unknown => {
    const revision = revisionOf([section(now)], more);
    const { touched, added, elsewhere, ambiguous } = movedObjects(viewOf(then), viewOf(now, more.base), revision);
    return { touched: [...touched], added: [...added], elsewhere, ambiguous };
  };
  const nothing = { touched: [], added: [], elsewhere: [], ambiguous: [] };

  it.each<[string, Entries, Entries, object]>([
    ['moves an object into its own bytes', { 5: at(10) }, { 5: at(100) }, { touched: [5] }],
    ['moves an object to its last byte', { 5: at(10) }, { 5: at(199) }, { touched: [5] }],
    ['moves an object behind its end', { 5: at(10) }, { 5: at(200) }, { touched: [5], elsewhere: [5] }],
    ['moves an object to earlier bytes', { 5: at(10) }, { 5: at(99) }, { touched: [5], elsewhere: [5] }],
    ['packs an object', { 5: at(10) }, { 5: inside(6), 6: at(120) }, { touched: [5], added: [6] }],
    ['frees an object', { 5: at(10) }, { 5: FREE }, { touched: [5] }],
    ['adds an object', {}, { 5: at(150) }, { added: [5] }],
    ['adds an object in earlier bytes', {}, { 5: at(50) }, { added: [5], elsewhere: [5] }],
    ['uses a free number', { 5: FREE }, { 5: at(150) }, { added: [5] }],
    ['repeats a place', { 5: at(10) }, { 5: at(10) }, {}],
    ['repeats a free number', { 5: FREE }, { 5: FREE }, {}],
  ])('%s', (_, then, now, expected) => {
    expect(moved(then, now)).toEqual({ ...nothing, ...expected });
  });

  it('counts its bytes from the header, and has no last byte without an end', () => {
    expect(moved({ 5: at(10) }, { 5: at(95) }, { base: 5 })).toEqual({ ...nothing, touched: [5] });
    expect(moved({ 5: at(10) }, { 5: at(9999) }, { end: undefined })).toEqual({ ...nothing, touched: [5] });
  });

  it('gives an object two places when an own section does', () => {
    const two = section({ 5: at(110) }, { 5: at(120) });
    const both = (own: readonly CrossReferenceSection[]): readonly number[] =>
      movedObjects(viewOf({ 5: at(10) }), viewOf({ 5: at(110) }), revisionOf(own)).ambiguous;
    expect(both([section({ 5: at(110) }), two])).toEqual([5]);
    expect(both([section({ 5: at(110) })])).toEqual([]);
    const older = revisionOf([section({ 5: at(110) })]);
    const structure = { ...older.structure, sections: [...older.structure.sections, two] };
    expect(movedObjects(viewOf({}), viewOf({ 5: at(110) }), { ...older, structure }).ambiguous).toEqual([]);
  });
});

describe('the entries of revisions', () => {
  it('pointing behind their revision are told, with the object streams in use', () => {
    const entries = { 5: at(199), 6: at(200), 7: at(900), 8: inside(5), 9: inside(6), 10: FREE };
    const { ahead, objectStreams } = promisesOf([revisionOf([section(entries), run(20, 2, at(300))])]);
    expect(ahead).toEqual([
      { number: 6, position: 200 },
      { number: 7, position: 900 },
      { number: 20, position: 300 },
      { number: 21, position: 300 },
    ]);
    expect([...objectStreams]).toEqual([5, 6]);
  });

  it('count from the header, and point nowhere behind a revision without an end', () => {
    expect(promisesOf([revisionOf([section({ 5: at(196) })], { base: 5 })]).ahead).toEqual([{ number: 5, position: 201 }]); // prettier-ignore
    expect(promisesOf([revisionOf([section({ 5: at(9999) })], { end: undefined })]).ahead).toEqual([]);
  });

  it('lack an entry for a listed number', () => {
    const empty = { ...run(5, 2, at(1)), find: () => undefined } as unknown as CrossReferenceSection;
    expect(promisesOf([revisionOf([empty])])).toEqual({ ahead: [], objectStreams: new Set() });
    expect(movedObjects(viewOf({ 5: at(10) }), viewOf({}), revisionOf([empty]))).toMatchObject({ elsewhere: [] });
  });
});
