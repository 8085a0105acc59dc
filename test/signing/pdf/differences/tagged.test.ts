import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPdf } from '../build-pdf.ts';
import type { Objects } from '../build-pdf.ts';
import { Workshop } from '../workshop.ts';
import { append, bodyOf, codesOf, CONTRACT, CONTRACT_SHAPE, edited, signatureOf } from './contract.ts';

/** A tagged document: 30 the root of its structure, 31 the document, 32 a paragraph, 33 the tree of parents. */
const TAGGED: Objects = {
  ...CONTRACT,
  1: '<</Type /Catalog /Pages 2 0 R /AcroForm 11 0 R /MarkInfo <</Marked true>> /StructTreeRoot 30 0 R>>',
  30: '<</Type /StructTreeRoot /K [31 0 R] /ParentTree 33 0 R /ParentTreeNextKey 1>>',
  31: '<</Type /StructElem /S /Document /P 30 0 R /K [32 0 R]>>',
  32: '<</Type /StructElem /S /P /P 31 0 R /Pg 3 0 R /K [0]>>',
  33: '<</Nums [0 [32 0 R]]>>',
};

const DIRECT: Objects = {
  ...TAGGED,
  1: `<</Type /Catalog /Pages 2 0 R /AcroForm 11 0 R /MarkInfo <</Marked true>>
    /StructTreeRoot <</Type /StructTreeRoot /K 31 0 R /ParentTree <</Nums [0 [32 0 R]]>>>>>>`,
  31: '<</Type /StructElem /S /Document /P <</Type /StructTreeRoot>> /K 32 0 R>>',
};

const element = (kids: string, more = ''): string => `<</Type /StructElem /S /Form /P 31 0 R /K ${kids} ${more}>>`;
const annotationOf = (number: number): string => `<</Type /OBJR /Obj ${number} 0 R /Pg 3 0 R>>`;

let workshop: Workshop;
let signed: Buffer;
let direct: Buffer;
beforeAll(async () => {
  workshop = await Workshop.open();
  const sign = async (objects: Objects): Promise<Buffer> => {
    const { path } = await workshop.sign(await workshop.write(buildPdf(objects, CONTRACT_SHAPE)), {
      fieldName: 'approval',
    });
    return readFile(path);
  };
  signed = await sign(TAGGED);
  direct = await sign(DIRECT);
});
afterAll(() => workshop.close());

const WIDGET = `<</Type /Annot /Subtype /Widget /FT /Sig /T (later) /F 132 /Rect [0 0 0 0] /P 3 0 R /StructParent 1>>`;
const NOTE = '<</Type /Annot /Subtype /Text /Rect [10 10 30 30] /Contents (hi) /P 3 0 R /StructParent 1>>';

/** The form and the page get the field 60. */
const withField = (file: Buffer): Objects => ({
  60: WIDGET,
  ...edited(file, Number(/\/AcroForm (\d+)/.exec(bodyOf(file, 1))?.[1]), '/Fields [', '/Fields [60 0 R '),
  ...edited(file, 3, '/Annots [', '/Tabs /S /Annots [60 0 R '),
});
/** The structure gets an element for it. */
const STRUCTURE: Objects = {
  30: '<</Type /StructTreeRoot /K [31 0 R] /ParentTree 33 0 R /ParentTreeNextKey 2>>',
  31: '<</Type /StructElem /S /Document /P 30 0 R /K [32 0 R 61 0 R]>>',
  33: '<</Nums [0 [32 0 R] 1 61 0 R]>>',
  61: element(annotationOf(60), '/TU (Signature)'),
};

/** The document element with the paragraph, the element of the field, and another one. */
const twoElements = '<</Type /StructElem /S /Document /P 30 0 R /K [32 0 R 61 0 R 62 0 R]>>';

const changesOf = (file: Buffer): ReturnType<typeof signatureOf> =>
  workshop.write(file).then((path) => signatureOf(path, 'approval'));

