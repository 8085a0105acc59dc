/** The ledger of a comparison: explained objects and changes, with documents in memory. */
import { beforeEach, describe, expect, it } from 'vitest';
import { StepLedger } from '../../../../src/signing/pdf/differences/step-ledger.ts';
import { PdfReference, PdfStream, type PdfValue } from '../../../../src/signing/pdf/syntax/values.ts';
import { documentWith, objectsOf, read } from './memory-document.ts';

const site = { holder: 1, path: '/V' };
let ledger: StepLedger;
/** A ledger of a step with these touched and added objects. */
const open = (touched: readonly number[], added: readonly number[] = []): StepLedger =>
  new StepLedger(2, { touched: new Set(touched), added: new Set(added), elsewhere: [], ambiguous: [] });
const claimedOf = (): readonly (readonly [number, ...string[]])[] =>
  ledger.claimed().map(({ number, sites }) => [number, ...sites] as const);

describe('a change', () => {
  beforeEach(() => void (ledger = open([])));
  const told = (): readonly unknown[] => ledger.changes.map(({ code, objectNumber, fieldName, page }) => [code, objectNumber, fieldName, page]); // prettier-ignore

  it('is told once when nothing is known but its code', () => {
    expect(ledger.changes).toEqual([]);
    ledger.add('METADATA_UPDATED');
    ledger.add('METADATA_UPDATED', {});
    ledger.add('STRUCTURE_UPDATED');
    expect(told()).toEqual([['METADATA_UPDATED', undefined, undefined, undefined], ['STRUCTURE_UPDATED', undefined, undefined, undefined]]); // prettier-ignore
    expect(ledger.changes[0]).toMatchObject({ revision: 2, level: 'long-term-update' });
    ledger.withdraw('METADATA_UPDATED');
    expect(told()).toEqual([['STRUCTURE_UPDATED', undefined, undefined, undefined]]);
  });

  it('is told for each object, field and page', () => {
    ledger.add('ANNOTATION_ADDED', { objectNumber: 7 });
    ledger.add('ANNOTATION_ADDED');
    for (const detail of [{ objectNumber: 7 }, { fieldName: 'a' }, { page: 1 }]) {
      ledger.add('ANNOTATION_ADDED', detail);
      ledger.add('ANNOTATION_ADDED', detail);
    }
    expect(told().slice(2)).toEqual([
      ['ANNOTATION_ADDED', 7, undefined, undefined],
      ['ANNOTATION_ADDED', 7, undefined, undefined],
      ['ANNOTATION_ADDED', undefined, 'a', undefined],
      ['ANNOTATION_ADDED', undefined, 'a', undefined],
      ['ANNOTATION_ADDED', undefined, undefined, 1],
      ['ANNOTATION_ADDED', undefined, undefined, 1],
    ]);
  });
});

describe('a moved object', () => {
  it('is without an explanation until it is settled or claimed', () => {
    ledger = open([4, 5, 6], [7]);
    expect(ledger.unaccounted()).toEqual([4, 5, 6]);
    ledger.settle(4);
    ledger.settle(undefined);
    ledger.claim(documentWith(), read('5 0 R'), site);
    expect([ledger.unaccounted(), ledger.isSettled(4), ledger.isSettled(5)]).toEqual([[6], true, false]);
    ledger.anchor(6);
    ledger.anchor(undefined);
    expect([...ledger.anchors]).toEqual([6]);
  });

  it('is known at the places of its claims alone', () => {
    ledger = open([4]);
    const document = documentWith(objectsOf({ 4: '[5 0 R]' }));
    ledger.claim(document, read('<</A 4 0 R /B [4 0 R]>>'), site);
    expect(claimedOf()).toEqual([[4, '1/V/A', '1/V/B/0']]);
    expect(ledger.isKnownSite(4, { holder: 1, path: '/V/A' })).toBe(true);
    expect(ledger.isKnownSite(4, { holder: 1, path: '/V/C' })).toBe(false);
    expect(ledger.isKnownSite(4, { holder: 2, path: '/V/A' })).toBe(false);
    expect(ledger.isKnownSite(5, { holder: 4, path: '/0' })).toBe(false);
    expect(ledger.isKnownSite(9, { holder: 1, path: '/V/A' })).toBe(false);
  });
});

