/** Each changeable entry: an honest change allowed by every signature, and a hostile change. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHANGEABLE_ENTRIES } from '../../../../src/signing/pdf/differences/rules/changeable-entries.ts';
import { appendRevision, buildPdf, type Objects, type PdfShape } from '../build-pdf.ts';
import { Workshop } from '../workshop.ts';
import { bodyOf, edited, signatureOf } from './contract.ts';

const INTENT = '<</Type /OutputIntent /S /GTS_PDFA1 /DestOutputProfile 58 0 R>>';

/**
 * Object numbers: 1 catalog, 2 root of the pages with the nodes 20 and 21, 3, 13 and 23 pages with the contents 4, 14 and
 * 24, 5 font, 6 text field, 8 signature field, 11 form, 17 information, 30 root of the structure with the document 31,
 * the paragraph 32, the parents 33, the identifiers 34 and the namespace 35, 50 named destinations, 55 page labels, 57
 * usage rights, 58 colour profile.
 */
const BOOK: Objects = {
  1: `<</Type /Catalog /Version /1.7 /Pages 2 0 R /AcroForm 11 0 R /StructTreeRoot 30 0 R /Lang (en)
    /Names <</Dests 50 0 R>> /PageLabels 55 0 R /Perms <</UR3 57 0 R>> /OutputIntents [${INTENT}]>>`,
  2: `<</Type /Pages /Kids [20 0 R 21 0 R] /Count 3 /MediaBox [0 0 595 842] /CropBox [0 0 595 842] /Rotate 0
    /Resources <</Font <</F1 5 0 R>>>>>>`,
  20: '<</Type /Pages /Parent 2 0 R /Kids [3 0 R 13 0 R] /Count 2>>',
  21: '<</Type /Pages /Parent 2 0 R /Kids [23 0 R] /Count 1>>',
  3: '<</Type /Page /Parent 20 0 R /Contents 4 0 R /StructParents 0 /Annots [6 0 R 8 0 R]>>',
  13: '<</Type /Page /Parent 20 0 R /Contents 14 0 R>>',
  23: '<</Type /Page /Parent 21 0 R /Contents 24 0 R>>',
  4: { dictionary: '', data: 'BT /F1 24 Tf 72 720 Td (Pay 10) Tj ET' },
  14: { dictionary: '', data: 'BT /F1 24 Tf 72 720 Td (Second) Tj ET' },
  24: { dictionary: '', data: 'BT /F1 24 Tf 72 720 Td (Third) Tj ET' },
  5: '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>',
  6: '<</Type /Annot /Subtype /Widget /FT /Tx /T (name) /F 4 /Rect [72 600 300 620] /P 3 0 R /DA (/Helv 9 Tf)>>',
  8: '<</Type /Annot /Subtype /Widget /FT /Sig /T (approval) /F 4 /Rect [72 72 200 120] /P 3 0 R>>',
  11: '<</Fields [6 0 R 8 0 R] /SigFlags 3 /DR <</Font <</Helv 5 0 R>>>> /DA (/Helv 0 Tf) /Q 0>>',
  17: '<</Title (Book)>>',
  30: `<</Type /StructTreeRoot /K [31 0 R] /ParentTree 33 0 R /ParentTreeNextKey 1 /IDTree 34 0 R
    /Namespaces [35 0 R]>>`,
  31: '<</Type /StructElem /S /Document /P 30 0 R /K [32 0 R]>>',
  32: '<</Type /StructElem /S /P /P 31 0 R /Pg 3 0 R /K [0] /ID (p1)>>',
  33: '<</Nums [0 [32 0 R]]>>',
  34: '<</Names [(p1) 32 0 R]>>',
  35: '<</Type /Namespace /NS (http://iso.org/pdf2/ssn)>>',
  50: '<</Names [(one) [3 0 R /Fit] (two) [13 0 R /Fit]]>>',
  55: '<</Nums [0 <</S /D>>]>>',
  57: '<</Type /Sig /Filter /Adobe.PPKLite>>',
  58: { dictionary: '/N 3', data: 'profile' },
};
const SHAPE: PdfShape = { version: '1.4', trailer: '/Info 17 0 R' };

