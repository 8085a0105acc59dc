/** Numbers of pages, found from below and by walking through all pages; and what a page shows. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  isLikePage,
  isShownSomewhere,
  isVisible,
  PageNumbers,
  widgetsOf,
} from '../../../../src/signing/pdf/differences/page-numbers.ts';
import { PageTreePaths } from '../../../../src/signing/pdf/differences/page-tree-paths.ts';
import { walkFields } from '../../../../src/signing/pdf/reading/form-fields.ts';
import { PdfDocument } from '../../../../src/signing/pdf/reading/pdf-document.ts';
import { PdfReference, type PdfDictionary, type PdfValue } from '../../../../src/signing/pdf/syntax/values.ts';
import { buildPdf, type Objects } from '../build-pdf.ts';
import { documentWith, objectsOf, read } from './memory-document.ts';
import { withEdits, type Edits } from './unsigned-changes.ts';

let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'sinete-pages-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const page = (parent: number, more = ''): string => `<</Type /Page /Parent ${parent} 0 R /Contents 4 0 R ${more}>>`;
/** Object numbers: the pages 3, 13, 14, 23 and 24 in this order, below the nodes 2, 20, 21 and 22. */
const BASE: Objects = {
  1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields 60 0 R>>>>',
  2: '<</Type /Pages /Kids [3 0 R 20 0 R 21 0 R 24 0 R] /Count 5>>',
  20: '<</Type /Pages /Parent 2 0 R /Kids [13 0 R 14 0 R] /Count 2>>',
  21: '<</Type /Pages /Parent 2 0 R /Kids [22 0 R] /Count 1>>',
  22: '<</Type /Pages /Parent 21 0 R /Kids [23 0 R] /Count 1>>',
  3: page(2, '/Annots [40 0 R 41 0 R 42 0 R]'),
  13: page(20, '/Annots 16 0 R'),
  14: page(20, '/Annots [44 0 R]'),
  23: page(22),
  24: page(2),
  4: { dictionary: '', data: 'BT ET' },
  16: '[43 0 R 40 0 R]',
  40: '<</Type /Annot /Subtype /Text /P 3 0 R>>',
  41: '<</Subtype /Text>>',
  42: '<</Type /Annot /Subtype /Text /P 24 0 R>>',
  43: '<</Type /Annot /Subtype /Text /P 13 0 R>>',
  44: '<</Type /Annot /Subtype /Widget /FT /Tx /T (a) /Rect [0 0 9 9] /P 14 0 R>>',
  50: '<</Type /Annot /Subtype /Text /P 3 0 R>>',
  60: '[44 0 R]',
};

async function open<Answer>(edits: Edits, ask: (document: PdfDocument) => Answer): Promise<Answer> {
  const path = join(folder, 'file.pdf');
  writeFileSync(path, buildPdf(withEdits(BASE, edits, true)));
  const document = await PdfDocument.open(path);
  try {
    return ask(document);
  } finally {
    await document.close();
  }
}

