/** Places of objects in later revisions, each with everything that is told about the change. */
import { describe, expect, it } from 'vitest';
import { appendRevision, buildPdf, type Objects, type PdfShape } from '../build-pdf.ts';
import { appendTable, offsetsOf } from './contract.ts';
import { changesIn } from './unsigned-changes.ts';

const stream = (data: string): Objects[number] => ({ dictionary: '', data });
/** Object numbers: 3 page with the content 4 and the font 5, 6 annotation, 7 private data of the catalog. */
const BASE: Objects = {
  1: '<</Type /Catalog /Pages 2 0 R /Own 7 0 R>>',
  2: '<</Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 595 842]>>',
  3: '<</Type /Page /Parent 2 0 R /Contents 4 0 R /Resources <</Font <</F1 5 0 R>>>> /Annots [6 0 R]>>',
  4: stream('BT ET'),
  5: '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>',
  6: '<</Type /Annot /Subtype /Text /Rect [0 0 9 9] /P 3 0 R>>',
  7: '<</Text (x)>>',
  17: '<</Title (x)>>',
};
const INFO = '/Info 17 0 R';
const COURIER = '<</Type /Font /Subtype /Type1 /BaseFont /Courier>>';
const packed: PdfShape = { kind: 'stream', compressed: [1, 2, 3, 5, 6, 7] };

describe('a revision of any form', () => {
  const shapes: readonly (readonly [string, PdfShape])[] = [
    ['a table', {}],
    ['a stream', { kind: 'stream' }],
    ['a table and a stream', { kind: 'hybrid' }],
    ['objects in a stream', packed],
  ];
  it.each(shapes.flatMap((first) => shapes.map((later) => [first[0], later[0], first[1], later[1]] as const)))(
    'tells the same changes: %s, then %s',
    async (_, __, first, later) => {
      const file = buildPdf(BASE, { ...first, trailer: INFO });
      const shape = { ...later, trailer: INFO, ...(later.compressed && { compressed: [5] }) };
      expect(await changesIn(appendRevision(file, { 5: BASE[5] ?? '' }, shape))).toEqual([]);
      expect(await changesIn(appendRevision(file, { 5: COURIER }, shape))).toEqual(['PAGE_RESOURCES_CHANGED 5 page 1']);
      expect(await changesIn(appendRevision(file, { 9: '(new)' }, { ...shape, compressed: [] }))).toEqual([]);
    },
  );
});

describe('an entry of a later table', () => {
  const file = buildPdf(BASE, { trailer: INFO });
  const at = offsetsOf(file);
  const other = `5 0 obj\n${COURIER}\nendobj\n`;

  it.each<[string, string, Readonly<Record<number, number | 'free'>>, readonly string[]]>([
    ['may repeat the place of an object', '', { 5: at[5] ?? 0 }, []],
    [
      'may not lead to another object of the file',
      '',
      { 5: at[7] ?? 0 },
      ['OBJECT_REPOINTED 5', 'PAGE_RESOURCES_CHANGED 5 page 1'],
    ],
    ['may lead to an object in the revision', other, { 5: file.length }, ['PAGE_RESOURCES_CHANGED 5 page 1']],
    [
      'may not lead behind the revision',
      '',
      { 5: file.length + 9999 },
      ['OBJECT_REPOINTED 5', 'PAGE_RESOURCES_CHANGED 5 page 1'],
    ],
    ['may not name a new object in the earlier file', '', { 9: at[7] ?? 0 }, ['OBJECT_REPOINTED 9']],
    ['may free an object that is used', '', { 7: 'free' }, ['OBJECT_REMOVED 7']],
    ['may free an object that nobody uses', '', { 12: 'free' }, []],
  ])('%s', async (_, body, entries, expected) => {
    expect(await changesIn(appendTable(file, body, entries))).toEqual(expected);
  });
});

describe('an entry that was ahead of its object', () => {
  const body = `9 0 obj\n${COURIER}\nendobj\n`;
  /** A first revision that names the object 9 at a place behind its end. */
  const ahead = (offset: number): Buffer => {
    const base = buildPdf({ ...BASE, 7: '<</Text 9 0 R>>' }, { trailer: INFO });
    return appendTable(base, '', { 9: base.length + offset });
  };
  const begin = (file: Buffer): number => Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(file.toString('latin1'))?.[1]);

  it('is told when a later revision puts an object there', async () => {
    // The length of the table is the same for each offset of this size.
    const start = begin(ahead(1000));
    const first = ahead(ahead(1000).length - start);
    const later = appendTable(first, body, { 12: 'free' });
    expect(first.length).toBe(begin(first) + (first.length - start));
    expect(await changesIn(later)).toContain('PHANTOM_OBJECT 9');
  });

  it('is not told while nothing is there', async () => {
    const first = ahead(9_000_000);
    expect(await changesIn(appendTable(first, body, { 12: 'free' }))).not.toContain('PHANTOM_OBJECT 9');
  });
});

describe('the two lists of a hybrid revision', () => {
  const file = buildPdf(BASE, { trailer: INFO });
  it.each<[string, Objects, PdfShape, readonly string[]]>([
    [
      'may hide an object from the table',
      { 5: COURIER },
      { kind: 'hybrid', compressed: [5] },
      ['PAGE_RESOURCES_CHANGED 5 page 1'],
    ],
    [
      'may not give an object two places',
      { 5: BASE[5] ?? '' },
      { kind: 'hybrid', hiddenAt: { 5: offsetsOf(file)[7] ?? 0 } },
      ['HIDDEN_OBJECT_CHANGED 5'],
    ],
  ])('%s', async (_, objects, shape, expected) => {
    expect(await changesIn(appendRevision(file, objects, { ...shape, trailer: INFO }))).toEqual(expected);
  });
});

describe('data behind the last revision', () => {
  const file = buildPdf(BASE, { trailer: INFO });
  it.each([
    ['white space', ' \n\r\t\f\0', []],
    ['a comment', '\n%x', ['CONTENT_OUTSIDE_REVISIONS']],
    ['much white space', ' '.repeat(70_000), ['CONTENT_OUTSIDE_REVISIONS']],
  ])('is told, unless it is white space: %s', async (_, data, expected) => {
    expect(await changesIn(Buffer.concat([file, Buffer.from(data)]))).toEqual(expected);
    const later = appendRevision(file, { 9: '(x)' }, { trailer: INFO });
    expect(await changesIn(Buffer.concat([later, Buffer.from(data)]))).toEqual(expected);
  });
});

describe('too many revisions', () => {
  it('are not compared', async () => {
    let file = buildPdf(BASE, { trailer: INFO });
    for (let count = 0; count < 513; count += 1) file = appendTable(file, '', { 12: 'free' });
    const changes = await changesIn(file);
    expect([changes.length, new Set(changes)]).toEqual([513, new Set(['NOT_COMPARABLE'])]);
  });

  it('are compared up to the limit', async () => {
    let file = buildPdf(BASE, { trailer: INFO });
    for (let count = 0; count < 512; count += 1) file = appendTable(file, '', { 12: 'free' });
    expect(await changesIn(file)).toEqual([]);
  });
});
