import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSecurityStore } from '../../../../src/signing/pdf/differences/read-security-store.ts';
import { readRevisions, type Revision } from '../../../../src/signing/pdf/differences/revisions.ts';
import { SigningError } from '../../../../src/signing/errors.ts';
import { PdfDocument } from '../../../../src/signing/pdf/reading/pdf-document.ts';
import { PdfReference, PdfStream, type PdfValue } from '../../../../src/signing/pdf/syntax/values.ts';
import { appendRevision, buildPdf, onePage, type Objects } from '../build-pdf.ts';
import { documentWith, objectsOf } from './memory-document.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-store-'));
});
afterAll(() => rm(folder, { recursive: true }));

const CATALOG = '<</Type /Catalog /Pages 2 0 R /DSS 6 0 R>>';
const stream = (data: string) => ({ dictionary: '', data });

/** The number of the revision of each OCSP response in the store. */
async function numbersIn(file: Buffer): Promise<Readonly<Record<string, number | undefined>>> {
  const path = join(folder, 'file.pdf');
  await writeFile(path, file);
  const document = await PdfDocument.open(path);
  try {
    const { store } = readSecurityStore(document, readRevisions(document));
    return Object.fromEntries(store?.ocspResponses.map((data) => [data.toString(), store.revisionOf?.(data)]) ?? []);
  } finally {
    await document.close();
  }
}

describe('readSecurityStore', () => {
  const first = appendRevision(buildPdf(onePage()), {
    1: CATALOG,
    6: '<</Type /DSS /OCSPs [7 0 R 8 0 R]>>',
    7: stream('answer'),
    8: stream('another answer'),
  });

  it('tells the revision first bringing the bytes into the store', async () => {
    const second = appendRevision(first, { 6: '<</Type /DSS /OCSPs [7 0 R 8 0 R 9 0 R]>>', 9: stream('newer') });
    expect(await numbersIn(second)).toEqual({ answer: 2, 'another answer': 2, newer: 3 });
  });

  it('finds the first revision of bytes written again later, as EU DSS does', async () => {
    const second = appendRevision(first, {
      6: '<</Type /DSS /OCSPs [7 0 R 9 0 R 10 0 R]>>',
      7: stream('answer'),
      9: stream('another answer'),
      10: stream('newer'),
    });
    expect(await numbersIn(second)).toEqual({ answer: 2, 'another answer': 2, newer: 3 });
  });

  it('does not take other bytes under the same number for the earlier ones', async () => {
    const second = appendRevision(first, { 7: stream('changed') });
    expect(await numbersIn(second)).toEqual({ changed: 3, 'another answer': 2 });
  });
});

/** The lists of the store in a file, and whether the store was read. */
async function listsIn(objects: Objects): Promise<unknown> {
  const path = join(folder, 'file.pdf');
  await writeFile(path, buildPdf(onePage(objects)));
  const document = await PdfDocument.open(path);
  try {
    const { store, complete } = readSecurityStore(document, readRevisions(document));
    const texts = (list: readonly Uint8Array[] | undefined): string => list?.map(String).join(' ') ?? 'none';
    return [texts(store?.certificates), texts(store?.ocspResponses), texts(store?.crls), complete];
  } finally {
    await document.close();
  }
}

describe('the lists of a security store', () => {
  const three = { 7: stream('one'), 8: stream('two'), 9: stream('three') };

  it.each<[string, Objects, unknown]>([
    ['are told apart', { 6: '<</Certs [7 0 R] /OCSPs [8 0 R] /CRLs [9 0 R]>>' }, ['one', 'two', 'three', true]],
    ['are read once for each place', { 6: '<</Certs [7 0 R 7 0 R 8 0 R]>>' }, ['one two', '', '', true]],
    ['may be missing', { 6: '<</Certs 5>>' }, ['', '', '', true]],
    ['may be empty', { 6: '<<>>' }, ['', '', '', true]],
    ['pass over direct values', { 6: '<</Certs [(x) 7 0 R 5]>>' }, ['one', '', '', true]],
    ['tell a missing stream', { 6: '<</Certs [7 0 R 99 0 R 98 0 R]>>' }, ['one', '', '', false]],
    ['tell a stream that is none', { 6: '<</Certs [5 0 R 7 0 R]>>' }, ['one', '', '', false]],
    ['tell a stream that cannot be decoded', { 6: '<</Certs [7 0 R 8 0 R]>>', 8: { dictionary: '/Filter /Xyz', data: 'x' } }, ['one', '', '', false]], // prettier-ignore
    ['are none in a store that is no dictionary', { 6: '[7 0 R]' }, ['none', 'none', 'none', true]],
    ['are none without a store', { 1: '<</Type /Catalog /Pages 2 0 R>>' }, ['none', 'none', 'none', true]],
  ])('%s', async (_, objects, expected) => {
    expect(await listsIn({ 1: CATALOG, ...three, ...objects })).toEqual(expected);
  });
});