describe('the number of a page', () => {
  const pages = [3, 13, 14, 23, 24];
  /** The numbers by the parents alone, and by all means. */
  const numbersIn = (edits: Edits, objects = pages): Promise<unknown> =>
    open(edits, (document) => {
      const [paths, numbers] = [new PageTreePaths(document), new PageNumbers(document)];
      return [objects.map((number) => paths.numberOf(number)), objects.map((number) => numbers.ofPage(number))];
    });
  const none = undefined;

  it.each<[string, Edits, readonly unknown[], readonly unknown[]]>([
    ['follows from its parents', {}, [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]],
    ['counts pages of a node by its count', { 20: [['/Count 2', '/Count 7']] }, [1, 2, 3, 9, 10], [1, 2, 3, 9, 10]],
    ['counts no pages of a node without a count', { 21: [['/Count 1', '']] }, [1, 2, 3, 4, 4], [1, 2, 3, 4, 4]],
    [
      'counts a page inside the list',
      {
        2: [
          ['[3 0 R', '[<</Type /Page /Parent 2 0 R>> 3 0 R'],
          ['/Count 5', '/Count 6'],
        ],
      },
      [2, 3, 4, 5, 6],
      [2, 3, 4, 5, 6],
    ],
    [
      'counts nothing for a missing page',
      {
        2: [
          ['[3 0 R', '[99 0 R 3 0 R'],
          ['/Count 5', '/Count 6'],
        ],
      },
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 5],
    ],
    [
      'is that of the place in a list of pages alone',
      { 2: '<</Type /Pages /Kids [24 0 R 3 0 R] /Count 2>>' },
      [2, none, none, none, 1],
      [2, none, none, none, 1],
    ],
    [
      'is counted where the count of a list differs',
      { 2: '<</Type /Pages /Kids [24 0 R 3 0 R] /Count 9>>' },
      [2, none, none, none, 1],
      [2, none, none, none, 1],
    ],
    [
      'is counted where an empty node makes the count of a list equal its length',
      {
        2: '<</Type /Pages /Kids [3 0 R 21 0 R 20 0 R 24 0 R] /Count 4>>',
        21: '<</Type /Pages /Parent 2 0 R /Kids [] /Count 0>>',
      },
      [1, 2, 3, none, 4],
      [1, 2, 3, none, 4],
    ],
    [
      'is found by walking where a parent is missing',
      { 13: [['/Parent 20 0 R', '']] },
      [1, none, 3, 4, 5],
      [1, 2, 3, 4, 5],
    ],
    [
      'is found by walking where another parent is named',
      { 13: [['/Parent 20', '/Parent 22']] },
      [1, none, 3, 4, 5],
      [1, 2, 3, 4, 5],
    ],
    [
      'is found by walking where a parent of a node is missing',
      { 22: [['/Parent 21 0 R', '']] },
      [1, 2, 3, none, 5],
      [1, 2, 3, 4, 5],
    ],
    [
      'is found by walking where the root is inside the catalog',
      { 1: '<</Type /Catalog /Pages <</Type /Pages /Kids [3 0 R 24 0 R] /Count 2>>>>' },
      [none, none, none, none, none],
      [1, none, none, none, 2],
    ],
    [
      'is absent below parents in a circle',
      {
        22: [
          ['/Parent 21', '/Parent 22'],
          ['[23 0 R]', '[23 0 R 22 0 R]'],
        ],
        21: [['[22 0 R]', '[]']],
      },
      [1, 2, 3, none, 5],
      [1, 2, 3, none, 5],
    ],
    ['is absent where no node lists the page', { 22: [['[23 0 R]', '[]']] }, [1, 2, 3, none, 5], [1, 2, 3, none, 5]],
  ])('%s', async (_, edits, byParents, numbers) => {
    expect(await numbersIn(edits)).toEqual([byParents, numbers]);
  });

  it('is absent for nodes, annotations, missing objects and other values', async () => {
    const [byParents, numbers] = (await numbersIn({}, [2, 20, 40, 4, 99])) as [unknown, unknown];
    expect(byParents).toEqual([undefined, 2, undefined, undefined, undefined]);
    expect(numbers).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect(await open({}, (document) => new PageNumbers(document).ofPage(undefined))).toBeUndefined();
  });

  it('is the same for each of many nodes, asked in any order', async () => {
    const nodes = Array.from({ length: 70 }, (_, index) => index);
    const edits: Record<number, string> = {
      2: `<</Type /Pages /Kids [${nodes.map((index) => `${100 + index} 0 R`).join(' ')}] /Count 70>>`,
    };
    for (const index of nodes) {
      edits[100 + index] = `<</Type /Pages /Parent 2 0 R /Kids [${200 + index} 0 R] /Count 1>>`;
      edits[200 + index] = page(100 + index);
    }
    const order = [...nodes, ...nodes.toReversed()];
    const [byParents] = (await numbersIn(
      edits,
      order.map((index) => 200 + index),
    )) as [unknown];
    expect(byParents).toEqual(order.map((index) => index + 1));
  });
});

