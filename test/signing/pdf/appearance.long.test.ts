import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkArchive } from '../../oracles/pdf-box.ts';
import { runTool } from '../../oracles/run-program.ts';
import type { PdfSignatureOptions, SignatureAppearance } from '../../../src/signing/pdf/sign-request.ts';
import { buildPdf, emptySignatureField, onePage, withFields } from './build-pdf.ts';
import type { Objects, PdfShape } from './build-pdf.ts';
import { makeWithQpdf, readObjectsWithQpdf } from './oracles.ts';
import { makePng, showPage } from './pictures.ts';
import { expectValid, Workshop } from './workshop.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

const TEXT = 'Assinado por José da Conceição Ávila Ñandú\nMotivo: ação íntegra\nŁódź – “ção” € Œuvre';
const PLACE = { pages: [1], x: 100, y: 40, width: 220, height: 70 };
const BLANK: Objects = { ...onePage(), 4: { dictionary: '', data: '' } };
const black = makePng({ width: 10, height: 10, depth: 1, colourType: 0, pixel: () => [0] });

async function stamp(
  objects: Objects,
  appearance: Partial<SignatureAppearance>,
  more: Partial<PdfSignatureOptions> & { readonly shape?: PdfShape } = {},
): Promise<string> {
  const { shape, ...options } = more;
  const original = await workshop.write(buildPdf(objects, shape));
  return (await workshop.sign(original, { ...options, appearance: { ...PLACE, ...appearance } })).path;
}

const page = (entries: string): Objects => ({
  ...BLANK,
  3: `<</Type /Page /Parent 2 0 R /Contents 4 0 R ${entries}>>`,
});

/** The ink lies in the stamp's place and fills most of its height or width. */
async function expectInkIn(path: string, number = 1): Promise<void> {
  const [left, bottom, right, top] = (await showPage(path, number)).ink() ?? [0, 0, 0, 0];
  expect(left).toBeGreaterThanOrEqual(PLACE.x - 1);
  expect(bottom).toBeGreaterThanOrEqual(PLACE.y - 1);
  expect(right).toBeLessThanOrEqual(PLACE.x + PLACE.width + 1);
  expect(top).toBeLessThanOrEqual(PLACE.y + PLACE.height + 1);
  expect(right - left).toBeGreaterThan(PLACE.width / 2);
}

async function subtypesOf(path: string): Promise<readonly unknown[]> {
  return [...(await readObjectsWithQpdf(path)).values()].map(
    (object) => (object as { value?: Record<string, unknown> }).value?.['/Subtype'],
  );
}

