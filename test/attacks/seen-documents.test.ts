/**
 * PDFs with one look in the approval and another elsewhere. The approval draws with pdf.js; poppler stands for the
 * other programs. Where both might show different pages, the approval has to name the risk.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterAll, describe, expect, it } from 'vitest';
import { examinePdf, SigningError } from '../../src/signing/index.ts';
import { runTool } from '../oracles/run-program.ts';
import { appendRevision, buildPdf, onePage, type Objects } from '../signing/pdf/build-pdf.ts';

const folder = mkdtempSync(join(tmpdir(), 'sinete-seen-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fonts = '/Resources <</Font <</F1 5 0 R>>>>';
const shows = (text: string, y = 720): { dictionary: string; data: string } => ({
  dictionary: '',
  data: `BT /F1 24 Tf 72 ${y} Td (${text}) Tj ET`,
});
const page = (more: string): string => `<</Type /Page /Parent 2 0 R ${more} ${fonts}>>`;
const pages = (kids: string): string => `<</Type /Pages /Kids [${kids}] /MediaBox [0 0 595 842]`;
const catalog = (more: string): string => `<</Type /Catalog ${more}>>`;
const otherTree: Objects = {
  7: `${pages('8 0 R')} /Count 1>>`,
  8: `<</Type /Page /Parent 7 0 R /Contents 6 0 R ${fonts}>>`,
};
const base = onePage({ 4: shows('GOOD'), 6: shows('EVIL') });
const plain = buildPdf(base).toString('latin1');
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const startOf = (text: string): string => /startxref\n(\d+)/.exec(text)?.[1] ?? '';
const placeOf = (text: string, number: number): string =>
  String(text.indexOf(`\n${number} 0 obj`) + 1).padStart(10, '0');
const hybrid = buildPdf(base, { kind: 'hybrid', compressed: [5] }).toString('latin1');

/**
 * Words shown by pdf.js, as in the approval; `damaged` for a page or a file the approval declares impossible to show.
 */
async function seenInApproval(content: Buffer): Promise<string> {
  try {
    const document = await pdfjs.getDocument({ data: new Uint8Array(content), verbosity: 0 }).promise;
    const texts: string[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const { items } = await (await document.getPage(number)).getTextContent();
      texts.push(...items.map((item) => ('str' in item ? item.str : '')));
    }
    return texts.join(' ').replaceAll(/\s+/g, ' ').trim();
  } catch {
    return 'damaged';
  }
}