describe('the lists of a page tree', () => {
  /** Resolved objects by number, since the last document was made. */
  let readings = new Map<number, number>();
  /** A document whose catalog leads to the node 2. */
  const counting = (texts: Readonly<Record<number, string>>): PageTreePaths => {
    const document = documentWith(objectsOf(texts));
    const plain = document.resolve;
    readings = new Map();
    const resolve = (value: PdfValue | undefined): PdfValue => {
      if (value instanceof PdfReference) readings.set(value.number, (readings.get(value.number) ?? 0) + 1);
      return plain(value);
    };
    return new PageTreePaths(Object.assign(document, { resolve, catalog: { value: new Map([['Pages', read('2 0 R')]]) } })); // prettier-ignore
  };
  const flat = (count: number, total = count): Record<number, string> => {
    const numbers = Array.from({ length: count }, (_, index) => 100 + index);
    const texts = Object.fromEntries(numbers.map((number) => [number, page(2)]));
    return { 2: `<</Kids [${numbers.map((number) => `${number} 0 R`).join(' ')}] /Count ${total}>>`, ...texts };
  };

  it('are read once, and the pages of a long list are not read', () => {
    const paths = counting(flat(500));
    for (const index of [499, 3, 250, 499]) expect(paths.numberOf(100 + index)).toBe(index + 1);
    expect(readings.get(2)).toBe(1);
    expect([163, 164, 300].map((number) => readings.get(number))).toEqual([1, undefined, undefined]);
  });

  it('are counted up to the page when their count differs', () => {
    const paths = counting(flat(100, 7));
    expect([60, 20, 80].map((index) => paths.numberOf(100 + index))).toEqual([61, 21, 81]);
    expect([readings.get(110), readings.get(170), readings.get(190)]).toEqual([1, 1, undefined]);
  });

  it('are kept for 64 nodes, the newest', () => {
    const nodes = Array.from({ length: 65 }, (_, index) => 100 + index);
    const texts: Record<number, string> = {
      2: `<</Kids [${nodes.map((number) => `${number} 0 R`).join(' ')}] /Count 65>>`,
    };
    for (const number of nodes) {
      texts[number] = `<</Parent 2 0 R /Kids [${number + 100} 0 R] /Count 1>>`;
      texts[number + 100] = page(number);
    }
    const paths = counting(texts);
    // The node of the first page is read for its list, as a parent, and to tell nodes from pages.
    for (const number of nodes.slice(0, 62)) paths.numberOf(number + 100);
    const once = readings.get(100)!;
    paths.numberOf(200);
    expect(readings.get(100)).toBe(once + 1);
    for (const number of nodes.slice(62)) paths.numberOf(number + 100);
    const twice = readings.get(100)!;
    paths.numberOf(200);
    expect(readings.get(100)).toBe(twice + 2);
    const newest = readings.get(164)!;
    paths.numberOf(264);
    expect(readings.get(164)).toBe(newest + 1);
  });

  it.each([
    [255, 1],
    [256, undefined],
  ])('lead to the root over %i nodes: %s', (depth, number) => {
    const texts: Record<number, string> = { 2: '<</Kids [100 0 R] /Count 1>>' };
    for (let level = 0; level < depth; level += 1) {
      texts[100 + level] = `<</Parent ${level === 0 ? 2 : 99 + level} 0 R /Kids [${101 + level} 0 R] /Count 1>>`;
    }
    texts[100 + depth] = page(99 + depth);
    expect(counting(texts).numberOf(100 + depth)).toBe(number);
  });

  it.each([
    ['a parent that is missing', '99 0 R'],
    ['a parent that is a list', '7 0 R'],
    ['a parent without kids', '8 0 R'],
  ])('do not hold %s', (_, parent) => {
    const texts = { ...flat(3), 7: '[50 0 R]', 8: '<</Count 1>>', 50: `<</Type /Page /Parent ${parent}>>` };
    expect(counting(texts).numberOf(50)).toBeUndefined();
  });
});

describe('an annotation', () => {
  it.each<[string, number | undefined, Edits, number | undefined]>([
    ['is on the page that it names', 40, {}, 1],
    ['is on the page that it names, also when an earlier page lists it', 40, { 40: [['/P 3', '/P 13']] }, 2],
    ['is on the first page that lists it, when it names none', 40, { 40: [['/P 3 0 R', '']] }, 1],
    ['is on the page that lists it, when it names another', 42, {}, 1],
    ['is on the page that lists it, when it names no page', 42, { 42: [['/P 24', '/P 99']] }, 1],
    ['needs no type', 41, {}, 1],
    ['is on no page that does not list it', 50, {}, undefined],
    ['has no other type', 40, { 40: [['/Annot', '/Page']] }, undefined],
    ['has a kind', 40, { 40: [['/Subtype /Text', '']] }, undefined],
    ['is an object', undefined, {}, undefined],
    ['is a dictionary', 16, {}, undefined],
  ])('%s', async (_, number, edits, expected) => {
    expect(await open(edits, (document) => new PageNumbers(document).ofAnnotation(number))).toBe(expected);
  });

  it('is told with all others of the document, each once', async () => {
    const all = await open({}, (document) => [...new PageNumbers(document).annotations()]);
    expect(all).toEqual([40, 41, 42, 43, 44]);
  });

  it('is found on each of many pages', async () => {
    const indexes = Array.from({ length: 20 }, (_, index) => index);
    const edits: Record<number, string> = { 2: `<</Type /Pages /Kids [${indexes.map((index) => `${100 + index} 0 R`).join(' ')}] /Count 20>>` }; // prettier-ignore
    for (const index of indexes) {
      edits[100 + index] = page(2, `/Annots [${200 + index} 0 R]`);
      edits[200 + index] = `<</Subtype /Text /P ${100 + index} 0 R>>`;
    }
    const found = await open(edits, (document) => {
      const numbers = new PageNumbers(document);
      return [...indexes, 0].map((index) => numbers.ofAnnotation(200 + index));
    });
    expect(found).toEqual([...indexes.map((index) => index + 1), 1]);
  });
});