describe('a visible signature', () => {
  it.each([
    ['a plain page', ''],
    ['a page turned by 90 degrees', '/Rotate 90'],
    ['a page turned by 180 degrees', '/Rotate 180'],
    ['a page turned by −90 degrees', '/Rotate -90'],
    ['a cropped page', '/CropBox [50 80 500 700]'],
    ['a cropped page that is turned', '/Rotate 270 /CropBox [500 700 50 80]'],
    ['a page whose origin is elsewhere', '/MediaBox [-300 -400 300 400]'],
  ])('stands upright at the requested place on %s', async (_, entries) => {
    const path = await stamp(page(entries), { text: TEXT });
    await expectValid(path, 1);
    await expectInkIn(path);
    // Upright: a black square on the left, text on the right.
    const both = await stamp(page(entries), { text: TEXT, image: black });
    const shown = await showPage(both);
    expect(shown.at(PLACE.x + 40, PLACE.y + 35)).toEqual([0, 0, 0]);
    expect(shown.at(PLACE.x + 90, PLACE.y + 2)).toEqual([255, 255, 255]);
  });

  it.each([
    ['bottom-left', '', [100, 40]],
    ['bottom-right', '', [595 - 100 - 220, 40]],
    ['top-left', '', [100, 842 - 40 - 70]],
    ['top-right', '/Rotate 90', [842 - 100 - 220, 595 - 40 - 70]],
  ] as const)('is placed from the corner %s as the page is shown (%s)', async (corner, entries, [x, y]) => {
    const shown = await showPage(await stamp(page(entries), { image: black, corner }));
    const [left, bottom, right, top] = shown.ink() ?? [0, 0, 0, 0];
    expect(left).toBeGreaterThanOrEqual(x - 1);
    expect(bottom).toBeGreaterThanOrEqual(y - 1);
    expect(right).toBeLessThanOrEqual(x + PLACE.width + 1);
    expect(top).toBeLessThanOrEqual(y + PLACE.height + 1);
  });

  it.each([
    ['a page that is too narrow', '/MediaBox [0 0 110 842]', 'bottom-left', [0, 40, 110, 75]],
    ['a page that is too low', '/MediaBox [0 0 595 35]', 'top-right', [385, 0, 495, 35]],
    ['a page that ends before the place', '/MediaBox [0 0 300 842]', 'bottom-left', [80, 40, 300, 110]],
    ['a page with room', '', 'bottom-left', [100, 40, 320, 110]],
  ] as const)('is made to fit %s on request', async (_, entries, corner, place) => {
    const image = makePng({ width: 22, height: 7, depth: 1, colourType: 0, pixel: () => [0] });
    const path = await stamp(page(entries), { image, corner, fit: true });
    await expectValid(path, 1);
    const ink = (await showPage(path)).ink() ?? [];
    for (const [index, edge] of place.entries()) expect(Math.abs((ink[index] ?? Number.NaN) - edge)).toBeLessThan(10);
  });

  it('embeds a subset of its font, with text to be copied', async () => {
    const path = await stamp(BLANK, { text: TEXT, width: 300 });
    const fonts = await runTool('pdffonts', [path]);
    expect(fonts).toMatch(/[A-Z]{6}\+NotoSans-Regular +CID TrueType +Identity-H +yes yes yes/);
    const stdout = await runTool('pdftotext', ['-layout', path, '-']);
    const lines = stdout.split('\n').map((line) => line.trim());
    expect(lines.filter((line) => line !== '')).toEqual(TEXT.split('\n'));
    const [before, after] = [buildPdf(BLANK).length, (await readFile(path)).length];
    expect(after - before).toBeLessThan(60_000);
  });

  it('breaks and shrinks a too long text, and shows a box for characters without a glyph', async () => {
    const path = await stamp(BLANK, { text: `${'muito longo '.repeat(60)}\n😀 ${'x'.repeat(300)}\u0007` });
    await expectInkIn(path);
    const stdout = await runTool('pdftotext', [path, '-']);
    expect(stdout.replace(/\s+/g, '')).toBe(`${'muitolongo'.repeat(60)}[]${'x'.repeat(300)}`);
  });

  it('shows the page through a PNG with alpha', async () => {
    const half = makePng({ width: 8, height: 8, depth: 8, colourType: 6, pixel: (x) => [255, 0, 0, x < 4 ? 0 : 255] });
    const blue = { ...BLANK, 4: { dictionary: '', data: '0 0 1 rg 0 0 595 842 re f' } };
    const path = await stamp(blue, { image: half, width: 80, height: 80 });
    await expectValid(path, 1);
    const shown = await showPage(path);
    expect(shown.at(PLACE.x + 20, PLACE.y + 40)).toEqual([0, 0, 255]);
    expect(shown.at(PLACE.x + 60, PLACE.y + 40)[0]).toBeGreaterThan(250);
  });

  it.each([
    ['grey', ['-gray', '-jpeg']],
    ['colours', ['-jpeg']],
    ['the colours of a printer', ['-jpegcmyk']],
  ])('shows a JPEG in %s', async (_, parameters) => {
    const picture = await workshop.write(buildPdf({ ...BLANK, 4: { dictionary: '', data: '0 g 0 0 595 842 re f' } }));
    await runTool('pdftoppm', ['-r', '10', '-singlefile', ...parameters, picture, picture]);
    const path = await stamp(BLANK, { image: await readFile(`${picture}.jpg`), width: 60, height: 80 });
    await expectValid(path, 1);
    expect(Math.max(...(await showPage(path)).at(PLACE.x + 30, PLACE.y + 40))).toBeLessThan(60);
  });

  it('stands on each requested page, the field on the first and stamps on the others', async () => {
    const kids = [3, 6, 7].map((number) => `${number} 0 R`).join(' ');
    const objects = {
      ...BLANK,
      2: `<</Type /Pages /Kids [${kids}] /Count 3 /MediaBox [0 0 595 842]>>`,
      6: '<</Type /Page /Parent 2 0 R>>',
      7: '<</Type /Page /Parent 2 0 R /Rotate 90>>',
    };
    const path = await stamp(objects, { pages: [1, -1, 3], text: TEXT });
    await expectValid(path, 1);
    await expectInkIn(path, 1);
    expect((await showPage(path, 2)).ink()).toBeUndefined();
    await expectInkIn(path, 3);
    const subtypes = await subtypesOf(path);
    expect(subtypes.filter((subtype) => subtype === '/Widget')).toHaveLength(1);
    expect(subtypes.filter((subtype) => subtype === '/Stamp')).toHaveLength(1);
  });

  describe('in a file of three pages', () => {
    const three = {
      ...BLANK,
      2: '<</Type /Pages /Kids [3 0 R 6 0 R 7 0 R] /Count 3 /MediaBox [0 0 595 842]>>',
      6: '<</Type /Page /Parent 2 0 R>>',
      7: '<</Type /Page /Parent 2 0 R>>',
    };
    const onLast = (numbers: string) => [`The PDF has no page ${numbers}: the visible signature is on the last page.`];

    it.each([
      [[4], [3], onLast('4')],
      [[0], [3], onLast('0')],
      [[-2], [3], onLast('-2')],
      [[-1], [3], []],
      [[1, 9, 0], [1, 3], onLast('9, 0')],
      [[3, 9], [3], onLast('9')],
      [[-100], [1, 2, 3], ['The visible signature is on every page (3), as the page -100 means.']],
    ])('the page numbers %j mean the pages %j', async (numbers, shown, told) => {
      const original = await workshop.write(buildPdf(three));
      const appearance = { ...PLACE, pages: numbers, text: TEXT };
      const { path, adjustments } = await workshop.sign(original, { appearance });
      await expectValid(path, 1);
      expect(adjustments).toEqual(told);
      for (const number of [1, 2, 3]) {
        expect((await showPage(path, number)).ink() !== undefined).toBe(shown.includes(number));
      }
    });
  });

  it('leaves initials on each page without the stamp, and none behind another signature', async () => {
    const kids = [3, 6, 7].map((number) => `${number} 0 R`).join(' ');
    const objects = {
      ...BLANK,
      2: `<</Type /Pages /Kids [${kids}] /Count 3 /MediaBox [0 0 595 842]>>`,
      6: '<</Type /Page /Parent 2 0 R>>',
      // Too small for the place of the initials.
      7: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 60 60]>>',
    };
    const initials = { x: 30, y: 20, corner: 'bottom-right', width: 60, height: 30, text: 'JC' } as const;
    const first = await stamp(objects, { pages: [2], text: TEXT, initials });
    await expectValid(first, 1);
    await expectInkIn(first, 2);
    const [left = 0, bottom = 0, right = 0, top = 0] = (await showPage(first, 1)).ink() ?? [];
    expect([left >= 505, bottom >= 20, right <= 565, top <= 50]).toEqual([true, true, true, true]);
    expect((await showPage(first, 3)).ink()).toBeDefined();
    const stamps = async (path: string): Promise<number> =>
      (await subtypesOf(path)).filter((subtype) => subtype === '/Stamp').length;
    expect(await stamps(first)).toBe(2);
    const second = await workshop.sign(first, { appearance: { ...PLACE, x: 350, text: 'B', initials } });
    await expectValid(second.path, 2);
    expect(await stamps(second.path)).toBe(2);
    expect(second.adjustments).toEqual([
      'The pages got no initials, because they would count as a change after the earlier signature.',
    ]);
  });

  it('leaves initials beside the filled field', async () => {
    const pages = {
      ...withFields({ 6: emptySignatureField('Approval') }),
      2: '<</Type /Pages /Kids [3 0 R 9 0 R] /Count 2 /MediaBox [0 0 595 842]>>',
      9: '<</Type /Page /Parent 2 0 R>>',
    };
    const initials = { x: 30, y: 20, width: 60, height: 30, text: 'JC' };
    const path = await stamp(pages, { text: TEXT, initials }, { fieldName: 'Approval' });
    await expectValid(path, 1);
    expect((await showPage(path, 2)).ink()).toBeDefined();
    expect((await subtypesOf(path)).filter((subtype) => subtype === '/Stamp')).toHaveLength(1);
  });

  it('fills the rectangle of an existing field, also of a field with a separate widget', async () => {
    const merged = await stamp(
      { ...withFields({ 6: emptySignatureField('Approval') }), 4: { dictionary: '', data: '' } },
      { image: black },
      { fieldName: 'Approval' },
    );
    await expectValid(merged, 1);
    const box = (await showPage(merged)).ink();
    expect(box?.[0]).toBeGreaterThanOrEqual(72);
    expect(box?.[3]).toBeLessThanOrEqual(121);
    const split = await stamp(
      {
        ...withFields({ 6: '<</T (Split) /FT /Sig /Kids [7 0 R]>>' }),
        3: '<</Type /Page /Parent 2 0 R /Annots [7 0 R]>>',
        7: '<</Type /Annot /Subtype /Widget /Parent 6 0 R /F 4 /Rect [72 72 200 120]>>',
      },
      { image: black },
      { fieldName: 'Split' },
    );
    expect((await showPage(split)).at(136, 96)).toEqual([0, 0, 0]);
  });

  it.each([
    ['a new field', '/Rect [0 0 0 0]', undefined, [PLACE.x + 10, PLACE.y + 35]],
    ['an existing field', '/Rect [72 72 200 120]', 'Approval', [136, 96]],
  ] as const)('is seen in %s of a form with looks made anew by viewers', async (_, rectangle, fieldName, [x, y]) => {
    const fields = { 6: `<</Type /Annot /Subtype /Widget /FT /Sig /T (Approval) /F 4 ${rectangle} /P 3 0 R>>` };
    const form = { ...withFields(fields, '/NeedAppearances true'), 4: { dictionary: '', data: '' } };
    const first = await stamp(form, { image: black, width: 20 }, { fieldName });
    await expectValid(first, 1);
    expect((await showPage(first)).at(x, y)).toEqual([0, 0, 0]);
    // Beside an existing signature, an annotation would be a change nobody asked for.
    const { path: second } = await workshop.sign(first, { appearance: { ...PLACE, x: 350, image: black } });
    await expectValid(second, 2);
    expect((await subtypesOf(second)).filter((subtype) => subtype === '/Stamp')).toHaveLength(1);
  });

  it('is drawn into an encrypted file', async () => {
    const plain = await workshop.write(buildPdf(BLANK));
    const encrypted = workshop.newPath();
    await makeWithQpdf(['--object-streams=generate', '--encrypt', '', 'owner', '256', '--', plain, encrypted]);
    const { path } = await workshop.sign(encrypted, { appearance: { ...PLACE, text: TEXT, image: black } });
    await expectValid(path, 1);
    await expectInkIn(path);
  });

  it.each([
    ['beside the page', { x: 500 }, 'does not lie on page 1, which is 595 × 842 points large'],
    ['without height', { height: 0 }, 'needs a width and a height above 0'],
    ['on no page', { pages: [] }, 'whole numbers from 1'],
    ['on half a page', { pages: [1.5] }, 'whole numbers from 1'],
    ['of nothing', { text: ' ' }, 'needs a text or a picture'],
    ['with a picture that is none', { image: Buffer.from('RIFFxxxxWEBP') }, 'no PNG, JPEG or GIF'],
    ['with a GIF that is cut off', { image: Buffer.from('GIF89a') }, 'damaged GIF'],
    ['with a PNG that is cut off', { image: black.subarray(0, -20) }, 'damaged PNG'],
    ['with a JPEG that is cut off', { image: Buffer.from('ffd8ffe000104a46', 'hex') }, 'JPEG that cannot be used'],
  ])('is refused %s', async (_, change, message) => {
    const original = await workshop.write(buildPdf(BLANK));
    const refusal = await workshop.refusal(original, { appearance: { ...PLACE, text: TEXT, ...change } });
    expect(refusal).toMatchObject({ code: 'PDF_APPEARANCE_INVALID' });
    expect(refusal.message).toContain(message);
  });
});

