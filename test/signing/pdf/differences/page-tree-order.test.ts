/** Page trees of two revisions, in memory: the same pages below other nodes, and other pages. */
import { describe, expect, it } from 'vitest';
import { rehungNodes } from '../../../../src/signing/pdf/differences/rules/page-tree-order.ts';
import type { Step } from '../../../../src/signing/pdf/differences/step-ledger.ts';
import type { PdfDocument } from '../../../../src/signing/pdf/reading/pdf-document.ts';
import { PdfReference, type PdfValue } from '../../../../src/signing/pdf/syntax/values.ts';
import { documentWith, objectsOf, read } from './memory-document.ts';

type Texts = Readonly<Record<number, string>>;

const node = (parent: number, kids: string, count: number, more = ''): string =>
  `<</Type /Pages ${parent === 0 ? '' : `/Parent ${parent} 0 R`} /Kids [${kids}] /Count ${count} ${more}>>`;
const page = (parent: number, more = ''): string => `<</Type /Page /Parent ${parent} 0 R ${more}>>`;

/** The pages 10, 11, 12 and 13 below the nodes 2, 3, 4 and 5. */
const BASE: Texts = {
  2: node(0, '3 0 R 4 0 R', 4),
  3: node(2, '10 0 R 11 0 R', 2),
  4: node(2, '12 0 R 5 0 R', 2),
  5: node(4, '13 0 R', 1),
  10: page(3),
  11: page(3),
  12: page(4),
  13: page(5),
};

/** Objects read since the last step was made. */
let readings: number[] = [];

function documentOf(texts: Texts, root = '2 0 R'): PdfDocument {
  const document = documentWith(objectsOf(texts));
  const plain = document.resolve;
  return Object.assign(document, {
    resolve: (value: PdfValue | undefined) => {
      if (value instanceof PdfReference) readings.push(value.number);
      return plain(value);
    },
    catalog: { value: new Map([['Pages', read(root)]]) },
  });
}

/** The nodes that were hung in another way, when the pages stay the same. */
function rehung(
  edits: Texts,
  {
    base = {},
    root = '2 0 R',
    touched = Object.keys(edits).map(Number),
  }: { base?: Texts; root?: string; touched?: readonly number[] } = {},
): readonly number[] | undefined {
  readings = [];
  const [then, now] = [documentOf({ ...BASE, ...base }), documentOf({ ...BASE, ...base, ...edits }, root)];
  const known = { ...BASE, ...base };
  const moved = {
    touched: new Set(touched.filter((number) => known[number] !== undefined)),
    added: new Set(touched.filter((number) => known[number] === undefined)),
  };
  const step = { before: { document: then }, after: { document: now }, moved } as unknown as Step;
  const nodes = rehungNodes(step);
  expect(rehungNodes(step)).toBe(nodes);
  return nodes && [...nodes].sort((one, other) => one - other);
}

describe('a page tree with the same pages', () => {
  it.each<[string, Texts, readonly number[]]>([
    ['may repeat a node', { 3: BASE[3]! }, [2, 3]],
    ['may repeat a page', { 13: BASE[13]! }, [2, 4, 5]],
    ['may get private data in a node', { 3: node(2, '10 0 R 11 0 R', 2, '/Own 1') }, [2, 3]],
    ['may hang its pages below the root', { 2: node(0, '10 0 R 11 0 R 12 0 R 13 0 R', 4), 10: page(2), 11: page(2), 12: page(2), 13: page(2) }, [2, 3, 4, 5]], // prettier-ignore
    ['may get a new node', { 2: node(0, '3 0 R 6 0 R', 4), 6: node(2, '4 0 R', 2), 4: node(6, '12 0 R 5 0 R', 2) }, [2, 4, 6]], // prettier-ignore
    ['may get an empty node', { 2: node(0, '6 0 R 3 0 R 4 0 R', 4), 6: node(2, '', 0) }, [2, 6]],
    ['may get its list in another object', { 3: '<</Type /Pages /Parent 2 0 R /Kids 7 0 R /Count 2>>', 7: '[10 0 R 11 0 R]' }, [2, 3, 7]], // prettier-ignore
    ['may lack the parent of a page', { 10: '<</Type /Page>>' }, [2, 3]],
    ['may say an attribute again in a node', { 3: node(2, '10 0 R 11 0 R', 2, '/Rotate null') }, [2, 3]],
  ])('%s', (_, edits, nodes) => {
    expect(rehung(edits)).toEqual(nodes);
  });

  it('is read where it changed, and nowhere else', () => {
    rehung({ 3: BASE[3]! });
    expect(readings).not.toContain(5);
    expect(readings).not.toContain(13);
    rehung({ 13: BASE[13]! });
    expect(readings).not.toContain(10);
    expect(readings).not.toContain(11);
  });

  it('is read from changed objects of the tree alone', () => {
    const annotation = '<</Subtype /Text /Parent 3 0 R>>';
    expect(rehung({ 50: annotation }, { base: { 50: annotation } })).toEqual([2]);
    const field = '<</Kids [] /Parent 3 0 R>>';
    expect(rehung({ 50: field }, { base: { 50: field } })).toEqual([2, 3]);
  });

  it('may have parents in a circle beside the tree', () => {
    const circle = { 50: '<</Type /X /Parent 51 0 R>>', 51: '<</Type /X /Parent 50 0 R>>' };
    expect(rehung({ 50: circle[50] }, { base: circle })).toEqual([2]);
  });
});