const EVIL = { dictionary: '', data: 'BT /F1 24 Tf 72 720 Td (Pay 1000) Tj ET' };
/** A field with its element in the structure. */
const WIDGET = '<</Type /Annot /Subtype /Widget /FT /Sig /T (later) /F 132 /Rect [0 0 0 0] /P 3 0 R /StructParent 1>>';
const NOTE = '<</Type /Annot /Subtype /Text /Rect [10 10 30 30] /Contents (hi) /P 3 0 R /StructParent 1>>';
const ELEMENT = '<</Type /StructElem /S /Form /P 31 0 R /Pg 3 0 R /K <</Type /OBJR /Obj 70 0 R>> /ID (f1)>>';

let workshop: Workshop;
/** The book with a signature in the field `approval`. */
let book: Buffer;
const bases = new Map<string, Buffer>();
async function sign(objects: Objects, shape: PdfShape = SHAPE): Promise<Buffer> {
  const name = JSON.stringify([objects, shape]);
  const known = bases.get(name);
  if (known !== undefined) return known;
  const { path } = await workshop.sign(await workshop.write(buildPdf(objects, shape)), { fieldName: 'approval' });
  const file = await readFile(path);
  bases.set(name, file);
  return file;
}
beforeAll(async () => {
  workshop = await Workshop.open();
  book = await sign(BOOK);
});
afterAll(() => workshop.close());

/** Objects of the last version with texts replaced. */
const change = (number: number, from: string, to: string, file = book): Objects => edited(file, number, from, to);
const append = (objects: Objects, shape: PdfShape = {}, file = book): Buffer =>
  appendRevision(file, objects, { ...SHAPE, ...shape });

type Twin = () => Buffer | Promise<Buffer>;
interface Twins {
  readonly honest: Twin;
  readonly hostile: Twin;
}

/** The pages 13 and 23 below one new node, and the page 3 directly below the root. */
const REHUNG: Objects = {
  2: (BOOK[2] as string).replace('20 0 R 21 0 R', '3 0 R 40 0 R'),
  40: '<</Type /Pages /Parent 2 0 R /Kids [13 0 R 23 0 R] /Count 2>>',
  13: (BOOK[13] as string).replace('20 0', '40 0'),
  23: (BOOK[23] as string).replace('21 0', '40 0'),
};
const rehung = (changes: Objects = {}): Buffer =>
  append({ ...REHUNG, ...change(3, '/Parent 20 0 R', '/Parent 2 0 R'), ...changes });

/** A new node with the inherited attribute, and a new node with another value. */
const inherited = (same: string, other: string): Twins => ({
  honest: () => rehung({ 40: (REHUNG[40] as string).replace('/Count', `${same} /Count`) }),
  hostile: () => rehung({ 40: (REHUNG[40] as string).replace('/Count', `${other} /Count`) }),
});

const withField = (): Objects => ({
  70: WIDGET,
  ...change(11, '/Fields [', '/Fields [70 0 R '),
  ...change(3, '/Annots [', '/Annots [70 0 R '),
});
const withElement = (more: Objects = {}): Objects => ({
  ...withField(),
  30: (BOOK[30] as string).replace('NextKey 1', 'NextKey 2'),
  31: '<</Type /StructElem /S /Document /P 30 0 R /K [32 0 R 71 0 R]>>',
  33: '<</Nums [0 [32 0 R] 1 71 0 R]>>',
  71: ELEMENT,
  ...more,
});

/** The entry of the catalog leads to a new object, or to the exchanged content of a page. */
const leadsTo = (entry: string): Twins => ({
  honest: () =>
    append({ ...change(1, '/Lang', `${entry.replace('@', '80 0 R')} /Lang`), 80: { dictionary: '', data: 'x' } }),
  hostile: () => append({ ...change(1, '/Lang', `${entry.replace('@', '4 0 R')} /Lang`), 4: EVIL }),
});