describe('a visible signature in a PDF/A', () => {
  const archive = (part: number): Objects => ({
    ...page('/Resources <<>>'),
    1: '<</Type /Catalog /Pages 2 0 R /Metadata 6 0 R>>',
    6: {
      dictionary: '/Type /Metadata /Subtype /XML',
      data: [
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">',
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""',
        ' xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>' + part.toString() + '</pdfaid:part>',
        '<pdfaid:conformance>B</pdfaid:conformance></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>',
      ].join('\n'),
    },
  });
  const shining = makePng({ width: 20, height: 20, depth: 8, colourType: 6, pixel: (x) => [255, 0, 0, x * 12] });

  it('leaves a PDF/A-1b one, in the eyes of PDFBox Preflight, watchful of transparency elsewhere', async () => {
    const shape = { shape: { version: '1.4' } };
    expect(await checkArchive(await stamp(archive(1), { text: TEXT, image: shining }, shape))).toEqual([]);
    const findings = await checkArchive(await stamp(archive(2), { text: TEXT, image: shining }, shape));
    expect(findings.length).toBeGreaterThan(0);
    const transparent = await checkArchive(await stamp(BLANK, { image: shining }, shape));
    expect(transparent.join()).toContain('Soft Mask');
  });

  it.each([
    ['UTF-8', (text: string) => Buffer.from(text)],
    ['UTF-16, the low byte first', (text: string) => Buffer.from(text, 'utf16le')],
    ['UTF-16, the high byte first', (text: string) => Buffer.from(text, 'utf16le').swap16()],
    ['UTF-32', (text: string) => Buffer.from(Array.from(text, (one) => [0, 0, 0, one.charCodeAt(0) & 0xff]).flat())],
  ])('draws nothing transparent into a PDF/A-1 with metadata in %s', async (_, encode) => {
    const metadata = archive(1)[6] as { readonly dictionary: string; readonly data: string };
    const base = { ...archive(1), 6: { ...metadata, data: encode(metadata.data) } };
    const stamped = await readFile(await stamp(base, { text: TEXT, image: shining }, { shape: { version: '1.4' } }));
    expect(stamped.includes('/SMask')).toBe(false);
    expect(stamped.includes('/CIDSet')).toBe(true);
  });

  it('leaves a PDF/A-1b one, also with initials on another page', async () => {
    const pages = { 2: '<</Type /Pages /Kids [3 0 R 90 0 R] /Count 2 /MediaBox [0 0 595 842]>>' };
    const base = { ...archive(1), ...pages, 90: '<</Type /Page /Parent 2 0 R /Resources <<>>>>' };
    const initials = { x: 20, y: 20, width: 50, height: 25, text: 'JC' };
    expect(await checkArchive(await stamp(base, { text: TEXT, initials }, { shape: { version: '1.4' } }))).toEqual([]);
  });

  it('takes no picture in the colours of a printer', async () => {
    const picture = await workshop.write(buildPdf(BLANK));
    await runTool('pdftoppm', ['-r', '10', '-singlefile', '-jpegcmyk', picture, picture]);
    const original = await workshop.write(buildPdf(archive(2)));
    const appearance = { ...PLACE, image: await readFile(`${picture}.jpg`) };
    expect(await workshop.refusal(original, { appearance })).toMatchObject({ code: 'PDF_APPEARANCE_INVALID' });
  });
});