describe('a page tree with other pages', () => {
  it.each<[string, Texts]>([
    ['has its pages in another order', { 3: node(2, '11 0 R 10 0 R', 2) }],
    ['has its nodes in another order', { 2: node(0, '4 0 R 3 0 R', 4) }],
    ['lacks a page', { 2: node(0, '3 0 R 4 0 R', 3), 3: node(2, '10 0 R', 1) }],
    ['has another page', { 3: node(2, '10 0 R 20 0 R', 2), 20: page(3) }],
    ['has a page twice', { 3: node(2, '10 0 R 10 0 R', 2) }],
    ['has one page more', { 2: node(0, '3 0 R 4 0 R', 5), 3: node(2, '10 0 R 11 0 R 20 0 R', 3), 20: page(3) }],
    ['has a wrong count', { 3: node(2, '10 0 R 11 0 R', 3) }],
    ['has a wrong count in the root', { 2: node(0, '3 0 R 4 0 R', 5) }],
    ['has no count', { 3: '<</Type /Pages /Parent 2 0 R /Kids [10 0 R 11 0 R]>>' }],
    ['has a page inside the list', { 3: node(2, '10 0 R <</Type /Page>>', 2) }],
    ['has a page that is missing', { 3: node(2, '10 0 R 99 0 R', 2) }],
    ['has a page with another parent', { 10: page(4) }],
    ['has a page with a direct parent', { 10: '<</Type /Page /Parent <<>>>>' }],
    ['has a node with another parent', { 3: node(4, '10 0 R 11 0 R', 2) }],
    ['has a node without kids', { 2: '<</Type /Pages /Count 4>>' }],
    ['has a root that is a list', { 2: '[3 0 R 4 0 R]' }],
    ['has a node below itself', { 4: node(2, '12 0 R 4 0 R', 2) }],
    ['has a node as a page', { 5: '<</Type /Pages /Parent 4 0 R>>' }],
    ['inherits another size', { 3: node(2, '10 0 R 11 0 R', 2, '/MediaBox [0 0 9 9]') }],
    ['inherits another rotation from the root', { 2: node(0, '3 0 R 4 0 R', 4, '/Rotate 90') }],
  ])('%s', (_, edits) => {
    expect(rehung(edits)).toBeUndefined();
  });

  it('has a root inside the catalog', () => {
    expect(rehung({ 3: BASE[3]! }, { root: '<</Type /Pages /Kids [3 0 R 4 0 R] /Count 4>>' })).toBeUndefined();
  });

  it('has a neighbour without a count', () => {
    const base = { 5: '<</Type /Pages /Parent 4 0 R /Kids [13 0 R]>>' };
    expect(rehung({ 12: BASE[12]! }, { base })).toBeUndefined();
  });

  it('has the pages of a neighbour that lost its own', () => {
    // The neighbour is the same object in both revisions and counts for as many pages as the entry says.
    const base = { 3: node(2, '10 0 R 11 0 R', 2), 4: node(2, '12 0 R 5 0 R', 7), 2: node(0, '3 0 R 4 0 R', 9) };
    expect(rehung({ 3: base[3] }, { base })).toEqual([2, 3]);
    expect(rehung({ 2: node(0, '4 0 R 3 0 R', 9) }, { base })).toBeUndefined();
  });
});

describe('an attribute that pages inherit', () => {
  const size = '/MediaBox [0 0 9 9]';
  const bothSizes = { 10: page(3, size), 11: page(3, size) };

  it('may change above pages with an attribute of their own', () => {
    expect(rehung({ 3: node(2, '10 0 R 11 0 R', 2, '/MediaBox [0 0 5 5]') }, { base: bothSizes })).toEqual([2, 3]);
  });

  it('may not change above a page without one', () => {
    const base = { 10: page(3, size) };
    expect(rehung({ 3: node(2, '10 0 R 11 0 R', 2, '/MediaBox [0 0 5 5]') }, { base })).toBeUndefined();
    const changed = node(2, '10 0 R 11 0 R', 2, '/MediaBox [0 0 5 5] /Rotate 90');
    expect(rehung({ 3: changed }, { base: bothSizes })).toBeUndefined();
  });

  it('may change above a page that changed as well: the page has a rule of its own', () => {
    const edits = { 5: node(4, '13 0 R', 1, '/Rotate 90'), 13: page(5, '/Own 1') };
    expect(rehung(edits)).toEqual([2, 4, 5]);
    expect(rehung({ 5: edits[5] })).toBeUndefined();
  });

  it('may move from the root to each node', () => {
    const base = { 2: node(0, '3 0 R 4 0 R', 4, size) };
    const edits = {
      2: node(0, '3 0 R 4 0 R', 4),
      3: node(2, '10 0 R 11 0 R', 2, size),
      4: node(2, '12 0 R 5 0 R', 2, size),
    };
    expect(rehung(edits, { base })).toEqual([2, 3, 4]);
    expect(rehung({ 2: edits[2], 3: edits[3] }, { base })).toBeUndefined();
  });
});

describe('a deep page tree', () => {
  const tree = (depth: number): Texts => {
    const texts: Record<number, string> = { 2: node(0, '100 0 R', 1) };
    for (let level = 0; level < depth; level += 1) {
      texts[100 + level] = node(level === 0 ? 2 : 99 + level, level === depth - 1 ? '10 0 R' : `${101 + level} 0 R`, 1);
    }
    return { ...texts, 10: page(99 + depth) };
  };

  it.each([
    [256, true],
    [257, false],
  ])('of %i levels below the root is compared: %s', (depth, isCompared) => {
    const base = tree(depth);
    expect(rehung(base, { base }) !== undefined).toBe(isCompared);
  });
});
