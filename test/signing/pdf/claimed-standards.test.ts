import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examinePdf } from '../../../src/signing/index.ts';
import { addDocumentTimestamp } from '../../../src/signing/pdf/long-term/add-document-timestamp.ts';
import { buildPdf, onePage } from './build-pdf.ts';
import type { Objects } from './build-pdf.ts';
import { factsOf } from './differences/contract.ts';
import { LongTermWorkshop } from './long-term-workshop.ts';
import { makePng } from './pictures.ts';
import { Workshop } from './workshop.ts';

let workshop: Workshop;
let longTerm: LongTermWorkshop;
beforeAll(async () => {
  workshop = await Workshop.open();
  longTerm = await LongTermWorkshop.open();
});
afterAll(async () => {
  await workshop.close();
  await longTerm.close();
});

const ARCHIVE = 'pdfaid:part="2" pdfaid:conformance="B"';
const OLD_ARCHIVE = '<pdfaid:part>1</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>';
const ACCESSIBLE = '<pdfuaid:part>1</pdfuaid:part>';

/** A page with these metadata. */
const claiming = (metadata: Buffer | string, more = '', changes: Objects = {}): Objects =>
  onePage({
    1: `<</Type /Catalog /Pages 2 0 R /Metadata 30 0 R ${more}>>`,
    30: { dictionary: '/Type /Metadata /Subtype /XML', data: metadata },
    ...changes,
  });

const TREE: Objects = {
  20: '<</Type /StructTreeRoot /K 21 0 R /ParentTree 23 0 R /ParentTreeNextKey 1>>',
  21: '<</Type /StructElem /S /Document /P 20 0 R /K []>>',
  23: '<</Nums []>>',
};
const TAGGED = '/MarkInfo <</Marked true>> /StructTreeRoot 20 0 R';
const LOOKS = { pages: [1], x: 20, y: 20, width: 100, height: 40, text: 'Ana' };
const PICTURE = makePng({ width: 4, height: 4, depth: 8, colourType: 6, pixel: () => [200, 0, 0, 100] });

describe('the standards that a PDF claims', () => {
  it.each([
    ['attributes', ARCHIVE, '', ['PDF/A-2b']],
    ['elements', `${OLD_ARCHIVE}${ACCESSIBLE}`, '', ['PDF/A-1a', 'PDF/UA-1']],
    ['UTF-16', Buffer.from(OLD_ARCHIVE, 'utf16le'), '', ['PDF/A-1a']],
    ['UTF-32', Buffer.from(Array.from(OLD_ARCHIVE).join('\0\0\0'), 'latin1'), '', ['PDF/A-1a']],
    ['nothing', '<x/>', '', []],
  ])('are read from %s, for the approval and the validation', async (_, metadata, more, standards) => {
    const path = await workshop.write(buildPdf(claiming(metadata, more)));
    expect((await examinePdf(path)).standards).toEqual(standards);
    expect((await factsOf(path)).standards).toEqual(standards);
  });

  it('count as the strictest where the metadata cannot be read beside an output intent of PDF/A', async () => {
    const broken = { dictionary: '/Type /Metadata /Filter /FlateDecode', data: 'not compressed' };
    const intent = '/OutputIntents [<</Type /OutputIntent /S /GTS_PDFA1>>]';
    const path = await workshop.write(buildPdf(claiming('', intent, { 30: broken })));
    const result = await workshop.sign(path, { appearance: { ...LOOKS, image: PICTURE } });
    expect(result.warnings).toMatchObject([{ code: 'PICTURE_FLATTENED', standard: 'PDF/A-1' }]);
    expect(await readFile(result.path, 'latin1')).not.toContain('/SMask');
  });
});

describe('signing a PDF claiming a standard', () => {
  it("tells of a picture's lost transparency, and keeps the standard", async () => {
    const path = await workshop.write(buildPdf(claiming(OLD_ARCHIVE)));
    const appearance = { ...LOOKS, image: PICTURE };
    const { warnings } = await workshop.sign(path, { appearance, keepStandard: true });
    expect(warnings).toEqual([
      {
        code: 'PICTURE_FLATTENED',
        standard: 'PDF/A-1a',
        kept: true,
        detail: 'The file is PDF/A-1a, which allows no transparency here: the picture got a white ground.',
      },
    ]);
  });

  it('has nothing to say where everything is kept, and about a file without claims', async () => {
    const tagged = await workshop.write(buildPdf(claiming(ACCESSIBLE, TAGGED, TREE)));
    expect((await workshop.sign(tagged, { appearance: LOOKS, keepStandard: true })).warnings).toEqual([]);
    const plain = await workshop.write(buildPdf(onePage()));
    expect((await workshop.sign(plain, { appearance: { ...LOOKS, image: PICTURE } })).warnings).toEqual([]);
  });

  it.each<[string, string, Readonly<Record<number, string>>]>([
    ['no structure', '', {}],
    ['a structure without a tree of parents', TAGGED, { 20: '<</Type /StructTreeRoot /K 21 0 R>>' }],
  ])('tells the loss of PDF/UA with %s, or refuses on request', async (_, more, changes) => {
    const path = await workshop.write(buildPdf(claiming(ACCESSIBLE, more, { ...TREE, ...changes })));
    const { warnings } = await workshop.sign(path, { appearance: LOOKS });
    expect(warnings).toMatchObject([{ code: 'FILE_NOT_TAGGED', standard: 'PDF/UA-1', kept: false }]);
    const refusal = await workshop.refusal(path, { appearance: LOOKS, keepStandard: true });
    expect(refusal).toMatchObject({ code: 'PDF_STANDARD_LOST' });
    expect(refusal.message).toContain('PDF/UA-1');
  });

  it('keeps PDF/UA with a time stamp behind a certification allowing no changes', async () => {
    const path = await workshop.write(buildPdf(claiming(ACCESSIBLE, TAGGED, TREE)));
    const certified = await workshop.sign(path, { certify: 'no-changes' });
    const { timestamper } = longTerm.authority;
    const stamp = { inputPath: certified.path, timestamper };
    const { warnings } = await addDocumentTimestamp({ ...stamp, outputPath: workshop.newPath(), keepStandard: true });
    expect(warnings).toEqual([]);
  });

  it('says so of such a time stamp on a page without the tab order of the structure, or refuses on request', async () => {
    const base = {
      ...claiming(ACCESSIBLE, TAGGED, TREE),
      2: '<</Type /Pages /Kids [3 0 R 90 0 R] /Count 2 /MediaBox [0 0 595 842]>>',
      90: '<</Type /Page /Parent 2 0 R /Contents 4 0 R /Tabs /S /Resources <</Font <</F1 5 0 R>>>>>>',
    };
    const appearance = { pages: [2], x: 20, y: 20, width: 100, height: 40, text: 'Ana' };
    const path = await workshop.write(buildPdf(base));
    const certified = await workshop.sign(path, { certify: 'no-changes', appearance });
    const { timestamper } = longTerm.authority;
    const stamp = { inputPath: certified.path, timestamper };
    const { warnings } = await addDocumentTimestamp({ ...stamp, outputPath: workshop.newPath() });
    expect(warnings).toMatchObject([{ code: 'WIDGET_NOT_TAGGED', standard: 'PDF/UA-1', kept: false }]);
    await expect(
      addDocumentTimestamp({ ...stamp, outputPath: workshop.newPath(), keepStandard: true }),
    ).rejects.toMatchObject({ code: 'PDF_STANDARD_LOST' });
  });
});