describe('a list of annotations in an object', () => {
  it.each<[string, number, Edits, number | undefined]>([
    ['belongs to its page', 16, {}, 13],
    [
      'belongs to its page, when its annotations name none',
      16,
      { 43: [['/P 13 0 R', '']], 40: [['/P 3 0 R', '']] },
      13,
    ],
    ['belongs to its page, when its annotations name another', 16, { 43: [['/P 13', '/P 24']] }, 13],
    ['belongs to its page, when it is empty', 16, { 16: '[]' }, 13],
    ['belongs to no page, when it lists something else', 16, { 16: '[4 0 R 43 0 R]' }, undefined],
    ['belongs to no page, when no page names it', 70, { 70: '[43 0 R]' }, undefined],
    ['is no list of fields', 60, { 14: [['[44 0 R]', '60 0 R']] }, undefined],
    ['is a list', 40, {}, undefined],
    ['is an object', 99, {}, undefined],
  ])('%s', async (_, number, edits, expected) => {
    expect(await open(edits, (document) => new PageNumbers(document).pageOfList(number))).toBe(expected);
  });
});

describe('the page of a field', () => {
  it.each<[string, Edits, number | undefined]>([
    ['is that of its widget', {}, 3],
    ['is the page that its widget names, when no page lists the widget', { 14: [['[44 0 R]', '[]']] }, 3],
    ['is absent for a hidden widget', { 44: [['/T', '/F 2 /T']] }, undefined],
    ['is absent for a widget without room', { 44: [['[0 0 9 9]', '[0 0 0 9]']] }, undefined],
    ['is absent for a widget on no page', { 44: [['/P 14 0 R', '']], 14: [['[44 0 R]', '[]']] }, undefined],
    [
      'is that of the first visible widget below',
      {
        44: '<</FT /Tx /T (a) /Kids [71 0 R 72 0 R]>>',
        71: '<</Subtype /Widget /F 2 /Rect [0 0 9 9] /P 3 0 R>>',
        72: '<</Subtype /Widget /Rect [0 0 9 9] /P 24 0 R>>',
      },
      5,
    ],
  ])('%s', async (_, edits, expected) => {
    const found = await open(edits, (document) => {
      const [field] = walkFields(document);
      return field && new PageNumbers(document).ofField(field);
    });
    expect(found).toBe(expected);
  });

  it('has the widgets below the field, or the field itself', async () => {
    const kids = { 44: '<</FT /Tx /T (a) /Kids [71 0 R 99 0 R <</X 1>>]>>', 71: '<</Subtype /Widget>>' };
    const numbers = (edits: Edits): Promise<unknown> =>
      open(edits, (document) => [...walkFields(document)].map((field) => widgetsOf(document, field).map(({ number }) => number))); // prettier-ignore
    expect(await numbers({})).toEqual([[44]]);
    expect(await numbers(kids)).toEqual([[71, undefined]]);
  });
});

describe('a dictionary like a page', () => {
  const document = documentWith(objectsOf({ 4: '(text)', 5: '[6 0 R]', 7: '/Page' }));
  it.each([
    ['<</Type /Page>>', true],
    ['<</Type 7 0 R>>', true],
    ['<</Type /Pages>>', true],
    ['<</Type /Annot>>', false],
    ['<<>>', false],
    ['<</Resources 1>>', true],
    ['<</MediaBox 1>>', true],
    ['<</CropBox 1>>', true],
    ['<</Annots 1>>', true],
    ['<</Kids 1>>', true],
    ['<</Contents (text)>>', false],
    ['<</Contents 4 0 R>>', false],
    ['<</Contents 5 0 R>>', true],
    ['<</Contents 9 0 R>>', false],
    ['[]', false],
  ])('%s: %s', (text, expected) => {
    expect(isLikePage(document, read(text))).toBe(expected);
  });
});

describe('an annotation with flags', () => {
  const rectangle = '/Rect [0 0 9 9]';
  it.each([
    [rectangle, true, true],
    [`${rectangle} /F 4`, true, true],
    [`${rectangle} /F 2`, false, false],
    [`${rectangle} /F 6`, false, false],
    [`${rectangle} /F 32`, false, false],
    [`${rectangle} /F 36`, false, true],
    [`${rectangle} /F 288`, false, true],
    [`${rectangle} /F 290`, false, false],
    [`${rectangle} /F (x)`, true, true],
    [`${rectangle} /Subtype /Popup`, false, false],
    ['/Rect [0 0 0 9]', false, false],
    ['/Rect [0 0 9 0]', false, false],
    ['/Rect [5 0 R 0 9 9]', false, false],
    ['/Rect [(x) 0 0 9]', false, false],
    ['/Rect (x)', false, false],
    ['', false, false],
  ])('of %s is seen on the screen: %s, and somewhere: %s', (entries, visible, somewhere) => {
    const annotation = read(`<<${entries}>>`) as PdfDictionary;
    const document = documentWith(objectsOf({ 5: '9' }));
    expect([isVisible(document, annotation), isShownSomewhere(document, annotation)]).toEqual([visible, somewhere]);
  });
});