const DIRECT_STRUCTURE: Objects = {
  ...BOOK,
  1: (BOOK[1] as string).replace(
    '/StructTreeRoot 30 0 R',
    '/StructTreeRoot <</Type /StructTreeRoot /K 31 0 R /ParentTree <</Nums [0 [32 0 R]]>> /ParentTreeNextKey 1>>',
  ),
  31: '<</Type /StructElem /S /Document /P <</Type /StructTreeRoot>> /K 32 0 R>>',
};
async function directStructure(from: string, to: string): Promise<Buffer> {
  const file = await sign(DIRECT_STRUCTURE);
  const field = { 70: WIDGET, ...change(11, '/Fields [', '/Fields [70 0 R ', file), 71: ELEMENT };
  return append(
    { ...field, ...change(3, '/Annots [', '/Annots [70 0 R ', file), ...change(1, from, to, file) },
    {},
    file,
  );
}

/** A form of fields with their own default appearances, and a form of a field without a default appearance. */
const defaults = (from: string, to: string): Twins => ({
  honest: () => append(change(11, from, to)),
  hostile: async () => {
    const file = await sign({ ...BOOK, 6: (BOOK[6] as string).replace('/DA (/Helv 9 Tf)', '') });
    return append(change(11, from, to, file), {}, file);
  },
});

/** An extension at a level, and at another level later. */
async function extended(from: number, to: number): Promise<Buffer> {
  const entry = (level: number): string => `/Extensions <</ESIC <</BaseVersion /1.7 /ExtensionLevel ${level}>>>>`;
  const file = await sign({ ...BOOK, 1: (BOOK[1] as string).replace('/Lang', `${entry(from)} /Lang`) });
  return append(change(1, entry(from), entry(to), file), {}, file);
}

const OTHER_IDENTIFIER = '/ID [<00> <00>]';