describe('a claim', () => {
  const claim = (value: string, objects: Readonly<Record<number, string>>): boolean =>
    ledger.claim(documentWith(objectsOf(objects)), read(value), site);

  it.each<[string, string, Readonly<Record<number, string>>, readonly number[], boolean, readonly number[]]>([
    ['follows a list', '[(x) 4 0 R]', {}, [4], true, [4]],
    ['follows a dictionary', '<</A 1 /B 4 0 R>>', {}, [4], true, [4]],
    ['finds nothing that moved', '4 0 R', { 4: '[5 0 R]' }, [6], false, []],
    ['leads through unmoved objects', '4 0 R', { 4: '[5 0 R]', 5: '<</A 6 0 R>>' }, [6], true, [6, 5, 4]],
    [
      'leads through four unmoved objects',
      '4 0 R',
      { 4: '[5 0 R]', 5: '[6 0 R]', 6: '[7 0 R]', 7: '[8 0 R]' },
      [8],
      true,
      [8, 7, 6, 5, 4],
    ],
    [
      'leads through no fifth unmoved object',
      '3 0 R',
      { 3: '[4 0 R]', 4: '[5 0 R]', 5: '[6 0 R]', 6: '[7 0 R]', 7: '[8 0 R]' },
      [8],
      false,
      [],
    ],
    [
      'passes over references back',
      '<</P 4 0 R /Parent 4 0 R /Popup 4 0 R /IRT 4 0 R /Dest 4 0 R /StructParent 4 0 R>>',
      {},
      [4],
      false,
      [],
    ],
    ['passes over pages', '4 0 R', { 4: '<</Type /Page /A 5 0 R>>' }, [4, 5], false, []],
    ['passes over nodes of pages', '4 0 R', { 4: '<</Type /Pages /A 5 0 R>>' }, [4, 5], false, []],
    ['passes over the catalog', '4 0 R', { 4: '<</Type /Catalog /A 5 0 R>>' }, [4, 5], false, []],
    ['passes over object streams', '4 0 R', { 4: '<</Type /ObjStm /A 5 0 R>>' }, [4, 5], false, []],
    ['passes over cross-reference streams', '4 0 R', { 4: '<</Type /XRef /A 5 0 R>>' }, [4, 5], false, []],
    ['follows other types', '4 0 R', { 4: '<</Type /Font /A 5 0 R>>' }, [5], true, [5, 4]],
    ['ends in a circle', '4 0 R', { 4: '[5 0 R]', 5: '[4 0 R 6 0 R]' }, [6], true, [6, 5, 4]],
    ['follows an object once', '[4 0 R 4 0 R]', { 4: '[5 0 R]' }, [5], true, [5, 4]],
  ])('%s', (_, value, objects, touched, moved, claimed) => {
    ledger = open(touched);
    expect(claim(value, objects)).toBe(moved);
    expect(claimedOf().map(([number]) => number)).toEqual(claimed);
  });

  it('explains a new object, which moved nothing', () => {
    ledger = open([], [4]);
    expect(claim('4 0 R', { 4: '(x)' })).toBe(false);
    expect(claimedOf()).toEqual([[4, '1/V']]);
  });

  it('follows a stream by its dictionary, and nothing for an absent value', () => {
    ledger = open([5]);
    const stream = new PdfStream(read('<</A 5 0 R>>') as Map<string, PdfValue>, 0);
    expect(ledger.claim(documentWith({ 4: stream }), new PdfReference(4, 0), site)).toBe(true);
    expect(claimedOf()).toEqual([
      [5, '4/A'],
      [4, '1/V'],
    ]);
    expect(ledger.claim(documentWith(), undefined, site)).toBe(false);
  });

  it('stops at an object with a rule of its own', () => {
    ledger = open([4, 5]);
    ledger.settle(4);
    expect(claim('4 0 R', { 4: '[5 0 R]' })).toBe(true);
    expect(ledger.unaccounted()).toEqual([5]);
  });

  it.each([
    [24, true],
    [25, false],
  ])('follows moved objects through %i levels: %s', (levels, reached) => {
    const numbers = Array.from({ length: levels }, (_, index) => index + 10);
    ledger = open(numbers);
    claim('10 0 R', Object.fromEntries(numbers.map((number) => [number, `[${number + 1} 0 R 90 0 R]`])));
    const last = ledger.claimed().some(({ number }) => number === 9 + levels);
    expect(last).toBe(true);
    expect(ledger.isKnownSite(9 + levels, { holder: 8 + levels, path: '/0' })).toBe(true);
    ledger = open([...numbers, 90]);
    claim('10 0 R', Object.fromEntries(numbers.map((number) => [number, number === 9 + levels ? '[90 0 R]' : `[${number + 1} 0 R]`]))); // prettier-ignore
    expect(ledger.claimed().some(({ number }) => number === 90)).toBe(reached);
  });
});

describe('a claim of a list', () => {
  it.each<[string, string, readonly number[], readonly number[], boolean, readonly number[]]>([
    ['explains a moved list, and nothing in the list', '4 0 R', [4, 5], [], true, [4]],
    ['explains a new list', '4 0 R', [5], [4], false, [4]],
    ['needs no explanation for a list that stayed', '4 0 R', [5], [], false, []],
    ['explains no other object', '6 0 R', [6], [], false, []],
    ['explains no list inside another object', '[5 0 R]', [5], [], false, []],
  ])('%s', (_, value, touched, added, moved, claimed) => {
    ledger = open(touched, added);
    const document = documentWith(objectsOf({ 4: '[5 0 R]', 6: '<<>>' }));
    expect(ledger.claimList(document, read(value), site)).toBe(moved);
    expect(claimedOf()).toEqual(claimed.map((number) => [number, '1/V']));
  });
});
