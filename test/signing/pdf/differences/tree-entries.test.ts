/** Name trees and number trees, with documents in memory. */
import { describe, expect, it } from 'vitest';
import {
  hasSameEntries,
  readTree,
  type TreeEntries,
  type TreeKind,
} from '../../../../src/signing/pdf/differences/rules/tree-entries.ts';
import { documentWith, objectsOf, read, spent } from './memory-document.ts';

/** The keys of a tree; undefined when programs may find different entries. */
const keysOf = (kind: TreeKind, root: string, objects: Readonly<Record<number, string>> = {}): unknown => {
  const tree = readTree(documentWith(objectsOf(objects)), kind, read(root));
  return tree === undefined ? undefined : [...tree.entries.keys()];
};

describe('a tree', () => {
  it.each<[string, TreeKind, string, Readonly<Record<number, string>>, readonly (string | number)[]]>([
    ['without a root', 'Nums', 'null', {}, []],
    ['with a root that is missing', 'Nums', '9 0 R', {}, []],
    ['without entries', 'Nums', '<<>>', {}, []],
    ['of numbers', 'Nums', '<</Nums [1 (a) 2 (b)]>>', {}, [1, 2]],
    ['of names', 'Names', '<</Names [(a) 1 <62> 2]>>', {}, ['a', 'b']],
    ['with a last key without a value', 'Nums', '<</Nums [1 (a) 2]>>', {}, [1, 2]],
    ['with a list in an object', 'Nums', '<</Nums 4 0 R>>', { 4: '[1 2]' }, [1]],
    ['with kids', 'Nums', '<</Kids [4 0 R 5 0 R]>>', { 4: '<</Nums [1 2]>>', 5: '<</Nums [2 2]>>' }, [1, 2]],
    ['with kids inside the list', 'Nums', '<</Kids [<</Limits [1 1] /Nums [1 2]>>]>>', {}, [1]],
    ['with limits', 'Nums', '<</Kids [<</Limits [1 3] /Nums [1 2 3 4]>>]>>', {}, [1, 3]],
    ['with wider limits', 'Nums', '<</Kids [<</Limits [0 9] /Nums [1 2 3 4]>>]>>', {}, [1, 3]],
    ['with limits of an empty leaf', 'Nums', '<</Kids [<</Limits (x) /Nums []>>]>>', {}, []],
    ['with limits of the root', 'Nums', '<</Limits [7 7] /Nums [1 2]>>', {}, [1]],
    ['with limits of a node', 'Nums', '<</Kids [<</Limits [1 1] /Kids [<</Nums [1 2]>>]>>]>>', {}, [1]],
  ])('%s has its entries', (_, kind, root, objects, keys) => {
    expect(keysOf(kind, root, objects)).toEqual(keys);
  });

  it.each<[string, TreeKind, string, Readonly<Record<number, string>>]>([
    ['that is no dictionary', 'Nums', '[]', {}],
    ['with a kid that is missing', 'Nums', '<</Kids [9 0 R]>>', {}],
    ['with a kid that is null', 'Nums', '<</Kids [null]>>', {}],
    ['with a list that is none', 'Nums', '<</Nums (x)>>', {}],
    ['with kids that are none', 'Nums', '<</Kids (x) /Nums [1 2]>>', {}],
    ['with a key that is none', 'Nums', '<</Nums [(a) 2]>>', {}],
    ['with a number among names', 'Names', '<</Names [(a) 2 3 4]>>', {}],
    ['with the same key twice', 'Nums', '<</Nums [1 2 1 2]>>', {}],
    ['with keys in another order', 'Nums', '<</Nums [2 2 1 2]>>', {}],
    ['with keys in another order in two leaves', 'Nums', '<</Kids [<</Nums [2 2]>> <</Nums [1 2]>>]>>', {}],
    ['with a node twice', 'Nums', '<</Kids [4 0 R 4 0 R]>>', { 4: '<</Nums []>>' }],
    ['with a node below itself', 'Nums', '4 0 R', { 4: '<</Kids [4 0 R]>>' }],
    ['with limits that are none', 'Nums', '<</Kids [<</Limits 1 /Nums [1 2]>>]>>', {}],
    ['with limits of words', 'Nums', '<</Kids [<</Limits [(a) (b)] /Nums [1 2]>>]>>', {}],
    ['with one limit', 'Nums', '<</Kids [<</Limits [1] /Nums [1 2]>>]>>', {}],
    ['with the upper limit alone', 'Nums', '<</Kids [<</Limits [(a) 1] /Nums [1 2]>>]>>', {}],
    ['with a key below the limits', 'Nums', '<</Kids [<</Limits [2 9] /Nums [1 2 3 4]>>]>>', {}],
    ['with a key above the limits', 'Nums', '<</Kids [<</Limits [1 2] /Nums [1 2 3 4]>>]>>', {}],
    ['with a key above the limits of a node', 'Nums', '<</Kids [<</Limits [1 1] /Kids [<</Nums [1 2 3 4]>>]>>]>>', {}],
  ])('%s is not certain', (_, kind, root, objects) => {
    expect(keysOf(kind, root, objects)).toBeUndefined();
  });

  it.each([
    [64, [1]],
    [65, undefined],
  ])('is read through %i levels, and the work is counted', (levels, keys) => {
    const root = '<</Kids ['.repeat(levels) + '<</Nums [1 2]>>' + ']>>'.repeat(levels);
    expect(keysOf('Nums', root)).toEqual(keys);
    expect(spent()).toBe(65 * 64);
  });

  it.each([
    [20_000, true],
    [20_001, false],
  ])('is read up to 20,000 nodes, here %i: %s', (nodes, isRead) => {
    const empty = read('<<>>');
    const objects = Object.fromEntries(Array.from({ length: nodes }, (_, index) => [index + 1, empty]));
    const kids = Array.from({ length: nodes }, (_, index) => `${index + 1} 0 R`).join(' ');
    expect(readTree(documentWith(objects), 'Nums', read(`<</Kids [${kids}]>>`)) !== undefined).toBe(isRead);
  });

  it('tells its nodes and their lists, and the nodes that were passed over', () => {
    const objects = {
      4: '<</Kids 5 0 R>>',
      5: '[6 0 R 7 0 R]',
      6: '<</Nums 8 0 R>>',
      7: '<</Nums [3 4]>>',
      8: '[1 2]',
    };
    const tree = readTree(documentWith(objectsOf(objects)), 'Nums', read('4 0 R'), (number) => number === 7);
    expect([[...(tree?.nodes ?? [])], [...(tree?.passed ?? [])]]).toEqual([[4, 5, 6, 8], [7]]);
    expect([...(tree?.entries.keys() ?? [])]).toEqual([1]);
  });
});

describe('the entries of two trees', () => {
  const tree = (text: string): TreeEntries => readTree(documentWith(), 'Nums', read(text)) as TreeEntries;
  const documents = { before: documentWith(objectsOf({ 4: '(x)' })), after: documentWith(objectsOf({ 5: '(x)', 6: '(y)' })) }; // prettier-ignore
  it.each([
    ['<</Nums [1 4 0 R]>>', '<</Nums [1 5 0 R]>>', true],
    ['<</Nums [1 4 0 R]>>', '<</Nums [1 6 0 R]>>', false],
    ['<</Nums [1 (a)]>>', '<</Nums [2 (a)]>>', false],
    ['<</Nums [1 (a)]>>', '<</Nums [1 (a) 2 (b)]>>', false],
    ['<</Nums [1 (a) 2 (b)]>>', '<</Nums [1 (a)]>>', false],
    ['<</Nums [1 null]>>', '<</Nums [2 null]>>', false],
    ['<<>>', '<</Kids []>>', true],
  ])('of %s and %s are the same: %s', (one, other, same) => {
    expect(hasSameEntries(documents, tree(one), tree(other))).toBe(same);
  });
});