async function seenElsewhere(path: string): Promise<string> {
  const text = await runTool('pdftotext', [path, '-']).catch(() => 'damaged');
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** The concerns of the approval; `refused` for a file not signed unchanged. */
async function concernsAbout(path: string): Promise<readonly string[]> {
  try {
    const { activeContent, complete } = await examinePdf(path);
    return [...activeContent, ...(complete ? [] : ['incomplete'])];
  } catch (error) {
    if (error instanceof SigningError) return ['refused'];
    throw error;
  }
}

/** Attack, file, and the expected concern; none where all programs show the same. */
type Row = readonly [attack: string, content: Buffer, concern?: string];
const rows: readonly Row[] = [
  ['a page with two contents', buildPdf({ ...base, 3: page('/Contents 4 0 R /Contents 6 0 R') }), 'ambiguous'],
  ['… one of them spelled with escapes', buildPdf({ ...base, 3: page('/Contents 4 0 R /#43ontents 6 0 R') }), 'ambiguous'],
  ['a catalog with two trees of pages', buildPdf({ ...base, ...otherTree, 1: catalog('/Pages 2 0 R /Pages 7 0 R') }), 'ambiguous'],
  ['a trailer with two catalogs', buildPdf({ ...base, ...otherTree, 9: catalog('/Pages 7 0 R') }, { trailer: '/Root 9 0 R' }), 'ambiguous'],
  ['a page behind a count that is too small', buildPdf({ ...base, 2: `${pages('3 0 R 7 0 R')} /Count 1>>`, 7: page('/Contents 6 0 R') }), 'ambiguous'],
  ['pages behind a count of none', buildPdf({ ...base, 2: `${pages('3 0 R')} /Count 0>>` }), 'ambiguous'],
  ['an object in two places of a hybrid file', buildPdf(base, { kind: 'hybrid', compressed: [5], hiddenAt: { 4: Number(placeOf(hybrid, 6)) } }), 'ambiguous'],
  ['contents that are partly absent', buildPdf({ ...base, 3: page('/Contents [4 0 R 99 0 R]') }), 'ambiguous'],
  ['contents of another generation', latin(plain.replace('/Contents 4 0 R', '/Contents 4 1 R')), 'ambiguous'],
  ['a table that leads to another object', latin(plain.replace(placeOf(plain, 4), placeOf(plain, 6))), 'incomplete'],
  ['a stream that is longer than it says', latin(plain.replace('/Length 35', '/Length 20')), 'broken-drawing'],
  ['a stream that says more than it has', latin(plain.replace('/Length 35', '/Length 99')), 'broken-drawing'],
  ['the end of a stream inside of a stream', buildPdf({ ...base, 4: { dictionary: '', data: `${shows('GOOD').data}\nendstream\n${shows('EVIL', 600).data}` } }), 'broken-drawing'],
  ['an object that no table lists', latin(plain.replace('xref\n0', '4 0 obj\n(EVIL)\nendobj\nxref\n0').replace(/startxref\n\d+/, `startxref\n${Number(startOf(plain)) + 22}`))],
  ['a newer revision behind an older start', Buffer.concat([appendRevision(latin(plain), { 4: shows('EVIL') }), latin(`startxref\n${startOf(plain)}\n%%EOF\n`)])],
  ['a start in a comment', latin(`${plain}%startxref\n%9\n`), 'refused'],
  ['a file behind the header of another', latin(`%PDF-1.4\n${plain}`), 'refused'],
  ['a page that stands twice in its tree', buildPdf({ ...base, 2: `${pages('3 0 R 3 0 R')} /Count 2>>` }), 'ambiguous'],
  ['an annotation on paper only', buildPdf({ ...base, 3: page('/Contents 4 0 R /Annots [7 0 R]'), 7: '<</Type /Annot /Subtype /Stamp /Rect [72 600 300 640] /F 36 /AP <</N 8 0 R>>>>', 8: { dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 228 40] ${fonts}`, data: shows('EVIL', 0).data } }), 'hidden-layer'],
  ['an action that shows a hidden annotation', buildPdf({ ...base, 1: catalog('/Pages 2 0 R /OpenAction <</S /Hide /T (x) /H false>>') }), 'hidden-layer'],
  ['an action that changes layers', buildPdf({ ...base, 1: catalog('/Pages 2 0 R /OpenAction <</S /SetOCGState /State []>>') }), 'hidden-layer'],
  ['words that show while a layer is off', buildPdf({ ...base, 1: catalog('/Pages 2 0 R /OCProperties <</OCGs [7 0 R] /D <<>>>>'), 3: '<</Type /Page /Parent 2 0 R /Contents 4 0 R /Resources <</Font <</F1 5 0 R>> /Properties <</M 8 0 R>>>>>>', 4: { dictionary: '', data: `${shows('GOOD').data} /OC /M BDC ${shows('EVIL', 600).data} EMC` }, 7: '<</Type /OCG /Name (x)>>', 8: '<</Type /OCMD /OCGs [7 0 R] /P /AllOff>>' }), 'hidden-layer'],
  ['a page of another file in place of a form', buildPdf({ ...base, 3: `<</Type /Page /Parent 2 0 R /Contents 4 0 R /Resources <</Font <</F1 5 0 R>> /XObject <</X 7 0 R>>>>>>`, 7: { dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Ref <</F (evil.pdf) /Page 0>>`, data: '' } }), 'external'],
  ['contents in another file', buildPdf({ ...base, 4: { ...shows('GOOD'), dictionary: '/F (evil.txt)' } }), 'external'],
]; // prettier-ignore

describe('a PDF showing something else elsewhere', () => {
  it.each(rows.map((row) => ({ row, attack: row[0] })))(
    '$attack, is named in the approval or seen alike',
    async ({ row }) => {
      const [, content, concern] = row;
      const path = join(folder, 'document.pdf');
      writeFileSync(path, content);
      const concerns = await concernsAbout(path);
      if (concern === undefined) expect(concerns).toEqual([]);
      else expect(concerns).toContain(concern);
      if (concerns.length === 0) expect(await seenInApproval(content)).toBe(await seenElsewhere(path));
    },
  );

  it('is one kind of many: a plain PDF has no concern and is seen alike', async () => {
    const path = join(folder, 'plain.pdf');
    writeFileSync(path, plain, 'latin1');
    expect([await concernsAbout(path), await seenInApproval(latin(plain)), await seenElsewhere(path)]).toEqual([
      [],
      'GOOD',
      'GOOD',
    ]);
  });
});
