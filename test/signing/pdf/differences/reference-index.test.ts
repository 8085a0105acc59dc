/** The index of references to objects, in files of every form. */
import { describe, expect, it } from 'vitest';
import { readObject, ReferenceIndex, siteName } from '../../../../src/signing/pdf/differences/reference-index.ts';
import { readRevisions, RevisionViews } from '../../../../src/signing/pdf/differences/revisions.ts';
import { appendRevision, buildPdf, onePage, type Objects, type PdfShape } from '../build-pdf.ts';
import { openedFiles } from './opened-files.ts';

const open = openedFiles();

/** The uses of an object in each revision, as `3/Contents`; -1 is the trailer. */
const usesOf = (file: Buffer, number: number): Promise<unknown> =>
  open(file, (document) => {
    const revisions = readRevisions(document);
    const views = new RevisionViews(document, revisions);
    const all = revisions.map((revision) => views.of(revision));
    const index = new ReferenceIndex(all, revisions.slice(0, 1), new Set([number]));
    return all.map((view) => index.sitesOf(view.document, number)?.map(siteName));
  });

const BASE: Objects = onePage({
  20: { dictionary: '/Uses [30 0 R]', data: 'x' },
  21: '<</A <</B 30 0 R>>>>',
  30: '(x)',
});

describe('the uses of an object', () => {
  const shapes: readonly (readonly [string, PdfShape])[] = [
    ['a table', {}],
    ['a stream', { kind: 'stream' }],
    ['a table and a stream', { kind: 'hybrid' }],
    ['objects in a stream', { kind: 'stream', compressed: [21, 30] }],
  ];

  it.each(shapes)('are found in streams, dictionaries and lists of a file with %s', async (_, shape) => {
    expect(await usesOf(buildPdf(BASE, shape), 30)).toEqual([['20/Uses/0', '21/A/B']]);
    expect(await usesOf(buildPdf(BASE, shape), 99)).toEqual([[]]);
  });

  it.each(shapes)('of the catalog are those of the trailer, in a file with %s', async (_, shape) => {
    expect(await usesOf(buildPdf(BASE, shape), 1)).toEqual([['-1/Root']]);
  });

  it('are those of each revision', async () => {
    const file = appendRevision(buildPdf(BASE), { 21: '<<>>', 22: '[30 0 R 30 0 R]' });
    expect(await usesOf(file, 30)).toEqual([
      ['20/Uses/0', '21/A/B'],
      ['20/Uses/0', '22/0', '22/1'],
    ]);
  });

  it('in the trailer are those of every entry but the OpenDocument file', async () => {
    const trailer = '/Info 30 0 R /Own [30 0 R] /AdditionalStreams [/x 30 0 R]';
    expect(await usesOf(buildPdf({ 1: BASE[1] ?? '', 2: BASE[2] ?? '', 3: BASE[3] ?? '', 30: '<<>>' }, { trailer }), 30)).toEqual([['-1/Info', '-1/Own/0']]); // prettier-ignore
  });

  it.each([
    [1000, 1000],
    [1001, undefined],
  ])('are too many to count above a thousand: %i', async (count, known) => {
    const file = buildPdf({ ...onePage(), 22: `[${'30 0 R '.repeat(count)}]`, 30: '(x)' });
    const [sites] = (await usesOf(file, 30)) as [readonly string[] | undefined];
    expect(sites?.length).toBe(known);
  });
});

describe('an object', () => {
  it('is null when it cannot be read, or is missing', async () => {
    const file = buildPdf({ ...BASE, 40: '<</A' });
    expect(await open(file, (document) => [40, 99].map((number) => readObject(document, number)))).toEqual([
      null,
      null,
    ]);
  });
});
