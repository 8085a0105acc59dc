/** Second signatures on documents with broken or unusual trees and forms. Each document has a hostile twin. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Objects } from '../build-pdf.ts';
import { Workshop } from '../workshop.ts';
import { bodyOf, edited } from './contract.ts';
import { APPROVAL, isChangeAllowed, PAGE, signedPage } from './signed-page.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

const signed = async (objects: Objects): Promise<Buffer> => signedPage(workshop, objects);
const isAllowed = async (file: Buffer, changes: Objects): Promise<boolean> => isChangeAllowed(workshop, file, changes);

describe('a form that pdf.js fills in', () => {
  const text = (more: string): string =>
    `<</Type /Annot /Subtype /Widget /FT /Tx /T (name) /F 4 /Rect [72 600 300 620] /P 3 0 R /DA (/F1 9 Tf) ${more}>>`;
  const base = (more: string): Objects => ({
    1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [8 0 R 10 0 R]>>>>',
    3: PAGE.replace('[8 0 R]', '[8 0 R 10 0 R]'),
    10: text(more),
  });

  it.each(['/MK <<>>', '/AA <<>>', '/MK <<>> /AA 60 0 R'])('may lose %s, because it says nothing', async (empty) => {
    const file = await signed({ ...base(empty), 60: '<<>>' });
    expect(await isAllowed(file, { 10: text('/V (Ana)') })).toBe(true);
  });

  it.each(['/MK <</BG [1 0 0]>>', '/AA <</K 60 0 R>>', '/BS <<>>'])('may not lose %s', async (said) => {
    const file = await signed({ ...base(said), 60: '<</S /JavaScript /JS (1)>>' });
    expect(await isAllowed(file, { 10: text('/V (Ana)') })).toBe(false);
  });

  it.each([
    ['keeps the reference', text('/V (Ana) /AA 60 0 R')],
    ['drops the reference', text('/V (Ana)')],
  ])('may not put an action into an empty dictionary, even where the field %s', async (_, field) => {
    const file = await signed({ ...base('/AA 60 0 R'), 60: '<<>>' });
    expect(await isAllowed(file, { 10: field, 60: '<</K <</S /JavaScript /JS (1)>>>>' })).toBe(false);
  });
});

describe('a page tree with a circle, or without entries of parents', () => {
  const CIRCLE: Objects = {
    2: '<</Type /Pages /Kids [3 0 R 61 0 R] /Count 2 /MediaBox [0 0 595 842]>>',
    61: '<</Type /Pages /Kids [62 0 R] /Count 1>>',
    62: '<</Type /Pages /Kids [61 0 R] /Count 1>>',
  };
  const NO_PARENT: Objects = {
    2: '<</Type /Pages /Kids [3 0 R 61 0 R] /Count 2 /MediaBox [0 0 595 842]>>',
    61: '<</Type /Pages /Kids [62 0 R] /Count 1>>',
    62: '<</Type /Page /Contents 4 0 R>>',
  };
  const form = { 1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [8 0 R]>>>>' };
  /** The first page below a node of its own, as iText 9 writes it. */
  const rehung = (file: Buffer): Objects => ({
    2: bodyOf(file, 2).replace('3 0 R', '70 0 R'),
    3: bodyOf(file, 3).replace('/Parent 2', '/Parent 70'),
    70: '<</Type /Pages /Parent 2 0 R /Kids [3 0 R] /Count 1>>',
  });

  it.each([
    ['a circle', CIRCLE],
    ['no entries of parents', NO_PARENT],
  ])('with %s may be hung in another way, and keeps its pages', async (_, tree) => {
    const file = await signed({ ...form, ...tree });
    expect(await isAllowed(file, rehung(file))).toBe(true);
    const moved = rehung(file);
    const root = moved[2] as string;
    for (const hostile of [
      { ...moved, 2: root.replace('70 0 R 61 0 R', '61 0 R 70 0 R') },
      { ...moved, 2: root.replace('61 0 R', '71 0 R'), 71: '<</Type /Pages /Kids [3 0 R] /Count 1>>' },
      { ...moved, 61: (tree[61] as string).replace('/Count', '/Rotate 180 /Count') },
      { ...moved, 62: (tree[62] as string).replace('/Type', '/Rotate 180 /Type') },
      { ...moved, 70: (moved[70] as string).replace('/Parent 2 0 R', '/Parent 61 0 R') },
    ]) {
      expect(await isAllowed(file, hostile)).toBe(false);
    }
  });
});

describe('a node of the page tree with a private entry that names the catalog', () => {
  const ROOT = '<</Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 595 842] /Private [<</A 1 0 R>> 2 0 R]>>';
  const later: Objects = { 70: APPROVAL.replace('approval', 'later').replace('72 72 200 120', '0 0 0 0') };
  const sign = async (objects: Objects): Promise<boolean> => {
    const file = await signed({ 1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [8 0 R]>>>>', ...objects });
    return isAllowed(file, {
      ...later,
      ...edited(file, 1, '[8 0 R', '[8 0 R 70 0 R'),
      ...edited(file, 3, '/Annots [', '/Annots [70 0 R '),
    });
  };

  it('leaves a later signature allowed', async () => {
    expect(await sign({ 2: ROOT })).toBe(true);
  });

  it.each([
    [
      'is the resources of its page too',
      { 2: ROOT.replace('/Private', '/XObject'), 3: PAGE.replace(/<<\/Font.*?>>>>/, '2 0 R') },
    ],
    ['names it as resources', { 2: ROOT.replace(/\/Private.*\]/, '/Resources 1 0 R') }],
    ['has no type of its own', { 2: ROOT.replace('/Type /Pages ', '') }],
  ])('forbids it when the node %s', async (_, objects: Objects) => {
    expect(await sign(objects)).toBe(false);
  });
});