describe('the revision of bytes in a store', () => {
  /** A document of streams in memory: each is read, and ends where its length says. */
  const documentOf = (store: string, streams: Readonly<Record<number, string>>, size = 1): PdfDocument => {
    const document = documentWith(objectsOf({ 6: store }));
    const plain = document.resolve;
    const ends = new Map<number, PdfStream>();
    for (const [number, length] of Object.entries(streams)) {
      const dictionary = new Map([['Length', objectsOf({ 1: length })[1]!]]);
      ends.set(Number(number), new PdfStream(dictionary, 10 * Number(number)));
    }
    const resolve = (value: PdfValue | undefined): PdfValue =>
      (value instanceof PdfReference ? ends.get(value.number) : undefined) ?? plain(value);
    return Object.assign(document, {
      resolve,
      catalog: { value: new Map([['DSS', new PdfReference(6, 0)]]) },
      crossReference: {},
      readStream: (value: PdfReference) => Buffer.alloc(size, value.number),
    });
  };
  const endingAt = (...ends: readonly (number | undefined)[]): readonly Revision[] =>
    ends.map((end, index) => ({ number: index + 1, end, structure: index }) as unknown as Revision);
  const numberIn = (document: PdfDocument, revisions: readonly Revision[]): number | undefined => {
    const { store } = readSecurityStore(document, revisions);
    return store?.revisionOf?.(store.certificates[0]!);
  };

  it.each<[string, string, readonly (number | undefined)[], number | undefined]>([
    ['is the first that ends behind the bytes', '5', [70, 80, 90], 2],
    ['may end with the bytes', '5', [70, 75, 90], 2],
    ['is unknown behind the last end', '50', [70, 80], undefined],
    ['is not one without an end', '5', [undefined, 80], 2],
    ['is unknown where the length is', '(x)', [70, 80], undefined],
  ])('%s', (_, length, ends, expected) => {
    const document = documentOf('<</Certs [7 0 R]>>', { 7: length });
    const views = Object.assign(document, { seenThrough: () => ({ resolve: () => null, catalog: { value: new Map() } }) }); // prettier-ignore
    expect(numberIn(views, endingAt(...ends))).toBe(expected);
  });

  it('is that of an earlier store with the same bytes, unless the earlier store is damaged', () => {
    const document = documentOf('<</Certs [8 0 R]>>', { 8: '5' });
    const seen: unknown[] = [];
    const through = (open: () => PdfDocument): PdfDocument =>
      Object.assign(document, { seenThrough: (structure: unknown) => (seen.push(structure), open()) });
    const earlier = Object.assign(documentOf('<</Certs [7 0 R]>>', { 7: '5' }), { readStream: () => Buffer.alloc(1, 8) }); // prettier-ignore
    expect(
      numberIn(
        through(() => earlier),
        endingAt(75, 85),
      ),
    ).toBe(1);
    expect(seen).toEqual([0]);
    const failing = (code: SigningError['code']): PdfDocument => {
      const broken = { resolve: () => { throw new SigningError(code, 'x'); }, catalog: { value: new Map() } }; // prettier-ignore
      return through(() => broken as unknown as PdfDocument);
    };
    expect(numberIn(failing('PDF_MALFORMED'), endingAt(75, 85))).toBe(2);
    expect(() => numberIn(failing('PDF_UNSUPPORTED'), endingAt(75, 85))).toThrow(SigningError);
  });

  it.each([
    [10_001, 1, 10_001, true],
    [10_002, 1, 10_001, false],
    [5, 16 * 1024 * 1024, 5, true],
    [6, 16 * 1024 * 1024, 5, false],
  ])('is asked for %i streams of %i bytes: %i are read', (count, size, read, complete) => {
    const numbers = Array.from({ length: count }, (_, index) => index + 10);
    const streams = Object.fromEntries(numbers.map((number) => [number, '1']));
    const list = numbers.map((number) => `${number} 0 R`).join(' ');
    const found = readSecurityStore(documentOf(`<</Certs [${list}]>>`, streams, size), endingAt(999_999));
    expect([found.store?.certificates.length, found.complete]).toEqual([read, complete]);
  });
});
