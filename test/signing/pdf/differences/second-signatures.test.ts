/** Documents as programs write them for a second signature. Each document has a hostile twin. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendRevision, buildPdf, onePage, type Objects } from '../build-pdf.ts';
import { Workshop } from '../workshop.ts';
import { bodyOf, edited, factsOf, signatureOf } from './contract.ts';
import { APPROVAL, isChangeAllowed, PAGE, signedPage } from './signed-page.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

const signed = async (objects: Objects): Promise<Buffer> => signedPage(workshop, objects);
const isAllowed = async (file: Buffer, changes: Objects): Promise<boolean> => isChangeAllowed(workshop, file, changes);

describe('a form inside the catalog', () => {
  it.each([
    ['a list of fields of its own', '/AcroForm <</Fields 11 0 R>>', '[8 0 R]'],
    ['its list of fields', '/AcroForm <</Fields [8 0 R]>>', '(unused)'],
    ['resources of its own', '/AcroForm <</Fields [8 0 R] /DR 11 0 R>>', '<</Font <</Helv 5 0 R>>>>'],
  ])('is signed a second time with %s, and both signatures are valid', async (_, form, list) => {
    const file = await signed({ 1: `<</Type /Catalog /Pages 2 0 R ${form}>>`, 11: list });
    const { path } = await workshop.sign(await workshop.write(file));
    const { signatures } = await factsOf(path);
    expect(signatures.map(({ problem, changesAllowed }) => problem === undefined && changesAllowed)).toEqual([
      true,
      true,
    ]);
  });

  it('may not share its list of fields with the page', async () => {
    const file = await signed({
      1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields 11 0 R>>>>',
      3: PAGE.replace('/Annots', '/Extra 11 0 R /Annots'),
      11: '[8 0 R]',
    });
    const field = APPROVAL.replace('approval', 'later').replace('72 72 200 120', '0 0 0 0');
    const page = edited(file, 3, '/Annots [', '/Annots [70 0 R ');
    expect(await isAllowed(file, { ...page, 11: '[8 0 R 70 0 R]', 70: field })).toBe(false);
  });
});

describe('a text in another encoding', () => {
  const lang = (value: string): string => `<</Type /Catalog /Pages 2 0 R /AcroForm 11 0 R /Lang ${value}>>`;
  const FORM = '<</Fields [8 0 R]>>';
  const piece = (value: string): string =>
    PAGE.replace('/Annots', `/PieceInfo <</App <</Private [${value}]>>>> /Annots`);
  const layer = (value: string): string => `<</Type /OCG /Name ${value}>>`;

  it.each([
    ['of the language in UTF-16', 1, lang('<FEFF0045004E002D00470042>'), lang('(EN-GB)'), lang('(EN-US)')],
    ['of the language in UTF-8', 1, lang('(EN)'), lang('<EFBBBF454E>'), lang('<EFBBBF454F>')],
    ['of the language in UTF-16LE', 1, lang('(EN)'), lang('<FFFE45004E00>'), lang('<FFFE45004F00>')],
    ['of the private data of a program', 3, piece('<FEFF0041>'), piece('(A)'), piece('(B)')],
    ['with characters of PDFDocEncoding', 1, lang('<FEFF20AC>'), lang('<A0>'), lang('<A1>')],
  ])('is the same text: %s', async (_, number, before, same, other) => {
    const file = await signed({ 1: lang('(x)'), 11: FORM, [number]: before });
    expect(await isAllowed(file, { [number]: same })).toBe(true);
    expect(await isAllowed(file, { [number]: other })).toBe(false);
  });

  it('is another text when its characters are damaged', async () => {
    const file = await signed({
      1: lang('(x)'),
      11: FORM,
      60: layer('<FEFFD8000041>'),
      3: PAGE.replace('/Annots', '/Extra 60 0 R /Annots'),
    });
    expect(await isAllowed(file, { 60: layer('<FEFFD8010041>') })).toBe(false);
  });

  it('is no text in the table of a colour space', async () => {
    const space = (table: string): string => `<</T [/Indexed /DeviceRGB 1 ${table}]>>`;
    const file = await signed({
      1: lang('(x)'),
      11: FORM,
      3: PAGE.replace('<</Font', '<</ColorSpace 60 0 R /Font'),
      60: space('<FEFF00410042>'),
    });
    expect(await isAllowed(file, { 60: space('<4142>') })).toBe(false);
  });
});

describe('a name tree and a number tree', () => {
  const CATALOG = '<</Type /Catalog /Pages 2 0 R /AcroForm 11 0 R /Names <</Dests 50 0 R>> /PageLabels 55 0 R>>';
  const base: Objects = {
    1: CATALOG,
    11: '<</Fields [8 0 R]>>',
    50: '<</Names [(a) [3 0 R /Fit] (b) [3 0 R /XYZ 0 0 0]]>>',
    55: '<</Nums [0 <</S /D>> 5 <</S /r>>]>>',
  };
  const KIDS: Objects = {
    50: '<</Kids [51 0 R 52 0 R]>>',
    51: '<</Limits [(a) (a)] /Names [(a) 53 0 R]>>',
    52: '<</Limits [(b) (b)] /Names [(b) [3 0 R /XYZ 0 0 0]]>>',
    53: '[3 0 R /Fit]',
  };

  it.each([
    ['its nodes are written anew', KIDS],
    [
      'its root is another object',
      { 1: CATALOG.replace('50 0 R', '54 0 R'), 54: '<</Kids [51 0 R 52 0 R]>>', ...KIDS, 50: base[50] ?? '' },
    ],
    [
      'the labels are in nodes',
      { 55: '<</Kids [156 0 R]>>', 156: '<</Limits [0 5] /Nums [0 <</S /D>> 5 <</S /r>>]>>' },
    ],
  ])('is the same when %s', async (_, changes: Objects) => {
    expect(await isAllowed(await signed(base), changes)).toBe(true);
  });

  it.each([
    ['a name leads elsewhere', { ...KIDS, 53: '[3 0 R /FitB]' }],
    ['a name is gone', { ...KIDS, 50: '<</Kids [52 0 R]>>' }],
    ['a name is added', { 50: '<</Names [(a) [3 0 R /Fit] (b) [3 0 R /XYZ 0 0 0] (c) [3 0 R /Fit]]>>' }],
    ['limits hide a name', { ...KIDS, 51: '<</Limits [(b) (c)] /Names [(a) 53 0 R]>>' }],
    ['names are out of order', { ...KIDS, 50: '<</Kids [52 0 R 51 0 R]>>' }],
    ['a label changes', { 55: '<</Kids [156 0 R]>>', 156: '<</Limits [0 5] /Nums [0 <</S /R>> 5 <</S /r>>]>>' }],
    ['the nodes go in a circle', { ...KIDS, 52: '<</Kids [50 0 R]>>' }],
  ])('is different when %s', async (_, changes: Objects) => {
    expect(await isAllowed(await signed(base), changes)).toBe(false);
  });
});

describe('the structure of a tagged document, wrapped into an element for the document', () => {
  const base: Objects = {
    1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [8 0 R]>> /StructTreeRoot 30 0 R>>',
    30: '<</Type /StructTreeRoot /K [31 0 R 32 0 R 36 0 R] /ParentTree 33 0 R /ParentTreeNextKey 1>>',
    31: '<</Type /StructElem /S /H1 /P 30 0 R /Pg 3 0 R /K [0]>>',
    32: '<</Type /StructElem /S /P /P 30 0 R /Pg 3 0 R /K [1]>>',
    33: '<</Nums [0 [31 0 R 32 0 R]]>>',
    // Not an element without a type: iText leaves this kid out.
    36: '<</P 30 0 R>>',
  };
  const WRAPPED: Objects = {
    30: '<</Type /StructTreeRoot /K [71 0 R] /ParentTree 33 0 R /ParentTreeNextKey 1>>',
    31: '<</Type /StructElem /S /H1 /P 71 0 R /Pg 3 0 R /K [0]>>',
    32: '<</Type /StructElem /S /P /P 71 0 R /Pg 3 0 R /K [1]>>',
    71: '<</Type /StructElem /S /Document /P 30 0 R /K [31 0 R 32 0 R]>>',
  };

  it('is the same structure', async () => {
    expect(await isAllowed(await signed(base), WRAPPED)).toBe(true);
  });

  it.each([
    [
      'the elements change their order',
      { ...WRAPPED, 71: (WRAPPED[71] as string).replace('31 0 R 32 0 R', '32 0 R 31 0 R') },
    ],
    ['an element is left out', { ...WRAPPED, 71: (WRAPPED[71] as string).replace('31 0 R ', '') }],
    ['the new element has a text', { ...WRAPPED, 71: (WRAPPED[71] as string).replace('/K', '/Alt (Pay 1000) /K') }],
    ['the new element is a figure', { ...WRAPPED, 71: (WRAPPED[71] as string).replace('/Document', '/Figure') }],
    ['the new element has content of its own', { ...WRAPPED, 71: (WRAPPED[71] as string).replace('/K [', '/K [2 ') }],
    ['an element names another parent', { ...WRAPPED, 31: (WRAPPED[31] as string).replace('71 0', '32 0') }],
  ])('is different when %s', async (_, changes: Objects) => {
    expect(await isAllowed(await signed(base), changes)).toBe(false);
  });
});

describe('annotations and their elements in the structure', () => {
  const NOTE = '<</Type /Annot /Subtype /Text /Rect [9 9 30 30] /Contents (hi) /P 3 0 R /StructParent 1>>';
  const base: Objects = {
    1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [8 0 R 10 0 R]>> /StructTreeRoot 30 0 R>>',
    3: PAGE.replace('[8 0 R]', '[8 0 R 9 0 R 10 0 R]'),
    9: NOTE,
    10: '<</Type /Annot /Subtype /Widget /FT /Tx /T (name) /F 4 /Rect [72 600 300 620] /P 3 0 R>>',
    30: '<</Type /StructTreeRoot /K [31 0 R] /ParentTree 33 0 R /ParentTreeNextKey 2>>',
    31: '<</Type /StructElem /S /Document /P 30 0 R /K [32 0 R 34 0 R]>>',
    32: '<</Type /StructElem /S /P /P 31 0 R /Pg 3 0 R /K [0]>>',
    33: '<</Nums [0 [32 0 R] 1 34 0 R]>>',
    34: '<</Type /StructElem /S /Annot /P 31 0 R /Pg 3 0 R /K <</Type /OBJR /Obj 9 0 R>> /Alt (hi)>>',
  };
  const sign = async (certify?: 'form-filling' | 'annotations', changes: Objects = {}): Promise<Buffer> => {
    const file = buildPdf(onePage({ 8: APPROVAL, ...base, ...changes }));
    const { path } = await workshop.sign(await workshop.write(file), {
      fieldName: 'approval',
      ...(certify === undefined ? {} : { certify }),
    });
    return readFile(path);
  };
  const WITHOUT_NOTE: Objects = {
    3: (base[3] as string).replace('9 0 R ', ''),
    31: (base[31] as string).replace(' 34 0 R', ''),
    33: '<</Nums [0 [32 0 R]]>>',
  };

  it.each([
    ['an annotation goes with its element', WITHOUT_NOTE],
    ['the element of an annotation gets another text', { 34: (base[34] as string).replace('(hi)', '(ho)') }],
    ['a widget is taken off its page', { 3: (base[3] as string).replace(' 10 0 R', '') }],
    ['the page gets an order of its annotations', { 3: (base[3] as string).replace('/Annots', '/Tabs /C /Annots') }],
  ])('may change when %s, but not where only forms may be filled in', async (_, changes: Objects) => {
    const edit = (file: Buffer): Objects => ({ ...changes, 8: bodyOf(file, 8) });
    for (const [certify, may] of [
      [undefined, true],
      ['annotations', true],
      ['form-filling', false],
    ] as const) {
      const file = await sign(certify);
      expect(await isAllowed(file, edit(file))).toBe(may);
    }
  });

  it.each([
    ['becomes another order', '/Tabs /C'],
    ['goes', ''],
  ])('may change when the order of the annotations %s, but not where only forms may be filled in', async (_, tabs) => {
    const page = (order: string): Objects => ({ 3: (base[3] as string).replace('/Annots', `${order} /Annots`) });
    for (const [certify, may] of [
      ['annotations', true],
      ['form-filling', false],
    ] as const) {
      expect(await isAllowed(await sign(certify, page('/Tabs /R')), page(tabs))).toBe(may);
    }
  });

  it.each([
    ['a paragraph goes', { 31: (base[31] as string).replace('32 0 R ', '') }],
    ['the parents of a paragraph go', { 33: '<</Nums [1 34 0 R]>>' }],
    [
      'the element of an annotation gets content',
      { 34: (base[34] as string).replace('/K <<', '/K [1 <<').replace('9 0 R>>', '9 0 R>>]') },
    ],
    ['the widget of a signature is taken off its page', { 3: (base[3] as string).replace('8 0 R ', '') }],
    ['the tab order changes', { 3: (base[3] as string).replace('/Annots', '/Tabs (C) /Annots') }],
  ])('may not change when %s', async (_, changes: Objects) => {
    expect(await isAllowed(await sign(), changes)).toBe(false);
  });
});

describe('the widget of a signature', () => {
  const FIELD = '<</FT /Sig /T (approval) /Kids 9 0 R>>';
  const LIST = '[10 0 R]';
  const WIDGET = '<</Subtype /Widget /F 4 /Rect [72 72 200 120] /AP <</N 60 0 R>>>>';
  const base: Objects = {
    1: '<</Type /Catalog /Pages 2 0 R /AcroForm 11 0 R>>',
    3: PAGE.replace('8 0 R', '10 0 R'),
    8: FIELD,
    9: LIST,
    10: WIDGET,
    11: '<</Fields [8 0 R]>>',
    60: { dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 9 9]', data: '' },
  };
  const more = (entries: string): string => WIDGET.replace('/F 4', `/F 4 ${entries}`);

  it.each([
    ['gets its type', { 10: more('/Type /Annot') }],
    ['gets its page', { 10: more('/P 3 0 R') }],
    ['gets its field', { 10: more('/Parent 8 0 R') }],
  ])('may be written again when the widget %s', async (_, changes: Objects) => {
    expect(await isAllowed(await signed(base), changes)).toBe(true);
  });

  it.each([
    ['it gets another type', { 10: more('/Type /Page') }],
    ['it gets another field', { 10: more('/Parent 11 0 R') }],
    ['it looks different', { 10: WIDGET.replace('60 0 R', '160 0 R'), 160: { dictionary: '', data: '0 0 9 9 re f' } }],
    ['it moves', { 10: WIDGET.replace('72 72', '7 7') }],
  ])('may not be written again when %s', async (_, changes: Objects) => {
    expect(await isAllowed(await signed(base), changes)).toBe(false);
  });

  it('may have a list of widgets inside its field', async () => {
    const file = await signed(base);
    expect(await isAllowed(file, { 8: bodyOf(file, 8).replace('9 0 R', '[10 0 R]') })).toBe(true);
    expect(await isAllowed(file, { 8: bodyOf(file, 8).replace('9 0 R', '[3 0 R]') })).toBe(false);
  });
});

describe('an empty signature field added behind a certification', () => {
  const added = async (certify: 'form-filling' | 'annotations'): Promise<Buffer> => {
    const base = { 1: '<</Type /Catalog /Pages 2 0 R /AcroForm 11 0 R>>', 11: '<</Fields [8 0 R]>>' };
    const source = await workshop.write(buildPdf(onePage({ 3: PAGE, 8: APPROVAL, ...base })));
    const file = await readFile((await workshop.sign(source, { fieldName: 'approval', certify })).path);
    const field = APPROVAL.replace('approval', 'later').replace('72 72 200 120', '0 0 0 0');
    return appendRevision(file, {
      3: PAGE.replace('8 0 R', '8 0 R 70 0 R'),
      11: bodyOf(file, 11).replace('8 0 R', '8 0 R 70 0 R'),
      70: field,
    });
  };

  it('is forbidden where forms may be filled in, and allowed where annotations are', async () => {
    for (const [certify, may] of [
      ['form-filling', false],
      ['annotations', true],
    ] as const) {
      expect(await isAllowed(await added(certify), {})).toBe(may);
    }
  });

  it('is allowed once the field is signed', async () => {
    const { path } = await workshop.sign(await workshop.write(await added('form-filling')), { fieldName: 'later' });
    expect((await signatureOf(path, 'approval')).changesAllowed).toBe(true);
  });
});