const TWINS: {
  readonly [Part in keyof typeof CHANGEABLE_ENTRIES]: Readonly<Record<keyof (typeof CHANGEABLE_ENTRIES)[Part], Twins>>;
} = {
  trailer: {
    ID: {
      honest: () => append({}, { identifier: OTHER_IDENTIFIER }),
      // The identifier excuses no other entry of the trailer.
      hostile: () => append({}, { identifier: OTHER_IDENTIFIER, trailer: '/Info 17 0 R /Unknown 1' }),
    },
    Info: {
      honest: () => append({ 17: '<</Title (Book) /ModDate (D:2026)>>' }),
      hostile: () => append({ 4: EVIL }, { trailer: '/Info 4 0 R' }),
    },
  },
  catalog: {
    AcroForm: {
      honest: () => append({ ...change(1, '/AcroForm 11 0 R', '/AcroForm 81 0 R'), 81: bodyOf(book, 11) }),
      hostile: () =>
        append({
          ...change(1, '/AcroForm 11 0 R', '/AcroForm 81 0 R'),
          81: bodyOf(book, 11).replace('/DR', '/XFA [] /DR'),
        }),
    },
    DSS: leadsTo('/DSS <</Certs [@]>>'),
    Extensions: {
      honest: async () => extended(4, 5),
      hostile: async () => extended(4, 3),
    },
    Metadata: leadsTo('/Metadata @'),
    Version: {
      honest: () => append(change(1, '/Version /1.7', '/Version /2.0')),
      hostile: () => append(change(1, '/Version /1.7', '/Version /1.4')),
    },
    OutputIntents: {
      honest: () => append({ ...change(1, `[${INTENT}]`, '[90 0 R]'), 90: INTENT }),
      hostile: () => append({ ...change(1, '58 0 R', '91 0 R'), 91: { dictionary: '/N 3', data: 'another' } }),
    },
    StructTreeRoot: {
      honest: () =>
        directStructure(
          '/K 31 0 R /ParentTree <</Nums [0 [32 0 R]]>>',
          '/K [31 0 R 71 0 R] /ParentTree <</Nums [0 [32 0 R] 1 71 0 R]>>',
        ),
      hostile: () => directStructure('/K 31 0 R', '/K [71 0 R 31 0 R 31 0 R]'),
    },
    Pages: {
      honest: () =>
        append({
          ...change(1, '/Pages 2 0 R', '/Pages 41 0 R'),
          41: '<</Type /Pages /Kids [2 0 R] /Count 3>>',
          2: (BOOK[2] as string).replace('/Count', '/Parent 41 0 R /Count'),
        }),
      hostile: () =>
        append({
          ...change(1, '/Pages 2 0 R', '/Pages 41 0 R'),
          41: '<</Type /Pages /Kids [21 0 R 20 0 R] /Count 3 /MediaBox [0 0 595 842]>>',
          20: (BOOK[20] as string).replace('2 0 R', '41 0 R'),
          21: (BOOK[21] as string).replace('2 0 R', '41 0 R'),
        }),
    },
    Perms: {
      honest: () => append(change(1, '/Perms <</UR3 57 0 R>>', '')),
      hostile: () => append(change(1, '/UR3 57 0 R', '/UR3 57 0 R /DocMDP 57 0 R')),
    },
  },
  pageNode: {
    Kids: { honest: () => rehung(), hostile: () => append(change(20, '3 0 R 13 0 R', '13 0 R 3 0 R')) },
    Count: { honest: () => rehung(), hostile: () => append(change(2, '/Count 3', '/Count 2')) },
    Parent: {
      honest: () =>
        append({
          ...change(2, '20 0 R 21 0 R', '42 0 R'),
          42: '<</Type /Pages /Parent 2 0 R /Kids [20 0 R 21 0 R] /Count 3>>',
          ...change(20, '/Parent 2 0 R', '/Parent 42 0 R'),
          ...change(21, '/Parent 2 0 R', '/Parent 42 0 R'),
        }),
      hostile: () => append(change(21, '/Parent 2 0 R', '/Parent 20 0 R')),
    },
    Resources: inherited('/Resources <</Font <</F1 5 0 R>>>>', '/Resources <</Font <</F1 92 0 R>>>>'),
    MediaBox: inherited('/MediaBox [0 0 595 842]', '/MediaBox [0 0 595 100]'),
    CropBox: inherited('/CropBox [0 0 595 842]', '/CropBox [0 0 595 100]'),
    Rotate: inherited('/Rotate 0', '/Rotate 180'),
  },
  page: {
    Annots: {
      honest: () => append({ ...change(3, '/Annots [', '/Annots [70 0 R '), 70: NOTE.replace('/StructParent 1', '') }),
      hostile: () => append(change(3, '/Annots [', '/Annots [17 0 R ')),
    },
    Parent: {
      honest: () => rehung(),
      hostile: () => append(change(13, '/Parent 20 0 R', '/Parent 21 0 R')),
    },
    LastModified: {
      honest: () => append(change(13, '/Contents', '/LastModified (D:2026) /Contents')),
      hostile: () => append(change(13, '/Contents', '/LastModified (D:2026) /UserUnit 2 /Contents')),
    },
    Tabs: {
      honest: () => append(change(3, '/Annots', '/Tabs /R /Annots')),
      hostile: () => append(change(3, '/Annots', '/Tabs (R) /Annots')),
    },
    StructParents: {
      honest: () =>
        append({
          ...change(13, '/Contents', '/StructParents 1 /Contents'),
          30: bodyOf(book, 30).replace('NextKey 1', 'NextKey 2'),
        }),
      hostile: () => append(change(13, '/Contents', '/StructParents 0 /Contents')),
    },
  },
  form: {
    Fields: {
      honest: () => append(withField()),
      hostile: () => append({ ...withField(), 70: WIDGET.replace('/Sig', '/Tx') }),
    },
    NeedAppearances: {
      honest: () => append(change(11, '/DR', '/NeedAppearances false /DR')),
      hostile: () => append(change(11, '/DR', '/NeedAppearances false /XFA [] /DR')),
    },
    SigFlags: {
      honest: async () => {
        const file = await sign({ ...BOOK, 11: (BOOK[11] as string).replace('/SigFlags 3', '/SigFlags 0') });
        return append(change(11, '/SigFlags 3', '/SigFlags 7', file), {}, file);
      },
      hostile: () => append(change(11, '/SigFlags 3', '/SigFlags 0')),
    },
    DR: {
      honest: () => append({ ...change(11, '/Helv 5 0 R', '/Helv 5 0 R /Cour 93 0 R'), 93: BOOK[5] ?? '' }),
      hostile: () =>
        append({ ...change(11, '/Helv 5 0 R', '/Helv 93 0 R'), 93: (BOOK[5] as string).replace('Helvetica', 'Other') }),
    },
    DA: defaults('/DA (/Helv 0 Tf)', '/DA (/Helv 99 Tf)'),
    Q: defaults('/Q 0', '/Q 2'),
  },
  structureRoot: {
    K: {
      honest: () =>
        append(
          withElement({
            30: (BOOK[30] as string).replace('[31 0 R]', '[31 0 R 71 0 R]').replace('NextKey 1', 'NextKey 2'),
            31: BOOK[31] ?? '',
            71: ELEMENT.replace('31 0', '30 0'),
          }),
        ),
      hostile: () => append(withElement({ 71: ELEMENT.replace(/\/K <<.*?>>/, '/K [0]') })),
    },
    ParentTree: {
      // The tree and the list of the page in new objects, as iText 9 writes both.
      honest: () =>
        append(
          withElement({
            30: (BOOK[30] as string).replace('33 0 R', '94 0 R').replace('NextKey 1', 'NextKey 2'),
            33: BOOK[33] ?? '',
            94: '<</Nums [0 95 0 R 1 71 0 R]>>',
            95: '[32 0 R]',
          }),
        ),
      hostile: () =>
        append(
          withElement({
            30: (BOOK[30] as string).replace('33 0 R', '94 0 R').replace('NextKey 1', 'NextKey 2'),
            33: BOOK[33] ?? '',
            94: '<</Nums [0 95 0 R 1 71 0 R]>>',
            95: '[71 0 R]',
          }),
        ),
    },
    ParentTreeNextKey: {
      honest: () => append({ 30: (BOOK[30] as string).replace('NextKey 1', 'NextKey 9') }),
      hostile: () => append({ 30: (BOOK[30] as string).replace('NextKey 1', 'NextKey 0') }),
    },
    IDTree: {
      honest: () =>
        append(
          withElement({
            30: (BOOK[30] as string).replace('34 0 R', '96 0 R').replace('NextKey 1', 'NextKey 2'),
            96: '<</Kids [97 0 R]>>',
            97: '<</Limits [(f1) (p1)] /Names [(f1) 71 0 R (p1) 32 0 R]>>',
          }),
        ),
      hostile: () => append(withElement({ 34: '<</Names [(p1) 71 0 R]>>' })),
    },
    Namespaces: {
      honest: () =>
        append({
          30: (BOOK[30] as string).replace('[35 0 R]', '[35 0 R 98 0 R]'),
          98: '<</Type /Namespace /NS (other)>>',
        }),
      hostile: () =>
        append({
          30: (BOOK[30] as string).replace('[35 0 R]', '[98 0 R]'),
          98: '<</NS (other) /RoleMapNS <</P /H1>>>>',
        }),
    },
  },
  structureElement: {
    K: {
      honest: () => append(withElement()),
      hostile: () => append(withElement({ 31: '<</Type /StructElem /S /Document /P 30 0 R /K [71 0 R]>>' })),
    },
  },
};

const rows = Object.entries(TWINS).flatMap(([part, entries]) =>
  Object.entries(entries as Readonly<Record<string, Twins>>).map(([key, twins]) => [part, key, twins] as const),
);

const judge = async (file: Buffer): Promise<{ readonly changesAllowed: boolean; readonly codes: string }> => {
  const { problem, changes, changesAllowed } = await signatureOf(await workshop.write(file), 'approval');
  return { changesAllowed: problem === undefined && changesAllowed, codes: changes.map(({ code }) => code).join(' ') };
};

describe('a changeable entry', () => {
  it.each(rows)('is allowed in the %s: %s, changed honestly', async (_part, _key, { honest }) => {
    expect(await judge(await honest())).toMatchObject({ changesAllowed: true });
  });

  it.each(rows)('is no excuse in the %s: %s, changed by an attacker', async (_part, _key, { hostile }) => {
    expect(await judge(await hostile())).toMatchObject({ changesAllowed: false });
  });

  it('has its section of ISO 32000-2', () => {
    const sections = Object.values(CHANGEABLE_ENTRIES).flatMap((entries) => Object.values(entries));
    expect(sections.every((section) => /^§\d+(?:\.\d+)+$/.test(section))).toBe(true);
  });
});