describe('the structure of a tagged document', () => {
  it('may get an element for an added field', async () => {
    const { changes, changesAllowed } = await changesOf(append(signed, { ...withField(signed), ...STRUCTURE }));
    expect(codesOf(changes).toSorted()).toEqual(['SIGNATURE_FIELD_ADDED', 'STRUCTURE_UPDATED']);
    expect(changesAllowed).toBe(true);
  });

  it('may get an element for an annotation', async () => {
    const page = edited(signed, 3, '/Annots [', '/Annots [60 0 R ');
    const { changes, changesAllowed } = await changesOf(append(signed, { 60: NOTE, ...page, ...STRUCTURE }));
    expect(codesOf(changes).toSorted()).toEqual(['ANNOTATION_ADDED', 'STRUCTURE_UPDATED']);
    expect(changesAllowed).toBe(true);
  });

  it.each([
    [
      'with an element in an element',
      { 61: element('[62 0 R]'), 62: element(annotationOf(60)).replace('31 0', '61 0') },
    ],
    ['with an object that leads to the field', { 61: element('62 0 R'), 62: annotationOf(60) }],
    [
      'in another node of the tree of parents',
      { 33: '<</Nums [0 [32 0 R]] /Kids [62 0 R]>>', 62: '<</Limits [1 1] /Nums [1 61 0 R]>>' },
    ],
    [
      'below the root itself',
      { 30: '<</Type /StructTreeRoot /K [31 0 R 61 0 R] /ParentTree 33 0 R /ParentTreeNextKey 2>>', 31: bodyIn(31) },
    ],
  ] as const)('may get it %s', async (_, objects) => {
    const { changes, changesAllowed } = await changesOf(
      append(signed, { ...withField(signed), ...STRUCTURE, ...objects }),
    );
    expect(codesOf(changes).toSorted()).toEqual(['SIGNATURE_FIELD_ADDED', 'STRUCTURE_UPDATED']);
    expect(changesAllowed).toBe(true);
  });

  it.each([
    ['no next key', ''],
    ['a next key that a program did not count on', '/ParentTreeNextKey 9'],
  ])('may get it where the root has %s', async (_, next) => {
    const root = (keys: string): string => `<</Type /StructTreeRoot /K [31 0 R] /ParentTree 33 0 R ${keys}>>`;
    const { path } = await workshop.sign(
      await workshop.write(buildPdf({ ...TAGGED, 30: root(next) }, CONTRACT_SHAPE)),
      { fieldName: 'approval' },
    );
    const file = await readFile(path);
    const page = edited(file, 13, '/Contents', '/StructParents 2 /Tabs /S /Contents');
    const { changes, changesAllowed } = await changesOf(
      append(file, { ...withField(file), ...STRUCTURE, 30: root('/ParentTreeNextKey 9'), ...page }),
    );
    expect(codesOf(changes).toSorted()).toEqual(['SIGNATURE_FIELD_ADDED', 'STRUCTURE_UPDATED']);
    expect(changesAllowed).toBe(true);
  });

  it('may be written into the catalog', async () => {
    const catalog = edited(direct, 1, '/K 31 0 R', '/K [31 0 R 61 0 R]')[1] as string;
    const objects = { 61: STRUCTURE[61] ?? '', 1: catalog.replace('[0 [32 0 R]]', '[0 [32 0 R] 1 61 0 R]') };
    const { changes, changesAllowed } = await changesOf(append(direct, { ...withField(direct), ...objects }));
    expect(codesOf(changes).toSorted()).toEqual(['SIGNATURE_FIELD_ADDED', 'STRUCTURE_UPDATED']);
    expect(changesAllowed).toBe(true);
  });

  it('may not be added to where a certification forbids all changes', async () => {
    const { path } = await workshop.sign(await workshop.write(buildPdf(TAGGED, CONTRACT_SHAPE)), {
      certify: 'no-changes',
      fieldName: 'approval',
    });
    const file = await readFile(path);
    const { changes, changesAllowed } = await changesOf(append(file, { ...STRUCTURE, 61: element(annotationOf(6)) }));
    expect(codesOf(changes)).toEqual(['STRUCTURE_UPDATED']);
    expect(changesAllowed).toBe(false);
  });

  describe('certified against all changes', () => {
    let certified: Buffer;
    /** The certified document with a document time stamp in the field 60 and its element. */
    let stamped: Buffer;
    beforeAll(async () => {
      const { path } = await workshop.sign(await workshop.write(buildPdf(TAGGED, CONTRACT_SHAPE)), {
        certify: 'no-changes',
        fieldName: 'approval',
      });
      certified = await readFile(path);
      stamped = append(certified, timestamped());
    });
    const timestamped = (more: Objects = {}): Objects => ({
      ...withField(certified),
      60: WIDGET.replace('/F 132', '/V 70 0 R /F 132'),
      70: '<</Type /DocTimeStamp /Filter /Adobe.PPKLite /SubFilter /ETSI.RFC3161>>',
      ...STRUCTURE,
      ...more,
    });

    it('may get an element for a document time stamp', async () => {
      const { changes, changesAllowed } = await changesOf(stamped);
      expect(codesOf(changes)).toEqual(['DOCUMENT_TIMESTAMP_ADDED']);
      expect(changesAllowed).toBe(true);
    });

    it('may get an element for a time stamp whose widget is a kid of the field', async () => {
      const { changes, changesAllowed } = await changesOf(
        append(
          certified,
          timestamped({
            ...edited(certified, 3, '/Annots [', '/Tabs /S /Annots [63 0 R '),
            60: '<</FT /Sig /T (later) /V 70 0 R /Kids [63 0 R]>>',
            61: element(annotationOf(63)),
            63: '<</Type /Annot /Subtype /Widget /Parent 60 0 R /F 132 /Rect [0 0 0 0] /P 3 0 R /StructParent 1>>',
          }),
        ),
      );
      expect(codesOf(changes)).toEqual(['DOCUMENT_TIMESTAMP_ADDED']);
      expect(changesAllowed).toBe(true);
    });

    it.each([
      ['an element of another annotation', { 62: element(annotationOf(9)), 31: twoElements }],
      ['a direct reference to another annotation', { 31: twoElements.replace('62 0 R', annotationOf(9)) }],
      ['an element of an annotation that no page shows', { 62: element(annotationOf(63)), 63: NOTE, 31: twoElements }],
      ['an element of a signature that no page shows', { 62: element(annotationOf(63)), 63: WIDGET, 31: twoElements }],
      ['words for the time stamp', { 61: element(annotationOf(60), '/Alt (Void)') }],
    ])('may not get %s with the time stamp', async (_, more) => {
      const { changes, changesAllowed } = await changesOf(append(certified, timestamped(more)));
      expect(codesOf(changes)).toContain('STRUCTURE_UPDATED');
      expect(changesAllowed).toBe(false);
    });
  });

  it.each([
    ['an element is taken out', { 31: '<</Type /StructElem /S /Document /P 30 0 R /K [61 0 R]>>' }],
    [
      'elements change their order',
      { 30: '<</Type /StructTreeRoot /K [61 0 R] /ParentTree 33 0 R /ParentTreeNextKey 2>>' },
    ],
    ['an element that is there becomes another one', { 32: '<</Type /StructElem /S /H1 /P 31 0 R /Pg 3 0 R /K [0]>>' }],
    [
      'an element gets words of its own',
      { 32: '<</Type /StructElem /S /P /P 31 0 R /Pg 3 0 R /K [0] /ActualText (Pay 1000)>>' },
    ],
    ['an added element has content of a page', { 61: element('[0]', '/Pg 3 0 R') }],
    ['an added element has marked content', { 61: element('<</Type /MCR /MCID 0 /Pg 3 0 R>>') }],
    ['an added element has words and no annotation', { 61: element('[]', '/ActualText (Pay 1000)') }],
    ['an added element leads to a page', { 61: element(annotationOf(3)) }],
    ['the parents of a page’s content change', { 33: '<</Nums [0 [61 0 R] 1 61 0 R]>>' }],
    ['content of a page gets parents', { 33: '<</Nums [0 [32 0 R] 1 [61 0 R]]>>' }],
    [
      'roles are mapped',
      { 30: '<</Type /StructTreeRoot /K [31 0 R] /ParentTree 33 0 R /ParentTreeNextKey 2 /RoleMap <</P /H1>>>>' },
    ],
    ['keys are taken back', { 30: '<</Type /StructTreeRoot /K [31 0 R] /ParentTree 33 0 R /ParentTreeNextKey 0>>' }],
    ['there is another root', { 1: (TAGGED[1] as string).replace('30 0 R', '61 0 R') }],
  ])('is changed beyond that when %s', async (_, objects) => {
    const { changeLevel, changesAllowed } = await changesOf(
      append(signed, { ...withField(signed), ...STRUCTURE, ...objects }),
    );
    expect({ changeLevel, changesAllowed }).toEqual({ changeLevel: 'other', changesAllowed: false });
  });
});

function bodyIn(number: number): string {
  return TAGGED[number] as string;
}
