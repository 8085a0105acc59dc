import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendRevision, buildPdf, onePage, type Objects } from '../build-pdf.ts';
import { Workshop } from '../workshop.ts';
import { factsOf } from './contract.ts';

let workshop: Workshop;
/** A file with two signatures. */
let signed: Buffer;
beforeAll(async () => {
  workshop = await Workshop.open();
  const one = await workshop.sign(await workshop.write(buildPdf(onePage())));
  signed = await readFile((await workshop.sign(one.path)).path);
});
afterAll(() => workshop.close());

/** The file with its last link to an earlier version replaced by another of the same length. */
function withLastPrevious(file: Buffer, previous: string): Buffer {
  const match = [...file.toString('latin1').matchAll(/\/Prev \d+/g)].at(-1)!;
  const copy = Buffer.from(file);
  copy.write(previous.padEnd(match[0].length), match.index, 'latin1');
  return copy;
}

/** The problems of all signatures, and the problems of the file. */
async function told(file: Buffer): Promise<{ signatures: readonly unknown[]; problems: readonly string[] }> {
  const { signatures, problems } = await factsOf(await workshop.write(file));
  return {
    signatures: signatures.map(({ fieldName, problem }) => problem?.code ?? fieldName),
    problems: problems.map(({ code }) => code),
  };
}

describe('a signature held by the file', () => {
  it.each(['/Prev 0', '/Older 1'])('is listed as lost when the last version has %s', async (previous) => {
    const file = withLastPrevious(appendRevision(signed, onePage()), previous);
    const { signatures } = await told(file);
    expect(signatures).toEqual(['SIGNATURE_UNREACHABLE', 'SIGNATURE_UNREACHABLE']);
  });

  it('is listed as lost beside a signature of the version hiding the signature', async () => {
    const hiding = withLastPrevious(appendRevision(signed, onePage()), '/Prev 0');
    const { path } = await workshop.sign(await workshop.write(hiding));
    const { signatures } = await told(await readFile(path));
    expect(signatures).toEqual(['SIGNATURE_UNREACHABLE', 'SIGNATURE_UNREACHABLE', 'Signature1']);
  });

  it('is listed as cut off when the file lost its end', async () => {
    expect(await told(signed.subarray(0, -200))).toEqual({
      signatures: ['Signature1', 'BYTE_RANGE_OUTSIDE'],
      problems: ['LAST_VERSION_CUT_OFF'],
    });
  });

  it('leaves the file incomplete when the signature itself is cut off', async () => {
    const middle = signed.lastIndexOf('/Contents <') + 300;
    const { signatures, problems } = await told(signed.subarray(0, middle));
    expect({ signatures, problems }).toEqual({ signatures: ['Signature1'], problems: ['LAST_VERSION_CUT_OFF'] });
  });

  it('is told as removed when an earlier version shows the signature', async () => {
    const emptied = appendRevision(signed, { 1: '<</Type /Catalog /Pages 2 0 R>>' });
    expect(await told(emptied)).toEqual({ signatures: [], problems: ['SIGNATURE_REMOVED'] });
  });

  it('is none of this file when part of a signed PDF inside', async () => {
    const outer = buildPdf({ ...onePage(), 6: { dictionary: '/Type /EmbeddedFile', data: signed } });
    expect(await told(outer)).toEqual({ signatures: [], problems: [] });
  });

  it('is none when its reserved space was never filled', async () => {
    const { path } = await workshop.sign(await workshop.write(buildPdf(onePage())));
    const draft = (await readFile(path)).toString('latin1').replace(/\/Contents <[0-9a-f]+>/, (hex) => {
      return hex.replace(/<[0-9a-f]+>/, (digits) => `<${'0'.repeat(digits.length - 2)}>`);
    });
    const file = withLastPrevious(appendRevision(Buffer.from(draft, 'latin1'), onePage()), '/Prev 0');
    expect((await told(file)).signatures).toEqual([]);
  });
});

describe('a signature field that the form does not list', () => {
  const VALUE = '<</Type /Sig /SubFilter /adbe.pkcs7.detached /ByteRange [0 10 20 30] /Contents <3000>>>';
  const widget = (value: string, flags = 4): string =>
    `<</Type /Annot /Subtype /Widget /FT /Sig /T (x) /F ${flags} /Rect [9 9 99 99] /P 3 0 R ${value}>>`;
  const PAGE = '<</Type /Page /Parent 2 0 R /Contents 4 0 R /Annots [60 0 R]>>';
  const TOLD = { signatures: [], problems: ['FIELD_NOT_LISTED'] };

  it.each([
    ['with its signature in an object of its own', { 60: widget('/V 61 0 R'), 61: VALUE }],
    ['with its signature inside', { 60: widget(`/V ${VALUE}`) }],
    ['that is hidden', { 60: widget('/V 61 0 R', 2), 61: VALUE }],
    ['with a byte range without a number', { 60: widget('/V 61 0 R'), 61: VALUE.replace('0 10 20 30', '') }],
    [
      'with a long signature in front of its byte range',
      { 60: widget('/V 61 0 R'), 61: `<</Contents <${'30'.repeat(20_000)}> /ByteRange [0 1 2 3]>>` },
    ],
  ])('is told when a page shows one %s', async (_, objects) => {
    expect(await told(buildPdf(onePage({ 3: PAGE, ...objects })))).toEqual(TOLD);
  });

  it('is told beside a signature of the form', async () => {
    const file = buildPdf(onePage({ 3: PAGE, 60: widget('/V 61 0 R'), 61: VALUE }));
    const { path } = await workshop.sign(await workshop.write(file));
    expect(await told(await readFile(path))).toEqual({ ...TOLD, signatures: ['Signature1'] });
  });

  it.each([
    ['the form lists it', { 1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [60 0 R]>>>>', 3: PAGE }],
    ['no page shows it', {}],
  ])('is nothing to tell when %s', async (_, objects: Objects) => {
    const file = buildPdf(onePage({ 60: widget('/V 61 0 R'), 61: VALUE, ...objects }));
    expect((await told(file)).problems).toEqual([]);
  });

  it('is nothing to tell when a later version has emptied it', async () => {
    const file = buildPdf(onePage({ 3: PAGE, 60: widget('/V 61 0 R'), 61: VALUE }));
    expect((await told(appendRevision(file, { 60: widget('') }))).problems).toEqual([]);
  });
});
