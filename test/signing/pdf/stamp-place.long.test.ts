import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { peopleFiles } from '../../interop/people-bases.ts';
import { writtenFiles } from '../../interop/bases.ts';
import { runToolForBytes } from '../../oracles/run-program.ts';
import type { SignatureAppearance } from '../../../src/signing/pdf/sign-request.ts';
import { buildPdf, onePage } from './build-pdf.ts';
import { Workshop } from './workshop.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

/** The looks that window and command line ask for. */
const STAMP: SignatureAppearance = {
  pages: [-1],
  x: 36,
  y: 36,
  width: 230,
  height: 80,
  fit: true,
  clear: true,
  framed: true,
  title: 'ANA BEATRIZ LIMA',
  text: 'Assinado digitalmente por\nANA BEATRIZ LIMA\nCPF: ***.982.247-**\nData: 28/11/2026 08:36:24 (UTC-3)\nVerifique em validar.iti.gov.br',
};
const INITIALS = { x: 36, y: 36, corner: 'bottom-right', width: 54, height: 24, clear: true, text: 'ABL' } as const;

const LINE = 'Pelo presente instrumento particular, as partes acima qualificadas firmam este contrato';

/** A contract of one page: paragraphs, a line for the signature at the lower left, and the number at the lower right. */
function contract(width: number, height: number, entries = '', lines = 26): Buffer {
  const size = Math.min(11, width / 46);
  const rows = Array.from({ length: lines }, () => `(${LINE.slice(0, Math.floor((width - 72) / (size * 0.5)))}) Tj T*`);
  const text = `BT /F1 ${size} Tf ${size * 1.5} TL 36 ${height - 50} Td ${rows.join(' ')} ET`;
  const foot =
    `36 74 m ${width * 0.45} 74 l 0.5 w S BT /F1 ${size} Tf 36 60 Td (Assinatura) Tj ET ` +
    `BT /F1 ${size} Tf ${width - 36 - size * 6} 40 Td (Página 1 de 1) Tj ET`;
  return buildPdf(
    onePage({
      3: `<</Type /Page /Parent 2 0 R /Contents 4 0 R /MediaBox [0 0 ${width} ${height}] /Resources <</Font <</F1 5 0 R>>>> ${entries}>>`,
      4: { dictionary: '', data: `${text} ${foot}` },
    }),
  );
}

const ground = '0.93 0.95 0.85 rg 0 0 595 842 re f 0 g';

const PAGES: readonly (readonly [name: string, file: Buffer])[] = [
  ['a contract on A4', contract(595, 842)],
  ['a contract on Letter', contract(612, 792)],
  ['a contract on A5', contract(420, 595, '', 20)],
  ['a wide A3', contract(1191, 842)],
  ['a receipt of 80 mm', contract(227, 500, '', 22)],
  ['a contract turned by 90 degrees', contract(595, 842, '/Rotate 90')],
  ['a contract turned by 180 degrees', contract(595, 842, '/Rotate 180')],
  ['a contract turned by 270 degrees', contract(595, 842, '/Rotate 270')],
  ['a contract that is cropped', contract(595, 842, '/CropBox [20 30 500 800]')],
  ['a page full to the foot', contract(595, 842, '', 42)],
  [
    'a page with a ground',
    buildPdf(onePage({ 4: { dictionary: '', data: `${ground} BT /F1 11 Tf 40 60 Td (${LINE}) Tj ET` } })),
  ],
];

/** The pixels of all pages at 150 dpi, by poppler. */
async function pictureOf(path: string): Promise<Buffer> {
  const file = await runToolForBytes('pdftoppm', ['-r', '150', path]);
  const pages: Buffer[] = [];
  for (let at = 0; at < file.length;) {
    const head = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(file.subarray(at, at + 40).toString('latin1'));
    const begin = at + (head?.[0].length ?? 0);
    at = begin + Number(head?.[1]) * Number(head?.[2]) * 3;
    pages.push(file.subarray(begin, at));
  }
  return Buffer.concat(pages);
}

/** Counts the pixels that had ink before the signature and look different after it, and those that got ink. */
async function compare(before: string, after: string): Promise<{ readonly covered: number; readonly added: number }> {
  const [old, now] = [await pictureOf(before), await pictureOf(after)];
  expect(now.length).toBe(old.length);
  // The paper: the first pixel of the page, in its corner.
  const paper = old.subarray(0, 3);
  const counts = { covered: 0, added: 0 };
  for (let at = 0; at < old.length; at += 3) {
    const isSame = old.compare(now, at, at + 3, at, at + 3) === 0;
    if (isSame) continue;
    const hadInk = old.compare(paper, 0, 3, at, at + 3) !== 0;
    counts[hadInk ? 'covered' : 'added'] += 1;
  }
  return counts;
}

/** Keeps the page for people who want to look at it: `SINETE_LOOK=FOLDER`. */
async function keep(name: string, path: string): Promise<void> {
  const folder = process.env['SINETE_LOOK'];
  if (folder === undefined) return;
  const target = join(folder, `${name.replaceAll(/\W+/g, '-')}.png`);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, await runToolForBytes('pdftoppm', ['-png', '-r', '60', '-f', '1', '-l', '1', path]));
}

describe('a stamp that must be clear', () => {
  it.each([...PAGES, ...writtenFiles(), ...peopleFiles().map(([name, file]) => [name, file] as const)])(
    'puts no ink on the ink of %s',
    async (name, file) => {
      const original = await workshop.write(file);
      const { path } = await workshop.sign(original, { appearance: STAMP });
      await keep(`stamp ${name}`, path);
      const { covered, added } = await compare(original, path);
      expect(covered).toBe(0);
      expect(added).toBeGreaterThan(500);
    },
  );

  it('puts no initials on the number of a page', async () => {
    const page = '<</Type /Page /Parent 2 0 R /Contents 4 0 R /Resources <</Font <</F1 5 0 R>>>>>>';
    const number = `BT /F1 10 Tf 500 40 Td (Page 1 of 2) Tj ET`;
    const objects = { 3: page, 4: { dictionary: '', data: number }, 6: page };
    const two = { 2: '<</Type /Pages /Kids [3 0 R 6 0 R] /Count 2 /MediaBox [0 0 595 842]>>' };
    const original = await workshop.write(buildPdf(onePage({ ...objects, ...two })));
    const covered = async (clear: boolean): Promise<number> => {
      const { path } = await workshop.sign(original, { appearance: { ...STAMP, initials: { ...INITIALS, clear } } });
      return (await compare(original, path)).covered;
    };
    expect(await covered(true)).toBe(0);
    expect(await covered(false)).toBeGreaterThan(20);
  });

  it('stays at its place without the wish to be clear, and covers the signature line', async () => {
    const original = await workshop.write(contract(595, 842));
    const { path } = await workshop.sign(original, { appearance: { ...STAMP, clear: false } });
    expect((await compare(original, path)).covered).toBeGreaterThan(100);
  });
});
